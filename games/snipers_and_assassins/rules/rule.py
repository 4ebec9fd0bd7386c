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


class Rule(Struct, frozen=True):
    """`offers(view)` lists what is legal, in a stable order, each once. `checks` are asked in turn for what forbids a
    command; `decide` tells what follows from one that nothing forbids.
    """

    command: type[Command]
    offers: Callable[[Picture], Iterable[Command]]
    checks: tuple[Check, ...]
    decide: Callable[[Telling, Any], None]

    def refusal(self, view: Picture, command: Command) -> Refused | None:
        """What forbids a command in this view, or None."""
        return first_refusal(self.checks, view, command)


def first_refusal(checks: Iterable[Check], view: Picture, command: Command | None) -> Refused | None:
    """What the first of the checks that forbids a command says, or None."""
    return next((why for check in checks if (why := check(view, command)) is not None), None)


def allowed(
    offers: Callable[[Picture], Iterable[Command]], *checks: Check, before: tuple[Check, ...] = ()
) -> Callable[[Picture], Iterable[Command]]:
    """Those of some commands that the checks do not forbid. Checks `before` them look at no command and are asked
    once, with None.
    """

    def offer(view: Picture) -> Iterable[Command]:
        if first_refusal(before, view, None) is not None:
            return ()
        return (command for command in offers(view) if first_refusal(checks, view, command) is None)

    return offer
