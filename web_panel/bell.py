"""Wake the server's thread once for all streams that have news."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

from firmware_host.api.interface import Ring


class Bell:
    """Wakes the streams of a `loop` from other threads, many at once: each write to the loop costs as much as a stream
    does.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._rung = loop, False
        self._waiting: deque[asyncio.Event] = deque()

    def note(self, news: asyncio.Event) -> Ring:
        """Note that a stream has news, in any thread. Return what to call to wake all of them."""
        self._waiting.append(news)
        return self.ring

    def ring(self) -> None:
        """Wake the streams that have news, in any thread."""
        # `_wake` clears this before it takes the first of them, so none is left behind.
        if not self._rung:
            self._rung = True
            with suppress(RuntimeError):  # the server's thread has ended
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._rung = False
        while self._waiting:
            self._waiting.popleft().set()
