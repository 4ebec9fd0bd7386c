"""What the game consists of: its seats, its events, the commands, and the picture that a viewer has of it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.events import Event
from engine.game import Command
from engine.graph import Map
from engine.options import Number, OptionForm, OptionGroup
from engine.seats import Seat
from engine.text import Text

SEEKERS = ("red", "blue", "green")
HIDER = "hider"
CORNERS = {"red": "a1", "blue": "d4", "green": "d1"}
DIE = (1, 2, 3)

SEATS = {
    "red": Seat("red", Text("red seeker"), secret=False, on_board=True),
    "blue": Seat("blue", Text("blue seeker"), secret=False),
    "green": Seat("green", Text("green seeker"), secret=False),
    HIDER: Seat(HIDER, Text("hider"), secret=True),
}


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """How many seekers there are, and after how many rounds the hider has won."""

    seekers: Annotated[int, Meta(ge=1, le=3)] = 2
    rounds: Annotated[int, Meta(ge=1, le=9)] = 4


FORM = OptionForm(
    (
        OptionGroup(
            "length",
            (
                Number(("seekers",), Text("Seekers"), 1, 3, default=2),
                Number(("rounds",), Text("Rounds"), 1, 9, default=4, about=Text("After the last one the hider wins.")),
            ),
        ),
    )
)
"""What the lobby lets people choose."""


# --- commands ---------------------------------------------------------------------------------------------------


class Hide(Command, tag="hide", frozen=True):
    """The hider: bury the treasure on `space`, or carry it there."""

    space: str


class Roll(Command, tag="roll", frozen=True):
    """A seeker: roll the die for the steps of this turn."""


class Walk(Command, tag="walk", frozen=True):
    """A seeker: walk to `space`."""

    space: str


class Dig(Command, tag="dig", frozen=True):
    """A seeker: dig here. The turn ends."""


class EndTurn(Command, tag="end-turn", frozen=True):
    """A seeker: end the turn without digging."""


OF_HIDER = Hide
OF_SEEKER = Roll | Walk | Dig | EndTurn


# --- events -----------------------------------------------------------------------------------------------------


class Begun(Event, tag="begun", frozen=True):
    """The seekers take their turns in this order."""

    order: tuple[str, ...]


class Hidden(Event, tag="hidden", frozen=True):
    """Where the treasure lies now. The hider alone is told."""

    space: str


class Ready(Event, tag="ready", frozen=True):
    """The hider is done, and a round begins."""


class Rolled(Event, tag="rolled", frozen=True):
    """The die shows how many steps `seat` has."""

    seat: str
    number: int


class Walked(Event, tag="walked", frozen=True):
    """A pawn walked from `start` to `to`."""

    seat: str
    start: str
    to: str


class Dug(Event, tag="dug", frozen=True):
    """A seeker dug, and the treasure is so many `steps` away; it is found where there are none."""

    seat: str
    space: str
    steps: int


class TurnEnded(Event, tag="turn-ended", frozen=True):
    """A seeker's turn is over."""

    seat: str


class GameOver(Event, tag="game-over", frozen=True):
    """The game is over, and where the treasure was is told."""

    winner: str
    treasure: str


AnyEvent = Begun | Hidden | Ready | Rolled | Walked | Dug | TurnEnded | GameOver


# --- the picture ------------------------------------------------------------------------------------------------


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """All that changes while the game is played. `treasure` None: not hidden yet, or this viewer was not told where.

    `steps` are those that the seeker has left, None before the die is rolled. `holes` were dug in this round.
    `possible` are the spaces where the treasure can be, from what everybody was told.
    """

    order: tuple[str, ...] = ()
    pawns: dict[str, str] = {}
    turn: str = HIDER
    round: int = 0
    steps: int | None = None
    holes: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    treasure: str | None = None
    winner: str | None = None


class Picture(Struct, frozen=True):
    """What one viewer knows of the game."""

    board: Map
    options: Options
    at: Position
