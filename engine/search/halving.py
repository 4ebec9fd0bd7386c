"""Sequential halving: all candidates are tried alike, the worse half is dropped, and so on until one is left.

Each row of lines gives every candidate that is left one line with the same number. A number stands for the same luck
and the same guess of what is hidden, so that candidates are compared by what they do and not by their luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from engine.search.budget import Budget, Spending

C = TypeVar("C")


class Ended(NamedTuple):
    """How a line ended: its value, the more the better. `certain`: every line of the candidate ends so, whatever its
    number, so that one is enough.
    """

    value: float
    certain: bool = False


class _Tried(Generic[C]):
    """A candidate with what came of it so far."""

    def __init__(self, candidate: C) -> None:
        self.candidate, self.certain = candidate, False
        self._sum, self._lines = 0.0, 0

    @property
    def mean(self) -> float:
        return self._sum / self._lines if self._lines else 0.0

    def add(self, ended: Ended) -> None:
        if not self.certain:
            self._sum, self._lines = self._sum + ended.value, self._lines + 1
            self.certain = ended.certain


def best_of(candidates: Sequence[C], line: Callable[[C, int], Ended], budget: Budget) -> C:
    """The candidate whose lines end best on average; the earlier one where two are alike.

    `line(candidate, number)` plays a line on. Whoever has put the candidates in order of merit gets the first of them
    where the budget is nought.
    """
    spending, alive = budget.start(), [_Tried(candidate) for candidate in candidates]
    halvings, number = max(1, (len(candidates) - 1).bit_length()), 0
    for halving in range(1, halvings + 1):
        while len(alive) > 1 and spending.spent < halving / halvings and not all(one.certain for one in alive):
            if not _row(alive, line, number, spending):
                break
            number += 1
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
            row.append(Ended(one.mean, certain=True))
        else:
            row.append(line(one.candidate, number))
            spending.lines += 1
    for one, ended in zip(alive, row, strict=True):
        one.add(ended)
    return True
