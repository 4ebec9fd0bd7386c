"""Customs, a game for four on a grid: three boats, each with a cargo that only its player knows, and an inspector.

What this example shows: several secret seats with miniatures; a private answer, which everyone sees asked and one seat
alone hears; `position`, which gives every viewer what it has been told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from engine.chance import Chance
from engine.cues import Show
from engine.events import EVERYONE, Event, Told, only
from engine.game import REFEREE, Command, Cue, Ending, Placement
from engine.graph import Map
from engine.graph.builder import build, grid
from engine.naming import require_known
from engine.plain import Draw, NoOptions, Picture, PlainGame, Refusal
from engine.refusal import NotUnderstood
from engine.seats import Seat
from engine.text import Text

Boat = Literal["red", "blue", "green"]
Name = Literal["red", "blue", "green", "inspector"]
Cargo = Literal["contraband", "tea", "wool"]
BOATS, ORDER, CARGOES = get_args(Boat), get_args(Name), get_args(Cargo)
INSPECTOR = "inspector"
STARTS = {"red": "a1", "blue": "a3", "green": "a5", INSPECTOR: "c3"}
COAST = ("e1", "e2", "e3", "e4", "e5")
ROUNDS = 8
COLOURS = {"red": (255, 0, 0), "blue": (0, 0, 255), "green": (0, 255, 0), INSPECTOR: (255, 255, 255)}


class Sail(Command, tag="sail", frozen=True):
    space: str


class Ask(Command, tag="ask", frozen=True):
    boat: Boat


class Seize(Command, tag="seize", frozen=True):
    boat: Boat


class EndTurn(Command, tag="end-turn", frozen=True):
    """Stay where the boat is."""


class Loaded(Event, tag="loaded", frozen=True):
    """Only the boat's player gets this event."""

    boat: str
    cargo: str


class Sailed(Event, tag="sailed", frozen=True):
    boat: str
    to: str


class Asked(Event, tag="asked", frozen=True):
    boat: str


class Answered(Event, tag="answered", frozen=True):
    """Only the inspector gets this event."""

    boat: str
    cargo: str


class TurnEnded(Event, tag="turn-ended", frozen=True):
    boat: str


class GameOver(Event, tag="game-over", frozen=True):
    """Everyone learns what each boat carried."""

    winner: str
    cargo: dict[str, str]


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes during play. A cargo that the viewer doesn't know is None."""

    places: dict[Name, str] = field(default_factory=lambda: {**STARTS})
    cargo: dict[Boat, Cargo | None] = field(default_factory=lambda: dict.fromkeys(BOATS))
    asked: tuple[Boat, ...] = ()
    turn: Name = "red"
    round: int = 1
    winner: Name | None = None


