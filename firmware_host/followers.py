"""The latest picture of each viewer, and the screens that follow it. Safe to use from any thread.

A picture is published only when it differs from the last: a secret act that changes nothing for a viewer wakes none
of that viewer's screens. Each screen has one slot; a slow screen finds the latest picture in it, and blocks nobody.
"""

from __future__ import annotations

import threading
from typing import Any

import msgspec


class Follower:
    """One screen's slot."""

    def __init__(self, followers: Followers, viewer: str) -> None:
        self._followers = followers
        self._viewer = viewer
        self._seen = -1
        self._fresh = threading.Event()
        self._fresh.set()

    def wake(self) -> None:
        """Something new lies in the slot."""
        self._fresh.set()

    def next(self, timeout: float) -> str | None:
        """The latest picture if it is new to this screen, else None after `timeout` seconds."""
        if not self._fresh.wait(timeout):
            return None
        self._fresh.clear()
        serial, text = self._followers.latest(self._viewer)
        if serial == self._seen:
            return None
        self._seen = serial
        return text

    def close(self) -> None:
        """This screen is gone."""
        self._followers.forget(self._viewer, self)


class Followers:
    """The slots of all viewers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[str, tuple[int, str]] = {}
        self._screens: dict[str, list[Follower]] = {}

    def publish(self, viewer: str, picture: dict[str, Any]) -> None:
        """Let everybody who follows `viewer` have `picture`, unless it is what they have."""
        text = msgspec.json.encode(picture).decode()
        serial, before = self._latest.get(viewer, (0, ""))
        if text == before:
            return
        with self._lock:
            self._latest[viewer] = (serial + 1, text)
            screens = list(self._screens.get(viewer, ()))
        for screen in screens:
            screen.wake()

    def latest(self, viewer: str) -> tuple[int, str]:
        """The viewer's latest picture with its serial number. Raises `KeyError` for nobody's viewer."""
        with self._lock:
            return self._latest[viewer]

    def follow(self, viewer: str) -> Follower:
        """A new screen for a viewer."""
        screen = Follower(self, viewer)
        with self._lock:
            self._screens.setdefault(viewer, []).append(screen)
        return screen

    def forget(self, viewer: str, screen: Follower) -> None:
        """A screen is gone; twice is harmless."""
        with self._lock:
            if screen in self._screens.get(viewer, ()):
                self._screens[viewer].remove(screen)
