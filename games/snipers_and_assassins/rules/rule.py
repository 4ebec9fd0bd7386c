"""The shape of a rule: all about one kind of command."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from engine.game import Command
from engine.refusal import Refused
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.telling import Telling

Check = Callable[[Picture, Any], Refused | None]
"""What forbids a command, or None."""
KindCheck = Callable[[Picture, type[Command]], Refused | None]
"""What forbids every command of a kind, or None. It reads nothing of the picture but what `order.Stance` holds."""


class Rule(Struct, frozen=True):
    """What forbids a command is asked of `before`, which looks at no more than its kind, and then of `checks`.
    `offers(view)` lists what is legal where `before` forbids nothing, in a stable order, each once; `decide` tells what
    follows from a command that nothing forbids.
    """

    command: type[Command]
    offers: Callable[[Picture], Iterable[Command]]
    checks: tuple[Check, ...]
    decide: Callable[[Telling, Any], None]
    before: tuple[KindCheck, ...] = ()

    def refusal(self, view: Picture, command: Command) -> Refused | None:
        """What forbids a command in this view, or None."""
        return first_refusal(self.before, view, self.command) or first_refusal(self.checks, view, command)


def first_refusal(checks: Iterable[Check], view: Picture, asked: Command | type[Command]) -> Refused | None:
    """What the first of the checks that forbids a command, or a kind of them, says; or None."""
    for check in checks:
        if (why := check(view, asked)) is not None:
            return why
    return None


def allowed(offers: Callable[[Picture], Iterable[Command]], *checks: Check) -> Callable[[Picture], Iterable[Command]]:
    """Those of some commands that the checks do not forbid."""

    def offer(view: Picture) -> Iterable[Command]:
        return [command for command in offers(view) if first_refusal(checks, view, command) is None]

    return offer
