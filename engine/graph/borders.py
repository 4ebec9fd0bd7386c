"""Lines of a map: along edges (paths, walls, shores, brinks, sector bands), and between neighbours that don't touch.

Only a drawing with a list of neighbours has neighbours that don't touch. A game that draws the steps between spaces
itself hides the lines with the rule ` .link{display:none}` in its overlay.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import dropwhile
from math import dist, hypot

from engine.graph.arrangement import NOBODY, Arrangement
from engine.graph.coverage import shared_edges
from engine.graph.model import Map, Space
from engine.graph.palette import BASE_RADIUS

Place = tuple[float, float]
Stroke = tuple[Place, Place]

BAND_OFFSET = 27.0  # Distance of a border band's centre from the sector's border, in map units


def strokes_by_kind(spaces: Sequence[Space], arrangement: Arrangement) -> dict[str, list[Stroke]]:
    """Return the edges of the ground, grouped by the kind of line along them."""
    strokes: dict[str, list[Stroke]] = defaultdict(list)
    for edge in arrangement.edges:
        one, other = (None if number == NOBODY else spaces[number] for number in edge.ground)
        if one or other:
            strokes[_line_kind(one, other)].append((arrangement.corners[edge.a], arrangement.corners[edge.b]))
    return strokes


def _line_kind(one: Space | None, other: Space | None) -> str:
    """Return the kind of line between two spaces, or between a space and the bare table."""
    if one is None or other is None:
        lone = one or other
        return "wall" if lone and lone.kind == "enclosed" else "rim"
    kinds = {one.kind, other.kind}
    # The first of these kinds that matters for one of the spaces decides: it gives one line if both spaces have it, and
    # another if only one has.
    for kind, between_two, at_the_edge in (
        ("elevated", "rail", "brink"),
        ("enclosed", "partition" if one.area == other.area else "wall", "wall"),
        ("obstruction", "cliff", "cliff"),
        ("water", "ripple", "shore"),
    ):
        if kind in kinds:
            return between_two if len(kinds) == 1 else at_the_edge
    return "trench" if one.sector != other.sector else "path"


def sector_border_lines(spaces: Sequence[Space], arrangement: Arrangement) -> dict[str, list[list[Place]]]:
    """Return the lines just inside each sector's borders with other sectors (MP-MAP-03, MP-MAP-04)."""
    borders: dict[str, dict[Place, Place]] = defaultdict(dict)
    for edge in arrangement.edges:
        if NOBODY in edge.ground:
            continue
        left, right = (spaces[number].sector for number in edge.ground)
        a, b = arrangement.corners[edge.a], arrangement.corners[edge.b]
        # `onwards` maps each corner to the next along the border, with the sector on its left.
        if left and right and left != right:
            borders[left][a] = b
            borders[right][b] = a
    return {sector: [_inset(chain) for chain in _chains(onwards)] for sector, onwards in borders.items()}


def _chains(onwards: dict[Place, Place]) -> Iterable[list[Place]]:
    """Connect edges into chains: first those with a start that no edge leads to, then closed rings."""
    left = dict(onwards)
    heads = [a for a in onwards if a not in set(onwards.values())]
    while left:
        here = heads.pop() if heads else next(iter(left))
        chain = [here]
        while here in left:
            here = left.pop(here)
            chain.append(here)
        yield chain


def _inset(chain: Sequence[Place]) -> list[Place]:
    """Return the chain shifted to its left by BAND."""
    closed = chain[0] == chain[-1]
    shifted = []
    for i, here in enumerate(chain):
        before = chain[i - 1] if i > 0 else (chain[-2] if closed else None)
        after = chain[i + 1] if i + 1 < len(chain) else (chain[1] if closed else None)
        shifted.append(_shifted_corner(before, here, after))
    return shifted


def _shifted_corner(before: Place | None, here: Place, after: Place | None) -> Place:
    ways = [_left(a, b) for a, b in ((before, here), (here, after)) if a and b]
    x, y = sum(way[0] for way in ways), sum(way[1] for way in ways)
    # Add the unit normals and scale the sum, so that both edges are shifted by the same distance. A sharp corner is cut
    # short.
    reach = BAND_OFFSET * len(ways) / max(x * x + y * y, 0.6)
    return (here[0] + x * reach, here[1] + y * reach)


def _left(a: Place, b: Place) -> Place:
    length = hypot(b[0] - a[0], b[1] - a[1])
    return (-(b[1] - a[1]) / length, (b[0] - a[0]) / length)


CURVE_STEP = 10  # Distance between two points of a curve, in map units
STEPS_BETWEEN_POINTS = 8  # So many steps lie between two points of a drawn line
BENDS = (0, 200, -200, 300, -300, 450, -450, 600, -600)
"""How far the middle of a line may be from the straight one, in map units; in order of preference."""


def links(board: Map) -> list[list[Place]]:
    """Return a line for each pair of neighbours without a common edge, from ring to ring.

    A line bends around the rings of other spaces: a straight one across them would look like several steps.
    """
    order = list(board.spaces)
    touching = shared_edges([*board.spaces.values()])
    return [
        _line(board, board.spaces[name], board.spaces[other])
        for number, name in enumerate(order)
        for other in order[number + 1 :]
        if other in board.adjacent[name] and (name, other) not in touching
    ]


def _line(board: Map, one: Space, other: Space) -> list[Place]:
    spots = [space.spot for space in board.spaces.values() if space not in (one, other)]
    curves = [_curve(one.spot, other.spot, bend) for bend in BENDS]
    curve = next((curve for curve in curves if _is_clear(curve, spots, board.size)), curves[0])
    # Cut off the parts inside the two rings.
    forwards = [*dropwhile(lambda place: dist(place, one.spot) < BASE_RADIUS, curve)]
    line = [*dropwhile(lambda place: dist(place, other.spot) < BASE_RADIUS, reversed(forwards))]
    return [*line[:-1:STEPS_BETWEEN_POINTS], *line[-1:]]


def _curve(start: Place, end: Place, bend: float) -> list[Place]:
    """Return points of a quadratic curve whose middle is `bend` to the side of the straight line."""
    length = dist(start, end) or 1.0
    across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    # The control point is twice as far away as the middle of the curve.
    x, y = ((start[0] + end[0]) / 2 - 2 * bend * down, (start[1] + end[1]) / 2 + 2 * bend * across)
    steps = max(2, round(length / CURVE_STEP))
    return [
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * x + t * t * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * y + t * t * end[1],
        )
        for t in (step / steps for step in range(steps + 1))
    ]


def _is_clear(curve: list[Place], spots: list[tuple[int, int]], size: tuple[int, int]) -> bool:
    """Return whether a curve lies on the board and outside the ring of every space."""
    inside = all(0 < x < size[0] and 0 < y < size[1] for x, y in curve)
    return inside and all(dist(place, spot) > BASE_RADIUS for place in curve for spot in spots)
