"""Whether a drawing makes a map that can be played: every fault in it, each a sentence with its remedy.

Geometry between spaces is `coverage.py`; this file holds what the rules and the board ask of a map, and puts the
whole verdict together. Measures are tenths of a millimetre.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from math import sqrt
from typing import Literal

from msgspec import Struct

from engine.graph.advice import advice
from engine.graph.coverage import coverage_faults, ring_faults, shared_edges
from engine.graph.derive import derive, neighbours, squads, ways
from engine.graph.drawing import NEUTRAL, Drawing, DrawnAccess, DrawnEntry, DrawnSpace
from engine.graph.fault import MapError, at, guess, listed
from engine.graph.gaps import gaps, on_border
from engine.graph.geojson import read
from engine.graph.model import ENTERABLE, Map, Point
from engine.graph.plane import between, clearance_squared, inside
from engine.graph.spot import deepest

BASE_RADIUS = 140
SPOT_TO_OUTLINE = 160
SPOT_TO_SPOT = 350
FULL_BOARD = frozenset({"yellow", "red", "black", NEUTRAL})
OBJECTIVES = 9

Measure = Literal["board", "loose"]
"""`board`: everything; `loose`: all but what only a full board needs (base sizes and distances of spots)."""


class Survey(Struct, frozen=True):
    """A map without faults, still without sights, and the warnings about it."""

    map: Map
    warnings: tuple[str, ...]


class Verdict(Struct, frozen=True):
    """All faults and warnings of a drawing, form included."""

    faults: tuple[str, ...]
    warnings: tuple[str, ...]


def survey(document: object, where: str = "", measure: Measure = "board") -> Survey:
    """Reads, checks and derives a map from a decoded GeoJSON document.

    Raises `MapError` with every fault found. The map's `sights` are empty: see `engine.graph.sight.with_sights`.
    """
    drawing = read(document, where)
    verdict = check(drawing, measure)
    if verdict.faults:
        raise MapError(where, verdict.faults)
    return Survey(derive(drawing), verdict.warnings)


def check(drawing: Drawing, measure: Measure = "board") -> Verdict:
    """Every fault and warning of a drawing.

    Where something could not be read, whatever does not depend on it is told all the same.
    """
    faults = [*drawing.faults, *_doubled_ids(drawing.spaces)]
    spaces: dict[str, DrawnSpace] = {}
    for space in drawing.spaces:
        spaces.setdefault(space.id, space)
    rings = {space.id: ring_faults(space) for space in drawing.spaces if "outline" not in space.unread}
    faults += [fault for found in rings.values() for fault in found]
    sound = [space for space in drawing.spaces if rings.get(space.id) == [] and space is spaces[space.id]]
    unsound = [space for space in drawing.spaces if space not in sound]
    faults += [*coverage_faults(sound), *_spot_faults(sound)]
    if measure == "board":
        faults += _base_faults([space for space in sound if space.kind in ENTERABLE and "kind" not in space.unread])
    if "space" not in drawing.lost and all(space.outline for space in unsound):
        faults += gaps(sound, drawing.size, {corner for space in unsound for corner in space.outline})
    faults += [*_objective_faults(drawing), *_start_faults(drawing), *_entry_faults(drawing, spaces, sound)]
    shared = shared_edges(sound)
    faults += _access_faults(drawing, spaces, shared, {space.id for space in unsound})
    if not drawing.lost and not unsound:
        faults += _unreachable(drawing, spaces, shared)
    return Verdict(tuple(faults), (*drawing.warnings, *advice(drawing, sound)))


def _sure(drawing: Drawing, *names: str) -> bool:
    """Whether all spaces are there, and these properties of each were read: only then is anything known to lack."""
    return "space" not in drawing.lost and not any(space.unread.intersection(names) for space in drawing.spaces)


def _where(space: DrawnSpace) -> str:
    """A place on the drawing by which the space can be found."""
    return at(space.outline[0]) if space.outline else "a place that could not be read"


def _doubled_ids(spaces: Sequence[DrawnSpace]) -> Iterator[str]:
    for name, times in Counter(space.id for space in spaces).items():
        if times > 1:
            places = [_where(space) for space in spaces if space.id == name]
            yield f"{name}: {times} spaces have this id, at {listed(places[:5])}. Give each its own."


def _objective_faults(drawing: Drawing) -> Iterator[str]:
    """MP-MAP-14. A board with all four sectors has objectives 1 to 9; a smaller one numbers those it has from 1."""
    holders: dict[int, list[DrawnSpace]] = {}
    for space in drawing.spaces:
        if space.objective is not None:
            holders.setdefault(space.objective, []).append(space)
            if space.kind not in ENTERABLE:
                yield f"{space.id} at {_where(space)}: objective {space.objective} is in {space.kind}. Move it."
    last = OBJECTIVES if set(drawing.sectors) >= FULL_BOARD else max(holders, default=0)
    for number in range(1, last + 1):
        places = [f"{space.id} at {_where(space)}" for space in holders.get(number, [])]
        if not places and _sure(drawing, "objective"):
            yield f'objective {number} is missing. Give one space "objective": {number}.'
        elif len(places) > 1:
            yield f"objective {number} is doubled: {listed(places)}. Keep one and renumber the others."


def _start_faults(drawing: Drawing) -> Iterator[str]:
    """MP-MAP-18: one officer's and two soldiers' circles for each squad, none elsewhere."""
    for space in drawing.spaces:
        if (
            space.start
            and "sector" not in space.unread
            and (space.sector not in squads(drawing.sectors) or space.kind not in ENTERABLE)
        ):
            ground = space.kind if space.kind not in ENTERABLE else f"the {space.sector} sector, which has no squad"
            yield f"{space.id} at {_where(space)}: a start circle lies in {ground}. Move it to a squad's sector."
    for sector in squads(drawing.sectors):
        for role, wanted in (("officer", 1), ("soldier", 2)):
            found = [space for space in drawing.spaces if space.sector == sector and space.start == role]
            if len(found) > wanted or (len(found) < wanted and _sure(drawing, "start", "sector", "kind")):
                places = listed([f"{space.id} at {_where(space)}" for space in found])
                yield (
                    f"the {sector} sector has {len(found)} {role} start circles{f' ({places})' if found else ''}, "
                    f'not {wanted}. Set "start": "{role}" in exactly {wanted} of its spaces.'
                )


def _entry_faults(drawing: Drawing, spaces: Mapping[str, DrawnSpace], sound: Sequence[DrawnSpace]) -> Iterator[str]:
    """MP-MAP-19: one arrow for each sector, on the rim, into a space that can be entered."""
    into: dict[str | None, list[DrawnEntry]] = {}
    for entry in drawing.entries:
        space = spaces.get(entry.space)
        if space is None:
            if _sure(drawing, "id"):
                hint = guess(entry.space, list(spaces))
                yield f"entry at {at(entry.at)}: there is no space {entry.space}. Name one that exists.{hint}"
        elif space.kind not in ENTERABLE:
            yield f"entry at {at(entry.at)}: {entry.space} is {space.kind}. Lead into a space that can be entered."
        else:
            into.setdefault(space.sector, []).append(entry)
        if not _on_rim(entry.at, drawing, sound) and len(sound) == len(spaces):
            yield f"entry {entry.space} at {at(entry.at)} is not on the board's rim. Move its point to the rim."
    for sector in drawing.sectors:
        found = into.get(sector, [])
        if not found and "entry" not in drawing.lost and _sure(drawing, "id", "sector", "kind"):
            yield f"no entry leads into the {sector} sector. Add one on the rim."
        elif len(found) > 1:
            places = listed([f"{entry.space} at {at(entry.at)}" for entry in found])
            yield f"{len(found)} entries lead into the {sector} sector: {places}. Keep one."


def _on_rim(point: Point, drawing: Drawing, sound: Sequence[DrawnSpace]) -> bool:
    width, height = drawing.size
    return point[0] in (0, width) or point[1] in (0, height) or on_border(sound, point)


def _access_faults(
    drawing: Drawing,
    spaces: Mapping[str, DrawnSpace],
    shared: Mapping[tuple[str, str], Sequence[tuple[Point, Point]]],
    unsound: Set[str],
) -> Iterator[str]:
    for access in drawing.accesses:
        label = f"{access.kind} {access.between[0]}-{access.between[1]} at {at(access.at)}"
        unknown = [name for name in access.between if name not in spaces]
        if unknown:
            if _sure(drawing, "id"):
                hint = guess(unknown[0], list(spaces))
                yield f"{label}: there is no space {listed(unknown)}. Name two that exist.{hint}"
            continue
        fault = _kind_fault(access, spaces)
        if fault and not any("kind" in spaces[name].unread for name in access.between):
            yield f"{label}: {fault}"
        if not unsound.isdisjoint(access.between):
            continue
        stretches = shared.get(access.between, [])
        if not stretches:
            yield f"{label}: the two share no edge. Move the {access.kind}, or let their outlines meet."
        elif not any(between(*stretch, access.at) for stretch in stretches):
            edge = f"from {at(stretches[0][0])} to {at(stretches[0][1])}"
            yield f"{label}: it is not on the edge they share, {edge}. Move the {access.kind} onto it."


def _kind_fault(access: DrawnAccess, spaces: Mapping[str, DrawnSpace]) -> str | None:
    """MP-MAP-11, MP-MAP-13, R-83: doors pierce walls, ladders join levels, nothing leads into water or obstructions."""
    kinds = [spaces[name].kind for name in access.between]
    barred = [name for name in access.between if spaces[name].kind not in ENTERABLE]
    if barred:
        return f"{listed(barred)} cannot be entered. Remove the {access.kind}."
    if access.kind == "door" and kinds.count("elevated") == 1:
        return "one of the two is elevated and the other is not. Use a ladder."
    if access.kind == "ladder" and "elevated" not in kinds:
        return "neither of the two is elevated. Use a door."
    return None


def _unreachable(
    drawing: Drawing, spaces: Mapping[str, DrawnSpace], shared: Mapping[tuple[str, str], object]
) -> Iterator[str]:
    """Groups of spaces that nobody who comes in by an entry can ever walk to."""
    adjacent = neighbours(spaces, shared)
    vague = {name for name, space in spaces.items() if space.unread & {"kind", "area"}}
    walk = {  # to and from a space of which too little is known, every way may be open
        name: others if name in vague else (*others, *vague.intersection(adjacent[name]))
        for name, others in (ways(drawing, adjacent) | {name: adjacent[name] for name in vague}).items()
    }
    groups = [group for group in _groups(walk) if spaces[group[0]].kind in ENTERABLE]
    doors = {entry.space for entry in drawing.entries}
    fed = [group for group in groups if not doors.isdisjoint(group)] or sorted(groups, key=len)[-1:]
    for group in groups:
        if group not in fed:
            place = at(spaces[group[0]].outline[0])
            few = listed(group) if len(group) < 8 else f"{', '.join(group[:7])} and {len(group) - 7} more"
            yield f"{few} (the first at {place}) cannot be reached from any entry. Add a door or ladder."


def _groups(walk: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The connected groups of a walk table, in the file's order."""
    group_of: dict[str, int] = {}
    groups: list[list[str]] = []
    for start in walk:
        if start in group_of:
            continue
        group_of[start] = len(groups)
        queue = [start]
        for name in queue:
            fresh = [other for other in walk[name] if other not in group_of]
            group_of.update(dict.fromkeys(fresh, len(groups)))
            queue += fresh
        groups.append(queue)
    return groups


