"""Sequential halving: all candidates are tried alike, the worse half is dropped, and so on until one is left.

A candidate that is clearly no better than the leader is dropped at once, so that an easy choice ends early.

Each row of lines gives every candidate that is left one line with the same number. A number stands for the same luck
and the same guess of what is hidden, so that candidates are compared by what they do and not by their luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Final, Generic, NamedTuple, TypeVar

from engine.search.budget import Budget, Spending

C = TypeVar("C")
FEW: Final = 6
"""No candidate is clearly worse after fewer rows."""
CLEAR: Final = 3.0
"""So many standard errors of the mean difference make a difference clear."""
DOUBT: Final = 0.1
"""The spread of differences is estimated as if one difference of this size had been seen besides."""
HELD: Final = 16
"""What is held of a candidate before any line counts as so many rows."""
TRIFLE: Final = 0.01
"""A value that is not worth further lines."""


class Ended(NamedTuple):
    """How a line ended: its value, the more the better. `certain`: every line of the candidate ends so, whatever its
    number, so that one is enough.
    """

    value: float
    certain: bool = False


class _Tried(Generic[C]):
    """A candidate with the value of each row so far."""

    def __init__(self, candidate: C, merit: float | None) -> None:
        self.candidate, self.certain = candidate, False
        self.values: list[float] = []
        self._held, self._merit = (0, 0.0) if merit is None else (HELD, merit)

    @property
    def mean(self) -> float:
        """Of the values, and of the merit as if it had been seen in `HELD` rows."""
        rows = len(self.values) + self._held
        return (sum(self.values) + self._held * self._merit) / rows if rows else 0.0

    def add(self, ended: Ended) -> None:
        self.values.append(ended.value)
        self.certain = ended.certain

    def is_settled(self, leader: _Tried[C]) -> bool:
        """Whether it is clear that it is not better than the leader by more than a trifle."""
        rows = len(self.values)
        if rows < FEW or self is leader:
            return False
        leads = [one - other for one, other in zip(leader.values, self.values, strict=True)]
        average = sum(leads) / rows
        spread = sqrt((sum((lead - average) ** 2 for lead in leads) + DOUBT**2) / rows)
        return leader.mean - self.mean - CLEAR * spread / sqrt(rows) > -TRIFLE


def best_of(
    candidates: Sequence[C], line: Callable[[C, int], Ended], budget: Budget, merits: Sequence[float] = ()
) -> C:
    """The candidate whose lines end best on average; the earlier one where two are alike.

    `line(candidate, number)` plays a line on. `merits` are what is held of the candidates before any line, on the scale
    of a line's value; they count the more, the fewer lines were played. Without them lines alone count. Whoever has put
    the candidates in order of merit gets the first of them where the budget is nought.
    """
    held: Sequence[float | None] = merits or [None] * len(candidates)
    spending, alive = budget.start(), [_Tried(*pair) for pair in zip(candidates, held, strict=True)]
    halvings, number = max(1, (len(candidates) - 1).bit_length()), 0
    for halving in range(1, halvings + 1):
        while len(alive) > 1 and spending.spent < halving / halvings and not all(one.certain for one in alive):
            if not _row(alive, line, number, spending):
                break
            number += 1
            leader = max(alive, key=lambda one: one.mean)
            alive = [one for one in alive if not one.is_settled(leader)]
        if not number:
            break
        alive = sorted(alive, key=lambda one: -one.mean)[: (len(alive) + 1) // 2]  # a stable sort: merit decides
    return alive[0].candidate


def _row(alive: Sequence[_Tried[C]], line: Callable[[C, int], Ended], number: int, spending: Spending) -> bool:
    """A line for each candidate; whether there was time for all. An unfinished row would compare different luck, and
    counts for nothing.
    """
    row = []
    for one in alive:
        if spending.spent >= 1:
            return False
        if one.certain:
            row.append(Ended(one.values[-1], certain=True))
        else:
            row.append(line(one.candidate, number))
            spending.lines += 1
    for one, ended in zip(alive, row, strict=True):
        one.add(ended)
    return True
