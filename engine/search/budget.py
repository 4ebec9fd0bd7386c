"""How long a search may go on: a number of lines, so that it ends the same again, or seconds of a clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct


class Budget(Struct, frozen=True):
    """At most `lines` of play; with a `clock`, which gives seconds, no line is begun after `seconds` either."""

    lines: int
    seconds: float = 0.0
    clock: Callable[[], float] | None = None

    def start(self) -> Spending:
        """The time runs from now on."""
        return Spending(self)


MOST_LINES: Final = 100_000
"""More than any budget of time is worth."""


def timed(seconds: float, clock: Callable[[], float]) -> Budget:
    """A budget of time alone."""
    return Budget(MOST_LINES, seconds, clock)


class Spending:
    """A budget in use."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._since = 0.0 if budget.clock is None else budget.clock()
        self.lines = 0

    @property
    def spent(self) -> float:
        """The part of the budget that is used up, from 0 to 1 and beyond."""
        budget = self._budget
        part = self.lines / budget.lines if budget.lines > 0 else 1.0
        if budget.clock is None:
            return part
        return max(part, (budget.clock() - self._since) / max(1e-9, budget.seconds))
