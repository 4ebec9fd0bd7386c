"""How far the sniper and the units move on a map, whatever stands in the way (MP-MOVE-01..10, MP-ACT-01..04)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.graph import Map
from engine.lazy import Lazy

SNIPER_REACH = 3
"""MP-MOVE-01."""
UNIT_REACH = 2
"""MP-ACT-01."""


def limit(reach: int, difficult: int, cumulative: bool) -> int:
    """How long a movement may be in all that enters so many difficult spaces (MP-MOVE-09, MP-ACT-03).

    Difficult ground takes one off, however much of it there is; `cumulative` is the switch R-08 put off.
    """
    return reach - (difficult if cumulative else min(difficult, 1))


# --- a unit's Move ----------------------------------------------------------------------------------------------


def unit_reach(board: Map, cumulative: bool) -> dict[str, tuple[str, ...]]:
    """Where a unit's Move may lead from each space, all units aside, in the map's order."""
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


# --- the sniper's movement --------------------------------------------------------------------------------------


class Gait(NamedTuple):
    """How the sniper moves: how far at most, with which gear in use, and whether R-08 is off (see `limit`)."""

    reach: int = SNIPER_REACH
    gear: str | None = None
    cumulative: bool = False


def step_kind(board: Map, gear: str | None, here: str, space: str) -> str | None:
    """How the sniper gets from a space to an adjacent one: `walk`, `climb`, `dive`, or None (EN-D-05, EN-D-06)."""
    if space in board.walk[here]:
        return "walk"
    kinds = {board.spaces[here].kind, board.spaces[space].kind}
    if gear == "climbing-gear" and kinds == {"elevated", "open"}:
        return "climb"
    return "dive" if gear == "diving-gear" and "water" in kinds <= {"water", "open"} else None


def paths(
    board: Map,
    path: tuple[str, ...],
    steps: Iterable[str],
    barred: frozenset[str | None],
    cumulative: bool = False,
    difficult: int = 0,
) -> Iterator[tuple[str, ...]]:
    """All movements on foot that go on from `path` by one of `steps`; `barred` are the spaces never to enter.

    `difficult` counts the difficult spaces of `path`; for `cumulative` see `limit`.
    """
    for space in steps:
        entered = difficult + board.spaces[space].difficult
        if space not in barred and len(path) < limit(SNIPER_REACH, entered, cumulative):
            longer = (*path, space)
            yield longer
            yield from paths(board, longer, board.walk[space], barred | {space}, cumulative, entered)


def sniper_paths(board: Map, start: str | None, entry: str | None, gait: Gait) -> Iterator[tuple[str, ...]]:
    """All movements from `start`, those that end on water included; where it is None, from outside over `entry`."""
    barred = frozenset((start,))
    first = (str(entry),) if start is None else board.adjacent[start]
    if gait != Gait(cumulative=gait.cumulative):
        return _geared(board, start, (), first, barred, gait, climbed=False)
    return paths(board, (), first if start is None else board.walk[start], barred, gait.cumulative)


def _geared(
    board: Map,
    here: str | None,
    path: tuple[str, ...],
    steps: Iterable[str],
    barred: frozenset[str | None],
    gait: Gait,
    *,
    climbed: bool,
) -> Iterator[tuple[str, ...]]:
    """`climbed`: the one step that the climbing gear is good for is taken."""
    for space in steps:
        step = "walk" if here is None else step_kind(board, gait.gear, here, space)
        longer = (*path, space)
        rough = sum(board.spaces[one].difficult for one in longer)
        fits = len(longer) <= limit(gait.reach, rough, gait.cumulative)
        if space not in barred and fits and step is not None and not (step == "climb" and climbed):
            yield longer
            up = climbed or step == "climb"
            yield from _geared(board, space, longer, board.adjacent[space], barred | {space}, gait, climbed=up)
