"""Work that one thread does at a time, and for which no thread waits for long."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from engine.text import Text
from firmware_host.core.errors import UserError

WAITING = 4
"""Threads that may wait for their turn; the next one is refused at once."""
SECONDS = 2.0
"""The longest wait for a turn."""


class OneAtATime:
    """Turns for one thread at a time."""

    def __init__(self, waiting: int = WAITING, seconds: float = SECONDS) -> None:
        self._turn = threading.Lock()
        self._room, self._seconds = threading.BoundedSemaphore(waiting + 1), seconds

    @contextmanager
    def next(self, patient: bool = False) -> Iterator[None]:
        """Wait for the turn and have it. Raises `UserError` (busy) where others wait already or it takes too long,
        unless the caller is `patient`.
        """
        if patient:
            with self._turn:
                yield
            return
        if not self._room.acquire(blocking=False):
            raise busy()
        try:
            if not self._turn.acquire(timeout=self._seconds):
                raise busy()
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._room.release()


def busy() -> UserError:
    """The refusal of what would take too long now."""
    return UserError("busy", Text("The table is busy with past games. Try again in a moment."), after=1)
