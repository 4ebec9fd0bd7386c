"""Marks of acts by loss of chance, accuracy, and key moments. `docs/analysis.md` explains the numbers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from firmware_host.analysis.judging import JudgedStep

MARKS: Final = (("best", 0.01), ("good", 0.05), ("inaccuracy", 0.10), ("mistake", 0.20), ("blunder", 1.0))
"""Each mark with the loss of chance up to which it is given."""
FADING: Final = 5.0
"""How fast accuracy falls with the loss: an act that loses 0.1 has 61 %."""
KEY_MOMENTS, KEY_CHANGE = 6, 0.15
"""How many acts are key moments at most, and the least change of chance in one."""


def loss(step: JudgedStep) -> float:
    """Return the chance that an act has lost against the best one, beyond the standard error of the comparison."""
    if step.best is None or step.after is None or not step.choice:
        return 0.0
    return max(0.0, step.best - step.after - step.error)


def mark(step: JudgedStep) -> str | None:
    """Return the mark of an act; None without a choice, or if it can't be judged."""
    if step.after is None or not step.choice:
        return None
    lost = loss(step)
    return next(name for name, most in MARKS if lost <= most)


def accuracy(steps: Sequence[JudgedStep]) -> float | None:
    """Return the accuracy of acts from 0 to 100: the mean of 100 e^(-FADING loss); None if no act has a mark."""
    found = [100 * exp(-FADING * loss(step)) for step in steps if mark(step) is not None]
    return round(sum(found) / len(found), 1) if found else None


def accuracies(steps: Sequence[JudgedStep]) -> dict[str, float]:
    """Return the accuracy of each seat that has one."""
    found = {seat: accuracy([step for step in steps if step.seat == seat]) for seat in {step.seat for step in steps}}
    return {seat: value for seat, value in found.items() if value is not None}


def key_moments(steps: Sequence[JudgedStep]) -> set[int]:
    """Return the numbers of the steps with the greatest losses, and those after which the truth changed most."""
    changes, before = dict[int, float](), dict[str, float]()
    for step in steps:
        if step.truth is None:
            continue
        swing = abs(step.truth - before.get(step.seat, step.truth))
        changes[step.step] = max(loss(step), swing)
        before[step.seat] = step.truth
    great = sorted((step for step, change in changes.items() if change >= KEY_CHANGE), key=lambda it: -changes[it])
    return set(great[:KEY_MOMENTS])
