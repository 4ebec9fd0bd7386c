"""Pictures as server-sent events: whole pictures, a beat now and then, and an end when the seat is lost.

Each line beats by its own clock from the moment that it was opened, whatever happens at the table, and asks nobody who
may be busy: when a beat comes tells nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from flask import Response

from firmware_host.face import Asker, Follower, Slip
from web_panel.crowd import Places
from web_panel.seats import SEATS

OPENING = f":{' ' * 2048}\nretry: 1000\n\n"
"""The padding makes every proxy and browser pass on what follows at once."""
BEAT = ": still here\nevent: beat\ndata: 1\n\n"
"""The comment keeps the line open; the event lets a page notice that its line is dead."""
GONE = "event: gone\ndata: 1\n\n"


class Stream(Iterator[str]):
    """One screen's line. `stands` says whether the screen may still see the viewer's pictures."""

    def __init__(
        self,
        screen: Follower,
        stands: Callable[[], bool],
        heartbeat: float,
        on_close: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._screen = screen
        self._stands = stands
        self._heartbeat = heartbeat
        self._clock = clock
        self._beat_at = clock() + heartbeat
        self._on_close = on_close
        self._closing = threading.Lock()
        self._opened = False
        self._ended = False

    def __next__(self) -> str:
        if self._ended:
            raise StopIteration
        if not self._opened:
            self._opened = True
            return OPENING
        picture = self._next()
        if not self._may_go_on():
            self._ended = True
            return GONE
        return BEAT if picture is None else f"data: {picture}\n\n"

    def _next(self) -> str | None:
        """The next picture, or None when the line has to beat."""
        while (left := self._beat_at - self._clock()) > 0:
            if (picture := self._screen.next(left)) is not None:
                return picture
        self._beat_at += self._heartbeat * (1 + -left // self._heartbeat)
        return None

    def close(self) -> None:
        """Let go of the screen; twice is harmless."""
        if self._closing.acquire(blocking=False):
            self._ended = True
            self._screen.close()
            self._on_close()

    def _may_go_on(self) -> bool:
        try:
            return self._stands()
        except Slip:
            return False


class Streams:
    """At most `limit` lines at once, so that a request always finds a thread."""

    def __init__(self, limit: int, heartbeat: float) -> None:
        self._places = Places(limit, SEATS)
        self._heartbeat = heartbeat

    def open(self, viewer: str, asker: Asker, follow: Callable[[], Follower], stands: Callable[[], bool]) -> Response:
        """A new line. Raises `Slip` when all are taken that the asker may have."""
        give_back = self._places.take(viewer, None if asker.here else asker.address)
        try:
            stream = Stream(follow(), stands, self._heartbeat, give_back)
        except BaseException:
            give_back()
            raise
        return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
