"""Send pictures as server-sent events: pictures, heartbeats, and an end when the seat is lost.

Each picture is complete. Each stream has its own clock from the moment it is opened. It runs independently of the game
and of other threads, so the time of a heartbeat reveals nothing.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from typing import NamedTuple

from flask import Response, request

from firmware_host.api.interface import Follower, News, Ring, UserError
from web_panel.rate_limits import StreamPlaces
from web_panel.seats import lane_of


class Bell:
    """Wakes the streams of a `loop` from other threads, several with one write, because a write to the loop costs as
    much as serving a stream.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._rung = loop, False
        self._waiting: deque[asyncio.Event] = deque()

    def note(self, news: asyncio.Event) -> Ring:
        """Note that a stream has news, in any thread. Return the function that wakes all of them."""
        self._waiting.append(news)
        return self.ring

    def ring(self) -> None:
        """Wake the streams that have news, in any thread."""
        # `_wake` clears the flag before it takes the first stream, so that no stream is missed.
        if not self._rung:
            self._rung = True
            with suppress(RuntimeError):  # the server's thread has ended
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._rung = False
        while self._waiting:
            self._waiting.popleft().set()


OPENING = "retry: 1000\n\n"
"""Sent at once, so that the page knows that the connection is open."""
BEAT = ": still here\nevent: beat\ndata: 1\n\n"
"""The comment keeps the connection open; the event lets a page detect a dead connection."""
GONE = "event: gone\ndata: 1\n\n"
STREAM = "sniperboard.stream"
"""Environment key: the stream that answers the request, for a server that sends it without a thread."""


def picture_event(picture: str) -> str:
    """Return a picture as an event."""
    return f"data: {picture}\n\n"


def viewer_end_event(viewer: str) -> str:
    """Return the event of a stream with several viewers that ends one of them."""
    # The name comes from outside. After a line break, it could add events of its own.
    return f"event: gone\ndata: {''.join(viewer.splitlines())}\n\n"


class Part(NamedTuple):
    """One viewer's pictures in a stream.

    `stands` returns whether the screen may still see the pictures; `to_event` converts a picture to an event.
    """

    screen: Follower
    is_allowed: Callable[[], bool]
    to_event: Callable[[str], str] = picture_event
    gone: str = GONE
    """What a stream sends when the screen may no longer see this viewer."""


class Stream(Iterator[str]):
    """One browser's stream of the pictures of one or several viewers. Each picture names its `viewer`.

    The right to see a viewer is checked at each of its pictures. If the browser has lost it, the viewer leaves the
    stream; a stream without viewers ends.
    """

    def __init__(
        self,
        parts: Iterable[Part],
        heartbeat: float,
        on_close: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
        lost: Iterable[str] = (),
    ) -> None:
        """`lost` is sent first: see `Part.gone`."""
        self._parts, self._lost, self._on_close = deque(parts), deque(lost), on_close
        self._heartbeat, self._clock = heartbeat, clock
        self._beat_at = clock() + heartbeat
        self._closing = threading.Lock()
        self._opened = False
        self._news = threading.Event()
        self.ended = False
        """Whether the stream sends nothing more."""
        self.on_news(lambda: None)

    def on_news(self, call: News) -> None:
        """Register `call`; it runs, in any thread, whenever there may be something to send."""

        def wake() -> Ring | None:
            self._news.set()
            return call()

        self._wake = wake
        for part in self._parts:
            part.screen.on_news(wake)

    def seconds_to_beat(self) -> float:
        """Return the seconds until the next heartbeat."""
        return max(0.0, self._beat_at - self._clock())

    def next_piece(self) -> str | None:
        """Return the next piece; None if there is none now, or if the stream has ended."""
        if self.ended:
            return None
        # Sent before any picture, so that the page knows at once that the connection works, however long the first
        # picture takes.
        if not self._opened:
            self._opened = True
            return OPENING
        if self._lost:
            lost = self._lost.popleft()
            self.ended = not (self._lost or self._parts)
            return lost
        # The viewers served last come last, so that frequent lamp pictures cannot delay the game's.
        for part in tuple(self._parts):
            if (piece := self._next(part)) is not None:
                return piece
        late = self._clock() - self._beat_at
        if late < 0:
            return None
        # Skip missed beats, but stay in step with the stream's own clock.
        self._beat_at += self._heartbeat * (1 + late // self._heartbeat)
        for part in tuple(self._parts):
            if not _is_allowed(part):
                return self._drop(part)
        return BEAT

    def _next(self, part: Part) -> str | None:
        """Return the next picture of a viewer, or the event for a viewer that the screen may no longer see."""
        try:
            picture = part.screen.next(0)
        except UserError:
            return self._drop(part)
        if picture is None:
            return None
        # Check right before each piece: the seat may have been taken over since the last one.
        if not _is_allowed(part):
            return self._drop(part)
        self._parts.remove(part)
        self._parts.append(part)
        return part.to_event(picture)

    def _drop(self, part: Part) -> str:
        self._parts.remove(part)
        part.screen.close()
        self.ended = not self._parts
        return part.gone

    def __next__(self) -> str:
        """Wait for the next piece and return it, for a server that sends it in a thread."""
        while not self.ended:
            # Clear first: news after `ready` sets the event again.
            self._news.clear()
            if (piece := self.next_piece()) is not None:
                return piece
            self._news.wait(self.seconds_to_beat())
        raise StopIteration

    def end(self) -> None:
        """End the stream, and wake the thread that sends it. Any thread may call this."""
        self.ended = True
        if (ring := self._wake()) is not None:
            ring()

    def close(self) -> None:
        """Release the screens. Calling it twice is harmless."""
        # The lock is never released, so the second call does nothing.
        if self._closing.acquire(blocking=False):
            self.ended = True
            for part in tuple(self._parts):
                part.screen.close()
            self._on_close()


def _is_allowed(part: Part) -> bool:
    try:
        return part.is_allowed()
    except UserError:
        return False


class Streams:
    """At most `limit` streams at once, so that a request always finds a thread."""

    def __init__(self, limit: int, heartbeat: float, seats: Callable[[], Collection[str]]) -> None:
        """`seats` returns the current seat names."""
        self._places = StreamPlaces(limit, seats)
        self._heartbeat = heartbeat

    def open(self, parts: Sequence[Part], lost: Iterable[str] = ()) -> Response:
        """Open a stream; for `lost`, see `Stream`. Raises `UserError` if no place is left for the requester."""
        place = ExitStack()
        # The place needs the stream's `end`, so create the stream first; close it again if no place is left.
        stream = Stream(parts, self._heartbeat, place.close, lost=lost)
        try:
            place.callback(self._places.take(lane_of(request), stream.end))
        except UserError:
            stream.close()
            raise
        request.environ[STREAM] = stream
        return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
