"""`make audit` without a network: a package that was not checked never counts as safe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.auditing import KNOWN_WEAK, LOCKS, UNANSWERED, audit_report, pins_without_markers

ROOT = Path(__file__).resolve().parent.parent
PINS = sum(len(pins_without_markers((ROOT / name).read_text("utf-8"))) for name in LOCKS)
SOUND = {"name": "flask", "version": "3.1.3", "vulns": []}
WEAK = {
    "name": "jinja2",
    "version": "2.4.1",
    "vulns": [{"id": "PYSEC-2019-217", "fix_versions": ["2.10.1"]}, {"id": "PYSEC-2099-1", "fix_versions": []}],
}
UNKNOWN = {"name": "babel", "skip_reason": "Dependency not found on PyPI and could not be audited: babel (2.18.0)"}


@pytest.mark.parametrize(
    ("packages", "code", "words"),
    [
        ([SOUND], 0, "No vulnerability of these 1 packages is known."),
        ([WEAK], KNOWN_WEAK, "jinja2 2.4.1: PYSEC-2019-217, fixed in 2.10.1.\n"),
        ([WEAK], KNOWN_WEAK, "jinja2 2.4.1: PYSEC-2099-1, fixed in none."),
        ([SOUND, UNKNOWN], UNANSWERED, "has no answer for 1 of 2 packages (Dependency not found on PyPI"),
        ([WEAK, UNKNOWN], KNOWN_WEAK, "has no answer for 1 of 2 packages"),
    ],
)
def test_audit_distinguishes_known_from_unchecked(packages: list[dict[str, Any]], code: int, words: str) -> None:
    found = audit_report(packages, "", len(packages))
    assert found[0] == code
    assert words in found[1]


def test_package_missing_from_answer_counts_as_unchecked() -> None:
    code, message = audit_report([SOUND], "", 2)
    assert code == UNANSWERED
    assert "1 of 2 packages (they are missing from the answer)" in message
    code, message = audit_report([], "no route to host", 2)
    assert code == UNANSWERED
    assert "2 of 2 packages (no route to host)" in message


def run_audit(**environment: str) -> subprocess.CompletedProcess[str]:
    """Run `make audit` on a machine whose package index does not answer."""
    alone = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0", "PIP_CONFIG_FILE": os.devnull}
    command = [sys.executable, str(ROOT / "tools" / "bootstrap.py"), "audit"]
    here = {**os.environ, **alone, "PIP_FIND_LINKS": "", **environment}
    return subprocess.run(command, env=here, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


@pytest.mark.nightly
def test_unreachable_index_has_its_own_exit_code() -> None:
    done = run_audit()
    assert done.returncode == UNANSWERED
    assert f"has no answer for {PINS} of {PINS} packages (" in done.stderr
    assert "Connect to the internet and try again" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.nightly
def test_unanswered_audit_is_not_reported_as_safe(tmp_path: Path) -> None:
    make_pip_audit(tmp_path, json.dumps({"dependencies": [UNKNOWN] * PINS, "fixes": []}))
    done = run_audit(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path))
    assert done.returncode == UNANSWERED, done.stderr
    assert f"has no answer for {PINS} of {PINS} packages (Dependency not found" in done.stderr


def make_pip_audit(folder: Path, answer: str) -> None:
    """Make a pip-audit that knows no package and still exits with 0, as the real one does."""
    program = f"import sys; open(sys.argv[sys.argv.index('--output') + 1], 'w').write({answer!r})"
    facts = "Metadata-Version: 2.1\nName: pip-audit\nVersion: 9\n"
    tags = "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(folder / "pip_audit-9-py3-none-any.whl", "w") as file:
        file.writestr("pip_audit/__main__.py", program)
        for name, text in (("METADATA", facts), ("WHEEL", tags), ("RECORD", "")):
            file.writestr(f"pip_audit-9.dist-info/{name}", text)
