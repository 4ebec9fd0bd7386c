"""Remembers the results of calls of games, so that each call is made once.

After a fault, the call is repeated later, because the fault may be temporary.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")

RETRY_SECONDS: Final = 60.0
"""Seconds after a fault during which a game is not called again: one that hangs must not keep the table busy."""


class Remembered(Generic[K, T]):
    """Results by key. A failed call is repeated after a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._found: dict[K, tuple[T, float]] = {}

    def get(self, key: K, make: Callable[[], tuple[T, bool | None]]) -> T:
        """Return the result of an earlier call, or that of `make`.

        `make` also returns whether to keep the result: False after a fault, None to keep nothing.
        """
        if (found := self._found.get(key)) is not None:
            if self.clock() < found[1]:
                return found[0]
            # Only this thread makes it again. Other threads get the old result meanwhile.
            self._found[key] = found[0], math.inf
        try:
            result, lasting = make()
        finally:  # also after an error, so that no old result stays
            self.forget(key)
        if lasting is not None:
            self._found[key] = result, math.inf if lasting else self.clock() + RETRY_SECONDS
        return result

    def forget(self, key: K) -> None:
        """Drop a result; harmless if there is none."""
        self._found.pop(key, None)
