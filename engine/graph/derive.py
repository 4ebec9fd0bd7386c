"""What follows from a sound drawing without looking along any line: neighbours, ways, starts, entries, objectives.

Expects a drawing without faults (see `check.py`); sight is `sight.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.graph.coverage import shared_edges
from engine.graph.drawing import NEUTRAL, Drawing, DrawnSpace
from engine.graph.model import ENTERABLE, Access, Map, Space
from engine.graph.spot import deepest

Pairs = Iterable[tuple[str, str]]
Neighbours = dict[str, tuple[str, ...]]


def derive(drawing: Drawing) -> Map:
    """The map of a drawing, with every table but the sights."""
    spaces = {space.id: space for space in drawing.spaces}
    adjacent = neighbours(spaces, shared_edges(drawing.spaces))
    return Map(
        slug=drawing.slug,
        name=drawing.name,
        code=drawing.code,
        size=drawing.size,
        sectors=drawing.sectors,
        suits=drawing.suits,
        spaces={name: _settled(space) for name, space in spaces.items()},
        accesses=tuple(Access(access.kind, access.between, access.at) for access in drawing.accesses),
        adjacent=adjacent,
        matching={
            name: tuple(other for other in others if matching(spaces[name], spaces[other]))
            for name, others in adjacent.items()
        },
        walk=ways(drawing, adjacent),
        entries={spaces[entry.space].sector or "": entry.space for entry in drawing.entries},
        entry_points={spaces[entry.space].sector or "": entry.at for entry in drawing.entries},
        starts=starts(drawing),
        objectives={
            number: space.id
            for number, space in sorted(
                ((space.objective, space) for space in drawing.spaces if space.objective), key=lambda pair: pair[0]
            )
        },
        sights={},
        licence=drawing.licence,
        author=drawing.author,
        marks=drawing.marks,
    )


def neighbours(spaces: Mapping[str, DrawnSpace], pairs: Pairs) -> Neighbours:
    """For each space the others it is paired with, in the file's order."""
    order = {name: i for i, name in enumerate(spaces)}
    found: dict[str, set[str]] = {name: set() for name in spaces}
    for one, other in pairs:
        found[one].add(other)
    return {name: tuple(sorted(others, key=order.__getitem__)) for name, others in found.items()}


def matching(one: DrawnSpace, other: DrawnSpace) -> bool:
    """Whether two adjacent spaces are matching-adjacent (MP-MAP-08): equal kind, across a wall too (R-21)."""
    return one.kind == other.kind and one.kind in ENTERABLE


def connected(one: DrawnSpace, other: DrawnSpace) -> bool:
    """Whether one may walk between two adjacent spaces without a door or ladder."""
    return matching(one, other) and (one.kind != "enclosed" or one.area == other.area)


def ways(drawing: Drawing, adjacent: Neighbours) -> Neighbours:
    """The walkable neighbours of each space (MP-MAP-11, MP-MAP-13, R-83)."""
    spaces = {space.id: space for space in drawing.spaces}
    opened = {frozenset(access.between) for access in drawing.accesses}
    return {
        name: tuple(
            other
            for other in others
            if connected(spaces[name], spaces[other])
            or (
                frozenset((name, other)) in opened
                and spaces[name].kind in ENTERABLE
                and spaces[other].kind in ENTERABLE
            )
        )
        for name, others in adjacent.items()
    }


def starts(drawing: Drawing) -> dict[str, str]:
    """Unit -> start space: `yellow-officer`, then `yellow-1` and `yellow-2` in the file's order (MP-MAP-18)."""
    found: dict[str, str] = {}
    for sector in squads(drawing.sectors):
        own = [space for space in drawing.spaces if space.sector == sector and space.start]
        soldiers = [space for space in own if space.start == "soldier"]
        found |= {f"{sector}-officer": space.id for space in own if space.start == "officer"}
        found |= {f"{sector}-{number}": space.id for number, space in enumerate(soldiers, start=1)}
    return found


def squads(sectors: Sequence[str]) -> tuple[str, ...]:
    """The sectors that have a squad: all but the neutral one (MP-MAP-01)."""
    return tuple(sector for sector in sectors if sector != NEUTRAL)


def _settled(space: DrawnSpace) -> Space:
    return Space(
        id=space.id,
        kind=space.kind,
        outline=space.outline,
        spot=space.spot or deepest(space.outline),
        sector=space.sector,
        area=space.area,
        under=space.under,
        difficult=space.difficult,
        objective=space.objective,
        start=space.start,
        name=space.name,
    )
