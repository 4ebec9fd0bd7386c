"""What is measured: single figures, and curves of one figure over another."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Literal

from msgspec import Struct

Kind = Literal["rate", "time", "wait", "size", "share"]
"""What becomes of a figure on a machine with a slower processor: a rate falls and a time grows. A wait is a time that
hangs on something else, such as a disk; a share is of one core.
"""


class Figure(Struct, frozen=True):
    """One measured figure. `id` names it for programs; `of_100` is what 99 of 100 values do not exceed, where single
    values were taken, and `count` how many. `goal` is what it should not exceed, in the same unit.
    """

    id: str
    what: str
    value: float
    unit: str
    kind: Kind = "time"
    of_100: float | None = None
    count: int = 1
    goal: float | None = None


class Missing(Struct, frozen=True):
    """A figure that could not be measured here, and why."""

    id: str
    what: str
    why: str


class Curve(Struct, frozen=True):
    """How a figure grows: points of x, value and, where single values were taken, the value of 99 of 100."""

    id: str
    what: str
    x: str
    unit: str
    points: tuple[tuple[float, float, float | None], ...]


Measured = Figure | Missing | Curve


class Plan(Struct, frozen=True):
    """How much is measured. `seconds` is about how long each figure of the processor takes, `samples` how many single
    values are taken of a delay.
    """

    seconds: float = 2.0
    samples: int = 400
    spaces: tuple[int, ...] = (30, 60, 125, 250, 500)
    screens: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    games: int = 6
    maps: int | None = None
    """How many of the drawn maps are compiled; None for all."""
    idle_seconds: float = 10.0
    turns: int = 5
    """How often an engine and its peer are measured in turn."""


QUICK = Plan(seconds=0.1, samples=20, spaces=(30, 60), screens=(1, 2), games=1, maps=0, idle_seconds=1.0, turns=1)
"""Just enough to see that everything can be measured."""


def middle(values: Sequence[float]) -> float:
    """The median of at least one value."""
    return median(values)


def quantile(values: Sequence[float], share: float) -> float:
    """What so many of at least one value do not exceed."""
    ranked = sorted(values)
    return ranked[min(int(share * len(ranked)), len(ranked) - 1)]


def delays(id: str, what: str, seconds: Sequence[float], *, goal: float | None = None, kind: Kind = "time") -> Figure:
    """A figure of single delays in seconds, told in milliseconds; `goal` is milliseconds too."""
    ms = [1000 * value for value in seconds]
    return Figure(id, what, middle(ms), "ms", kind, quantile(ms, 0.99), len(ms), goal)
