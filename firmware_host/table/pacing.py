"""When answers are given while somebody may act in secret: after a delay that is the same whatever the loop is doing.

The delay covers the slowest of the latest commits, and changes only with what everybody hears of. Each lane has a
gate (`lanes.py`) that lets in one call at a time, so that nobody can ask twice at once and tell from the difference
what else goes on. Nobody waits at another lane's gate.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from engine.text import Text

PACE = 0.1
"""Seconds: the shortest delay. It is too short to be felt, and longer than an act takes on a disk that is well."""
MARGIN = 5
"""How many times the slowest commit the delay is at least: one for a secret act, and one for each gate at which the
same person may ask at once: an open seat's, the admin's, the machine's, the strangers'.
"""
LONGEST = 3.2
"""Seconds that a delay never exceeds, whatever a disk did once."""
COUNTED = 32
"""How many acts that everybody heard of count: a disk that was slow once does not slow the table for ever."""

BUSY = Text("The table is busy. Try again in a moment.")


class Pace:
    """The delay. The loop says what commits took; anybody may read `delay` (seconds)."""

    def __init__(self) -> None:
        self.delay = PACE
        self._took = 0.0
        self._latest: deque[float] = deque(maxlen=COUNTED)

    def took(self, seconds: float) -> None:
        """A commit took so long. Whether everybody hears of it, `heard` tells."""
        self._took = max(self._took, seconds)

    def heard(self, by_all: bool) -> None:
        """What was committed since the last time is laid out now, and is heard `by_all` or not."""
        took, self._took = self._took, 0.0
        if by_all and took:  # what writes nothing says nothing about the disk, and may not push out what does
            self._latest.append(took)
            wanted = max(PACE, MARGIN * max(self._latest))
            self.delay = min(LONGEST, PACE * 2 ** math.ceil(math.log2(wanted / PACE)))


class Gate:
    """Lets one caller through at a time, and holds each for a delay, or for several where the answer takes longer."""

    def __init__(self, pace: Pace, clock: Callable[[], float], rest: Callable[[float], None]) -> None:
        self._pace, self._clock, self._rest = pace, clock, rest
        self._one = threading.Lock()

    @contextmanager
    def through(self) -> Iterator[None]:
        """Ask within."""
        with self._one:
            came, delay = self._clock(), self._pace.delay
            try:
                yield
            finally:
                self._rest(delay - (self._clock() - came) % delay)
