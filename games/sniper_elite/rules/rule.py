"""The shape of a rule, and the few refusals that several rules share.

Each rule module holds, for its commands, what is on offer, what forbids it and what follows from it, and lists them
in `RULES`. `check` and `offers` see one viewer's picture; only `decide` sees the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only
from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SNIPER

P = TypeVar("P")
"""What a viewer of the game sees."""


class Rule(Struct, Generic[P], frozen=True):
    """All about one kind of command.

    `offers(view)` lists the legal commands in a stable order; `check(view, command)` returns the command in the form
    in which `offers` lists it, or raises `Refused`; `decide(truth, command, chance)` tells what follows. `pending` is
    the decision that the command answers, None for the usual course of a turn; `any_time` rules wait for nobody.
    """

    command: type[Command]
    offers: Callable[[P], Iterable[Command]]
    check: Callable[[P, Any], Command]
    decide: Callable[[P, Any, Chance], Iterable[Told]]
    pending: str | None = None
    any_time: bool = False


def to_all(event: Event) -> Told:
    """Everybody hears of `event`."""
    return Told(event, EVERYONE)


def to_sniper(event: Event) -> Told:
    """The sniper alone hears of `event`."""
    return Told(event, only(SNIPER))


def additional_action_free(view: Picture, entering: str = "MP-TURN-09") -> None:
    """Shoot, loot and complete are one of each other, once a turn, on the board (MP-TURN-05, MP-TURN-06).

    `entering` is the rule by which the sniper has to be on the board first.
    """
    if view.mine.space is None:
        raise Refused(entering, Text("First move onto the board; only then can you shoot, loot or complete."))
    if view.acted:
        raise Refused("MP-TURN-06", Text("You have already shot, looted or completed an objective this turn."))
