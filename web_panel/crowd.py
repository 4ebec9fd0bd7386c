"""How much one machine may ask of the door, so that no stranger takes what all need: requests a second, and streams.

The table's own machine is not limited: it could switch the table off as well.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable

from firmware_host.table.interface import Text, UserError

A_SECOND = 40.0
"""Requests of one machine that are answered in the long run."""
AT_ONCE = 200.0
"""Requests that it may save up: several pages opened at the same time."""
ACT = 4.0
"""What a POST counts: it may have to wait for the disk."""
MACHINES = 1000
"""Machines that are kept apart; more than any house has."""

STREAMS_EACH = 12
"""Streams of one machine."""
KEPT_FREE = 4
"""Streams that are kept for each seat, whoever else looks on; none where there are few in all."""


class RequestRates:
    """How fast each machine asks. Safe to use from any thread; `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, machine: str, cost: float) -> None:
        """A machine asks for something. Raises `UserError` where that is too often."""
        now = self._clock()
        with self._guard:
            left, at = self._left.pop(machine, (AT_ONCE, now))
            left = min(AT_ONCE, left + (now - at) * A_SECOND)
            enough = left >= cost
            self._left[machine] = (left - cost if enough else left, now)
            while len(self._left) > MACHINES:
                del self._left[next(iter(self._left))]
        if not enough:
            raise UserError(
                "too-often", Text("This device asks too much at once. It is heard again in a moment."), after=1
            )


class Places:
    """Places for `limit` streams. Safe to use from any thread."""

    def __init__(self, limit: int, seats: Callable[[], Iterable[str]]) -> None:
        """`seats` gives the names of the seats as they are now."""
        self._limit, self._few, self._seats = limit, min(KEPT_FREE, limit // 8), seats
        self._guard = threading.Lock()
        self._of_viewer: Counter[str] = Counter()
        self._of_machine: Counter[str] = Counter()

    def take(self, viewer: str, machine: str | None) -> Callable[[], None]:
        """A place, and how to give it back; a `machine` of None may have as many as there are. Raises `UserError`."""
        with self._guard:
            kept = sum(max(0, self._few - self._of_viewer[seat]) for seat in self._seats() if seat != viewer)
            if self._of_viewer.total() + kept >= self._limit:
                raise UserError(
                    "too-many-screens", Text("Too many screens follow this table. Close one, and this one comes on.")
                )
            if machine is not None and self._of_machine[machine] >= STREAMS_EACH:
                raise UserError(
                    "too-many-screens", Text("Too many screens of this device follow the table. Close one of them.")
                )
            self._of_viewer[viewer] += 1
            self._of_machine[machine or ""] += 1

        def give_back() -> None:
            with self._guard:
                self._of_viewer[viewer] -= 1
                self._of_machine[machine or ""] -= 1
                self._of_machine += Counter()  # forgets whoever holds none

        return give_back
