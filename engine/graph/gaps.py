"""Find unintended bare ground between the spaces of a drawing.

A *gap* is one of these:

- bare ground that spaces enclose;
- bare ground that separates the spaces into two parts;
- a crack between spaces that opens onto the board's rim: bare ground at one side or corner of the board that is smaller
  than a tenth of each space around it, or whose opening is too narrow for a base.

The spaces need not fill the whole board: a margin, a cut corner or a bay may be intended. But if spaces fill all the
rest of the board, a bay no larger than a neighbouring space is a forgotten space, and counts as a gap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from msgspec import structs

from engine.graph.coverage import Edge, loose_corners, overlap_faults
from engine.graph.derive import connected_groups
from engine.graph.drawing import DrawnSpace
from engine.graph.fault import point_text, shortened_list
from engine.graph.model import Point
from engine.graph.plane import (
    double_area,
    edges,
    inner_point,
    on_segment,
    orientation,
    oriented,
    point_in_ring,
)
from engine.text import Text, and_list

BASE_WIDTH = 280  # The width of a miniature's base
ENCLOSED_GAP = Text("there is a gap enclosed by {spaces}, with corners {corners}. {remedy}")
AT_THE_RIM = Text("there is a gap at the rim between {spaces}, with corners {corners}. {remedy}")
REMEDY = Text("Let the outlines meet, or draw a space there (water or an obstruction, if nobody may enter).")


def gap_faults(spaces: Sequence[DrawnSpace], size: Point, vague: Set[Point] = frozenset()) -> list[Text]:
    """Return the gaps between spaces with valid rings, even if the drawing has other errors.

    `vague` are the corners of unknown outlines. Bare ground that touches one may belong to it.
    """
    ground = [space.outline for space in spaces if not space.under]
    # Edges match only if both sides have the same corners.
    drawn, spaces = spaces, _with_corners(spaces)

    def bare(chain: Sequence[Point]) -> bool:
        place = inner_point(chain)
        # `inner_point` counts in sixths of a unit, hence the 6.
        return vague.isdisjoint(chain) and not any(point_in_ring(ring, place, 6) for ring in ground)

    under = [space.outline for space in spaces if space.under]
    owner, border = _border(spaces)
    full = _meant_to_be_full(owner, size)
    faults = []
    for loop in _border_loops(border):
        # Bare ground is on the right of border edges, so a loop with a negative area surrounds bare ground. Other loops
        # surround spaces; a bay in such a loop may be a gap at the rim.
        if double_area(loop) < 0:
            if bare(loop) and not any(point_in_ring(ring, inner_point(loop), 6) for ring in under):
                faults.append(_gap_fault(loop, owner, ENCLOSED_GAP))
            continue
        missing = (bay for bay in _bays(loop, size) if _is_mistake(bay, owner, full) or _is_slit(bay, owner, size))
        missing = (bay for bay in missing if bare(bay))
        faults += [_gap_fault(bay, owner, AT_THE_RIM) for bay in missing]
    # With unknown or overlapping outlines, parts may only seem separate.
    return faults if vague or overlap_faults(drawn) else [*faults, *_separation_faults(owner)]


def _with_corners(spaces: Sequence[DrawnSpace]) -> list[DrawnSpace]:
    """Return the spaces with a corner added wherever a neighbour's corner lies on an edge."""
    lacking: dict[tuple[str, Edge], set[Point]] = defaultdict(set)
    for one, edge, _, corner in loose_corners(spaces):
        lacking[one.id, edge].add(corner)
    return [
        structs.replace(
            space,
            outline=tuple(
                point
                for edge in edges(space.outline)
                for point in (edge[0], *sorted(lacking.get((space.id, edge), ()), reverse=edge[0] > edge[1]))
            ),
        )
        for space in spaces
    ]


def _separation_faults(owner: dict[Edge, DrawnSpace]) -> Iterator[Text]:
    """Yield an error for each part of the ground that shares no edge with the rest, with the nearest two corners."""
    names = {edge: space.id for edge, space in owner.items()}
    first, *others = _pieces(owner) or [[]]
    # The largest part counts as the board, so report only the others.
    for piece in sorted([first, *others], key=len)[: len(others)]:
        inside_it = set(piece)
        here = [edge[0] for edge, name in names.items() if name in inside_it]
        there = [edge[0] for edge, name in names.items() if name not in inside_it]
        # The nearest two corners show the author where the parts should meet.
        near = min(((_apart(a, b), a, b) for a in here for b in there), default=None)
        if near is not None:
            _, a, b = near
            one, other = (
                next(name for edge, name in names.items() if edge[0] == end and (name in inside_it) == own)
                for end, own in ((a, True), (b, False))
            )
            yield Text(
                "there is a gap between {spaces} and all other spaces, for instance from {one} at {here} to {other} at "
                "{there}. {remedy}",
                spaces=shortened_list(piece),
                one=one,
                here=point_text(a),
                other=other,
                there=point_text(b),
                remedy=REMEDY,
            )


