"""A cache of pages of past games."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from firmware_host.core.encoding import Translate

KEPT_PAGES = 5 << 20
"""Bytes of all cached pages."""


class Pages:
    """The pages that were used last, up to `KEPT_PAGES` bytes. They stay valid until the game is deleted.
    Thread-safe.
    """

    def __init__(self) -> None:
        self._guard = Lock()
        self._found: OrderedDict[tuple[int, int, Translate], bytes] = OrderedDict()

    def find(self, number: int, first: int, translate: Translate) -> bytes | None:
        """Return a cached page, or None."""
        key = (number, first, translate)
        with self._guard:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def add(self, number: int, first: int, translate: Translate, page: bytes) -> None:
        """Add a page. Drops the pages that were not used for longest if there is no room."""
        with self._guard:
            self._found[number, first, translate] = page
            while sum(map(len, self._found.values())) > KEPT_PAGES:
                self._found.popitem(last=False)

    def forget(self, number: int) -> None:
        """Drop all pages of a game."""
        with self._guard:
            for key in [key for key in self._found if key[0] == number]:
                del self._found[key]
