"""Limits of a search: a number of lines, which gives repeatable results, or a time in seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct


class Budget(Struct, frozen=True):
    """A search budget of at most `lines` of play, for example `Budget(400)`.

    With a `clock` in seconds, no line starts after `seconds`.
    """

    lines: int
    seconds: float = 0.0
    clock: Callable[[], float] | None = None

    def start(self) -> Spending:
        """Start using the budget; the time runs from now."""
        return Spending(self)


MOST_LINES: Final = 100_000  # A number of lines that no time limit reaches


def timed(seconds: float, clock: Callable[[], float]) -> Budget:
    """Return a budget that is limited by time only."""
    return Budget(MOST_LINES, seconds, clock)


class Spending:
    """A budget in use."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._since = 0.0 if budget.clock is None else budget.clock()
        self.lines = 0

    @property
    def timed(self) -> bool:
        """Whether a clock limits the budget."""
        return self._budget.clock is not None

    @property
    def spent(self) -> float:
        """The share of the budget that is used up; 1 or more when there is none left."""
        budget = self._budget
        part = self.lines / budget.lines if budget.lines > 0 else 1.0
        if budget.clock is None:
            return part
        # With a time limit of zero, the budget is used up once the clock moves.
        return max(part, (budget.clock() - self._since) / max(1e-9, budget.seconds))
