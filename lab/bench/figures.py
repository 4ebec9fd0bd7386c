"""Measured values: single figures, and curves of one figure over another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan
from statistics import median
from typing import Literal

from msgspec import Struct

Kind = Literal["rate", "time", "wait", "size", "share"]
"""How a figure changes on a slower processor: a rate falls, a time grows, and a wait for something else, such as a
disk, stays the same. A share is of one core.
"""


class Figure(Struct, frozen=True):
    """One measured figure. `id` is its name for programs.

    `of_100` is the 99th percentile of `count` single values, if there are any. `goal` is the wanted maximum, in the
    same unit.
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
    """A figure that could not be measured, and why."""

    id: str
    what: str
    why: str


class Curve(Struct, frozen=True):
    """How a figure grows: points of x, value, and 99th percentile if there are single values."""

    id: str
    what: str
    x: str
    unit: str
    points: tuple[tuple[float, float, float | None], ...]


Measured = Figure | Missing | Curve


class Plan(Struct, frozen=True):
    """How much to measure: CPU `seconds` per figure, and `samples` per delay."""

    seconds: float = 2.0
    samples: int = 400
    spaces: tuple[int, ...] = (30, 60, 125, 250, 500)
    screens: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    games: int = 6
    maps: int | None = None
    """Number of included maps to compile; None for all."""
    idle_seconds: float = 10.0
    starts: int = 3
    turns: int = 5
    """How often our engine and its peer are measured alternately."""
    slow: float = 0.0
    """How much slower the processor of the group `slow` is; 0 leaves the group out."""
    slow_down: Callable[[int], None] = lambda process: None
    """Limits the processor time of a process with a measured table."""


QUICK = Plan(
    seconds=0.1, samples=20, spaces=(30, 60), screens=(1, 2), games=1, maps=0, idle_seconds=1.0, starts=1, turns=1
)
"""The minimum to check that everything can be measured."""


def quantile(values: Sequence[float], share: float) -> float:
    """Return a quantile, NaN of no values."""
    ranked = sorted(values)
    return ranked[min(int(share * len(ranked)), len(ranked) - 1)] if ranked else nan


def delays(id: str, what: str, seconds: Sequence[float], *, goal: float | None = None, kind: Kind = "time") -> Figure:
    """Return a figure in milliseconds from single delays in seconds; `goal` is in milliseconds."""
    ms = [1000 * value for value in seconds]
    return Figure(id, what, median(ms), "ms", kind, quantile(ms, 0.99), len(ms), goal)
