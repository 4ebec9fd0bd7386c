"""How many random games are tried: `DEPTH=20 make test` plays twenty times as many as usual."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

COLLECTED = pytest.StashKey[set[Path]]()
"""The files of all collected tests, those left out by day included."""
DEPTH = int(os.environ.get("DEPTH", "1"))


def seeds(number: int, by_day: int | None = None) -> range:
    """Return the seeds of this many random games, or of `DEPTH` times as many; at normal depth of `by_day`."""
    return range(number * DEPTH if by_day is None else cases(number, by_day))


def cases(number: int, by_day: int) -> int:
    """Return how many random cases are tried: `DEPTH` times the number, at normal depth `by_day`."""
    return number * DEPTH if DEPTH > 1 else by_day
