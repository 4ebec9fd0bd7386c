"""The latest picture of each viewer in each language, and the screens that follow it. For any thread.

A picture is published only if it differs from the last one: a secret act that changes nothing for a viewer wakes none
of that viewer's screens. Each screen has one slot; a slow screen gets the latest picture and blocks no one. The
screen's own thread translates the picture.

A seat's picture and the keys that may read it are published as one record, so that both are of the same moment. Only
`HeldSeat` reads such a record.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from firmware_host.core.encoding import EncodedPicture, Translate

BOARD = "board"
"""The viewer for what everyone sees of the board."""


class Published(NamedTuple):
    """A picture with its serial number. `readers` are the hashes of the keys that may read it, None for everyone."""

    serial: int
    picture: EncodedPicture
    readers: frozenset[str] | None = None


Ring = Callable[[], object]
"""Function that wakes a thread which serves several screens."""
News = Callable[[], Ring | None]
"""Function that notes that a screen has news.

It returns a function that is called once for all screens that return the same one.
"""
Read = Callable[[Published], str | None]
"""Function that returns a picture as text, or None if the screen may not read this picture.

Raises `UserError` if the screen may read none at all.
"""


class Follower:
    """One screen that follows its viewer's picture. It gets only the latest one, so a slow screen blocks no one."""

    def __init__(self, followers: Followers, viewer: str, read: Read) -> None:
        self._followers = followers
        self._viewer = viewer
        self._read = read
        self._seen = -1
        self._fresh = threading.Event()
        self._fresh.set()
        self._call: News = lambda: None

    def on_news(self, call: News) -> None:
        """Set a function that any thread calls when `next` may have a picture; it must not block."""
        self._call = call

    def wake(self) -> Ring | None:
        """Report a new picture, unless the screen still has to read the last one.

        Return a function to call once for this screen and others.
        """
        if self._fresh.is_set():
            return None
        self._fresh.set()
        return self._call()

    def next(self, timeout: float) -> str | None:
        """Return the latest picture if it is new to this screen, else None after `timeout` seconds. Raises `UserError`
        (no-seat) if the screen may not see this viewer's pictures any more.
        """
        if not self._fresh.is_set() and not (timeout and self._fresh.wait(timeout)):
            return None
        # Clear before reading: a picture that arrives in between sets it again and is not missed.
        self._fresh.clear()
        latest = self._followers.latest(self._viewer)
        text = self._read(latest)
        if text is None or latest.serial == self._seen:
            return None
        self._seen = latest.serial
        return text

    def close(self) -> None:
        """Stop following."""
        self._followers.forget(self._viewer, self)


class Followers:
    """The slots of all viewers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[str, Published] = {}
        self._screens: dict[str, list[Follower]] = {}
        self._rings: set[Ring] | None = None

    @contextmanager
    def batched(self) -> Iterator[None]:
        """Wake each thread that serves screens once for all publications in this block."""
        rings: set[Ring] = set()
        self._rings = rings
        try:
            yield
        finally:
            self._rings = None
            for ring in rings:
                ring()

    def publish(self, viewer: str, picture: EncodedPicture, readers: frozenset[str] | None = None) -> None:
        """Publish `picture` to everyone who follows `viewer`, unless they have an equal one.

        If only the `readers` have changed, its number stays the same.
        """
        # Only the loop's thread publishes, so this needs no lock.
        before = self._latest.get(viewer)
        same = before is not None and picture.same(before.picture)
        if before is not None and same and readers == before.readers:
            return
        serial = 1 if before is None else before.serial + (not same)
        with self._lock:
            self._latest[viewer] = Published(serial, picture, readers)
            screens = list(self._screens.get(viewer, ()))
        # Wake them outside the lock, which they take in `latest`.
        rings = {ring for screen in screens if (ring := screen.wake()) is not None}
        if self._rings is not None:
            self._rings |= rings
            return
        for ring in rings:
            ring()

    def latest(self, viewer: str) -> Published:
        """Return the viewer's latest picture. Raises `KeyError` for an unknown viewer."""
        with self._lock:
            return self._latest[viewer]

    def languages(self, viewer: str) -> tuple[Translate, ...]:
        """Return the languages in which screens have read the viewer's latest picture."""
        latest = self._latest.get(viewer)
        return () if latest is None else latest.picture.languages

    def follow(self, viewer: str, read: Read) -> Follower:
        """Return a new screen for a viewer; `read` is called on the screen's thread for each picture."""
        screen = Follower(self, viewer, read)
        with self._lock:
            self._screens.setdefault(viewer, []).append(screen)
        return screen

    def watched(self, viewer: str) -> bool:
        """Return whether a screen follows the viewer."""
        with self._lock:
            return bool(self._screens.get(viewer))

    def forget(self, viewer: str, screen: Follower) -> None:
        """Remove a screen; a second call does nothing."""
        with self._lock:
            if screen in self._screens.get(viewer, ()):
                self._screens[viewer].remove(screen)
