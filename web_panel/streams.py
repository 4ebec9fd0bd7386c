"""Send pictures as server-sent events: pictures, heartbeats, and an end when the seat is lost.

Each picture is complete. Each stream has its own clock from the moment it is opened. It runs independently of the game
and of other threads, so the time of a heartbeat reveals nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack

from flask import Response, request

from firmware_host.api.interface import Follower, UserError
from web_panel.crowd import Places
from web_panel.seats import lane_of

OPENING = f":{' ' * 2048}\nretry: 1000\n\n"
"""The padding makes every proxy and browser pass on what follows at once."""
BEAT = ": still here\nevent: beat\ndata: 1\n\n"
"""The comment keeps the connection open; the event lets a page detect a dead connection."""
GONE = "event: gone\ndata: 1\n\n"
STREAM = "sniperboard.stream"
"""Environment key: the stream that answers the request, for a server that sends it without a thread."""


def event(picture: str) -> str:
    """Return a picture as an event."""
    return f"data: {picture}\n\n"


class Stream(Iterator[str]):
    """One screen's stream. `stands` returns whether the screen may still see the viewer's pictures."""

    def __init__(
        self,
        screen: Follower,
        stands: Callable[[], bool],
        heartbeat: float,
        on_close: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
        written: Callable[[str], str] = event,
    ) -> None:
        """`written` converts a picture to an event."""
        self._screen, self._stands, self._on_close = screen, stands, on_close
        self._heartbeat, self._clock, self._written = heartbeat, clock, written
        self._beat_at = clock() + heartbeat
        self._closing = threading.Lock()
        self._opened = False
        self.ended = False
        """Whether the stream sends nothing more."""

    def on_news(self, call: Callable[[], None]) -> None:
        """Register `call`; it runs, in any thread, whenever there may be something to send."""
        self._screen.on_news(call)

    def due(self) -> float:
        """Return the seconds until the next heartbeat."""
        return max(0.0, self._beat_at - self._clock())

    def ready(self, patience: float = 0.0) -> str | None:
        """Return the next piece.

        Return None if there is none within `patience` seconds, or if the stream has ended.
        """
        if self.ended:
            return None
        if not self._opened:
            self._opened = True
            return OPENING
        try:
            picture = self._screen.next(patience)
        except UserError:
            self.ended = True
            return GONE
        late = self._clock() - self._beat_at
        if picture is None:
            if late < 0:
                return None
            # Skip missed beats, but stay in step with the stream's own clock.
            self._beat_at += self._heartbeat * (1 + late // self._heartbeat)
        # Check right before each piece: the seat may have been taken over since the last one.
        if not self._may_go_on():
            self.ended = True
            return GONE
        return BEAT if picture is None else self._written(picture)

    def __next__(self) -> str:
        """Wait for the next piece and return it, for a server that sends it in a thread."""
        while not self.ended:
            if (piece := self.ready(self.due())) is not None:
                return piece
        raise StopIteration

    def end(self) -> None:
        """End the stream, and wake the thread that sends it. Any thread may call this."""
        self.ended = True
        self._screen.wake()

    def close(self) -> None:
        """Release the screen. Calling it twice is harmless."""
        # The lock is never released, so the second call does nothing.
        if self._closing.acquire(blocking=False):
            self.ended = True
            self._screen.close()
            self._on_close()

    def _may_go_on(self) -> bool:
        try:
            return self._stands()
        except UserError:
            return False


class Streams:
    """At most `limit` streams at once, so that a request always finds a thread."""

    def __init__(self, limit: int, heartbeat: float, seats: Callable[[], Iterable[str]]) -> None:
        """`seats` returns the current seat names."""
        self._places = Places(limit, seats)
        self._heartbeat = heartbeat

    def open(
        self, follow: Callable[[], Follower], stands: Callable[[], bool], written: Callable[[str], str] = event
    ) -> Response:
        """Open a stream. Raises `UserError` if no place is left for the requester."""
        place = ExitStack()
        # The place needs the stream's `end`, so create the stream first; close it again if no place is left.
        stream = Stream(follow(), stands, self._heartbeat, place.close, written=written)
        try:
            place.callback(self._places.take(lane_of(request), stream.end))
        except UserError:
            stream.close()
            raise
        request.environ[STREAM] = stream
        return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
