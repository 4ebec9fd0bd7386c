"""The latest picture of each viewer in each language, and the screens that follow it. Safe to use from any thread.

A picture is published only when it differs from the last: a secret act that changes nothing for a viewer wakes none
of that viewer's screens. Each screen has one slot; a slow screen finds the latest picture in it, and blocks nobody. A
picture is put into a screen's language when the screen comes for it, on that screen's thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from firmware_host.table.encoding import Picture, Translate

BOARD = "board"
"""The viewer of what everybody sees of the board."""


class Follower:
    """One screen that follows its viewer's picture; only the latest counts, a slow screen never blocks anybody."""

    def __init__(self, followers: Followers, viewer: str, translate: Translate) -> None:
        self._followers = followers
        self._viewer = viewer
        self._translate = translate
        self._seen = -1
        self._fresh = threading.Event()
        self._fresh.set()
        self._call: Callable[[], None] = _nothing

    def on_news(self, call: Callable[[], None]) -> None:
        """Let `call` be called, from any thread, whenever `next` may have a picture; it must not block."""
        self._call = call

    def wake(self) -> None:
        """Something new lies in the slot. One that has not been looked into since needs no second call."""
        if not self._fresh.is_set():
            self._fresh.set()
            self._call()

    def next(self, timeout: float) -> str | None:
        """The latest picture if it is new to this screen, else None after `timeout` seconds."""
        if not self._fresh.wait(timeout):
            return None
        self._fresh.clear()
        serial, text = self._followers.latest(self._viewer, self._translate)
        if serial == self._seen:
            return None
        self._seen = serial
        return text

    def close(self) -> None:
        """This screen is gone."""
        self._followers.forget(self._viewer, self)


def _nothing() -> None:
    """What is called where nobody wants to know of news."""


class Published(NamedTuple):
    """A picture with its serial number."""

    serial: int
    picture: Picture


class Followers:
    """The slots of all viewers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[str, Published] = {}
        self._screens: dict[str, list[Follower]] = {}

    def publish(self, viewer: str, picture: Picture) -> None:
        """Let everybody who follows `viewer` have `picture`, unless it is what they have."""
        before = self._latest.get(viewer)
        if before is not None and picture.same(before.picture):
            return
        with self._lock:
            self._latest[viewer] = Published(1 if before is None else before.serial + 1, picture)
            screens = list(self._screens.get(viewer, ()))
        for screen in screens:
            screen.wake()

    def latest(self, viewer: str, translate: Translate = str) -> tuple[int, str]:
        """The viewer's latest picture with its serial number. Raises `KeyError` for nobody's viewer."""
        with self._lock:
            latest = self._latest[viewer]
        return latest.serial, latest.picture.text(translate)

    def follow(self, viewer: str, translate: Translate = str) -> Follower:
        """A new screen for a viewer."""
        screen = Follower(self, viewer, translate)
        with self._lock:
            self._screens.setdefault(viewer, []).append(screen)
        return screen

    def forget(self, viewer: str, screen: Follower) -> None:
        """A screen is gone; twice is harmless."""
        with self._lock:
            if screen in self._screens.get(viewer, ()):
                self._screens[viewer].remove(screen)
