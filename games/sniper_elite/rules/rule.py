"""What a rule is.

Each rule module says for its commands what is on offer, what forbids them and what follows, and lists them in `RULES`.
`check` and `offers` see the picture of one viewer; only `decide` sees the truth.
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

P = TypeVar("P")  # A viewer's picture


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


def simple_rule(
    command: type[Command],
    candidates: Callable[[P], Iterable[Command]],
    refusal: Callable[[P, Any], Refused | None],
    decide: Callable[[P, Any, Chance], Iterable[Told]],
    pending: str | None = None,
) -> Rule[P]:
    """Return a rule whose legal commands are the `candidates` that have no `refusal`."""

    def offers(view: P) -> list[Command]:
        return [candidate for candidate in candidates(view) if refusal(view, candidate) is None]

    def check(view: P, asked: Command) -> Command:
        if (why := refusal(view, asked)) is not None:
            raise why
        return asked

    return Rule(command, offers, check, decide, pending)


def to_all(event: Event) -> Told:
    """Tell everybody of `event`."""
    return Told(event, EVERYONE)


def to_sniper(event: Event) -> Told:
    """Tell only the sniper of `event`."""
    return Told(event, only(SNIPER))


def no_additional_action(view: Picture, entering: str = "MP-TURN-09") -> Refused | None:
    """Return why the sniper cannot shoot, loot or complete now, or None (MP-TURN-05, MP-TURN-06).

    `entering` is the rule by which the sniper has to be on the board first.
    """
    if view.mine.space is None:
        return Refused(entering, Text("First move onto the board; only then can you shoot, loot or complete."))
    if view.acted:
        return Refused("MP-TURN-06", Text("You have already shot, looted or completed an objective this turn."))
    return None
