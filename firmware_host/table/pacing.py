"""When answers are given while a seat may be acting in secret: after a delay that does not depend on the loop.

The delay covers the slowest of the latest commits, and changes only with what everyone sees. Each lane has a gate
(`lanes.py`) that lets in one call at a time, so that no one can send two requests at once and learn from the difference
what else is going on. No one waits at the gate of another lane.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

from engine.text import Text

SHORTEST_DELAY = 0.1
"""The shortest delay in seconds: too short to notice, and longer than an act takes on a healthy disk."""
MARGIN = 5
"""The delay is at least this many times the slowest commit or the time for pictures.

One time is for a secret act, and one for each gate that a person can use at once (an open seat, the admin, the table's
computer, strangers).
"""
SHORTEST_STEP, LONGEST_STEP = 0.02, 0.16
"""Limits of the step in seconds. New pictures of a seat that may act in secret take a multiple of the step."""
WORK_MARGIN, STEP_MARGIN = 100, 200
"""`work` is this many times as long as a public picture takes, and the step at least this many times. Pictures of a
secret seat took up to 70 times as long in random games: they list what it can do.
"""
SHORTEST_WORK = 0.001
"""Shortest time in seconds for which the loop seems to work on pictures of a secret seat."""
LONGEST_DELAY = 3.2
"""Maximum delay in seconds, however slow a disk was once."""
COMMITS_COUNTED = 32
"""Number of public acts that count, so that one slow write does not slow down the table for ever."""

BUSY = Text("The table is busy. Try again in a moment.")


class Pace:
    """The `delay`, the `step` and the `work` in seconds. The table reports how long its work takes; any thread may read
    `delay`.
    """

    def __init__(self) -> None:
        self.delay, self.step, self.work = SHORTEST_DELAY, SHORTEST_STEP, SHORTEST_WORK
        self._pictures: deque[float] = deque(maxlen=COMMITS_COUNTED)
        self._took = 0.0
        self._latest: deque[float] = deque(maxlen=COMMITS_COUNTED)

    def note_commit(self, seconds: float) -> None:
        """Report the time of a commit. `note_publication` says later whether it was public."""
        self._took = max(self._took, seconds)

    def note_picture(self, seconds: float) -> None:
        """Report how long the public picture took. Step and work follow the median, so one slow act changes nothing."""
        self._pictures.append(seconds)
        took = median(self._pictures)
        self.step = _rounded(STEP_MARGIN * took, SHORTEST_STEP, LONGEST_STEP)
        self.work = min(max(WORK_MARGIN * took, SHORTEST_WORK), LONGEST_STEP / 2)
        self._set_delay()

    def note_publication(self, by_all: bool) -> None:
        """Report that all commits since the last call are published; `by_all`: everyone sees something new."""
        took, self._took = self._took, 0.0
        # Only public acts count: everyone can measure the delay, so no secret act may change it.
        if by_all and took:  # acts that write nothing say nothing about the disk
            self._latest.append(took)
            self._set_delay()

    def _set_delay(self) -> None:
        self.delay = _rounded(MARGIN * max(self.step, *self._latest, 0.0), SHORTEST_DELAY, LONGEST_DELAY)


def _rounded(seconds: float, shortest: float, longest: float) -> float:
    """Return `shortest`, doubled until it is long enough, so that small differences do not show."""
    return min(longest, math.ldexp(shortest, math.ceil(math.log2(max(shortest, seconds) / shortest))))


class Gate:
    """Lets one caller through at a time, and holds each for the delay, or for a multiple of it after a late answer."""

    def __init__(self, pace: Pace, clock: Callable[[], float], rest: Callable[[float], None]) -> None:
        self._pace, self._clock, self._rest = pace, clock, rest
        self._one = threading.Lock()

    @contextmanager
    def take_turn(self) -> Iterator[None]:
        """Run the block as the only caller, and wait at its end."""
        with self._one:
            came, delay = self._clock(), self._pace.delay
            try:
                yield
            finally:
                self.wait(came, delay)

    def wait(self, came: float, delay: float | None = None) -> None:
        """Wait for the end of the delay of a caller who `came` then."""
        delay = delay or self._pace.delay
        # A late answer waits for the next multiple of the delay, which hides how late it is.
        self._rest(delay - (self._clock() - came) % delay)
