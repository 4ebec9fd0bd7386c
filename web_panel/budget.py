"""Limit the bytes that the server holds for its clients at a time, per lane.

See `firmware_host/table/lanes.py` for lanes. No lane uses another lane's bytes. Only the server's thread calls this.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from firmware_host.api.interface import Lane


class Limit(NamedTuple):
    """The limit of a lane: `total` bytes, and at most `each` bytes for one member."""

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
    """The bytes held for all lanes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held: Counter[Lane] = Counter()

    def take(self, lane: Lane, size: int) -> bool:
        """Reserve `size` more bytes for a lane; return False, without reserving any, if that exceeds a limit."""
        limit = self._limits.of(lane)
        # A lane's total covers all of its members.
        together = sum(held for other, held in self._held.items() if other.name == lane.name)
        mine, left = self._held[lane] + size, limit.total - together - size
        # With more than one thing, no member holds more than it leaves: so each of many leaves as much to the next one.
        if left < 0 or mine > limit.each or (mine > size and mine > left):
            return False
        self._held[lane] += size
        return True

    def give_back(self, lane: Lane, size: int) -> None:
        """Release `size` bytes of a lane."""
        self._held[lane] -= size
        self._held += Counter()  # drops lanes that hold no bytes
