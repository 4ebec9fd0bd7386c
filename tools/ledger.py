"""Says for each rule of the rulebook which tests hold it up, and which rules are bare.

Run `.venv/bin/python -m tools.ledger`, with `--bare` for the bare ones only, or with numbers and groups to look at:
`MP-MOVE-03`, `MOVE`. The tests are collected, not run; what holds a rule up is a `rule` mark with its number.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from firmware_host.table.game_files import game_folder, game_names
from firmware_host.table.rulebook import Entry, Rulebook, book_of

ROOT = Path(__file__).resolve().parent.parent

Held = Mapping[str, Sequence[str]]
"""Number -> the tests marked with it, a parametrised one as often as it is run."""


def whole() -> Rulebook:
    """The rules of all games that have a book, as one: the numbers of each begin with letters of its own."""
    books = [book_of(game) for game in game_names() if (game_folder(game) / "book").is_dir()]
    return Rulebook(tuple(group for book in books for group in book.groups))


class Marks:
    """A pytest plugin that writes down the rule marks of every test collected."""

    def __init__(self) -> None:
        self.held: dict[str, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Called by pytest when all tests are known."""
        for item in session.items:
            for rule in (str(rule) for mark in item.iter_markers("rule") for rule in mark.args):
                self.held.setdefault(rule, []).append(item.nodeid.partition("[")[0])


def collect(root: Path = ROOT) -> Held:
    """The rule marks of all tests. Raises `SystemExit` with pytest's words if a test file cannot be read."""
    marks, said = Marks(), io.StringIO()
    quietly = [
        "--collect-only",
        "-qq",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=--strict-markers --import-mode=importlib",
    ]
    with contextlib.redirect_stdout(said):
        code = pytest.main(
            [*quietly, f"--rootdir={root}", "-c", str(root / "pyproject.toml"), str(root / "tests")], [marks]
        )
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"The tests cannot be collected:\n{said.getvalue()}")
    return marks.held


def bare(book: Rulebook, held: Held) -> list[str]:
    """The rules and rulings without a test, in order."""
    return [entry.id for entry in book.entries.values() if not entry.untested and entry.id not in held]


def unknown(book: Rulebook, held: Held) -> list[str]:
    """What tests are marked with though it is in no rulebook, with one such test each."""
    return [f"{rule}: {held[rule][0]}" for rule in sorted(set(held) - set(book.entries))]


def lines(entries: Sequence[Entry], held: Held) -> Iterator[str]:
    """For each rule its tests, or why there are none."""
    for entry in entries:
        tests = Counter(held.get(entry.id, ()))
        count = f"{len(tests)} test{'s' * (len(tests) != 1)}"
        yield f"{entry.id:<11} {count if tests else f'{entry.kind}: {entry.untested}' if entry.untested else 'BARE'}"
        yield from (f"    {name}{f'  × {cases}' * (cases > 1)}" for name, cases in tests.items())


def summary(book: Rulebook, held: Held) -> Iterator[str]:
    """The count, and everything that is not as it should be."""
    without, unbound = bare(book, held), [entry for entry in book.entries.values() if entry.untested]
    tests = {name for names in held.values() for name in names}
    kept = len(book.entries) - len(unbound)
    yield f"{kept - len(without)} of {kept} rules and rulings are held up, by {len(tests)} tests."
    yield f"Advice and flavour, {len(unbound)}: {', '.join(entry.id for entry in unbound)}."
    if without:
        yield f"BARE, {len(without)}: {', '.join(without)}."
    yield from (f"UNKNOWN {line}" for line in unknown(book, held))


def _chosen(book: Rulebook, asked: Sequence[str]) -> list[Entry]:
    if not asked:
        return list(book.entries.values())
    found: list[Entry] = []
    for word in asked:
        entry, group = book.entry(word), book.group(word)
        if entry is None and group is None:
            raise SystemExit(f"There is no rule and no group {word}. Did you mean {book.nearest(word)}?")
        found += [entry] if entry is not None else group.entries if group is not None else []
    return found


def main() -> int:
    """Prints what the command line asks for; 1 if a rule is bare or a mark names none."""
    parser = argparse.ArgumentParser(description="Say which tests hold each rule up.")
    parser.add_argument("id", nargs="*", metavar="ID|GROUP")
    parser.add_argument("--bare", action="store_true", help="only the count and what is bare")
    parser.add_argument("--json", action="store_true", help="number -> tests, as JSON")
    arguments = parser.parse_args()
    book, held = whole(), collect()
    if arguments.json:
        print(json.dumps(held))
        return 0
    if not arguments.bare:
        print("\n".join(lines(_chosen(book, arguments.id), held)), end="\n\n")
    print("\n".join(summary(book, held)))
    return 1 if bare(book, held) or unknown(book, held) else 0


if __name__ == "__main__":
    sys.exit(main())
