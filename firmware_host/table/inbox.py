"""The inbox of the loop: what drivers say and what screens ask lie apart, and both are taken in turn.

It is bounded, whatever a board does. Of each sensor the last edge always stays, for only that says how the sensor is;
where too many of one sensor's edges lie there, two that cancel each other out are dropped. A board that makes this
necessary for long is reported.
"""

from __future__ import annotations

import queue
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable

from msgspec import Struct

from hardware.ports import DriverStatus, Edge, Note, Press, UnsettledContact
from hardware.token_bucket import Excess

FEW = 16
"""Edges of one sensor, or presses of one button, that lie in the inbox; a contact bounces less often in one change."""
BATCH = 16
"""Notes of drivers that are taken before a call that waits."""


class Crowded(Struct, frozen=True):
    """Whether drivers say more than can be taken in, and have done so for long."""

    on: bool


class BoundedInbox:
    """Safe to use from any thread; one thread takes out. Calls are bounded by whoever puts them in."""

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
        """How many items lie there."""
        with self._turn:
            return len(self._calls) + len(self._notes)

    def put(self, item: object) -> None:
        """Leave a note of a driver, or a call, or None for the end."""
        with self._turn:
            if isinstance(item, Note):
                self._note(item)
            else:
                self._calls.append(item)
            self._turn.notify()

    def get(self, *, timeout: float) -> object:
        """The next item; `Crowded` when that has changed. Raises `queue.Empty` after `timeout` seconds."""
        with self._turn:
            if not (self._calls or self._notes):
                self._turn.wait(timeout)
            crowded = self._excess.lasting(self._clock())
            if crowded != self._crowded:
                self._crowded = crowded
                return Crowded(crowded)
            return self._next()

    def empty(self) -> bool:
        """Whether nothing lies there."""
        return len(self) == 0

    def _next(self) -> object:
        if self._calls and (not self._notes or self._in_a_row >= BATCH):
            self._in_a_row = 0
            return self._calls.popleft()
        if not self._notes:
            raise queue.Empty
        self._in_a_row += 1
        _, note = self._notes.popitem(last=False)
        self._pending[_source(note)].popleft()
        return note

    def _note(self, note: Note) -> None:
        pending = self._pending.setdefault(_source(note), deque())
        if isinstance(note, Edge) and pending and self._says(pending[-1]) == note.down:
            return  # no news, and debouncing makes nothing of it
        if len(pending) >= FEW or (pending and isinstance(note, DriverStatus)):
            if isinstance(note, Edge):
                self._excess.happens(self._clock())
            if not self._make_room(note, pending):
                return
        self._number += 1
        self._notes[self._number] = note
        pending.append(self._number)

    def _make_room(self, note: Note, pending: deque[int]) -> bool:
        """Drop what lies there of the same source; whether the new note is wanted."""
        if isinstance(note, Press):
            return False
        if isinstance(note, Edge):
            del self._notes[pending.pop()]  # this and the one before say both; the new one is a change as that one was
        del self._notes[pending.pop()]
        return True

    def _says(self, number: int) -> bool | None:
        note = self._notes[number]
        return note.down if isinstance(note, Edge) else None


def _source(note: Note) -> Hashable:
    """Who says it, and what kind of thing."""
    match note:
        case Edge() | UnsettledContact():
            return type(note), note.sensor
        case Press():
            return Press, note.button
        case DriverStatus():
            return DriverStatus, note.driver
