"""Sequential halving: try all candidates equally often, drop the worse half, and repeat until one is left.

A candidate that is clearly no better than the leader is dropped at once, so that an easy choice ends early.

Each round gives every remaining candidate one line with the same number. The same number means the same random results
and the same guess of what is hidden. So the results of candidates differ because of the acts, not because of luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Final, Generic, NamedTuple, TypeVar

from engine.search.budget import Budget, Spending

C = TypeVar("C")
LEAST_ROUNDS: Final = 6  # Rounds before a candidate can be clearly worse
CLEAR_ERRORS: Final = 3.0  # A difference is clear from this many standard errors of the mean difference
ADDED_SPREAD: Final = 0.1
"""Added to the estimated spread of the differences, so that it isn't zero after a few equal results."""
MERIT_ROUNDS: Final = 16  # The merit of a candidate counts as much as this many rounds
NEGLIGIBLE: Final = 0.01  # A difference that is not worth further lines
ROUNDS_IN_TIME: Final = 4  # Rounds that a time limit must allow; with less time, there are fewer candidates


class Ended(NamedTuple):
    """How a line ended: its value, more is better.

    `certain` means that every line of this candidate has the same value.
    """

    value: float
    certain: bool = False


class _Candidate(Generic[C]):
    """A candidate with the value of each round so far."""

    def __init__(self, candidate: C, merit: float | None, keep: bool = False) -> None:
        self.candidate, self.certain, self.keep = candidate, False, keep
        self.values: list[float] = []
        self._held, self._merit = (0, 0.0) if merit is None else (MERIT_ROUNDS, merit)

    @property
    def mean(self) -> float:
        """The mean of the values, with the merit counted as `MERIT_ROUNDS` rounds."""
        rounds = len(self.values) + self._held
        return (sum(self.values) + self._held * self._merit) / rounds if rounds else 0.0

    @property
    def value(self) -> float:
        """The mean of the values alone; the merit without any."""
        return sum(self.values) / len(self.values) if self.values else self.mean

    def error_against(self, best: _Candidate[C]) -> float:
        """Return the standard error of the difference from the best; for the best itself, that of its own value."""
        other = [0.0] * len(self.values) if self is best else best.values
        # A dropped candidate has fewer values than the best one.
        return _error([value - its for value, its in zip(other, self.values, strict=False)])

    def add(self, ended: Ended) -> None:
        self.values.append(ended.value)
        self.certain = ended.certain

    def is_settled(self, leader: _Candidate[C]) -> bool:
        """Return whether it is clearly not better than the leader, by more than a trifle."""
        rounds = len(self.values)
        if rounds < LEAST_ROUNDS or self is leader:
            return False
        # Both values of a round have the same luck, so their differences vary much less.
        leads = [one - other for one, other in zip(leader.values, self.values, strict=True)]
        # Clearly worse or about equal: either way, more lines would not change the choice.
        return leader.mean - self.mean - CLEAR_ERRORS * _error(leads) > -NEGLIGIBLE


