"""Lines between neighbours that don't touch, so that a board shows every step that its drawing lists.

Only a drawing with a list of neighbours has such pairs. A game that draws its steps itself hides these lines with the
rule ` .link{display:none}` of its overlay.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile
from math import dist

from engine.graph.coverage import shared_edges
from engine.graph.model import Map, Space
from engine.graph.palette import BASE_RADIUS

Place = tuple[float, float]

STEP = 10  # Distance between two points of a curve, in map units
EVERY = 8  # So many steps lie between two points of a drawn line
BENDS = (0, 200, -200, 300, -300, 450, -450, 600, -600)
"""How far the middle of a line may be from the straight one, in map units; the preferred ones first."""


def links(drawn: Map) -> Iterator[list[Place]]:
    """Yield a line for each pair of neighbours without a common edge, from ring to ring.

    A line bends around the rings of other spaces: a straight one across them would look like several steps.
    """
    order = list(drawn.spaces)
    touching = shared_edges([*drawn.spaces.values()])
    for number, one in enumerate(order):
        for other in order[number + 1 :]:
            if other in drawn.adjacent[one] and (one, other) not in touching:
                yield _line(drawn, drawn.spaces[one], drawn.spaces[other])


def _line(drawn: Map, one: Space, other: Space) -> list[Place]:
    spots = [space.spot for space in drawn.spaces.values() if space not in (one, other)]
    curves = [_curve(one.spot, other.spot, bend) for bend in BENDS]
    curve = next((curve for curve in curves if _is_clear(curve, spots, drawn.size)), curves[0])
    # Cut off what lies in the two rings.
    forwards = [*dropwhile(lambda place: dist(place, one.spot) < BASE_RADIUS, curve)]
    line = [*dropwhile(lambda place: dist(place, other.spot) < BASE_RADIUS, reversed(forwards))]
    return [*line[:-1:EVERY], *line[-1:]]


def _curve(start: Place, end: Place, bend: float) -> list[Place]:
    """Return points of a quadratic curve whose middle is `bend` to the side of the straight line."""
    length = dist(start, end) or 1.0
    across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    # The control point is twice as far away as the middle of the curve.
    x, y = ((start[0] + end[0]) / 2 - 2 * bend * down, (start[1] + end[1]) / 2 + 2 * bend * across)
    steps = max(2, round(length / STEP))
    return [
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * x + t * t * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * y + t * t * end[1],
        )
        for t in (step / steps for step in range(steps + 1))
    ]


def _is_clear(curve: list[Place], spots: list[tuple[int, int]], size: tuple[int, int]) -> bool:
    """Return whether a curve lies on the board, and in the ring of no space."""
    inside = all(0 < x < size[0] and 0 < y < size[1] for x, y in curve)
    return inside and all(dist(place, spot) > BASE_RADIUS for place in curve for spot in spots)
