"""Mushrooms, a game for one person with a pawn on a generated board, lamps and a score.

What this example shows: `score`; a board made by `engine.graph.builder` with paths between its spaces, and `map_art`
on it; acts made by moving a miniature; lamps; and results that are drawn when they happen, so that no one has to keep
a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import dist

from msgspec import Struct
from msgspec.structs import replace

from engine.chance import Chance
from engine.cues import Light, Rhythm, Show
from engine.events import EVERYONE, Event, Told
from engine.game import Command, Cue, Ending, Placement
from engine.graph import Map
from engine.graph.builder import build, rectangle, sheet, space
from engine.graph.overlay import Overlay
from engine.graph.pen import text_element
from engine.naming import require_known
from engine.plain import Draw, Picture, PlainGame, Refusal
from engine.seats import Seat
from engine.text import Text

PICKER, BASKET = "picker", "basket"
HOME = "a1"
PLACES = {f"{column}{row}": (640 * x, 640 * y) for x, column in enumerate("abcd") for y, row in enumerate("1234")}
"""Clearing -> its top left corner, in tenths of a millimetre. The clearings don't touch."""
PATHS = [(one, other) for one in PLACES for other in PLACES if dist(PLACES[one], PLACES[other]) == 640]
"""The clearings between which a path leads, each pair in both orders."""
SIDE, MARGIN = 400, 240
FINDS = (0, 1, 2, 3)
"""How many mushrooms grow on a new space; 0 is a toadstool."""
TOADSTOOLS = 2
"""So many toadstools spoil half of the basket, and the walk is over."""

COLOURS = {"bare": (60, 60, 60), BASKET: (255, 200, 0)}
LIGHTS = {"bare": Light("bare", Rhythm("dull beat", "3331", 600), 30, Text("nothing grows here any more"))}


class Walk(Command, tag="walk", frozen=True):
    """Walk to a neighbouring space, and pick what grows there."""

    space: str


class GoHome(Command, tag="go-home", frozen=True):
    """End the walk with all mushrooms."""


class Walked(Event, tag="walked", frozen=True):
    """The picker walked from `start` to `to`."""

    start: str
    to: str


class Picked(Event, tag="picked", frozen=True):
    """So many mushrooms grew on the space; 0 is a toadstool."""

    number: int


