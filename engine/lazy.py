"""Values that are created on first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Lazy(dict[K, V]):
    """A dict that calls `make` with a missing key and keeps the result. Use it for a limited number of keys."""

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        value = self[key] = self._make(key)
        return value


def latest(make: Callable[[K], V]) -> Callable[[K], V]:
    """Return a function that keeps the result of `make` for the object that it was last asked about.

    Use it for what several rules ask about the same picture. The result must depend on the object alone.
    """
    kept: tuple[K, V] | None = None

    def remembering(key: K) -> V:
        nonlocal kept
        # Several threads may ask, so the pair is read once.
        found = kept
        if found is None or found[0] is not key:
            kept = found = key, make(key)
        return found[1]

    return remembering
