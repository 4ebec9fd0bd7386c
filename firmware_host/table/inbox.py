"""The inbox of the loop. Reports of drivers and calls of screens wait in separate queues, and both are taken in turn.

The inbox is bounded, whatever a board does. The last edge of each sensor always stays, because it shows the current
state. If too many edges of one sensor wait, two that cancel out are dropped. A board that causes this for long is
reported.
"""

from __future__ import annotations

import queue
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable

from msgspec import Struct

from hardware.ports import BoardEnded, DriverStatus, Edge, Note, Press, UnsettledContact
from hardware.token_bucket import Excess

MOST_EDGES = 16
"""Maximum of waiting edges of one sensor, or presses of one button; a contact bounces less in one change."""
BATCH = 16
"""Reports of drivers that are taken before a waiting call."""


class Flooded(Struct, frozen=True):
    """Reports that drivers have sent too much for a long time, or no longer do."""

    on: bool


class BoundedInbox:
    """For any thread; one thread takes items out. The senders of calls limit their number."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` gives monotonic seconds."""
        self._clock = clock
        self._turn = threading.Condition()
        self._calls: deque[object] = deque()
        self._notes: OrderedDict[int, Note] = OrderedDict()
        self._pending: dict[Hashable, deque[int]] = {}
        self._number = self._in_a_row = 0
        self._excess = Excess()
        self._crowded = False

    def __len__(self) -> int:
        """Return the number of waiting items."""
        with self._turn:
            return len(self._calls) + len(self._notes)

    def put(self, item: object) -> None:
        """Add a report of a driver, a call, or None to stop the loop."""
        with self._turn:
            if isinstance(item, BoardEnded):
                self._notes.clear()
                self._pending.clear()
                # A new board starts without faults, so an excess has to be reported again.
                self._excess, self._crowded = Excess(), False
            elif isinstance(item, Note):
                self._note(item)
            else:
                self._calls.append(item)
            self._turn.notify()

    def get(self, *, timeout: float) -> object:
        """Return the next item; `Flooded` when that has changed. Raises `queue.Empty` after `timeout` seconds."""
        with self._turn:
            if not (self._calls or self._notes):
                # The wait can end early. In that case, `_next` raises `queue.Empty`, as it does after the timeout.
                self._turn.wait(timeout)
            crowded = self._excess.lasting(self._clock())
            if crowded != self._crowded:
                self._crowded = crowded
                return Flooded(crowded)
            return self._next()

    def take_notes(self) -> list[Note]:
        """Return the next reports of drivers, as many as may come before a waiting call."""
        with self._turn:
            count = min(len(self._notes), BATCH - self._in_a_row)
            return [self._next_note() for _ in range(count)]

    def empty(self) -> bool:
        """Return whether no item waits."""
        return len(self) == 0

    def _next(self) -> object:
        if self._calls and (not self._notes or self._in_a_row >= BATCH):
            self._in_a_row = 0
            return self._calls.popleft()
        if not self._notes:
            raise queue.Empty
        if not self._calls:
            self._in_a_row = 0
        return self._next_note()

    def _next_note(self) -> Note:
        self._in_a_row += 1
        # Reports of one source leave in order, so this one is the first of its source.
        _, note = self._notes.popitem(last=False)
        self._pending[_source(note)].popleft()
        return note

    def _note(self, note: Note) -> None:
        pending = self._pending.setdefault(_source(note), deque())
        last = self._notes[pending[-1]] if pending else None
        if isinstance(note, Edge) and isinstance(last, Edge) and last.down == note.down:
            return  # this is no change, so debouncing would ignore it
        if len(pending) >= MOST_EDGES or (pending and isinstance(note, DriverStatus)):
            if isinstance(note, Press):
                return
            if isinstance(note, Edge):
                self._excess.happens(self._clock())
                del self._notes[pending.pop()]  # this edge and the one before cancel out
            del self._notes[pending.pop()]
        self._number += 1
        self._notes[self._number] = note
        pending.append(self._number)


def _source(note: Note) -> Hashable:
    """Return the source and kind of a report."""
    match note:
        case Edge() | UnsettledContact():
            return type(note), note.sensor
        case Press():
            return Press, note.button
        case DriverStatus():
            return DriverStatus, note.driver
        case BoardEnded():
            return BoardEnded