def _spot_faults(spaces: Sequence[DrawnSpace]) -> Iterator[str]:
    for space in spaces:
        if space.spot and not inside(space.outline, space.spot):
            yield f"{space.id}: its spot {at(space.spot)} lies outside its outline. Move it inside, or leave it out."


def _base_faults(spaces: Sequence[DrawnSpace]) -> Iterator[str]:
    """Where a 28 mm base does not fit, or a sensor would feel a neighbour's magnet."""
    spots: dict[str, Point] = {}
    for space in spaces:
        best = deepest(space.outline)
        room = clearance_squared(space.outline, best)
        spots[space.id] = space.spot or best
        clear = clearance_squared(space.outline, spots[space.id])
        if room < BASE_RADIUS**2:
            yield (
                f"{space.id} is too small for a 28 mm base: its deepest point {at(best)} is "
                f"{_mm(room)} mm from its outline. Make it wider, to 16 mm there."
            )
        elif clear < SPOT_TO_OUTLINE**2:
            mend = "Move the spot further in" if room >= SPOT_TO_OUTLINE**2 else "Make the space wider"
            yield f"{space.id}: its spot {at(spots[space.id])} is {_mm(clear)} mm from its outline. {mend}, to 16 mm."
    yield from _close_spots(spots)


def _close_spots(spots: Mapping[str, Point]) -> Iterator[str]:
    order = sorted(spots, key=lambda name: spots[name])
    for i, one in enumerate(order):
        for other in order[i + 1 :]:
            (ax, ay), (bx, by) = spots[one], spots[other]
            if bx - ax >= SPOT_TO_SPOT:
                break
            apart = (ax - bx) ** 2 + (ay - by) ** 2
            if apart < SPOT_TO_SPOT**2:
                yield (
                    f"the spots of {one} {at(spots[one])} and {other} {at(spots[other])} are only {_mm(apart)} mm "
                    'apart. Move one by its "spot", to 35 mm.'
                )


def _mm(squared: Fraction | int) -> str:
    return f"{sqrt(squared) / 10:.1f}"
