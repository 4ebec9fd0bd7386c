"""How much each lane may ask of the door (`firmware_host/table/lanes.py`): requests a second, and streams.

What a device with a key asks is never counted with what others ask from the same address, so nobody can count it there.
The table's own machine may ask as fast as it likes: it could switch the table off as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

from firmware_host.api.interface import MACHINE, Lane, Text, UserError

A_SECOND = 40.0
"""Requests of one member of a lane that are answered in the long run."""
AT_ONCE = 200.0
"""Requests that it may save up: several pages opened at the same time."""
ACT = 4.0
"""What a POST counts: it may have to wait for the disk."""
MEMBERS = 1000
"""Members that are kept apart; more than any house has."""

STREAMS_EACH = 12
"""Streams of one member of a lane, except on the table's own machine."""
KEPT_FREE = 4
"""Streams that are kept for each seat and for the table's own machine; none where there are few in all."""


class RequestRates:
    """How fast each member of a lane asks. Safe to use from any thread; `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._left: dict[Lane, tuple[float, float]] = {}

    def take(self, lane: Lane, cost: float) -> None:
        """A member asks for something. Raises `UserError` where that is too often."""
        now = self._clock()
        with self._guard:
            left, at = self._left.pop(lane, (AT_ONCE, now))
            left = min(AT_ONCE, left + (now - at) * A_SECOND)
            enough = left >= cost
            self._left[lane] = (left - cost if enough else left, now)
            while len(self._left) > MEMBERS:
                del self._left[next(iter(self._left))]
        if not enough:
            raise UserError(
                "too-often", Text("This device asks too much at once. It is heard again in a moment."), after=1
            )


class Places:
    """Places for `limit` streams. Safe to use from any thread.

    A few are kept for each seat and for the table's own machine. Where no other is free, a member that has none takes
    one from the member that has most: nobody gets a second place while somebody has no first.
    """

    def __init__(self, limit: int, seats: Callable[[], Iterable[str]]) -> None:
        """`seats` gives the names of the seats as they are now."""
        self._limit, self._few, self._seats = limit, min(KEPT_FREE, limit // 8), seats
        self._guard = threading.Lock()
        self._taken: dict[Lane, list[Callable[[], None]]] = {}

    def take(self, lane: Lane, end: Callable[[], None]) -> Callable[[], None]:
        """Take a place, and return how to give it back; `end` is called if another takes it. Raises `UserError`."""
        lost: Callable[[], None] = _nothing
        with self._guard:
            mine = self._taken.get(lane, [])
            if lane.name != MACHINE and len(mine) >= STREAMS_EACH:
                raise UserError(
                    "too-many-screens", Text("Too many screens of this device follow the table. Close one of them.")
                )
            if not self._has_room(lane):
                loser = None if mine else self._loser()
                if loser is None:
                    raise UserError(
                        "too-many-screens",
                        Text("Too many screens follow this table. Close one, and this one comes on."),
                    )
                lost = self._taken[loser].pop()
            self._taken.setdefault(lane, []).append(end)
        lost()
        return lambda: self._give_back(lane, end)

    def _has_room(self, lane: Lane) -> bool:
        """Whether a place is free that is not kept for another lane."""
        kept = sum(max(0, self._few - self._of(name)) for name in (MACHINE, *self._seats()) if name != lane.name)
        return sum(map(len, self._taken.values())) + kept < self._limit

    def _loser(self) -> Lane | None:
        """The member that has most places, if it has several that are not kept for its lane."""

        def spare(lane: Lane) -> bool:
            kept = self._few if lane.name in (MACHINE, *self._seats()) else 0
            return len(self._taken[lane]) > 1 and self._of(lane.name) > kept

        return max(filter(spare, self._taken), key=lambda lane: len(self._taken[lane]), default=None)

    def _of(self, name: str) -> int:
        return sum(len(places) for lane, places in self._taken.items() if lane.name == name)

    def _give_back(self, lane: Lane, end: Callable[[], None]) -> None:
        with self._guard, suppress(KeyError, ValueError):  # another has taken it
            self._taken[lane].remove(end)
            if not self._taken[lane]:
                del self._taken[lane]


def _nothing() -> None:
    """What is called where nobody loses a place."""