class Customs(PlainGame):
    """One boat carries contraband to the coast, and the inspector looks for it."""

    name = "customs"
    title = "Customs"
    about = Text("One of three boats carries contraband. The inspector asks, and only the inspector hears the answer.")
    players = tuple(Seat(name, Text(name), secret=True, on_board=True) for name in ORDER)
    command_types = Sail | Ask | Seize | EndTurn
    event_types = Loaded | Sailed | Asked | Answered | TurnEnded | GameOver
    position_type = Position
    draws = (Draw("cargo", Loaded, "cargo", joined=True),)
    refusals = (
        Refusal("CU-TURN-01", Text("It is not your turn.")),
        Refusal("CU-SAIL-01", Text("You can only sail to a free neighbouring space."), Sail),
        Refusal("CU-ASK-01", Text("Only the inspector asks (once) and seizes, next to a boat."), Ask | Seize),
    )
    show = Show(palettes=dict.fromkeys(("night", "day", "clear"), COLOURS))

    def make_map(self, name: str) -> Map:
        return build(grid(name, "Bay", columns=5, rows=5))

    def setup(self, board: Map | None, options: NoOptions, chance: Chance) -> Iterator[Told]:
        for boat, cargo in zip(BOATS, chance.order("cargo", CARGOES, "CU-LOAD-01"), strict=True):
            yield Told(Loaded(boat, cargo), only(boat))

    def completed(self, view: Picture, chance: Chance) -> Position:
        """Return a described position with the cargoes that are left out. Raises `NotUnderstood`."""
        at: Position = view.at
        require_known("space", at.places.values(), view.board.enterable)
        carried = [cargo for cargo in at.cargo.values() if cargo is not None]
        if (len(at.places), len(at.cargo), len({*carried})) != (len(ORDER), len(BOATS), len(carried)):
            raise NotUnderstood(Text("The position lacks a boat, or has a cargo twice."))
        left = [cargo for cargo in chance.order("cargo", CARGOES, "CU-LOAD-01") if cargo not in carried]
        return replace(at, cargo={boat: at.cargo[boat] or left.pop() for boat in BOATS})

    def seen_by(self, viewer: str, at: Position) -> Position:
        """Return what a viewer knows: a boat its own cargo, the inspector those that it has asked for."""
        if viewer == REFEREE or at.winner is not None:
            return at
        known = at.asked if viewer == INSPECTOR else (viewer,)
        return replace(at, cargo={boat: cargo if boat in known else None for boat, cargo in at.cargo.items()})

    def legal(self, view: Picture, seat: str) -> list[Command]:
        if seat not in self.to_act(view):
            return []
        places = view.at.places
        near = view.board.walk[places[seat]]
        acts: list[Command] = [Sail(space) for space in near if space not in places.values()]
        if seat == INSPECTOR:
            beside = [boat for boat in BOATS if places[boat] in near]
            acts += [*(Ask(boat) for boat in beside if boat not in view.at.asked), *map(Seize, beside)]
        return [*acts, EndTurn()]

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:
        at, seat = truth.at, truth.at.turn
        smuggler, winner = _smuggler(at.cargo), None
        match command:
            case Sail(space):
                yield Told(Sailed(seat, space), EVERYONE)
                winner = seat if seat == smuggler and space in COAST else None
            case Ask(boat):
                yield Told(Asked(boat), EVERYONE)
                yield Told(Answered(boat, str(at.cargo[boat])), only(INSPECTOR))
            case Seize(boat):
                winner = INSPECTOR if boat == smuggler else smuggler
        yield Told(TurnEnded(seat), EVERYONE)
        if seat == INSPECTOR and at.round == ROUNDS:
            winner = winner or INSPECTOR
        if winner is not None:
            yield Told(GameOver(winner, {boat: str(cargo) for boat, cargo in at.cargo.items()}), EVERYONE)

    def fold(self, view: Picture, event: Event) -> Picture:
        return replace(view, at=_after(view.at, event))

    def sentence(self, event: Event) -> Text:
        match event:
            case Loaded(_, cargo):
                return Text("You carry {cargo}.", cargo=cargo)
            case Sailed(boat, to):
                return Text("{boat} sails to {space}.", boat=self.called(boat), space=to)
            case Asked(boat):
                return Text("The inspector asks {boat} for its cargo.", boat=self.called(boat))
            case Answered(boat, cargo):
                return Text("{boat} carries {cargo}.", boat=self.called(boat), cargo=cargo)
            case TurnEnded(boat):
                return Text("{boat} has ended the turn.", boat=self.called(boat))
            case GameOver(winner, cargo):
                return _outcome(winner, cargo)
        raise AssertionError(f"no event of this game: {event}")

    def called(self, miniature: str) -> Text:
        return Text("the inspector") if miniature == INSPECTOR else Text("the {colour} boat", colour=miniature)

    def summary(self, view: Picture) -> list[tuple[Text, str]]:
        """Return the round, and each cargo that the viewer knows."""
        rounds = Text("{round} of {rounds}", round=view.at.round, rounds=ROUNDS)
        known = [(boat, cargo) for boat, cargo in view.at.cargo.items() if cargo is not None]
        return [(Text("Round"), rounds), *((Text("Cargo of {boat}", boat=boat), cargo) for boat, cargo in known)]

    def outcome(self, view: Picture) -> Text | None:
        return None if view.at.winner is None else _outcome(view.at.winner, view.at.cargo)

    def ending(self, view: Picture) -> Ending | None:
        return None if view.at.winner is None else Ending((view.at.winner,), "landed or caught", view.at.round)

    def cues(self, view: Picture) -> list[Cue]:
        return []

    def standing(self, view: Picture) -> Mapping[str, str | None]:
        return view.at.places

    def placements(self, view: Picture) -> list[Placement]:
        turn = view.at.turn
        sails = [act for act in self.legal(view, turn) if isinstance(act, Sail)]
        return [Placement(turn, view.at.places[turn], sail.space, sail) for sail in sails]


def _after(at: Position, event: Event) -> Position:
    match event:
        case Loaded(boat, cargo) | Answered(boat, cargo):
            return replace(at, cargo={**at.cargo, boat: cargo})
        case Sailed(boat, to):
            return replace(at, places={**at.places, boat: to})
        case Asked(boat):
            return replace(at, asked=(*at.asked, boat))
        case TurnEnded(boat):
            following = ORDER.index(boat) + 1
            return replace(at, turn=ORDER[following % len(ORDER)], round=at.round + following // len(ORDER))
        case GameOver(winner, cargo):
            return replace(at, winner=winner, cargo=cargo)
    raise AssertionError(f"no event of this game: {event}")


def _smuggler(cargo: Mapping[Any, Any]) -> str:
    return next(boat for boat in BOATS if cargo[boat] == "contraband")


def _outcome(winner: str, cargo: Mapping[Any, Any]) -> Text:
    if winner == INSPECTOR:
        text = Text("The inspector wins: the {boat} boat carries the contraband and is still at sea.")
        return text.with_(boat=_smuggler(cargo))
    return Text("The {boat} boat wins with the contraband.", boat=winner)


GAME = Customs()
