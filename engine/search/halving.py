"""Sequential halving: try all candidates equally often, drop the worse half, and repeat until one is left.

A candidate that is clearly no better than the leader is dropped at once, so that an easy choice ends early.

Each round gives every remaining candidate one line with the same number. The same number means the same random results
and the same guess of what is hidden. So candidates are compared by what they do, not by their luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Final, Generic, NamedTuple, TypeVar

from engine.search.budget import Budget, Spending

C = TypeVar("C")
FEW: Final = 6  # Rounds before a candidate can be clearly worse
CLEAR: Final = 3.0  # A difference is clear from this many standard errors of the mean difference
DOUBT: Final = 0.1
"""Added to the differences when their spread is estimated, so that a few equal ones don't give a spread of zero."""
HELD: Final = 16  # The merit of a candidate counts as much as this many rounds
TRIFLE: Final = 0.01  # A difference that is not worth further lines
ROUNDS: Final = 4  # Rounds that a time limit must allow; with less time, there are fewer candidates


class Ended(NamedTuple):
    """How a line ended: its value, more is better. `certain`: every line of this candidate has the same value."""

    value: float
    certain: bool = False


class _Tried(Generic[C]):
    """A candidate with the value of each round so far."""

    def __init__(self, candidate: C, merit: float | None) -> None:
        self.candidate, self.certain = candidate, False
        self.values: list[float] = []
        self._held, self._merit = (0, 0.0) if merit is None else (HELD, merit)

    @property
    def mean(self) -> float:
        """The mean of the values, with the merit counted as `HELD` rounds."""
        rounds = len(self.values) + self._held
        return (sum(self.values) + self._held * self._merit) / rounds if rounds else 0.0

    def add(self, ended: Ended) -> None:
        self.values.append(ended.value)
        self.certain = ended.certain

    def is_settled(self, leader: _Tried[C]) -> bool:
        """Return whether it is clearly not better than the leader, by more than a trifle."""
        rounds = len(self.values)
        if rounds < FEW or self is leader:
            return False
        # Both values of a round have the same luck, so their differences vary much less.
        leads = [one - other for one, other in zip(leader.values, self.values, strict=True)]
        average = sum(leads) / rounds
        spread = sqrt((sum((lead - average) ** 2 for lead in leads) + DOUBT**2) / rounds)
        # Clearly worse or about equal: either way, more lines would not change the choice.
        return leader.mean - self.mean - CLEAR * spread / sqrt(rounds) > -TRIFLE


def best_of(
    candidates: Sequence[C], line: Callable[[C, int], Ended], budget: Budget, merits: Sequence[float] = ()
) -> C:
    """Return the candidate whose lines end best on average, the earlier one of two that are equal.

    `line(candidate, number)` plays a line. `merits` are first estimates of the candidates, on the scale of a line's
    value; the fewer lines are played, the more they count. With a budget of zero the first candidate is returned, and
    with little time only the first ones are tried, so list the candidates in order of merit. For example,
    `best_of(moves, play, Budget(400))`.
    """
    held: Sequence[float | None] = merits or [None] * len(candidates)
    spending, alive = budget.start(), [_Tried(*pair) for pair in zip(candidates, held, strict=True)]
    if budget.clock is not None and len(alive) > 1 and spending.spent < 1:
        alive = _affordable(alive, line, spending)
    halvings, number = max(1, (len(alive) - 1).bit_length()), 0
    for halving in range(1, halvings + 1):
        # Each halving may use an equal share of the budget, with ever fewer candidates.
        while len(alive) > 1 and spending.spent < halving / halvings and not all(one.certain for one in alive):
            if not _play_round(alive, line, number, spending):
                break
            number += 1
            leader = max(alive, key=lambda one: one.mean)
            alive = [one for one in alive if not one.is_settled(leader)]
        # Without one complete round, nothing is known: keep the first candidate.
        if not number:
            break
        alive = sorted(alive, key=lambda one: -one.mean)[: (len(alive) + 1) // 2]  # a stable sort: merit decides
    return alive[0].candidate


def _affordable(alive: list[_Tried[C]], line: Callable[[C, int], Ended], spending: Spending) -> list[_Tried[C]]:
    """Return as many of the first candidates as there is time for `ROUNDS` lines of each, at least two.

    The first line of the first candidate shows how long a line takes.
    """
    alive[0].add(line(alive[0].candidate, 0))
    spending.lines += 1
    return alive[: max(2, int(1 / (ROUNDS * max(spending.spent, 1e-9))))]


def _play_round(alive: Sequence[_Tried[C]], line: Callable[[C, int], Ended], number: int, spending: Spending) -> bool:
    """Play a line for each candidate. Return False if the budget ran out; the round then doesn't count."""
    played = []
    # The first line of the first candidate may have been played already, to see how long it takes.
    for one in (one for one in alive if len(one.values) == number):
        if spending.spent >= 1:
            return False
        if one.certain:
            # It needs no further line, but its values must stay paired with those of the others.
            played.append((one, Ended(one.values[-1], certain=True)))
        else:
            played.append((one, line(one.candidate, number)))
            spending.lines += 1
    for one, ended in played:
        one.add(ended)
    return True
