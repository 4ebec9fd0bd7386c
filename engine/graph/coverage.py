"""Check that the spaces of a drawing tile the ground: simple rings, edge to edge, without overlap.

Bare ground between them is in `gaps.py`.

Two spaces are *mates* if they lie at the same level. Only an `under` space and an elevated space are not mates: they
may overlap and cross freely.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from engine.graph.drawing import DrawnSpace
from engine.graph.fault import point_text, with_subject
from engine.graph.model import Point, Space
from engine.graph.plane import (
    Ring,
    box,
    boxes_meet,
    common_segment,
    crossing_point,
    edges,
    inner_point,
    point_in_ring,
    segments_cross,
    strictly_on_segment,
)
from engine.text import Text, and_list

MOST_FAULTS = 500  # After this many geometry errors the check stops: the drawing must be fixed first
Edge = tuple[Point, Point]
Shape = DrawnSpace | Space


def ring_faults(space: DrawnSpace) -> list[Text]:
    """Return the error in the outline of one space. The other geometry checks skip spaces with such an error."""
    ring = space.outline
    # A corner that is used twice splits the outline into two loops.
    doubled = sorted({point for point, n in Counter(ring).items() if n > 1})
    if doubled:
        fault = Text(
            "its outline comes to {place} more than once. Give each corner once.", place=point_text(doubled[0])
        )
        return [with_subject(space.id, fault)]
    sides = edges(ring)
    for here, there in near_pairs(sides):
        place = _bad_contact(sides[here], sides[there])
        if place:
            fault = Text("its outline crosses or touches itself at {place}. Draw it without the loop.", place=place)
            return [with_subject(space.id, fault)]
    return []


def _bad_contact(first: Edge, second: Edge) -> str | None:
    """Return where two edges of one ring meet other than at a common corner, or None."""
    if segments_cross(*first, *second):
        x, y = crossing_point(*first, *second)
        return point_text((round(x), round(y)))
    for edge, ends in ((first, second), (second, first)):
        for end in ends:
            if strictly_on_segment(*edge, end):
                return point_text(end)
    return None


def share_level(one: DrawnSpace, other: DrawnSpace) -> bool:
    """Return whether two spaces lie at one level and so must not overlap.

    A space whose kind was not read may lie over another one.
    """
    if (one.under or other.under) and "kind" in one.unread | other.unread:
        return False
    return not (one.under and other.kind == "elevated") and not (other.under and one.kind == "elevated")


def lies_above(lower: Shape, upper: Shape) -> bool:
    """Return whether `upper` is an elevated space that lies over the `under` space `lower`."""
    return lower.under and upper.kind == "elevated" and not upper.under and _do_overlap(lower.outline, upper.outline)


def coverage_faults(spaces: Sequence[DrawnSpace]) -> list[Text]:
    """Return the errors between spaces with valid rings: loose corners and overlaps."""
    return [*_contact_faults(spaces), *overlap_faults(spaces)]


def corner_contacts(spaces: Sequence[DrawnSpace]) -> list[Text]:
    """Return warnings for points where four or more spaces of one level meet."""
    meeting: dict[Point, list[str]] = defaultdict(list)
    for space in spaces:
        for point in space.outline:
            if not space.under:
                meeting[point].append(space.id)
    return [
        Text(
            "at {place} all of {spaces} meet: corner contact is neither adjacency nor a line. "
            "Shift a corner if players could think otherwise.",
            place=point_text(point),
            spaces=and_list(ids),
        )
        for point, ids in meeting.items()
        if len(ids) > 3
    ]


def near_pairs(lines: Sequence[Ring]) -> Iterator[tuple[int, int]]:
    """Yield each pair of edges or rings whose boxes touch, once. Sweeps from left to right."""
    boxes = [box(line) for line in lines]
    order = sorted(range(len(lines)), key=lambda i: boxes[i])
    active: list[int] = []
    for here in order:
        # Drop the lines that end to the left of the sweep line.
        active = [there for there in active if boxes[there][2] >= boxes[here][0]]
        for there in active:
            if boxes_meet(boxes[here], boxes[there]):
                yield here, there
        active.append(here)


def _contact_faults(spaces: Sequence[DrawnSpace]) -> list[Text]:
    """Return an error for each corner that touches a neighbour's edge at a point where the neighbour has no corner."""
    faults: dict[tuple[Point, str], Text] = {}
    for one, edge, other, corner in loose_corners(spaces):
        # More errors of this kind would tell the author nothing new.
        if one.id != other.id and len(faults) <= MOST_FAULTS:
            faults[corner, one.id] = _loose_corner(one.id, edge, other.id, corner)
    return list(faults.values())


