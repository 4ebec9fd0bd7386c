"""Whose turn it is to work: threads wait for clients and for the table as they like, but only a few at a time work.

Python runs one thread at a time. Were all that wait for an answer worked for at once, the table's loop would be one
among fifty, and an edge from the board would wait for all of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, cast

from firmware_host.table.interface import Face

AT_HAND = frozenset({"alive", "picture", "follow", "lobby", "seats", "holder", "house_language"})
"""What the table has laid out for everybody: nobody waits for it."""

_mine = threading.local()


class Turns:
    """At most so many work at once."""

    def __init__(self, workers: int) -> None:
        self._places = threading.BoundedSemaphore(workers)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Work, as soon as there is a place."""
        with self._places:
            _mine.places = self._places
            try:
                yield
            finally:
                _mine.places = None


def patient(table: Face) -> Face:
    """The table, asked so that whoever waits for it lets others work meanwhile."""
    return cast(Face, _Patient(table))


class _Patient:
    def __init__(self, table: Face) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        ask = getattr(self._table, name)
        return ask if name in AT_HAND else _waiting(ask)


def _waiting(ask: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(ask)
    def asked(*words: Any, **more: Any) -> Any:
        places: threading.BoundedSemaphore | None = getattr(_mine, "places", None)
        if places is None:
            return ask(*words, **more)
        places.release()
        try:
            return ask(*words, **more)
        finally:
            places.acquire()

    return asked
