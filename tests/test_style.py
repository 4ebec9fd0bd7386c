"""The types are complete and the code is clean, checked with the same tools as `make check`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import javascript
from tools.errors import ToolError

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        pytest.param(("mypy",), marks=pytest.mark.long),
    ],
    ids=lambda command: command[0],
)
def test_checkers_report_nothing(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, check=False, capture_output=True, text=True, timeout=1800
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_checkers_of_javascript_report_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """Install in a copy, so that no other test meets packages that are still being installed.

    The copy stays: later runs install nothing, and check only files that have changed.
    """
    root = ROOT if javascript.is_installed(ROOT) else copied(ROOT / "build" / "javascript")
    try:
        javascript.install(root)
    except ToolError as error:
        pytest.skip(str(error))
    assert javascript.check(root) == 0, "".join(capfd.readouterr())


def copied(folder: Path) -> Path:
    """Return a folder with a copy of all that is checked, and of nothing else but the installed packages."""
    for earlier in folder.glob("*"):
        if earlier.is_file():
            earlier.unlink()
        elif earlier.name != "node_modules":
            shutil.rmtree(earlier)
    for pattern in (*javascript.SOURCES, *javascript.LOCKS, "tsconfig.json", "tools/javascript.d.ts"):
        for source in ROOT.glob(pattern):
            copy = folder / source.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    return folder
