"""List which tests cover each rule of every game's rule book, and which rules have none.

Run `.venv/bin/python -m tools.ledger`. With `--bare` it lists only the rules without a test. With numbers or groups,
such as `MP-MOVE-03` or `MOVE`, it lists only those. The tests are collected, not run. A test covers a rule if it has a
`rule` mark with the rule's number.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from firmware_host.core.game_files import game_folder
from firmware_host.core.installed import names as game_names
from firmware_host.core.rulebook import Rulebook, RuleEntry, book_of
from lab.authoring.marks import Held, marks_of, unknown, untested

ROOT = Path(__file__).resolve().parent.parent


class RuleMarks:
    """A pytest plugin that records the rule marks of all collected tests."""

    def __init__(self) -> None:
        self.held: dict[str, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Record the marks once pytest has collected all tests."""
        self.held = marks_of(session.items)


def rule_test_folders(root: Path = ROOT) -> list[Path]:
    """Return the folders with tests of rules: the project's own, and those in the template of a game."""
    return [root / "tests", root / "lab/authoring/template/tests"]


def collect(root: Path = ROOT) -> Held:
    """Return the rule marks of all tests. Raises `SystemExit` with pytest's output if a test file cannot be read."""
    marks, said = RuleMarks(), io.StringIO()
    quietly = [
        "--collect-only",
        "-qq",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=--strict-markers --import-mode=importlib",
    ]
    places = [f"--rootdir={root}", "-c", str(root / "pyproject.toml"), *map(str, rule_test_folders(root))]
    with contextlib.redirect_stdout(said):
        code = pytest.main([*quietly, *places], [marks])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"The tests cannot be collected:\n{said.getvalue()}")
    return marks.held


def books() -> dict[str, Rulebook]:
    """Return game -> its rule book, for all games that have one."""
    return {name: book_of(name) for name in game_names() if (game_folder(name) / "book").is_dir()}


def lines(entries: Sequence[RuleEntry], held: Held) -> Iterator[str]:
    """Yield for each rule its tests, or why it has none."""
    for entry in entries:
        tests = Counter(held.get(entry.id, ()))
        count = f"{len(tests)} test{'s' * (len(tests) != 1)}"
        yield f"{entry.id:<11} {count if tests else f'{entry.kind}: {entry.untested}' if entry.untested else 'BARE'}"
        yield from (f"    {name}{f'  × {cases}' * (cases > 1)}" for name, cases in tests.items())


def summary(book: Rulebook, held: Held) -> Iterator[str]:
    """Yield the number of covered rules, and every problem."""
    without, unbound = untested(book, held), [entry for entry in book.entries.values() if entry.untested]
    tests = {name for rule in book.entries for name in held.get(rule, ())}
    kept = len(book.entries) - len(unbound)
    yield f"{kept - len(without)} of {kept} rules and rulings are held up, by {len(tests)} tests."
    if unbound:
        yield f"Advice and flavour, {len(unbound)}: {', '.join(entry.id for entry in unbound)}."
    if without:
        yield f"BARE, {len(without)}: {', '.join(without)}."


def _chosen_entries(every: Iterable[Rulebook], asked: Sequence[str]) -> list[RuleEntry]:
    if not asked:
        return list(dict.fromkeys(entry for book in every for entry in book.entries.values()))
    found: list[RuleEntry] = []
    for word in asked:
        hits = list(dict.fromkeys(hit for book in every for hit in _entries_named(book, word)))
        if not hits:
            guesses = [str(guess) for book in every if (guess := book.nearest(word))]
            raise SystemExit(f"There is no rule and no group {word}. Did you mean {' or '.join(guesses) or 'another'}?")
        found += hits
    return found


def _entries_named(book: Rulebook, word: str) -> Sequence[RuleEntry]:
    """Return the entries of a book for a rule number or the name of a group."""
    entry, group = book.entry(word), book.group(word)
    if entry is not None:
        return [entry]
    return () if group is None else group.entries


def main() -> int:
    """Print what the command line requests; return 1 if a rule has no test or a mark is unknown."""
    parser = argparse.ArgumentParser(description="Say which tests hold each rule up.")
    parser.add_argument("id", nargs="*", metavar="ID|GROUP")
    parser.add_argument("--bare", action="store_true", help="only the count and what is bare")
    parser.add_argument("--json", action="store_true", help="number -> tests, as JSON")
    arguments = parser.parse_args()
    every, held = books(), collect()
    if arguments.json:
        print(json.dumps(held))
        return 0
    if not arguments.bare:
        print("\n".join(lines(_chosen_entries(every.values(), arguments.id), held)), end="\n\n")
    for name, book in every.items():
        print("\n".join((f"{name}:", *summary(book, held))))
    strays = unknown(every.values(), held)
    for line in strays:
        print(f"UNKNOWN {line}")
    return 1 if strays or any(untested(book, held) for book in every.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