def _error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of some values; 1 without any."""
    if not values:
        return 1.0
    average = sum(values) / len(values)
    spread = sqrt((sum((value - average) ** 2 for value in values) + ADDED_SPREAD**2) / len(values))
    return spread / sqrt(len(values))


class Compared(NamedTuple, Generic[C]):
    """A candidate after a comparison: the mean `value` of its lines.

    `error` is the standard error of its difference from the best candidate, whose lines had the same luck; for the best
    one, of its own value.
    """

    candidate: C
    value: float
    error: float


def best_of(
    candidates: Sequence[C], line: Callable[[C, int], Ended], budget: Budget, merits: Sequence[float] = ()
) -> C:
    """Return the candidate whose lines end best on average; of two equal candidates, the earlier one.

    `line(candidate, number)` plays a line. `merits` are first estimates of the candidates, on the scale of a line's
    value; the fewer lines are played, the more they count. With a budget of zero the first candidate is returned, and
    with little time only the first ones are tried, so list the candidates in order of merit. For example,
    `best_of(moves, play, Budget(400))`.
    """
    return _rank_by_halving(_candidates(candidates, merits), line, budget.start())[0].candidate


def compare(
    candidates: Sequence[C],
    line: Callable[[C, int], Ended],
    budget: Budget,
    merits: Sequence[float] = (),
    *,
    always_keep: Sequence[C] = (),
    least: int = 0,
) -> list[Compared[C]]:
    """Return all candidates, best first, compared as `best_of` compares them.

    Those in `always_keep` are never dropped, so their values have the most lines. They don't affect the comparison of
    the other candidates. The last candidates play at least `least` rounds, even if only one is left; the budget may end
    that earlier.
    """
    ranked = _rank_by_halving(_candidates(candidates, merits, always_keep), line, budget.start(), least)
    best = ranked[0]
    return [Compared(entry.candidate, entry.value, entry.error_against(best)) for entry in ranked]


def _candidates(candidates: Sequence[C], merits: Sequence[float], always_keep: Sequence[C] = ()) -> list[_Candidate[C]]:
    first_values: Sequence[float | None] = merits or [None] * len(candidates)
    return [
        _Candidate(candidate, merit, candidate in always_keep)
        for candidate, merit in zip(candidates, first_values, strict=True)
    ]


def _rank_by_halving(
    alive: list[_Candidate[C]], line: Callable[[C, int], Ended], spending: Spending, least: int = 0
) -> list[_Candidate[C]]:
    """Try candidates, drop the worse ones, and return all, best first."""
    dropped: list[_Candidate[C]] = []
    if spending.timed and len(alive) > 1 and spending.spent < 1:
        alive, dropped = _affordable(alive, line, spending)
    halvings, number = max(1, (len(alive) - 1).bit_length()), 0
    for halving in range(1, halvings + 1):
        # Each halving may use an equal share of the budget, with fewer candidates each time.
        while (len(alive) > 1 or number < least) and spending.spent < halving / halvings:
            if all(entry.certain for entry in alive) or not _play_round(alive, line, number, spending):
                break
            number += 1
            leader = max(alive, key=lambda entry: entry.mean)
            alive, dropped = _split(alive, dropped, [entry for entry in alive if not entry.is_settled(leader)])
        # Without one complete round, nothing is known: keep the first candidate.
        if not number:
            break
        alive = sorted(alive, key=lambda entry: -entry.mean)  # a stable sort: merit decides
        alive, dropped = _split(alive, dropped, alive[: (len(alive) + 1) // 2])
    return alive + dropped


def _split(
    alive: list[_Candidate[C]], dropped: list[_Candidate[C]], better: Sequence[_Candidate[C]]
) -> tuple[list[_Candidate[C]], list[_Candidate[C]]]:
    """Return the better candidates with those that are always kept, and the worse ones before those dropped earlier."""
    staying = [entry for entry in alive if entry.keep or entry in better]
    leaving = [entry for entry in alive if entry not in staying]
    return staying, sorted(leaving, key=lambda entry: -entry.mean) + dropped


def _affordable(
    alive: list[_Candidate[C]], line: Callable[[C, int], Ended], spending: Spending
) -> tuple[list[_Candidate[C]], list[_Candidate[C]]]:
    """Separate as many of the first candidates as there is time for `ROUNDS_IN_TIME` lines of each, at least two.

    The first line of the first candidate shows how long a line takes.
    """
    alive[0].add(line(alive[0].candidate, 0))
    spending.lines += 1
    number = max(2, int(1 / (ROUNDS_IN_TIME * max(spending.spent, 1e-9))))
    return _split(alive, [], alive[:number])


def _play_round(
    alive: Sequence[_Candidate[C]], line: Callable[[C, int], Ended], number: int, spending: Spending
) -> bool:
    """Play a line for each candidate. Return False if the budget ran out; the round then doesn't count."""
    played, before = [], spending.lines
    # The first line of the first candidate may have been played already, to see how long it takes.
    for entry in (entry for entry in alive if len(entry.values) == number):
        if spending.spent >= 1:
            return False
        if entry.certain:
            # This candidate is certain, so repeat its value: each round needs one value of every candidate.
            played.append((entry, Ended(entry.values[-1], certain=True)))
        else:
            played.append((entry, line(entry.candidate, number)))
            spending.lines += not entry.keep
    if spending.lines == before:  # only kept candidates still need lines, and comparing them alone would never end
        spending.lines += 1
    for entry, ended in played:
        entry.add(ended)
    return True
