"""No rule is bare: every ledger rule that the game keeps has a test that says so, and no test names one that is none.

The marks are read from the files, so that this holds whichever tests are being run. `ledger_ids.toml` lists the rules.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = HERE.parent
LEDGER = tomllib.loads((HERE / "ledger_ids.toml").read_text("utf-8"))
FORM = re.compile(r"MP-[A-Z]+-\d\d")


def ids_of(groups: list[str]) -> set[str]:
    """All rules of some groups."""
    return {f"MP-{group}-{number:02}" for group in groups for number in range(1, LEDGER["groups"][group] + 1)}


KNOWN = ids_of(list(LEDGER["groups"]))
UNTESTED = set(LEDGER["untested"])
"""Advice and explanations, with the reason why no test can hold them up."""


def marks() -> Iterator[tuple[str, str]]:
    """(where, rule) for every rule mark of every test file."""
    for file in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                for rule in node.args:
                    if isinstance(rule, ast.Constant):
                        yield f"{file.relative_to(TESTS)}:{node.lineno}", str(rule.value)


def named(file: Path) -> set[str]:
    """The rules that a file of ours names anywhere."""
    return set(FORM.findall(file.read_text("utf-8")))


def test_every_rule_that_the_game_keeps_has_a_test() -> None:
    bare = ids_of(LEDGER["covered"]["groups"]) - UNTESTED - {rule for _, rule in marks()}
    assert not bare, f"no test is marked with {', '.join(sorted(bare))}"


def test_every_mark_names_a_rule_that_exists() -> None:
    wrong = [f"{where}: {rule}" for where, rule in marks() if rule.startswith("MP-") and rule not in KNOWN]
    assert not wrong, "\n".join(wrong)


def test_what_is_left_untested_exists_has_a_reason_and_is_not_tested_after_all() -> None:
    assert UNTESTED <= KNOWN
    assert all(len(reason) > 10 for reason in LEDGER["untested"].values())
    assert not UNTESTED & {rule for _, rule in marks()}


@pytest.mark.parametrize("folder", ["engine/games/sniper_elite", "tests/games/sniper_elite"])
def test_the_game_and_its_tests_name_no_rule_that_is_none(folder: str) -> None:
    files = [file for file in (TESTS.parent / folder).iterdir() if file.is_file()]
    wrong = {file.name: named(file) - KNOWN for file in files if named(file) - KNOWN}
    assert not wrong