class CameHome(Event, tag="came-home", frozen=True):
    """The walk is over with `score` mushrooms."""

    score: int


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes during play. `bare` are the spaces where nothing is left; `score` is None during the walk."""

    at: str = HOME
    bare: tuple[str, ...] = (HOME,)
    mushrooms: int = 0
    toadstools: int = 0
    score: int | None = None


class Mushrooms(PlainGame):
    """A walk through the wood. Who turns back in time keeps everything."""

    name = "mushrooms"
    title = "Mushrooms"
    about = Text("Pick mushrooms alone, and go home before the second toadstool.")
    players = (Seat(PICKER, Text("picker"), secret=False, on_board=True),)
    command_types = Walk | GoHome
    event_types = Walked | Picked | CameHome
    position_type = Position
    draws = (Draw("find", Picked, "number"),)
    refusals = (
        Refusal("MU-HOME-01", Text("The walk is over.")),
        Refusal("MU-WALK-01", Text("You can only walk to a neighbouring space."), Walk),
    )
    show = Show(LIGHTS, dict.fromkeys(("night", "day", "clear"), COLOURS))

    # --- starting ---------------------------------------------------------------------------------------------------

    def make_map(self, name: str) -> Map:
        """Return the wood: clearings that don't touch, and the paths between them."""
        clearings = [
            space(clearing, rectangle(MARGIN + x, MARGIN + y, MARGIN + x + SIDE, MARGIN + y + SIDE), sector="wood")
            for clearing, (x, y) in PLACES.items()
        ]
        return build(sheet(name, "Wood", (2800, 2800), clearings, ("wood",)), adjacent=PATHS)

    def map_art(self, board: Map, say: Callable[[Text], str] = str) -> Overlay:
        """Return the colours of the wood, and its name above it."""
        rules = (" .table{fill:#16241a}", " .space{fill:#35553a}", " .wood-title{font-weight:700}")
        title = text_element("wood-title", say(Text("The wood")), (board.size[0] / 2, 160), 130)
        return Overlay("wood", rules, paint={HOME: "#7a5c2e"}, beneath=(title,))

    def completed(self, view: Picture, chance: Chance) -> Position:
        """Return a described position. Raises `NotUnderstood` for unknown spaces."""
        at: Position = view.at
        require_known("space", (at.at, *at.bare), view.board.enterable)
        return at

    # --- playing ----------------------------------------------------------------------------------------------------

    def legal(self, view: Picture, seat: str) -> list[Command]:
        if seat not in self.to_act(view):
            return []
        return [*map(Walk, view.board.walk[view.at.at]), GoHome()]

    def decide(self, truth: Picture, command: Command, chance: Chance) -> Iterator[Told]:
        at = truth.at
        mushrooms, toadstools = at.mushrooms, at.toadstools
        if isinstance(command, Walk):
            yield Told(Walked(at.at, command.space), EVERYONE)
            if command.space not in at.bare:
                number = chance.roll("find", FINDS, "MU-WALK-02")
                yield Told(Picked(number), EVERYONE)
                toadstools += number == 0
            if toadstools < TOADSTOOLS:
                return
            mushrooms //= 2
        yield Told(CameHome(mushrooms), EVERYONE)

    def fold(self, view: Picture, event: Event) -> Picture:
        at = view.at
        match event:
            case Walked(_, to):
                return replace(view, at=replace(at, at=to))
            case Picked(number):
                found = {"mushrooms": at.mushrooms + number, "toadstools": at.toadstools + (number == 0)}
                return replace(view, at=replace(at, bare=(*at.bare, at.at), **found))
            case CameHome(score):
                return replace(view, at=replace(at, score=score))
        raise AssertionError(f"no event of this game: {event}")

    # --- words ------------------------------------------------------------------------------------------------------

    def sentence(self, event: Event) -> Text:
        match event:
            case Walked(_, to):
                return Text("You walk to {space}.", space=to)
            case Picked(0):
                return Text("A toadstool grows here.")
            case Picked(number):
                return Text("You pick {number} mushroom.", "You pick {number} mushrooms.", number=number)
            case CameHome(score):
                return _outcome(score)
        raise AssertionError(f"no event of this game: {event}")

    def caption(self, command: Command) -> Text:
        return Text("Walk to {space}", space=command.space) if isinstance(command, Walk) else Text("Go home")

    def summary(self, view: Picture) -> list[tuple[Text, str]]:
        toadstools = Text("{number} of {most}", number=view.at.toadstools, most=TOADSTOOLS)
        return [(Text("In the basket"), str(view.at.mushrooms)), (Text("Toadstools"), toadstools)]

    def outcome(self, view: Picture) -> Text | None:
        return None if view.at.score is None else _outcome(view.at.score)

    def ending(self, view: Picture) -> Ending | None:
        return None if view.at.score is None else Ending((PICKER,), "home", len(view.at.bare))

    def score(self, view: Picture) -> int | None:
        return view.at.score

    # --- the board --------------------------------------------------------------------------------------------------

    def cues(self, view: Picture) -> list[Cue]:
        return [Cue("bare", view.at.bare)]

    def standing(self, view: Picture) -> Mapping[str, str | None]:
        return {BASKET: view.at.at}

    def placements(self, view: Picture) -> list[Placement]:
        walks = [walk for walk in self.legal(view, PICKER) if isinstance(walk, Walk)]
        return [Placement(BASKET, view.at.at, walk.space, walk) for walk in walks]

    def opening(self, view: Picture) -> bool:
        """Return True before the first step, which waits until the basket is in its place."""
        return view.at == Position()


def _outcome(score: int) -> Text:
    text = "You come home with {number} mushroom.", "You come home with {number} mushrooms."
    return Text(*text, number=score)


GAME = Mushrooms()
