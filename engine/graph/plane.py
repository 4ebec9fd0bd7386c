"""Exact geometry of points, segments and rings with integer coordinates.

This module knows no spaces. All decisions use integers or fractions, never floating point.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from engine.graph.model import Point

Ring = Sequence[Point]


def orientation(a: Point, b: Point, c: Point) -> int:
    """Return twice the signed area of the triangle. The sign shows on which side of a -> b the point c lies."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def edges(ring: Ring) -> list[tuple[Point, Point]]:
    """Return the edges of a ring, including the one from the last corner to the first."""
    return [*pairwise(ring), (ring[-1], ring[0])]


def double_area(ring: Ring) -> int:
    """Return twice the signed area of the ring."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in edges(ring))


def oriented(ring: Ring) -> tuple[Point, ...]:
    """Return the ring, reversed if its signed area is negative."""
    return tuple(ring) if double_area(ring) >= 0 else tuple(reversed(ring))


def on_segment(a: Point, b: Point, c: Point) -> bool:
    """Return whether c lies on the segment a-b, ends included."""
    return orientation(a, b, c) == 0 and _within(a[0], b[0], c[0]) and _within(a[1], b[1], c[1])


def strictly_on_segment(a: Point, b: Point, c: Point) -> bool:
    """Return whether c lies on the segment a-b but at neither end."""
    return c not in (a, b) and on_segment(a, b, c)


def _within(first: int, last: int, value: int) -> bool:
    return min(first, last) <= value <= max(first, last)


def segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether a-b and c-d cross at a point that is not an end of either."""
    first, second = orientation(a, b, c), orientation(a, b, d)
    third, fourth = orientation(c, d, a), orientation(c, d, b)
    return (first < 0 < second or second < 0 < first) and (third < 0 < fourth or fourth < 0 < third)


def crossing_point(a: Point, b: Point, c: Point, d: Point) -> tuple[Fraction, Fraction]:
    """Return where the lines of two crossing segments meet."""
    first, second = orientation(c, d, a), orientation(c, d, b)
    # `orientation` is proportional to the distance from c-d, and the two ends lie on opposite sides.
    share = Fraction(first, first - second)
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))


def common_segment(a: Point, b: Point, c: Point, d: Point) -> tuple[Point, Point] | None:
    """Return the common part of two segments on one line, or None if it has no length."""
    if orientation(a, b, c) or orientation(a, b, d):
        return None
    first, last = max(min(a, b), min(c, d)), min(max(a, b), max(c, d))
    return (first, last) if first < last else None


def point_in_ring(ring: Ring, point: Point, scale: int = 1) -> bool:
    """Return whether a point, given in 1/scale units, lies strictly inside the ring."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in edges(ring):
        ax, ay, bx, by = ax * scale, ay * scale, bx * scale, by * scale
        side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if side == 0 and _within(ax, bx, x) and _within(ay, by, y):
            return False
        # Even-odd rule: count the edges that cross the ray from the point to the right. The half-open test counts a
        # corner once.
        if (ay > y) != (by > y) and (side > 0) == (by > ay):
            odd = not odd
    return odd


def inner_point(ring: Ring) -> Point:
    """Return a point strictly inside a simple ring, in sixths of a unit."""
    # The leftmost corner is convex. If no other corner lies in the triangle with its neighbours, the triangle's
    # centroid is inside. Otherwise the corner farthest from the opposite side can be reached without crossing an edge,
    # and the midpoint to it is inside.
    here = min(range(len(ring)), key=ring.__getitem__)
    before, corner, after = ring[here - 1], ring[here], ring[(here + 1) % len(ring)]
    reach = orientation(before, corner, after)
    deepest, depth = None, 0
    for point in ring:
        sides = (
            orientation(before, corner, point),
            orientation(corner, after, point),
            orientation(after, before, point),
        )
        if point in (before, corner, after) or any(side * reach < 0 for side in sides):
            continue
        if abs(sides[2]) > depth:
            deepest, depth = point, abs(sides[2])
    if deepest is not None:
        return (3 * (corner[0] + deepest[0]), 3 * (corner[1] + deepest[1]))
    return (2 * (before[0] + corner[0] + after[0]), 2 * (before[1] + corner[1] + after[1]))


def clearance_squared(ring: Ring, point: Point) -> Fraction:
    """Return the squared distance from a point to the ring's nearest edge."""
    return min(distance_squared(a, b, point) for a, b in edges(ring))


def distance_squared(a: Point, b: Point, c: Point) -> Fraction:
    """Return the squared distance from c to the segment a-b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    along = (c[0] - a[0]) * dx + (c[1] - a[1]) * dy
    if along <= 0 or length == 0:
        return Fraction((c[0] - a[0]) ** 2 + (c[1] - a[1]) ** 2)
    if along >= length:
        return Fraction((c[0] - b[0]) ** 2 + (c[1] - b[1]) ** 2)
    # The height of a triangle: twice its area divided by its base, both squared.
    return Fraction(orientation(a, b, c) ** 2, length)


def boxes_meet(first: tuple[int, int, int, int], second: tuple[int, int, int, int]) -> bool:
    """Return whether two boxes (left, top, right, bottom) touch or overlap."""
    return first[0] <= second[2] and second[0] <= first[2] and first[1] <= second[3] and second[1] <= first[3]


def box(ring: Ring) -> tuple[int, int, int, int]:
    """Return the ring's bounding box: left, top, right, bottom."""
    across, down = [x for x, _ in ring], [y for _, y in ring]
    return (min(across), min(down), max(across), max(down))
