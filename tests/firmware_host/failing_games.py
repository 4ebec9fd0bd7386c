"""A small game with every capability, one method of which can be made to fail, and the ways to fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from engine.events import Event, Told
from engine.game import Ending, Progress
from engine.graph import Map
from engine.refusal import Refused
from engine.text import Text
from tests.firmware_host.small_games import Race, RaceView, small_board


class Everywhere:
    """Deductions for a game in which nothing is hidden."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def after(self, view: Any, event: Event) -> Everywhere:
        """Change nothing."""
        return self

    def spaces(self, view: Any) -> tuple[str, ...]:
        """Return where the runners are."""
        return tuple(sorted(self._game.places_of(view)))


class Rich(Race):
    """The race with every capability that a screen or a lamp uses."""

    name = "rich"
    title = "Rich Race"
    about = Text("A race.")
    fail: Callable[[], Any] | None = None
    """What the method does instead of its work."""
    calls = 0
    """How often it has failed."""

    def map_names(self) -> tuple[str, ...]:
        return ("toy",)

    def make_map(self, name: str) -> Map:
        return small_board()

    def map_options(self, name: str) -> dict[str, Any]:
        return {}

    def retractable(self, view: RaceView, telling: Iterable[Told]) -> bool:
        return True

    def caption(self, command: Any) -> Text:
        return Text("To {space}", space=command.to)

    def summary(self, view: RaceView) -> list[tuple[Text, str]]:
        return [(Text("Steps"), str(view.steps))]

    def foresight(self, view: RaceView, seat: str) -> dict[str, Any]:
        return {"step": {"odds": [(Text("It works"), 1.0)]}}

    def details(self, event: Event) -> dict[str, Any]:
        return {}

    def glossary(self) -> dict[str, Any]:
        return {"cards": {"shoe": {"title": Text("Shoe"), "text": Text("It runs.")}}}

    def open_cards(self, view: RaceView) -> list[tuple[Text, str]]:
        return [(Text("all"), "shoe")]

    def progress(self, view: RaceView) -> Progress:
        return Progress(view.steps)

    def ending(self, view: RaceView) -> Ending | None:
        return None if view.over is None else Ending((view.over,), "first", view.steps)

    def deduction(self, view: RaceView) -> Everywhere:
        return Everywhere(self)

    def places_of(self, view: RaceView) -> Iterable[str]:
        """Return where the runners are."""
        return view.places.values()


class Sneaky(Exception):
    """An exception whose message raises, too."""

    def __str__(self) -> str:
        raise RuntimeError


class Forbidden(Refused):
    """A refusal, raised even where no permission was asked for."""

    def __init__(self) -> None:
        super().__init__("R-1", "No.")


def _raises(error: type[BaseException]) -> Callable[[], Any]:
    def fail() -> Any:
        raise error

    return fail


def _deep() -> Any:
    return _deep()


def _generator() -> Any:
    yield 1
    raise RuntimeError


def _database() -> Any:
    yield 1
    raise sqlite3.OperationalError


class Foreign:
    """Something that JSON cannot represent, and that has no order, length or truth value."""

    def __bool__(self) -> bool:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError


class Unequal(str):
    """A name that cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __hash__(self) -> int:
        raise RuntimeError


FAULTS: dict[str, Callable[[], Any]] = {
    "raises": _raises(ValueError),
    "ends": _raises(SystemExit),
    "interrupts": _raises(KeyboardInterrupt),
    "stops": _raises(StopIteration),
    "refuses": _raises(Forbidden),
    "out of memory": _raises(MemoryError),
    "sneaky": _raises(Sneaky),
    "deep": _deep,
    "generator": _generator,
    "generator with a database": _database,
    "foreign": Foreign,
    "surrogate": lambda: Text("\ud800"),
    "huge": lambda: 10**400,
    "fraction": lambda: Fraction(1, 3),
    "unequal": lambda: Unequal("north"),
    "list of unequal": lambda: [Unequal("north")],
    "list of foreign": lambda: [Foreign()],
    "dict of foreign": lambda: {"step": Foreign(), "a": [Text("\udfff")]},
}
"""The ways in which a method can fail, apart from hanging."""


def hangs() -> Any:
    """Never return."""
    while True:
        pass


def clings() -> Any:
    """Never return, and catch every exception."""
    while True:
        try:
            number = 0
            while True:
                number += 1
        except BaseException:
            number = 0


def failing(method: str, game: type[Rich] = Rich) -> Rich:
    """Return the game, with one method that does what `fail` says."""

    def broken(self: Rich, *args: Any) -> Any:
        fail = vars(self).get("fail")
        if fail is None:
            return getattr(game, method)(self, *args)
        self.calls += 1
        return fail()

    made: Rich = type("Failing", (game,), {method: broken})()
    return made
