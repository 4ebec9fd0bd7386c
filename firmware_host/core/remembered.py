"""Remembers the results of calls of games, so that each call is made once. It is repeated after a fault, which may not
occur again.
"""

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
    """Results by key. A result of a call that failed is made again after a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._found: dict[K, tuple[T, float]] = {}

    def get(self, key: K, make: Callable[[], tuple[T, bool | None]]) -> T:
        """Return the result of an earlier call, or of `make`, which also returns whether it is lasting: False after a
        fault, None if it is not to be remembered.
        """
        if (found := self._found.get(key)) is not None:
            if self.clock() < found[1]:
                return found[0]
            # Only this thread makes it again. The others have the old one meanwhile.
            self._found[key] = found[0], math.inf
        try:
            result, lasting = make()
        finally:  # also after an error: no old result may stay
            self.forget(key)
        if lasting is not None:
            self._found[key] = result, math.inf if lasting else self.clock() + RETRY_SECONDS
        return result

    def forget(self, key: K) -> None:
        """Drop a result; harmless if there is none."""
        self._found.pop(key, None)
