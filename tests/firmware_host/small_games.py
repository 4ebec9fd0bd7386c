"""Two small games for tests of the table: one of cards, without a map, and one of runners on a board of 4 x 4 spaces.

They implement the contract of `engine.game.Game` and only the capabilities that their tests need. A test that plays one
at a table installs it with `installed`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

import games
from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only
from engine.game import REFEREE, TABLE, Command, Cue, Placement
from engine.graph import Map, Space
from engine.options import OptionForm
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat
from engine.text import Text
from tests import toys

SEATS = ("north", "south")


@contextmanager
def installed(game: Any, folder: Path) -> Iterator[None]:
    """Install the game, so that it is found by name as if it were in the folder `games`."""
    package = games.folder(game.name)
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text("")
    path, name = games.__path__, f"games.{package}"
    module = ModuleType(name)
    module.GAME = game  # type: ignore[attr-defined]
    module.__spec__ = ModuleSpec(name, None, is_package=True)
    module.__path__ = module.__spec__.submodule_search_locations = [str(folder / package)]
    games.__path__ = [*path, str(folder)]
    sys.modules[name] = module
    try:
        yield
    finally:
        games.__path__ = path
        del sys.modules[name]


@contextmanager
def games_in(folder: Path, *others: str) -> Iterator[None]:
    """Find the games of this folder, too, and those of the `others`, if given, instead of all that were found before.
    At the end, forget the games of this folder.
    """
    before = games.__path__
    games.__path__ = [*(others or before), str(folder)]
    try:
        yield
    finally:
        games.__path__ = before
        for name in [*sys.modules]:
            if name.startswith("games.") and (folder / name.split(".")[1]).is_dir():
                del sys.modules[name]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty set of options."""


