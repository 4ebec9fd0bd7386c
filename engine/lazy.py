"""Values that are created on first use and kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

G = TypeVar("G")
K = TypeVar("K")
P = TypeVar("P")
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

    Use it for a calculation that several rules need for the same picture. The result must depend only on the object.
    """
    kept: tuple[K, V] | None = None

    def remembering(key: K) -> V:
        nonlocal kept
        # Several threads may ask, so the pair is read in one step.
        found = kept
        if found is None or found[0] is not key:
            kept = found = key, make(key)
        return found[1]

    return remembering


def kept_for_latest(legal: Callable[[G, P, str], list[V]]) -> Callable[[G, P, str], list[V]]:
    """Decorate the method `legal` of a game, so that it keeps its latest non-empty result.

    After each act, the table, `foresight` and the board ask for the same picture. Each caller gets its own list.
    """
    kept: tuple[Any, Any, str, tuple[V, ...]] = None, None, "", ()

    @wraps(legal)
    def answer(game: G, view: P, seat: str) -> list[V]:
        nonlocal kept
        # Picture and result are one tuple, because several threads may call this.
        asked, picture, of, found = kept
        if picture is view and of == seat and asked is game:
            return [*found]
        new = legal(game, view, seat)
        # Seats that wait have no legal acts. Their empty results must not replace the one that is kept.
        if new:
            kept = game, view, seat, tuple(new)
        return new

    return answer
