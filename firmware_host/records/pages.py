"""Pages of past games that were built, kept for the next request."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from firmware_host.core.encoding import Translate

KEPT_PAGES = 5 << 20
"""Bytes of all of them."""


class Pages:
    """The pages that were built last, up to `KEPT_PAGES` bytes. Nobody waits for them: a game that was opened once is
    open until it is deleted. Safe to use from any thread.
    """

    def __init__(self) -> None:
        self._guard = Lock()
        self._found: OrderedDict[tuple[int, int, Translate], bytes] = OrderedDict()

    def find(self, number: int, first: int, translate: Translate) -> bytes | None:
        """A page that is kept."""
        key = (number, first, translate)
        with self._guard:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def add(self, number: int, first: int, translate: Translate, page: bytes) -> None:
        """Keep a page, and the others as long as there is room."""
        with self._guard:
            self._found[number, first, translate] = page
            while sum(map(len, self._found.values())) > KEPT_PAGES:
                self._found.popitem(last=False)

    def forget(self, number: int) -> None:
        """Keep no page of a game."""
        with self._guard:
            for key in [key for key in self._found if key[0] == number]:
                del self._found[key]
