"""A plugin for pytest: `pytest --sniperboard-game NAME` runs the contract tests of a game next to its own tests.

Recorded games (`*.game`) and rule marks are searched for in the folder where pytest runs. Without the option, the
plugin does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

OPTION = "--sniperboard-game"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("sniperboard").addoption(
        OPTION,
        action="append",
        default=[],
        dest="sniperboard_games",
        metavar="NAME",
        help="also run the contract tests of this sniperboard game",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and find the games next to the tests. Raises `UsageError` for an unknown game."""
    config.addinivalue_line("markers", "rule(*ids): the rules of the book that this test covers")
    if not (names := _chosen(config)):
        return
    from engine.refusal import NotUnderstood
    from lab.authoring.place import put_on_path

    for name in names:
        try:
            put_on_path(name, config.rootpath)
        except NotUnderstood as error:
            raise pytest.UsageError(str(error)) from error


def _chosen(config: pytest.Config) -> list[str]:
    return list(dict.fromkeys(config.getoption("sniperboard_games")))


class ContractItem(pytest.Item):
    """One check of a game: `run` returns sentences about what is wrong, or None if it has to wait for a repair."""

    def __init__(self, *, run: Callable[[], Iterable[str] | None], **rest: Any) -> None:
        super().__init__(**rest)
        self.run = run

    def runtest(self) -> None:
        if (found := self.run()) is None:
            pytest.skip("This check is left out until the faults that other checks have found are repaired.")
        if sentences := [*found]:
            pytest.fail("\n".join(sentences), pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != ".game" or not _chosen(parent.config):
        return None
    return RecordedGame.from_parent(parent, path=file_path)


class RecordedGame(pytest.File):
    def collect(self) -> Iterable[pytest.Item]:
        yield ContractItem.from_parent(self, name="still gives the recorded results", run=partial(_replay, self.path))


def _replay(path: Path) -> list[str]:
    from lab.authoring.recorded import Unreadable, read, remade

    try:
        new = remade(text := read(path))
    except Unreadable as error:
        return [f"{path.name}: {error}"]
    if new == text:
        return []
    lines = [*zip_longest(text.splitlines(), new.splitlines(), fillvalue="")]
    number, (old, now) = next((at, pair) for at, pair in enumerate(lines, 1) if pair[0] != pair[1])
    return [
        f"{path.name}: line {number} is now another.\n- {old}\n+ {now}",
        f"If that is right: sniperboard game remake {path.name}",
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the contract tests, first so that -k and -m choose among them, too."""
    if not (names := _chosen(config)):
        return
    from lab.authoring.marks import marks_of

    marks, partly = marks_of(items), any("::" in word for word in config.args)
    files = [item.path for item in items if isinstance(item.parent, RecordedGame)]
    for name in names:
        items += _contract(session, name)
        if not partly:
            items.append(_item(session, f"{name}: every rule has a test", partial(rules, name, marks)))
        items.append(_item(session, f"{name}: a recorded game ends", partial(recorded, name, files)))


def _item(session: pytest.Session, name: str, run: Callable[[], Iterable[str] | None]) -> pytest.Item:
    return ContractItem.from_parent(session, name=name, run=run)


def _contract(session: pytest.Session, name: str) -> list[pytest.Item]:
    """Return a test for each part of the check; only the first if the game cannot be loaded."""
    from lab.authoring.check import PARTS, Course, is_playable, start

    first = _item(session, f"{name}: the start of the table", partial(start, name))
    if not is_playable(name):
        return [first]
    course = Course(name)
    return [first, *(_item(session, f"{name}: {part}", partial(course.run, part)) for part in PARTS)]


def rules(name: str, marks: Mapping[str, list[str]]) -> Iterable[str]:
    """Return the rules of a game's book without a test, and the marks that name no rule."""
    from firmware_host.core.rulebook import RulebookError, book_of
    from lab.authoring.marks import unknown, untested

    try:
        book = book_of(name)
    except RulebookError as error:
        return str(error).splitlines()
    mine = {rule: tests for rule, tests in marks.items() if rule.startswith(f"{book.letters}-")}
    return [
        *(f'No test covers {rule}: give one the mark @pytest.mark.rule("{rule}").' for rule in untested(book, marks)),
        *(f"A mark names a rule that is not in the book: {line}." for line in unknown([book], mine)),
    ]


def recorded(name: str, files: Iterable[Path]) -> Iterable[str]:
    """Return a sentence if no recorded game of this game ends."""
    from lab.authoring.recorded import Unreadable, read, replayed

    for file in files:
        try:
            text = read(file)
            if f"game {name}\n" in text and not replayed(text).referee.to_act:
                return []
        except Unreadable:
            continue  # the test of the recorded game reports why
    return [
        f"There is no recorded game of {name} that ends. Write one next to the tests, record.game: its "
        "settings, begin, and the line play, which sniperboard game remake replaces by a random game."
    ]
