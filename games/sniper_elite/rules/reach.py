"""Movement range of the sniper and the units, ignoring units (MP-MOVE-01..10, MP-ACT-01..04)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.graph import Map
from engine.lazy import Lazy

SNIPER_REACH = 3  # MP-MOVE-01
UNIT_REACH = 2  # MP-ACT-01


def limit(reach: int, difficult: int, cumulative: bool) -> int:
    """Return the maximum length of a movement over difficult terrain (MP-MOVE-09, MP-ACT-03).

    `difficult` is the number of difficult spaces entered. Difficult terrain reduces the length by one in total. With
    `cumulative` (R-08 is off), each space reduces it by one.
    """
    return reach - (difficult if cumulative else min(difficult, 1))


def unit_reach(board: Map, cumulative: bool) -> dict[str, tuple[str, ...]]:
    """Return where a unit's Move can lead from each space, ignoring units, in map order."""
    return board.derived(_unit_reaches)[cumulative]


def _unit_reaches(board: Map) -> Lazy[bool, dict[str, tuple[str, ...]]]:
    return Lazy(lambda cumulative: {start: _unit_reach(board, start, cumulative) for start in board.spaces})


def _unit_reach(board: Map, start: str, cumulative: bool) -> tuple[str, ...]:
    spaces, near = board.spaces, board.walk[start]
    far = (
        space
        for middle in near
        for space in board.walk[middle]
        if limit(UNIT_REACH, spaces[middle].difficult + spaces[space].difficult, cumulative) >= 2
    )
    ends = {*near, *far} - {start}
    return tuple(space for space in spaces if space in ends)


class Gait(NamedTuple):
    """How the sniper moves: maximum length, gear in use, and whether R-08 is off (see `limit`)."""

    reach: int = SNIPER_REACH
    gear: str | None = None
    cumulative: bool = False


def step_kind(board: Map, gear: str | None, here: str, space: str) -> str | None:
    """Return how the sniper enters an adjacent space: `walk`, `climb`, `dive`, or None (EN-D-05, EN-D-06)."""
    if space in board.walk[here]:
        return "walk"
    kinds = {board.spaces[here].kind, board.spaces[space].kind}
    if gear == "climbing-gear" and kinds == {"elevated", "open"}:
        return "climb"
    return "dive" if gear == "diving-gear" and "water" in kinds <= {"water", "open"} else None


def sniper_paths(board: Map, start: str | None, entry: str | None, gait: Gait) -> Iterator[tuple[str, ...]]:
    """Yield all movements from `start`, or over `entry` if it is None. They can end on water."""
    first = (str(entry),) if start is None else board.adjacent[start]
    return _longer(board, gait, start, (), first, climbed=False)


def _longer(
    board: Map, gait: Gait, start: str | None, path: tuple[str, ...], steps: Iterable[str], *, climbed: bool
) -> Iterator[tuple[str, ...]]:
    """Yield all movements that continue `path`. `climbed`: the climbing gear's only step is used up."""
    here = path[-1] if path else start
    for space in steps:
        step = "walk" if here is None else step_kind(board, gait.gear, here, space)
        if step is None or space == start or space in path or (step == "climb" and climbed):
            continue
        longer = (*path, space)
        # A longer path is never allowed more steps than a shorter one, so this check prunes the search.
        difficult = sum(board.spaces[one].difficult for one in longer)
        if len(longer) <= limit(gait.reach, difficult, gait.cumulative):
            yield longer
            up = climbed or step == "climb"
            yield from _longer(board, gait, start, longer, board.adjacent[space], climbed=up)
