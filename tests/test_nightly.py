"""`make nightly`: every job names existing files, and a failed job shows in the summary and the exit code."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tools import nightly
from tools.nightly import JOBS, ROOT, Job, main


def test_every_file_named_by_a_job_exists() -> None:
    named = [word for job in JOBS.values() for word in job.argument_list if word.startswith("tests/")]
    assert named
    assert [word for word in named if not (ROOT / word).exists()] == []
    modules = [job.argument_list[1] for job in JOBS.values() if job.argument_list[1] != "pytest"]
    assert modules == [
        "maker.drawings.chipboard",
        "tools.emulate",
        "tests.drill.roots",
        "firmware_host",
        "lab.advice",
        "firmware_host",
        "lab.load",
        "lab.soak",
    ]


def test_every_test_marked_nightly_runs_in_a_job() -> None:
    deep = [job.argument_list for job in JOBS.values() if int(job.environment.get("DEPTH", 1)) > 1]
    (ignored,) = [word.partition("=")[2] for words in deep if "nightly" in words for word in words if "ignore" in word]
    for path in Path(ROOT, "tests").rglob("test_*.py"):
        name = path.relative_to(ROOT).as_posix()
        if "pytest.mark.nightly" in path.read_text() and name.startswith(ignored):
            assert [words for words in deep if words[-1] == name or any(name.startswith(f"{it}/") for it in words)], (
                name
            )


def test_failures_are_reported_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "import os; print('first'); print(os.environ['DEPTH']); print(); raise SystemExit(int(os.environ['CODE']))"
    for name, code in (("good", 0), ("bad", 3)):
        job = Job(f"a {name} one", shlex.join(("-c", words)), {"DEPTH": "20", "CODE": str(code)})
        monkeypatch.setitem(JOBS, name, job)
    monkeypatch.setattr(nightly, "ROOT", tmp_path)
    monkeypatch.setattr(nightly, "LOGS", tmp_path / "logs")

    for chosen, code in ((["good", "bad"], 1), (["bad", "good"], 1), (["good"], 0)):
        monkeypatch.setattr(sys, "argv", ["nightly", *chosen])
        assert main() == code
    monkeypatch.setattr(sys, "argv", ["nightly", "bad", "good"])
    main()
    said = capsys.readouterr().out
    assert "| bad | a bad one | 0 | CODE 3 | 20 |" in said
    assert "| good | a good one | 0 | well | 20 |" in said
    assert (tmp_path / "logs" / "bad.log").read_text("utf-8").split() == ["first", "20"]
    monkeypatch.setattr(sys, "argv", ["nightly", "evil"])
    with pytest.raises(SystemExit, match="2"):
        main()
