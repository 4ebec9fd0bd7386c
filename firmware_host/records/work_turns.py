"""Limits for long work of several threads: turns for the work, pauses for other threads, and a cache of results."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from threading import BoundedSemaphore, Lock
from typing import Generic, TypeVar

from engine.text import Text
from firmware_host.core.errors import UserError

STRETCH, BREATH = 0.002, 0.0005
"""Seconds of long work between two pauses in which other threads run, and seconds of such a pause."""


def pause_between_steps() -> Callable[[], None]:
    """Return a function to call between two small steps of long work. It pauses from time to time: otherwise other
    threads would wait 5 ms for the interpreter each time. A pause in each step would take too long, because on a busy
    table this thread also waits 5 ms after each pause.
    """
    last = time.monotonic()

    def breathe() -> None:
        nonlocal last
        if time.monotonic() - last >= STRETCH:
            time.sleep(BREATH)
            last = time.monotonic()

    return breathe


def busy() -> UserError:
    """Return the refusal of a request that would take too long now."""
    return UserError("busy", Text("The table is busy with past games. Try again in a moment."), after=1)


class Turns:
    """Turns for as many threads at a time as there are `places`. Another `waiting` threads may wait for `seconds`."""

    def __init__(
        self, places: int = 1, waiting: int = 4, seconds: float = 2.0, refusal: Callable[[], UserError] = busy
    ) -> None:
        # `_room` counts the threads that have a turn and those that wait for one.
        self._turns, self._room = BoundedSemaphore(places), BoundedSemaphore(places + waiting)
        self.seconds, self._refusal = seconds, refusal

    @contextmanager
    def next(self, patient: bool = False) -> Iterator[None]:
        """Wait for a turn and hold it. Raises the refusal if it would take too long, unless the caller is `patient`."""
        with ExitStack() as held:
            if not patient:
                if not self._room.acquire(blocking=False):
                    raise self._refusal()
                held.callback(self._room.release)
            if not self._turns.acquire(timeout=None if patient else self.seconds):
                raise self._refusal()
            held.callback(self._turns.release)
            yield


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A cache with the most recently used values, as many as fit. The latest value is always kept. Thread-safe."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._guard = Lock()
        self._found: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __contains__(self, key: K) -> bool:
        return key in self._found

    def find(self, key: K) -> V | None:
        """Return a value, or None."""
        with self._guard:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key][0]
        return None

    def add(self, key: K, value: V, size: int) -> None:
        """Add a value of `size` bytes. Drops those that were not used for longest if there is no room."""
        with self._guard:
            self._found[key] = value, size
            while len(self._found) > 1 and (
                len(self._found) > self._most or sum(size for _, size in self._found.values()) > self._most_bytes
            ):
                self._found.popitem(last=False)

    def forget(self, which: Callable[[K], bool]) -> None:
        """Drop the values of some keys."""
        with self._guard:
            for key in filter(which, [*self._found]):
                del self._found[key]