class Small:
    """What both games have in common: two seats that act in turns, and commands and events that msgspec reads."""

    name: str
    commands: Any
    events: Any

    def options(self) -> OptionForm:
        return OptionForm()

    def read_options(self, raw: Any) -> Options:
        """Accept no options. Raises `NotUnderstood`."""
        return self._read(raw or {}, Options)

    def read_command(self, seat: str, raw: Any) -> Any:
        """Return a command. Raises `NotUnderstood`."""
        return self._read(raw, self.commands)

    def read_event(self, raw: Any) -> Any:
        return msgspec.convert(raw, self.events)

    def _read(self, raw: Any, kind: Any) -> Any:
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            raise NotUnderstood(Text("That cannot be read: {error}.", error=str(error))) from error

    def part(self, command: Command) -> None:
        """Return None: no seat has parts."""

    def read_luck(self, board: Map | None, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        return list(raw)


# --- cards, without a map ---------------------------------------------------------------------------------------


class Lay(Command, tag="lay", frozen=True):
    """Lay a card of the own hand on the table."""

    card: int


class Mark(Command, tag="mark", frozen=True):
    """Make a note of a card, which no one else sees. Allowed any number of times."""

    card: int


class Dealt(Event, tag="dealt", frozen=True):
    """A hand, sent to its seat alone."""

    seat: str
    cards: tuple[int, ...]


class Laid(Event, tag="laid", frozen=True):
    """A card was laid; the other player is to act."""

    seat: str
    card: int


class Marked(Event, tag="marked", frozen=True):
    """A note, sent to its seat alone."""

    seat: str
    card: int


class CardsView(Struct, frozen=True):
    """The known hands, the cards on the table, and who is to act; `over` names the winner."""

    hands: dict[str, tuple[int, ...]] = {}
    laid: tuple[tuple[str, int], ...] = ()
    marks: dict[str, int] = {}
    turn: str | None = "north"
    over: str | None = None


class Cards(Small):
    """Each player lays three cards, in turns; the higher sum wins. No map, no miniatures; a note may be taken back."""

    name = "small-cards"
    title = "Small Cards"
    commands = Lay | Mark
    events = Dealt | Laid | Marked

    def seats(self, options: Any) -> tuple[Seat, ...]:
        """Return two seats, each with a hand that the other does not see."""
        return tuple(Seat(name, Text(name), secret=True) for name in SEATS)

    def blank(self, board: Map | None, options: Any) -> dict[str, CardsView]:
        assert board is None, "this game has no map"
        return dict.fromkeys((*SEATS, TABLE, REFEREE), CardsView())

    def setup(self, board: Map | None, options: Any, chance: Chance) -> Iterable[Told]:
        assert board is None, "this game has no map"
        cards = chance.order("cards", range(1, 7), "deal")
        for number, seat in enumerate(SEATS):
            yield Told(Dealt(seat, cards[3 * number : 3 * number + 3]), only(seat))

    def position(self, board: Map | None, options: Any, raw: Any, chance: Chance) -> dict[str, CardsView]:
        """Return a position in which everyone sees everything."""
        return dict.fromkeys((*SEATS, TABLE, REFEREE), self._read(raw, CardsView))

    def to_act(self, view: CardsView) -> tuple[str, ...]:
        return () if view.turn is None else (view.turn,)

    def legal(self, view: CardsView, seat: str) -> list[Command]:
        if view.turn != seat:
            return []
        cards = view.hands.get(seat, ())
        return [*map(Lay, cards), *map(Mark, cards)]

    def check(self, view: CardsView, seat: str, command: Any) -> Command:
        if view.turn != seat:
            raise Refused("turn", Text("It is not your turn."))
        if command not in self.legal(view, seat):
            raise Refused("card", Text("You do not hold this card."))
        return command

    def decide(self, truth: CardsView, command: Any, chance: Chance) -> Iterable[Told]:
        seat = str(truth.turn)
        if isinstance(command, Mark):
            return [Told(Marked(seat, command.card), only(seat))]
        return [Told(Laid(seat, command.card), EVERYONE)]

    def fold(self, view: CardsView, event: Any) -> CardsView:
        match event:
            case Dealt():
                return replace(view, hands={**view.hands, event.seat: event.cards})
            case Marked():
                return replace(view, marks={**view.marks, event.seat: event.card})
        hands = {seat: tuple(card for card in cards if card != event.card) for seat, cards in view.hands.items()}
        laid = (*view.laid, (event.seat, event.card))
        if len(laid) < 6:
            return replace(view, hands=hands, laid=laid, turn=SEATS[1 - SEATS.index(event.seat)])
        sums = {seat: sum(card for other, card in laid if other == seat) for seat in SEATS}
        return replace(view, hands=hands, laid=laid, turn=None, over=max(sums, key=sums.__getitem__))

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        dealt = [card for told in telling if isinstance(told.event, Dealt) for card in told.event.cards]
        return [("cards", dealt)] if dealt else []

    def state(self, view: CardsView) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(view)
        return {**found, "round": len(view.laid)}

    def view(self, view: CardsView) -> dict[str, Any]:
        return self.state(view)

    def outcome(self, view: CardsView) -> Text | None:
        return None if view.over is None else Text("{seat} wins.", seat=Text(view.over))

    def sentence(self, event: Any) -> Text:
        if isinstance(event, Dealt):
            return Text("You are dealt {cards}.", cards=", ".join(map(str, event.cards)))
        return Text("{seat}: {card}.", seat=Text(event.seat.capitalize()), card=event.card)

    def retractable(self, view: CardsView, telling: Iterable[Told]) -> bool:
        """Return whether it is a note, which reveals nothing to anyone."""
        return all(isinstance(told.event, Marked) for told in telling)


# --- runners on a board -----------------------------------------------------------------------------------------


class Step(Command, tag="step", frozen=True):
    """Go one space on."""

    unit: str
    to: str


class Stepped(Event, tag="stepped", frozen=True):
    """A runner has gone on; the other one is to act."""

    unit: str
    to: str


RUNNERS = {"north": "north-runner", "south": "south-runner"}
HOMES = {"north-runner": "a1", "south-runner": "d4"}
GOALS = {"north": "d", "south": "a"}
"""The row that each runner has to reach."""


def small_board() -> Map:
    """Return the 4 x 4 spaces `a1` to `d4` (letter = row, number = column). Steps lead to orthogonal neighbours."""
    names = [f"{row}{column}" for row in "abcd" for column in range(1, 5)]
    sides = [(a, b) for a in names for b in names if a < b and _beside(a, b)]
    spaces = {name: _space(name) for name in names}
    return toys.make(spaces, sides, sides, entries={}, starts={})


def _beside(a: str, b: str) -> bool:
    return abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1


def _space(name: str) -> Space:
    x, y = int(name[1]) * 100, (ord(name[0]) - ord("a")) * 100
    return Space(id=name, kind="open", outline=((x, y), (x + 90, y), (x + 90, y + 90)), spot=(x + 50, y + 50))


class RaceView(Struct, frozen=True):
    """Where the runners are, and who is to act; `over` names the winner."""

    map: Map
    places: dict[str, str]
    turn: str | None = "north"
    steps: int = 0
    over: str | None = None


class ScreenRace(Small):
    """Two runners take turns; each has to reach the other side. Nothing is hidden. The lamps show the map; there are no
    miniatures.
    """

    name = "small-screen-race"
    title = "Small Race on Screens"
    commands = Step
    events = Stepped

    def seats(self, options: Any) -> tuple[Seat, ...]:
        return tuple(Seat(name, Text(name), secret=False) for name in SEATS)

    def blank(self, board: Map | None, options: Any) -> dict[str, RaceView]:
        if board is None or any(home not in board.spaces for home in HOMES.values()):
            raise NotUnderstood(Text("The runners need their board."))
        return dict.fromkeys((*SEATS, TABLE, REFEREE), RaceView(board, {**HOMES}))

    def setup(self, board: Map | None, options: Any, chance: Chance) -> Iterable[Told]:
        return ()

    def position(self, board: Map | None, options: Any, raw: Any, chance: Chance) -> dict[str, RaceView]:
        """Return where the runners are, and who is to act."""
        assert board is not None
        return dict.fromkeys((*SEATS, TABLE, REFEREE), RaceView(board, raw["places"], raw["turn"]))

    def to_act(self, view: RaceView) -> tuple[str, ...]:
        return () if view.turn is None else (view.turn,)

    def legal(self, view: RaceView, seat: str) -> list[Command]:
        if view.turn != seat:
            return []
        runner = RUNNERS[seat]
        beside = view.map.walk[view.places[runner]]
        return [Step(runner, space) for space in beside if space not in view.places.values()]

    def check(self, view: RaceView, seat: str, command: Any) -> Command:
        if command not in self.legal(view, seat):
            raise Refused("step", Text("You cannot go there now."))
        return command

    def decide(self, truth: RaceView, command: Any, chance: Chance) -> Iterable[Told]:
        return [Told(Stepped(command.unit, command.to), EVERYONE)]

    def fold(self, view: RaceView, event: Any) -> RaceView:
        seat = next(seat for seat, runner in RUNNERS.items() if runner == event.unit)
        over = seat if event.to[0] == GOALS[seat] else None
        turn = None if over else SEATS[1 - SEATS.index(seat)]
        places = {**view.places, event.unit: event.to}
        return replace(view, places=places, turn=turn, steps=view.steps + 1, over=over)

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        return []

    def state(self, view: RaceView) -> dict[str, Any]:
        return {"places": dict(view.places), "turn": view.turn, "round": view.steps, "over": view.over}

    def view(self, view: RaceView) -> dict[str, Any]:
        return self.state(view)

    def outcome(self, view: RaceView) -> Text | None:
        return None if view.over is None else Text("{seat} wins.", seat=Text(view.over))

    def sentence(self, event: Any) -> Text:
        return Text("{unit} goes to {space}.", unit=event.unit.capitalize(), space=event.to)

    def cues(self, view: RaceView) -> list[Cue]:
        return [] if view.turn is None else [Cue("unit", (view.places[RUNNERS[view.turn]],))]


class Race(ScreenRace):
    """The same race with miniatures on the board."""

    name = "small-race"
    title = "Small Race"

    def seats(self, options: Any) -> tuple[Seat, ...]:
        return tuple(Seat(name, Text(name), secret=False, on_board=True) for name in SEATS)

    def standing(self, view: RaceView) -> dict[str, str | None]:
        return {**view.places}

    def optional(self, view: RaceView) -> frozenset[str]:
        return frozenset()

    def colour(self, miniature: str) -> str:
        return miniature.partition("-")[0]

    def called(self, miniature: str) -> Text:
        return Text("the {side} runner", side=Text(self.colour(miniature)))

    def alike(self, one: str, other: str) -> bool:
        return one == other

    def placements(self, view: RaceView) -> list[Placement]:
        steps = [command for seat in self.to_act(view) for command in self.legal(view, seat)]
        return [Placement(step.unit, view.places[step.unit], step.to, step) for step in steps]  # type: ignore[attr-defined]

    def opening(self, view: RaceView) -> bool:
        """Return True until a runner has moved."""
        return view.steps == 0

    def begins(self, command: Command) -> bool:
        return True


class SecretRace(Race):
    """The same race between secret seats."""

    def seats(self, options: Any) -> tuple[Seat, ...]:
        return tuple(replace(seat, secret=True) for seat in super().seats(options))


CARDS, SCREEN_RACE, RACE, SECRET_RACE = Cards(), ScreenRace(), Race(), SecretRace()
