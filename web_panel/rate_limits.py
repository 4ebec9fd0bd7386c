"""Rate limits per lane (`firmware_host/table/lanes.py`): requests per second, and streams.

Requests of a device with a key are never counted with others from the same address, so no one there can count them. The
table's own machine has no limit: it could switch the table off as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from contextlib import suppress

from firmware_host.api.interface import MACHINE, STRANGERS, Lane, Text, UserError, least_streams

A_SECOND = 40.0
"""Requests per second that one member of a lane may make in the long run."""
AT_ONCE = 200.0
"""Requests that a member may save up for a burst, for example to open several pages at once."""
POST_COST = 4.0
"""Cost of a POST in requests: it may have to wait for the disk."""
TOO_OFTEN = "sniperboard.too-often"
"""Environment key: the request is refused because its member sends too many."""
MOST_MEMBERS = 1000
"""Members tracked separately; more than any household has."""

STREAMS_EACH = 12
"""Streams of one member of a lane, except on the table's own machine."""
KEPT_FREE = 4
"""Most streams reserved for each seat, for the table's own machine, and for all others together."""


class RequestRates:
    """The request rate of each member of a lane. Safe to use from any thread. `clock` returns monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._left: dict[Lane, tuple[float, float]] = {}

    def take(self, lane: Lane, cost: float) -> None:
        """Count a member's request. Raises `UserError` if the member asks too often."""
        now = self._clock()
        with self._guard:
            # Removing and inserting again moves the member to the end of the dict, so the first one is the least
            # recently seen.
            left, at = self._left.pop(lane, (AT_ONCE, now))
            # Token bucket: the allowance grows by A_SECOND per second, up to AT_ONCE.
            left = min(AT_ONCE, left + (now - at) * A_SECOND)
            enough = left >= cost
            self._left[lane] = (left - cost if enough else left, now)
            # A forgotten member starts with a full budget, so only the least recent one goes.
            while len(self._left) > MOST_MEMBERS:
                del self._left[next(iter(self._left))]
        if not enough:
            raise UserError(
                "too-often", Text("This device asks too much at once. It is heard again in a moment."), after=1
            )


class StreamPlaces:
    """Places for `limit` streams. Safe to use from any thread.

    Half of the places are reserved: for each seat, for the table's own machine, and for all others together. If no
    other place is free, a member without one takes one from the member with the most: no member gets a second place
    while another has none.
    """

    def __init__(self, limit: int, seats: Callable[[], Collection[str]]) -> None:
        """`seats` returns the current seat names."""
        self._limit, self._seats = limit, seats
        self._guard = threading.Lock()
        self._taken: dict[Lane, list[Callable[[], None]]] = {}

    def take(self, lane: Lane, end: Callable[[], None]) -> Callable[[], None]:
        """Take a place, and return the function that releases it.

        `end` is called if another member takes the place. Raises `UserError` if no place is available.
        """
        lost = None
        with self._guard:
            mine = self._taken.get(lane, [])
            if lane.name != MACHINE and len(mine) >= STREAMS_EACH:
                raise UserError(
                    "too-many-screens", Text("Too many screens of this device follow the table. Close one of them.")
                )
            if not self._has_room(lane):
                # A share may take back places that are reserved for it, for example after a game with more seats was
                # chosen. Otherwise, a member that already has a place can't take a second one from another member.
                below = self._is_below(lane)
                loser = self._most_demanding(1 if below else 2) if below or not mine else None
                if loser is None:
                    raise UserError(
                        "too-many-screens",
                        Text("Too many screens follow this table. Close one, and this one comes on."),
                    )
                lost = self._taken[loser].pop()
            self._taken.setdefault(lane, []).append(end)
        # Outside the lock, because the callback wakes another thread.
        if lost is not None:
            lost()
        return lambda: self._give_back(lane, end)

    def _has_room(self, lane: Lane) -> bool:
        """Return whether a place is free that is reserved for this lane, or for no one."""
        used, few = self._used(), self._few()
        # Places still reserved: each share minus its used places. More seats can reserve more than what is free.
        reserved = 0 if self._is_below(lane) else sum(max(0, few - number) for number in used.values())
        return sum(used.values()) + reserved < self._limit

    def _is_below(self, lane: Lane) -> bool:
        """Return whether the lane's share uses fewer places than are reserved for it."""
        return self._used()[self._share(lane)] < self._few()

    def _most_demanding(self, least: int) -> Lane | None:
        """Return the member with the most places, and `least` of them, among the shares that use more than reserved."""
        used, few = self._used(), self._few()
        spare = [it for it, places in self._taken.items() if len(places) >= least and used[self._share(it)] > few]
        return max(spare, key=lambda lane: len(self._taken[lane]), default=None)

    def _few(self) -> int:
        """Return how many places are reserved for each share; none if there is less than one for each."""
        shares = least_streams(len(self._seats()))
        return min(KEPT_FREE, max(1, self._limit // (2 * shares)), self._limit // shares)

    def _share(self, lane: Lane) -> str:
        return lane.name if lane.name in (MACHINE, *self._seats()) else STRANGERS

    def _used(self) -> dict[str, int]:
        """Return the used places of each share."""
        used = dict.fromkeys((MACHINE, STRANGERS, *self._seats()), 0)
        for lane, places in self._taken.items():
            used[self._share(lane)] += len(places)
        return used

    def _give_back(self, lane: Lane, end: Callable[[], None]) -> None:
        with self._guard, suppress(KeyError, ValueError):  # another member has taken the place
            self._taken[lane].remove(end)
            if not self._taken[lane]:
                del self._taken[lane]
