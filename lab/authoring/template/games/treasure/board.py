"""Creates the island, a grid of four by four spaces, and measures distances on it."""

from __future__ import annotations

from collections.abc import Iterable

from engine.graph import Map
from engine.graph.builder import build, grid

NAME = "island"


def make() -> Map:
    """Return the island: `a1` is at the top left, `d4` at the bottom right."""
    return build(grid(NAME, "Island", columns=4, rows=4))


def distances(board: Map, start: str) -> dict[str, int]:
    """Return the number of steps from `start` to each reachable space: space -> steps."""
    # Breadth-first search: spaces leave `border` in the order of their distance.
    found, border = {start: 0}, [start]
    while border:
        space = border.pop(0)
        for near in board.walk[space]:
            if near not in found:
                found[near] = found[space] + 1
                border.append(near)
    return found


def around(board: Map, spaces: Iterable[str]) -> tuple[str, ...]:
    """Return these spaces and their neighbours, in the map's order."""
    wide = {near for space in spaces for near in (space, *board.walk[space])}
    return tuple(space for space in board.enterable if space in wide)