def _apart(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _pieces(owner: dict[Edge, DrawnSpace]) -> list[list[str]]:
    """Return the names of the spaces, grouped by parts that share edges, in the file's order."""
    beside: dict[str, list[str]] = {space.id: [] for space in owner.values()}
    for (a, b), space in owner.items():
        if (b, a) in owner:
            beside[space.id].append(owner[b, a].id)
    return connected_groups(beside)


def _meant_to_be_full(owner: dict[Edge, DrawnSpace], size: Point) -> bool:
    """Return whether the spaces cover at least 95 % of the board. Bare ground at its rim is then a forgotten space."""
    # Areas are doubled, and 19/20 is 95 %, all in integers.
    covered = sum(abs(double_area(space.outline)) for space in {space.id: space for space in owner.values()}.values())
    return covered * 20 >= 19 * 2 * size[0] * size[1]


def _border(spaces: Sequence[DrawnSpace]) -> tuple[dict[Edge, DrawnSpace], list[Edge]]:
    """Return the owner of each edge of the ground, and the edges with bare ground on their right."""
    owner = {edge: space for space in spaces if not space.under for edge in edges(oriented(space.outline))}
    return owner, [edge for edge in owner if (edge[1], edge[0]) not in owner]


def on_border(spaces: Sequence[DrawnSpace], point: Point) -> bool:
    """Return whether a point lies on the outer edge of the ground that the spaces cover."""
    return any(on_segment(*edge, point) for edge in _border(spaces)[1])


def _is_mistake(bay: list[Point], owner: dict[Edge, DrawnSpace], full: bool) -> bool:
    """Return whether a bay is a mistake, judged by its area.

    A bay is a mistake if it is smaller than a tenth of every space around it. With `full`, it is also one if it is no
    larger than one of those spaces.
    """
    around = [abs(double_area(owner[edge].outline)) for edge in pairwise(bay) if edge in owner]
    area = -double_area(bay)
    return area * 10 < min(around) or (full and area <= max(around))


def _is_slit(bay: list[Point], owner: dict[Edge, DrawnSpace], size: Point) -> bool:
    """Return whether a bay is a slit: it opens to one side of the board, and is too narrow for a base."""
    ends_at_a_space = (bay[-2], bay[-1]) in owner  # an opening at a corner of the board counts as no slit
    one_side = _sides(bay[0], size) & _sides(bay[-1], size)
    return ends_at_a_space and bool(one_side) and _apart(bay[0], bay[-1]) < BASE_WIDTH**2


def _gap_fault(chain: Sequence[Point], owner: dict[Edge, DrawnSpace], sentence: Text) -> Text:
    names = list(dict.fromkeys(owner[edge].id for edge in edges(chain) if edge in owner))
    corners = and_list([point_text(point) for point in chain[:4]])
    if len(chain) > 4:
        corners = Text("{corners} …", corners=corners)
    return sentence.with_(spaces=and_list(names), corners=corners, remedy=REMEDY)


def _border_loops(border: list[Edge]) -> Iterator[list[Point]]:
    """Connect the border edges to closed loops, each around one area of bare ground (on its right)."""
    onwards: dict[Point, list[Point]] = defaultdict(list)
    for a, b in border:
        onwards[a].append(b)
    # Use a dict instead of a set, so that loops and errors always have the same order.
    left = dict.fromkeys(border)
    while left:
        edge = next(iter(left))
        loop = []
        while edge in left:
            del left[edge]
            loop.append(edge[0])
            # Where two areas of bare ground meet at a corner, continue around the same one.
            if onwards[edge[1]]:
                edge = (edge[1], _leftmost(edge[1], edge[0], onwards[edge[1]]))
        yield loop


def _leftmost(here: Point, before: Point, choices: list[Point]) -> Point:
    """Return the choice that is reached first when turning from the way back through the bare ground."""
    best = choices[0]
    for other in choices[1:]:
        if _sooner(here, before, other, best):
            best = other
    return best


def _sooner(here: Point, back: Point, one: Point, other: Point) -> bool:
    first, second = _half_turn(here, back, one), _half_turn(here, back, other)
    return first < second or (first == second and orientation(here, one, other) > 0)


def _half_turn(here: Point, back: Point, there: Point) -> int:
    """Return 0 for a turn of less than half a circle from the way back, else 1. Return 2 for the way back itself."""
    side = orientation(here, back, there)
    # A choice straight on or straight back has no side.
    if side == 0:
        same = (back[0] - here[0]) * (there[0] - here[0]) + (back[1] - here[1]) * (there[1] - here[1]) > 0
        return 2 if same else 1
    return 0 if side > 0 else 1


def _bays(loop: list[Point], size: Point) -> Iterator[list[Point]]:
    """Yield the parts of a loop that enclose bare ground with a side or corner of the board, closed along the rim."""
    sides = [_sides(point, size) for point in loop]
    touching = [i for i, where in enumerate(sides) if where]
    for here, there in zip(touching, [*touching[1:], *touching[:1]], strict=True):
        chain = loop[here : there + 1] if here < there else loop[here:] + loop[: there + 1]
        # Bare ground between two sides of the board includes the corner between them.
        closed = chain if sides[here] & sides[there] else chain + _corner(sides[here], sides[there])
        # Bare ground lies on the right, so a part that encloses some has a negative area.
        if len(chain) > 2 and double_area(closed) < 0:
            yield closed


def _sides(point: Point, size: Point) -> set[tuple[int, int]]:
    """Return the sides of the board that a point lies on, each as (axis, coordinate)."""
    return {(axis, rim) for axis in (0, 1) for rim in (0, size[axis]) if point[axis] == rim}


def _corner(one: set[tuple[int, int]], other: set[tuple[int, int]]) -> list[Point]:
    """Return the corner of the board between two of its sides, if they meet."""
    where = dict(one | other)
    return [(where[0], where[1])] if len(one) == len(other) == 1 and len(where) == 2 else []