def loose_corners(spaces: Sequence[DrawnSpace]) -> Iterator[tuple[DrawnSpace, Edge, DrawnSpace, Point]]:
    """Yield each loose corner: the space and the edge that it lies on, the space that it belongs to, and the corner.

    A loose corner lies on the edge of another space of its level that has no corner there.
    """
    owned = [(space, side) for space in spaces for side in edges(space.outline)]
    for here, there in near_pairs([side for _, side in owned]):
        for (one, edge), (other, ends) in ((owned[here], owned[there]), (owned[there], owned[here])):
            if share_level(one, other):
                yield from ((one, edge, other, end) for end in ends if strictly_on_segment(*edge, end))


def _loose_corner(space: str, edge: Edge, other: str, corner: Point) -> Text:
    return Text(
        "{space} has no corner at {place}, where a corner of {other} lies on its edge from {start} to {end}. "
        "Add the corner {place} to {space}.",
        space=space,
        place=point_text(corner),
        other=other,
        start=point_text(edge[0]),
        end=point_text(edge[1]),
    )


def overlap_faults(spaces: Sequence[DrawnSpace]) -> list[Text]:
    """Return the spaces of one level that overlap."""
    faults: list[Text] = []
    for here, there in near_pairs([space.outline for space in spaces]):
        first, second = sorted((here, there))
        if len(faults) <= MOST_FAULTS and share_level(spaces[first], spaces[second]):
            faults += _overlap_fault(spaces[first], spaces[second])
    return faults


def _overlap_fault(one: DrawnSpace, other: DrawnSpace) -> list[Text]:
    place = _common_point(one.outline, other.outline)
    if place is None:
        return []
    remedy = Text("Let them share one border.")
    if one.under or other.under:
        remedy = Text("A space under others may lie beneath elevated ones only: let the two share one border.")
    sentence = Text("{space} and {other} overlap at {place}. {remedy}")
    return [sentence.with_(space=one.id, other=other.id, place=point_text(place), remedy=remedy)]


def _do_overlap(one: Ring, other: Ring) -> bool:
    return boxes_meet(box(one), box(other)) and _common_point(one, other) is not None


def _common_point(one: Ring, other: Ring) -> tuple[int, int] | None:
    """Return a point near the common interior of two simple rings, or None if there is none."""
    for first in edges(one):
        for second in edges(other):
            if segments_cross(*first, *second):
                x, y = crossing_point(*first, *second)
                return (round(x), round(y))
    # No edges cross: one ring may still lie inside the other, or both may coincide. Test corners, edge midpoints and an
    # inner point.
    for ring, points in ((other, one), (one, other)):
        for a, b in edges(points):
            if point_in_ring(ring, a):
                return a
            if point_in_ring(ring, (a[0] + b[0], a[1] + b[1]), 2):
                return ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
        x6, y6 = inner_point(points)
        if point_in_ring(ring, (x6, y6), 6):
            return (x6 // 6, y6 // 6)
    return None


# Shared edges


def shared_edges(spaces: Sequence[Shape]) -> dict[tuple[str, str], list[Edge]]:
    """Return the borders that two spaces of one level share, for both orders of the pair."""
    owned = [(space, side) for space in spaces for side in edges(space.outline)]
    stacked = stacked_pairs(spaces)
    shared: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for here, there in near_pairs([side for _, side in owned]):
        (one, first), (other, second) = owned[here], owned[there]
        # Spaces above each other aren't neighbours, even where their borders coincide.
        if one.id == other.id or (one.id, other.id) in stacked:
            continue
        common = common_segment(*first, *second)
        if common:
            shared[one.id, other.id].append(common)
            shared[other.id, one.id].append(common)
    return shared


def stacked_pairs(spaces: Sequence[Shape]) -> set[tuple[str, str]]:
    """Return the pairs of an `under` space and an elevated space above it, in both orders."""
    pairs = [(low.id, high.id) for low in spaces if low.under for high in spaces if lies_above(low, high)]
    return {*pairs, *((high, low) for low, high in pairs)}
