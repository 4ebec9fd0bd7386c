"""A cache of the values that were used last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The values that were used last, as many as fit. The last one is always kept. Thread-safe."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._guard = Lock()
        self._found: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __contains__(self, key: K) -> bool:
        return key in self._found

    def find(self, key: K) -> V | None:
        """Return a value, or None."""
        with self._guard:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key][0]
        return None

    def add(self, key: K, value: V, size: int) -> None:
        """Add a value of `size` bytes. Drops those that were not used for longest if there is no room."""
        with self._guard:
            self._found[key] = value, size
            while len(self._found) > 1 and (
                len(self._found) > self._most or sum(size for _, size in self._found.values()) > self._most_bytes
            ):
                self._found.popitem(last=False)

    def forget(self, which: Callable[[K], bool]) -> None:
        """Drop the values of some keys."""
        with self._guard:
            for key in filter(which, [*self._found]):
                del self._found[key]
