"""The best number of tokens to draw, and its chances calculated token by token."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from lab.puzzles.kinds import Answers

MARGIN = Fraction(1, 50)
"""The minimum lead of the best number over the next one."""
TOKENS = ("aim", "noise", "recoil", "suppression")
MISFIRE = 5


def best_draw(chances: Mapping[int, Fraction]) -> Answers:
    """Return the best number of tokens; none if the next best is nearly as good."""
    first, second = sorted(chances.values(), reverse=True)[:2] if len(chances) > 1 else (0, 0)
    return ((str(max(chances, key=chances.__getitem__)),),) if first - second >= MARGIN else ()


def chances_by_drawing(bag: Mapping[str, int], need: int, counts: Callable[[int, int], bool]) -> dict[int, Fraction]:
    """Return number of tokens -> chance of a hit that `counts`, given its noise and its suppression."""
    full = tuple(bag.get(token, 0) for token in TOKENS)

    @cache
    def chance(left: int, drawn: tuple[int, ...]) -> Fraction:
        if not left:
            aim, noise, recoil, suppression = drawn
            return Fraction(aim >= need and noise + recoil < MISFIRE and counts(noise, suppression))
        remaining = [number - out for number, out in zip(full, drawn, strict=True)]
        ways = [(n, tuple(out + (i == j) for j, out in enumerate(drawn))) for i, n in enumerate(remaining) if n]
        return sum((Fraction(n, sum(remaining)) * chance(left - 1, after) for n, after in ways), Fraction(0))

    return {draw: chance(draw, (0, 0, 0, 0)) for draw in range(need, sum(full) + 1)}
