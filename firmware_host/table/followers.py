"""The latest picture of each viewer in each language, and the screens that follow it. Safe to use from any thread.

A picture is published only when it differs from the last: a secret act that changes nothing for a viewer wakes none
of that viewer's screens. Each screen has one slot; a slow screen finds the latest picture in it, and blocks nobody. A
picture is put into a screen's language when the screen comes for it, on that screen's thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import msgspec

from engine.text import Text
from firmware_host.table.interface import Say


class Follower:
    """One screen's slot."""

    def __init__(self, followers: Followers, viewer: str, say: Say) -> None:
        self._followers = followers
        self._viewer = viewer
        self._say = say
        self._seen = -1
        self._fresh = threading.Event()
        self._fresh.set()
        self._call: Callable[[], None] = _nothing

    def on_news(self, call: Callable[[], None]) -> None:
        """See `face.Follower`."""
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
        serial, text = self._followers.latest(self._viewer, self._say)
        if serial == self._seen:
            return None
        self._seen = serial
        return text

    def close(self) -> None:
        """This screen is gone."""
        self._followers.forget(self._viewer, self)


def _nothing() -> None:
    """What is called where nobody wants to know of news."""


class Published:
    """A picture with its serial number. `made` is the picture as it was made, language by language it is `said`."""

    def __init__(self, serial: int, picture: dict[str, Any], made: bytes) -> None:
        self.serial = serial
        self.made = made
        self._picture = picture
        self._said: dict[Say, str] = {}

    def said(self, say: Say) -> str:
        """The picture as JSON text. Two threads that ask at once do the same twice."""
        if say not in self._said:
            self._said[say] = msgspec.json.encode(self._picture, enc_hook=say).decode()
        return self._said[say]


def made(said: Text) -> tuple[Any, ...]:
    """How something is said, whatever the language."""
    return said.text, said.many, said.values


class Followers:
    """The slots of all viewers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[str, Published] = {}
        self._screens: dict[str, list[Follower]] = {}

    def publish(self, viewer: str, picture: dict[str, Any]) -> None:
        """Let everybody who follows `viewer` have `picture`, unless it is what they have."""
        now = msgspec.json.encode(picture, enc_hook=made)
        before = self._latest.get(viewer)
        if before is not None and now == before.made:
            return
        with self._lock:
            self._latest[viewer] = Published(1 if before is None else before.serial + 1, picture, now)
            screens = list(self._screens.get(viewer, ()))
        for screen in screens:
            screen.wake()

    def latest(self, viewer: str, say: Say = str) -> tuple[int, str]:
        """The viewer's latest picture with its serial number. Raises `KeyError` for nobody's viewer."""
        with self._lock:
            latest = self._latest[viewer]
        return latest.serial, latest.said(say)

    def follow(self, viewer: str, say: Say = str) -> Follower:
        """A new screen for a viewer."""
        screen = Follower(self, viewer, say)
        with self._lock:
            self._screens.setdefault(viewer, []).append(screen)
        return screen

    def forget(self, viewer: str, screen: Follower) -> None:
        """A screen is gone; twice is harmless."""
        with self._lock:
            if screen in self._screens.get(viewer, ()):
                self._screens[viewer].remove(screen)
