"""The data of the game: seats, options, commands, events, and the position."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.events import Event
from engine.game import Command
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
    """The number of seekers, and the number of rounds after which the hider wins."""

    seekers: Annotated[int, Meta(ge=1, le=3)] = 2
    rounds: Annotated[int, Meta(ge=1, le=9)] = 4


COUNT = Number(("seekers",), Text("Seekers"), 1, 3, default=2)
ROUNDS = Number(("rounds",), Text("Rounds"), 1, 9, default=4, about=Text("After the last one the hider wins."))
FORM = OptionForm((OptionGroup("length", (COUNT, ROUNDS)),))
"""The options that the lobby offers."""


# --- commands ---------------------------------------------------------------------------------------------------


class Hide(Command, tag="hide", frozen=True):
    """The hider: bury the treasure on `space`, or move it there."""

    space: str


class Roll(Command, tag="roll", frozen=True):
    """A seeker: roll the die for the steps of this turn."""


class Walk(Command, tag="walk", frozen=True):
    """A seeker: walk to `space`."""

    space: str


class Dig(Command, tag="dig", frozen=True):
    """A seeker: dig on the current space. The turn ends."""


class EndTurn(Command, tag="end-turn", frozen=True):
    """A seeker: end the turn without digging."""


OF_HIDER = Hide
OF_SEEKER = Roll | Walk | Dig | EndTurn


# --- events -----------------------------------------------------------------------------------------------------


class Begun(Event, tag="begun", frozen=True):
    """The game starts, and the seekers take turns in this order."""

    order: tuple[str, ...]


class Hidden(Event, tag="hidden", frozen=True):
    """The treasure is on `space`. Only the hider gets this event."""

    space: str


class Ready(Event, tag="ready", frozen=True):
    """The hider has finished, and a round begins."""


class Rolled(Event, tag="rolled", frozen=True):
    """A seeker rolled the die and has `number` steps."""

    seat: str
    number: int


class Walked(Event, tag="walked", frozen=True):
    """A pawn walked from `start` to `to`."""

    seat: str
    start: str
    to: str


class Dug(Event, tag="dug", frozen=True):
    """A seeker dug, and the treasure is `steps` away; 0 means that it is found."""

    seat: str
    space: str
    steps: int


class TurnEnded(Event, tag="turn-ended", frozen=True):
    """A seeker's turn ended."""

    seat: str


class GameOver(Event, tag="game-over", frozen=True):
    """The game is over, and everyone learns where the treasure was."""

    winner: str
    treasure: str


AnyEvent = Begun | Hidden | Ready | Rolled | Walked | Dug | TurnEnded | GameOver


# --- the position -----------------------------------------------------------------------------------------------


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that changes during play. `treasure` is None if it is not hidden yet or the viewer doesn't know it.

    `steps` is the number of steps left, None before the die is rolled. `holes` are the spaces dug in this round.
    `possible` are the spaces where the treasure can be, according to public events.
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
