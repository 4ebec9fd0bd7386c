"""The structure of a rule for one type of command."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from engine.game import Command
from engine.refusal import Refused
from games.snipers_and_assassins.rules.picture import Picture, Telling

Check = Callable[[Picture, Any], Refused | None]  # Return why a command is forbidden, or None
KindCheck = Callable[[Picture, type[Command]], Refused | None]
"""Return why all commands of a type are forbidden, or None. Reads only what `turn.timing_of` returns."""


class Rule(Struct, frozen=True):
    """The rule for one type of command.

    `before` and then `checks` can forbid it. `decide` carries it out. `offers(view)` lists the legal commands if
    `before` forbids nothing, in a stable order without duplicates.
    """

    command: type[Command]
    offers: Callable[[Picture], Iterable[Command]]
    checks: tuple[Check, ...]
    decide: Callable[[Telling, Any], None]
    before: tuple[KindCheck, ...] = ()

    def refusal(self, view: Picture, command: Command) -> Refused | None:
        """Return why a command is forbidden in this view, or None."""
        return first_refusal(self.before, view, self.command) or first_refusal(self.checks, view, command)


def first_refusal(checks: Iterable[Check], view: Picture, command: Command | type[Command]) -> Refused | None:
    """Return the first refusal by these checks, or None. `command` is a command or a type of command."""
    for check in checks:
        if (why := check(view, command)) is not None:
            return why
    return None
