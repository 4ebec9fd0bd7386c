"""Every rule and ruling of the rulebook has a test that is marked with it, and no mark names an unknown rule.

If only some tests run, all are collected again in a separate process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from firmware_host.core.game_files import game_folder
from firmware_host.core.installed import names
from firmware_host.core.rulebook import Rulebook, RuleEntry, RuleGroup, book_of
from lab.authoring.marks import unknown, untested
from tests.depth import COLLECTED
from tests.rule_marks import FOLDERS, ROOT, TEMPLATE, RuleMarks

BOOKS = {name: book_of(name) for name in names() if (game_folder(name) / "book").is_dir()}


def everything_runs(session: pytest.Session) -> bool:
    """Return whether this run includes all tests."""
    chosen = [session.config.getoption(name, None) for name in ("keyword", "markexpr", "deselect", "lf", "ff")]
    # Only `make emulate` collects the tests of the emulated board.
    found = (path for folder in FOLDERS for path in folder.rglob("test_*.py") if path.parent.name != "emulator")
    files = {path for path in found if "def test_" in path.read_text("utf-8")}
    whole = not any("::" in name for name in session.config.args)
    return whole and not any(chosen) and session.config.stash[COLLECTED] >= files


@pytest.fixture(scope="module")
def rule_tests(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """Rule number -> its tests, of all tests that exist."""
    if everything_runs(request.session):
        marks = RuleMarks()
        marks.pytest_collection_finish(request.session)
        return marks.held
    command = [sys.executable, "-m", "tests.rule_marks"]
    # The game of the template, which pytest puts on the path only after `tests` is imported.
    path = os.pathsep.join(filter(None, (str(TEMPLATE), os.environ.get("PYTHONPATH"))))
    around = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, cwd=ROOT, env=around, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("game", BOOKS)
def test_every_rule_and_ruling_has_a_test(game: str, rule_tests: dict[str, list[str]]) -> None:
    assert untested(BOOKS[game], rule_tests) == []


def test_every_mark_names_a_rule_of_the_rulebook(rule_tests: dict[str, list[str]]) -> None:
    assert unknown(BOOKS.values(), rule_tests) == []


def test_rule_without_test_is_found_with_unknown_mark() -> None:
    rule = RuleEntry("MP-TURN-01", "rule", "TURN", "Go.")
    other = RuleEntry("MP-TURN-02", "rule", "TURN", "Stay.")
    advice = RuleEntry("MP-TURN-03", "advice", "TURN", "Take care.", untested="it binds nobody.")
    book = Rulebook((RuleGroup("TURN", "Turns.", (rule, other, advice)),))
    found = {"MP-TURN-01": ["a.py::test_go", "a.py::test_go", "b.py::test_run"], "MP-TURN-09": ["c.py::test_fly"]}
    assert untested(book, found) == ["MP-TURN-02"]
    assert unknown([book], found) == ["MP-TURN-09: c.py::test_fly"]
