"""Bytes that the server holds for its clients at the same time, bounded for each lane (`firmware_host/table/lanes.py`).

No lane takes bytes of another. Only the server's thread comes here.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from firmware_host.api.interface import Lane


class Limit(NamedTuple):
    """What a lane may have at a time: `total`, and at most `each` for one member of it."""

    total: int
    each: int


class Limits(NamedTuple):
    """The limit of all strangers together, and that of every other lane."""

    strangers: Limit
    others: Limit

    def of(self, lane: Lane) -> Limit:
        """Return the limit of a lane."""
        return self.others if lane.trusted else self.strangers


class Budget:
    """Bytes of all lanes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held: Counter[Lane] = Counter()

    @property
    def held(self) -> int:
        """Bytes that are held now."""
        return self._held.total()

    def take(self, lane: Lane, size: int) -> bool:
        """Hold `size` more bytes for a lane; False where that is too much, and then nothing is held."""
        limit = self._limits.of(lane)
        together = sum(held for other, held in self._held.items() if other.name == lane.name)
        if together + size > limit.total or self._held[lane] + size > limit.each:
            return False
        self._held[lane] += size
        return True

    def give_back(self, lane: Lane, size: int) -> None:
        """`size` bytes of that lane are not held any more."""
        self._held[lane] -= size
        self._held += Counter()  # forgets lanes that hold none
