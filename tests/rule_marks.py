"""`python -m tests.rule_marks`: print the rule marks of all tests as JSON. The tests are collected, not run."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from lab.authoring.marks import marks_of

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "lab/authoring/template"
FOLDERS = (ROOT / "tests", TEMPLATE / "tests")
"""The folders with tests of rules: the project's own, and those in the template of a game."""


class RuleMarks:
    """A pytest plugin that records the rule marks of all collected tests."""

    def __init__(self) -> None:
        self.held: dict[str, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Record the marks once pytest has collected all tests."""
        self.held = marks_of(session.items)


def main() -> int:
    """Print rule number -> tests; return pytest's exit code, after its output if a test file cannot be read."""
    marks, said = RuleMarks(), io.StringIO()
    options = ["--collect-only", "-qq", "-p", "no:cacheprovider"]
    options += ["-o", "addopts=--strict-markers --import-mode=importlib"]
    with contextlib.redirect_stdout(said):
        code = pytest.main([*options, f"--rootdir={ROOT}", *map(str, FOLDERS)], [marks])
    print(json.dumps(marks.held) if code == pytest.ExitCode.OK else said.getvalue())
    return int(code)


if __name__ == "__main__":
    raise SystemExit(main())
