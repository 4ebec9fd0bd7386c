"""Choose among the lines that cross the same borders: the middle one, as far as possible from every corner.

A *family* is all lines that cross the same borders in the same order. Its middle is the line that separates the
corners on the left from those on the right with the widest margin: halfway between the nearest points of their hulls.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from msgspec import Struct

from engine.graph.model import Point
from engine.graph.plane import Ring, orientation, oriented

Place = tuple[float, float]
Line = tuple[Place, Place]

NUDGE = 0.001
"""A line counts if it crosses the same spaces when its ends move by this much, in units."""
SPREAD = 400.0
"""Weight of the margin against length: the cost of a line is its length plus SPREAD / margin."""


class Family(Struct, frozen=True):
    """All lines from one space to another across the same borders.

    `crossed` has the numbers of the borders, `borders` their corners (left, right). `lefts` and `rights` are the
    corners that must stay on either side, including those of the borders. `own` is a line of the family, and `through`
    the spaces in between, repeated if the line returns to one.
    """

    crossed: tuple[int, ...]
    borders: tuple[Line, ...]
    lefts: tuple[Place, ...]
    rights: tuple[Place, ...]
    own: Line
    through: tuple[int, ...]

    def backwards(self) -> Family:
        """Return the same lines seen from the other end."""
        turned = tuple((right, left) for left, right in reversed(self.borders))
        own = (self.own[1], self.own[0])
        return Family(self.crossed[::-1], turned, self.rights, self.lefts, own, self.through[::-1])


def family_along(
    way: tuple[Place, Place],
    span: tuple[float, float],
    crossed: tuple[int, ...],
    borders: Sequence[Line],
    dents: Sequence[Place],
    through: tuple[int, ...],
) -> Family:
    """Return the family of a line, given as its `way` (a point, a unit direction) and the `span` between two places.

    `dents` are the concave corners of the crossed spaces, which must also stay on the same side of the line.
    """
    (x, y), (dx, dy) = way
    lefts, rights = [left for left, _ in borders], [right for _, right in borders]
    for cx, cy in dents:
        if span[0] < dx * (cx - x) + dy * (cy - y) < span[1]:
            (lefts if dx * (cy - y) > dy * (cx - x) else rights).append((cx, cy))
    own = ((x + span[0] * dx, y + span[0] * dy), (x + span[1] * dx, y + span[1] * dy))
    return Family(crossed, tuple(borders), tuple(lefts), tuple(rights), own, through)


class Middle(Struct, frozen=True, order=True):
    """A family's middle line with its cost; ordered by cost."""

    cost: float
    line: Line
    margin: float


def middle_line(family: Family) -> Middle:
    """Return the middle line of a family, from the first border to the last."""
    if len(family.borders) == 1:
        (ax, ay), (bx, by) = family.borders[0]
        centre, margin = ((ax + bx) / 2, (ay + by) / 2), hypot(bx - ax, by - ay) / 2
        return Middle(SPREAD / margin, (centre, centre), margin)
    (lx, ly), (rx, ry) = nearest_points(convex_hull(family.lefts), convex_hull(family.rights))
    across = (rx - lx, ry - ly)
    margin = hypot(*across) / 2
    centre = ((lx + rx) / 2, (ly + ry) / 2)
    start, end = (_on_border(border, centre, across) for border in (family.borders[0], family.borders[-1]))
    return Middle(hypot(end[0] - start[0], end[1] - start[1]) + SPREAD / margin, (start, end), margin)


def best_family(families: Sequence[Family]) -> tuple[Middle, Family]:
    """Return the family with the cheapest middle line: short, and far from corners."""
    return min(((middle_line(family), family) for family in families), key=lambda pair: pair[0])


def _on_border(border: Line, centre: Place, across: Place) -> Place:
    """Return where a border meets the line through `centre` perpendicular to `across`."""
    (lx, ly), (rx, ry) = border
    left = (lx - centre[0]) * across[0] + (ly - centre[1]) * across[1]
    right = (rx - centre[0]) * across[0] + (ry - centre[1]) * across[1]
    # Both are signed distances from the line; the crossing is where the interpolated distance is zero.
    share = left / (left - right)
    return (lx + share * (rx - lx), ly + share * (ry - ly))


def convex_hull(points: Sequence[Place]) -> list[Place]:
    """Return the corners of the convex hull of the points, in order."""
    order = sorted(set(points))
    if len(order) < 3:
        return order
    return _chain(order)[:-1] + _chain(order[::-1])[:-1]


# Half of a hull by the monotone chain of Andrew (1979): only left turns stay.
def _chain(order: Sequence[Place]) -> list[Place]:
    chain: list[Place] = []
    for point in order:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Place, b: Place, c: Place) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def nearest_points(one: Sequence[Place], other: Sequence[Place]) -> Line:
    """Return the two nearest points of two separate convex shapes, the first shape's first."""
    # The shortest connection starts at a corner of one of the two shapes.
    forth = min(_from_corners(one, other), key=lambda pair: pair[0])
    back = min(_from_corners(other, one), key=lambda pair: pair[0])
    return (forth[1], forth[2]) if forth[0] <= back[0] else (back[2], back[1])


def _from_corners(corners: Sequence[Place], shape: Sequence[Place]) -> list[tuple[float, Place, Place]]:
    sides = list(zip(shape, (*shape[1:], shape[0]), strict=True))
    connections = []
    for corner in corners:
        for a, b in sides:
            foot = _foot(corner, a, b)
            connections.append(((foot[0] - corner[0]) ** 2 + (foot[1] - corner[1]) ** 2, corner, foot))
    return connections


def _foot(point: Place, a: Place, b: Place) -> Place:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    if length == 0:
        return a
    share = min(1.0, max(0.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / length))
    return (a[0] + share * dx, a[1] + share * dy)


def reflex_corners(ring: Ring) -> list[Point]:
    """Return the concave corners of a simple ring."""
    turned = oriented(ring)
    return [
        b
        for a, b, c in zip(turned, (*turned[1:], turned[0]), (*turned[2:], *turned[:2]), strict=True)
        if orientation(a, b, c) < 0
    ]
