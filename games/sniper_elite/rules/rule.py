"""The structure of a rule.

Each rule module defines for its commands what is offered, what is forbidden and what follows. It lists them in `RULES`.
`check` and `offers` get one viewer's picture. Only `decide` gets the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from engine.events import EVERYONE, Event, Told, only
from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SNIPER

P = TypeVar("P")  # A viewer's picture


class Rule(Struct, Generic[P], frozen=True):
    """The rule for one kind of command.

    `offers(view)` lists the legal commands in a stable order. `check(view, command)` returns the command in the form
    that `offers` lists, or raises `Refused`. `decide(truth, command, chance)` yields the events that follow; in the
    solo game, `decide(act, command)` carries the command out. `pending` is the decision that the command answers, None
    in the normal course of a turn. Rules with `any_time` don't depend on whose turn it is.
    """

    command: type[Command]
    offers: Callable[[P], Iterable[Command]]
    check: Callable[[P, Any], Command]
    decide: Callable[..., Any]
    pending: str | None = None
    any_time: bool = False


def simple_rule(
    command: type[Command],
    candidates: Callable[[P], Iterable[Command]],
    refusal: Callable[[P, Any], Refused | None],
    decide: Callable[..., Any],
    pending: str | None = None,
) -> Rule[P]:
    """Return a rule whose legal commands are the `candidates` without a `refusal`."""

    def offers(view: P) -> list[Command]:
        return [candidate for candidate in candidates(view) if refusal(view, candidate) is None]

    def check(view: P, command: Command) -> Command:
        if (why := refusal(view, command)) is not None:
            raise why
        return command

    return Rule(command, offers, check, decide, pending)


def to_all(event: Event) -> Told:
    """Return `event` addressed to all viewers."""
    return Told(event, EVERYONE)


def to_sniper(event: Event) -> Told:
    """Return `event` addressed to the sniper only."""
    return Told(event, only(SNIPER))


def no_additional_action(view: Picture, entering: str = "MP-TURN-09") -> Refused | None:
    """Return why the sniper can't shoot, loot or complete now, or None (MP-TURN-05, MP-TURN-06).

    `entering` is the rule that requires the sniper to be on the board first.
    """
    return no_action(view.mine.space, view.acted, entering, "MP-TURN-06")


def no_action(space: str | None, acted: bool, entering: str, again: str) -> Refused | None:
    """Return why a sniper on `space` can't shoot, loot or complete, or None. `again` is the rule of one such act."""
    if space is None:
        return Refused(entering, Text("First move onto the board; only then can you shoot, loot or complete."))
    if acted:
        return Refused(again, Text("You have already shot, looted or completed an objective this turn."))
    return None
