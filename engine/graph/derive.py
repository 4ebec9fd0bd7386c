"""Derive a map's tables from a valid drawing, except sight: neighbours, and who can walk where.

Expects a drawing without errors (see `check.py`). Sight is in `sight.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.graph.coverage import shared_edges
from engine.graph.drawing import COMMON_FIELDS, Drawing, DrawnSpace
from engine.graph.model import ENTERABLE, Map, Space
from engine.graph.spot import deepest_point

Pairs = Iterable[tuple[str, str]]
Neighbours = dict[str, tuple[str, ...]]


def derive(drawing: Drawing) -> Map:
    """Return the map of a drawing, with every table except sights."""
    spaces = {space.id: space for space in drawing.spaces}
    adjacent = neighbours(spaces, _pairs(drawing))
    return Map(
        **{name: getattr(drawing, name) for name in COMMON_FIELDS},
        spaces={name: _with_spot(space) for name, space in spaces.items()},
        adjacent=adjacent,
        matching={
            name: tuple(other for other in others if have_equal_kinds(spaces[name], spaces[other]))
            for name, others in adjacent.items()
        },
        walk=walkable_neighbours(drawing, adjacent),
        sights={},
    )


def _pairs(drawing: Drawing) -> Pairs:
    """Return the pairs of neighbours in both orders: those of `adjacent`, or the spaces that share an edge."""
    if drawing.adjacent is None:
        return shared_edges(drawing.spaces)
    # A drawing may list each pair in one order only.
    return {*drawing.adjacent, *((other, one) for one, other in drawing.adjacent)}


def neighbours(spaces: Mapping[str, DrawnSpace], pairs: Pairs) -> Neighbours:
    """Return the spaces that each space is paired with, in the file's order."""
    order = {name: i for i, name in enumerate(spaces)}
    neighbours_of: dict[str, set[str]] = {name: set() for name in spaces}
    for one, other in pairs:
        neighbours_of[one].add(other)
    return {name: tuple(sorted(others, key=order.__getitem__)) for name, others in neighbours_of.items()}


def have_equal_kinds(one: DrawnSpace, other: DrawnSpace) -> bool:
    """Return whether neighbours have equal kinds, even on two sides of a wall (MP-MAP-08, R-21)."""
    return one.kind == other.kind and one.kind in ENTERABLE


def can_walk_between(one: DrawnSpace, other: DrawnSpace) -> bool:
    """Return whether a piece can walk between two adjacent spaces without a door or ladder."""
    return have_equal_kinds(one, other) and (one.kind != "enclosed" or one.area == other.area)


def walkable_neighbours(drawing: Drawing, adjacent: Neighbours) -> Neighbours:
    """Return the walkable neighbours of each space (MP-MAP-11, MP-MAP-13, R-83)."""
    spaces = {space.id: space for space in drawing.spaces}
    opened = {frozenset(access.between) for access in drawing.accesses}

    def walkable(one: str, other: str) -> bool:
        if spaces[one].kind not in ENTERABLE or spaces[other].kind not in ENTERABLE:
            return False
        # Where the drawing lists its neighbours, every step between enterable ones is open.
        open_ = drawing.adjacent is not None or frozenset((one, other)) in opened
        return open_ or can_walk_between(spaces[one], spaces[other])

    return {name: tuple(other for other in others if walkable(name, other)) for name, others in adjacent.items()}


def _with_spot(space: DrawnSpace) -> Space:
    drawn = {name: getattr(space, name) for name in Space.__struct_fields__}
    # Without its own spot, a miniature stands as far from the edges as possible.
    return Space(**{**drawn, "spot": space.spot or deepest_point(space.outline)})


def connected_groups(near: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the names of a table of neighbours in connected groups, in the table's order."""
    groups: list[list[str]] = []
    met: set[str] = set()
    for start in near:
        if start in met:
            continue
        group = [start]
        met.add(start)
        # The loop also visits the names that it adds.
        for name in group:
            fresh = [other for other in dict.fromkeys(near[name]) if other not in met]
            met.update(fresh)
            group += fresh
        groups.append(group)
    return groups
