"""Check whether a drawing makes a map. Each error and each warning is a sentence with its remedy.

Geometry between spaces is in `coverage.py`. This file has the other checks for any map, and combines the results. A
game's own checks are passed in. Measures are tenths of a millimetre.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from math import sqrt
from typing import Literal

from engine.graph.coverage import corner_contacts, coverage_faults, ring_faults, shared_edges, stacked_pairs
from engine.graph.derive import can_walk_between, connected_groups, neighbours, walkable_neighbours
from engine.graph.drawing import Drawing, DrawnSpace, Verdict
from engine.graph.fault import did_you_mean, point_text, shortened_list, with_subject
from engine.graph.gaps import gap_faults, on_border
from engine.graph.model import ENTERABLE, Access, Point
from engine.graph.plane import clearance_squared, double_area, on_segment, point_in_ring
from engine.graph.spot import deepest_point
from engine.text import Text, and_list


def drawing_warnings(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[Text]:
    """Yield the warnings about a drawing. The spaces in `sound` have simple outlines."""
    if drawing.adjacent is None:
        yield from corner_contacts(sound)
        yield from _coverage_advice(drawing, sound)
    yield from _entry_advice(drawing, sound)
    yield from _idle_accesses(drawing)
    yield from _double_access_advice(drawing)
    yield from _level_advice(sound)


def _entry_advice(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[Text]:
    spaces = {space.id: space for space in sound}
    for entry in drawing.entries:
        space = spaces.get(entry.space)
        if space is not None and not on_border([space], entry.at):
            yield with_subject(entry.label, Text("it does not touch the space it leads into. Move it to the outline."))


def _double_access_advice(drawing: Drawing) -> Iterator[Text]:
    drawn: dict[tuple[str, frozenset[str]], list[Access]] = defaultdict(list)
    for access in drawing.accesses:
        drawn[access.kind, frozenset(access.between)].append(access)
    for first, *others in drawn.values():
        if others:
            places = and_list([point_text(access.at) for access in others])
            yield with_subject(first.label, Text("it is drawn again at {places}. Keep one.", places=places))


def _idle_accesses(drawing: Drawing) -> Iterator[Text]:
    spaces = {space.id: space for space in drawing.spaces}
    for access in drawing.accesses:
        ends = [spaces[name] for name in access.between if name in spaces]
        if len(ends) == 2 and can_walk_between(ends[0], ends[1]):
            yield with_subject(access.label, Text("one can walk there without it."))


def _level_advice(sound: Sequence[DrawnSpace]) -> Iterator[Text]:
    stacked = {name for pair in stacked_pairs(sound) for name in pair}
    for space in sound:
        if space.under and space.id not in stacked:
            yield Text(
                '{space} at {place} is "under", but no elevated space lies above it.',
                space=space.id,
                place=point_text(space.outline[0]),
            )


def _coverage_advice(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[Text]:
    covered = sum(abs(double_area(space.outline)) for space in sound if not space.under)
    board = 2 * drawing.size[0] * drawing.size[1]
    if covered < board:
        part = f"{100 * (board - covered) / board:.1f}"
        yield Text("the spaces leave {part} % of the board bare.", part=part)


BASE_RADIUS = 140
SPOT_TO_OUTLINE = 160
SPOT_TO_SPOT = 350
UNKNOWN_SPACES = Text("there is no space {spaces}. Name two that exist.{hint}")

Measure = Literal["board", "loose"]
"""`board`: all checks. `loose`: all except those for a full board (base sizes, spot distances)."""


def check(drawing: Drawing, measure: Measure = "board") -> Verdict:
    """Return every error and warning of a drawing, except those that depend on parts that could not be read."""
    faults = [*drawing.faults, *_doubled_ids(drawing.spaces)]
    spaces: dict[str, DrawnSpace] = {}
    for space in drawing.spaces:
        # Of spaces with the same id, the first one counts; the others are errors already.
        spaces.setdefault(space.id, space)
    # Later checks use only spaces with valid outlines, so that one error doesn't cause others.
    rings = [(space, ring_faults(space)) for space in drawing.spaces if "outline" not in space.unread]
    faults += [fault for _, ring_errors in rings for fault in ring_errors]
    sound = [space for space, ring_errors in rings if not ring_errors and space is spaces[space.id]]
    unsound = [space for space in drawing.spaces if space not in sound]
    faults += [*coverage_faults(sound), *_spot_faults(sound)]
    if measure == "board":
        faults += _base_faults([space for space in sound if space.kind in ENTERABLE and "kind" not in space.unread])
    # A space that could not be read could fill any gap. Of an outline with errors, only the corners are known.
    if drawing.adjacent is None and "space" not in drawing.lost and all(space.outline for space in unsound):
        faults += gap_faults(sound, drawing.size, {corner for space in unsound for corner in space.outline})
    faults += [*_neighbour_faults(drawing, spaces), *_entry_faults(drawing, spaces, sound)]
    shared = shared_edges(sound)
    faults += _access_faults(drawing, spaces, shared, {space.id for space in unsound})
    # If a part is missing, a space may seem unreachable although it isn't.
    if drawing.adjacent is None and not drawing.lost and not unsound:
        faults += _unreachable_faults(drawing, spaces, shared)
    return Verdict(tuple(faults), (*drawing.warnings, *drawing_warnings(drawing, sound)))


def _doubled_ids(spaces: Sequence[DrawnSpace]) -> Iterator[Text]:
    for name, times in Counter(space.id for space in spaces).items():
        if times > 1:
            places = [space.place for space in spaces if space.id == name]
            fault = Text(
                "more than one space has this id, at {places}. Give each its own.", places=shortened_list(places)
            )
            yield with_subject(name, fault)


def _neighbour_faults(drawing: Drawing, spaces: Mapping[str, DrawnSpace]) -> Iterator[Text]:
    for pair in drawing.adjacent or ():
        label = Text("neighbours {pair}", pair="-".join(pair))
        unknown = [name for name in pair if name not in spaces]
        if unknown:
            yield with_subject(label, UNKNOWN_SPACES.with_(spaces=and_list(unknown), hint=""))
        elif pair[0] == pair[1]:
            yield with_subject(label, Text("a space is not a neighbour of its own. Name two spaces."))


def _entry_faults(drawing: Drawing, spaces: Mapping[str, DrawnSpace], sound: Sequence[DrawnSpace]) -> Iterator[Text]:
    """Check that every arrow lies on the rim and leads into a space that can be entered."""
    for entry in drawing.entries:
        space = spaces.get(entry.space)
        if space is None:
            if drawing.sure("id"):
                hint = did_you_mean(entry.space, list(spaces))
                fault = Text("there is no space {space}. Name one that exists.{hint}", space=entry.space, hint=hint)
                yield with_subject(entry.label, fault)
        elif space.kind not in ENTERABLE:
            yield with_subject(entry.label, Text("nobody can enter that space. Lead into one that can be entered."))
        # With invalid spaces, the real rim is unknown.
        if not _on_rim(entry.at, drawing, sound) and len(sound) == len(spaces):
            yield with_subject(entry.label, Text("it is not on the board's rim. Move its point to the rim."))


def _on_rim(point: Point, drawing: Drawing, sound: Sequence[DrawnSpace]) -> bool:
    width, height = drawing.size
    return point[0] in (0, width) or point[1] in (0, height) or on_border(sound, point)


def _access_faults(
    drawing: Drawing,
    spaces: Mapping[str, DrawnSpace],
    shared: Mapping[tuple[str, str], Sequence[tuple[Point, Point]]],
    unsound: Set[str],
) -> Iterator[Text]:
    for access in drawing.accesses:
        label = access.label
        unknown = [name for name in access.between if name not in spaces]
        if unknown:
            # The space may exist under an id that could not be read.
            if drawing.sure("id"):
                hint = did_you_mean(unknown[0], list(spaces))
                yield with_subject(label, UNKNOWN_SPACES.with_(spaces=and_list(unknown), hint=hint))
            continue
        fault = _kind_fault(access, spaces)
        if fault and not any("kind" in spaces[name].unread for name in access.between):
            yield with_subject(label, fault)
        if not unsound.isdisjoint(access.between):
            continue
        stretches = shared.get(access.between, [])
        if not stretches:
            yield with_subject(label, Text("the two share no edge. Move it, or let their outlines meet."))
        elif not any(on_segment(*stretch, access.at) for stretch in stretches):
            sentence = Text("it is not on the edge they share, from {start} to {end}. Move it there.")
            yield with_subject(
                label, sentence.with_(start=point_text(stretches[0][0]), end=point_text(stretches[0][1]))
            )


def _kind_fault(access: Access, spaces: Mapping[str, DrawnSpace]) -> Text | None:
    """Return the error of a door or ladder between these kinds, or None (MP-MAP-11, MP-MAP-13, R-83)."""
    kinds = [spaces[name].kind for name in access.between]
    barred = [name for name in access.between if spaces[name].kind not in ENTERABLE]
    if barred:
        return Text("nobody can enter {spaces}. Remove it.", spaces=and_list(barred))
    # Two elevated spaces are on the same level, so a door can join them.
    if access.kind == "door" and kinds.count("elevated") == 1:
        return Text("one of the two is elevated and the other is not. Use a ladder.")
    if access.kind == "ladder" and "elevated" not in kinds:
        return Text("neither of the two is elevated. Use a door.")
    return None


def _unreachable_faults(
    drawing: Drawing, spaces: Mapping[str, DrawnSpace], shared: Mapping[tuple[str, str], object]
) -> Iterator[Text]:
    """Yield the groups of spaces that cannot be reached from any entry."""
    adjacent = neighbours(spaces, shared)
    vague = {name for name, space in spaces.items() if space.unread & {"kind", "area"}}
    walk = {  # assume that every way to and from a partly unread space is open
        name: others if name in vague else (*others, *vague.intersection(adjacent[name]))
        for name, others in (walkable_neighbours(drawing, adjacent) | {name: adjacent[name] for name in vague}).items()
    }
    groups = [group for group in connected_groups(walk) if spaces[group[0]].kind in ENTERABLE]
    doors = {entry.space for entry in drawing.entries}
    # Without any entry, report all groups except the largest.
    fed = [group for group in groups if not doors.isdisjoint(group)] or sorted(groups, key=len)[-1:]
    for group in groups:
        if group not in fed:
            sentence = Text("no way leads from an entry to {spaces} (the first at {place}). Add a door or ladder.")
            yield sentence.with_(spaces=shortened_list(group), place=point_text(spaces[group[0]].outline[0]))


def _spot_faults(spaces: Sequence[DrawnSpace]) -> Iterator[Text]:
    for space in spaces:
        if space.spot and not point_in_ring(space.outline, space.spot):
            sentence = Text("its spot {place} lies outside its outline. Move it inside, or leave it out.")
            yield with_subject(space.id, sentence.with_(place=point_text(space.spot)))


def _base_faults(spaces: Sequence[DrawnSpace]) -> Iterator[Text]:
    """Yield spaces that are too small for a 28 mm base or too near a neighbour's magnet."""
    spots: dict[str, Point] = {}
    for space in spaces:
        best = deepest_point(space.outline)
        room = clearance_squared(space.outline, best)
        spots[space.id] = space.spot or best
        clear = clearance_squared(space.outline, spots[space.id])
        if room < BASE_RADIUS**2:
            sentence = Text(
                "it is too small for a 28 mm base: its deepest point {place} is {mm} mm from its outline. "
                "Make it wider, to 16 mm there."
            )
            yield with_subject(space.id, sentence.with_(place=point_text(best), mm=_mm(room)))
        elif clear < SPOT_TO_OUTLINE**2:
            movable = room >= SPOT_TO_OUTLINE**2
            remedy = Text("Move it further in, to 16 mm.") if movable else Text("Make the space wider, to 16 mm.")
            sentence = Text("its spot {place} is {mm} mm from its outline. {remedy}")
            yield with_subject(
                space.id, sentence.with_(place=point_text(spots[space.id]), mm=_mm(clear), remedy=remedy)
            )
    yield from _close_spots(spots)


def _close_spots(spots: Mapping[str, Point]) -> Iterator[Text]:
    # Sorted by x, so the inner loop can stop at the first spot that is too far to the right.
    order = sorted(spots, key=lambda name: spots[name])
    for i, one in enumerate(order):
        for other in order[i + 1 :]:
            (ax, ay), (bx, by) = spots[one], spots[other]
            if bx - ax >= SPOT_TO_SPOT:
                break
            apart = (ax - bx) ** 2 + (ay - by) ** 2
            if apart < SPOT_TO_SPOT**2:
                yield Text(
                    "the spots of {one} {here} and {other} {there} are only {mm} mm apart. Move one of them, to 35 mm.",
                    one=one,
                    here=point_text(spots[one]),
                    other=other,
                    there=point_text(spots[other]),
                    mm=_mm(apart),
                )


def _mm(squared: Fraction | int) -> str:
    return f"{sqrt(squared) / 10:.1f}"
