"""Results of calls of games that are not asked again, except after a fault: that may have been a single one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")

RETRY_SECONDS: Final = 60.0
"""Seconds after a fault in which a game is not asked again, so that no one can keep the table busy with one that hangs.
"""


class Remembered(Generic[K, T]):
    """Results by their keys. One that is not `lasting`, because a game had a fault, is forgotten after a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._found: dict[K, tuple[T, float]] = {}

    def __len__(self) -> int:
        return len(self._found)

    def find(self, key: K) -> T | None:
        """Return a result, or None if it is to be made (again)."""
        if (found := self._found.get(key)) is None or self.clock() < found[1]:
            return None if found is None else found[0]
        # Only this thread makes it again. The others have the old one meanwhile.
        self._found[key] = found[0], self.clock() + RETRY_SECONDS
        return None

    def add(self, key: K, result: T, lasting: bool) -> T:
        """Store a result and return it."""
        self._found[key] = result, math.inf if lasting else self.clock() + RETRY_SECONDS
        return result

    def forget(self, key: K) -> None:
        """Drop a result; harmless if there is none."""
        self._found.pop(key, None)

    def clear(self) -> None:
        """Drop all results."""
        self._found.clear()
