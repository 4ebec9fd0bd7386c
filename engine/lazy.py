"""Tables whose entries are created on first use."""

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
