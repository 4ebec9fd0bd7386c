"""Find where a miniature stands in a space if the drawing doesn't say: the point deepest inside.

The search uses floating point (it has a bound and cannot loop). The result is rounded to integers and then improved by
exact comparison. If many points are equally deep, for example in a corridor, the one nearest to the middle is used.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from math import ceil, hypot, sqrt

from engine.graph.model import Point
from engine.graph.plane import Ring, box, clearance_squared, double_area, edges, point_in_ring

MIDDLE_WEIGHT = 1 / 1024
"""How much depth to trade for nearness to the middle. It decides ties but doesn't move a clear result."""
PRECISION = 1.0  # Stop the search if a better point can gain at most this many units


@lru_cache(maxsize=1024)
def deepest_point(ring: tuple[Point, ...]) -> Point:
    """Return the integer point deepest inside a simple ring, or a corner if the ring is too thin to contain any."""
    middle = _centroid(ring)
    left, top, right, bottom = box(ring)
    # Square cells as wide as the shorter side, but at most 32 along the longer one.
    size = max(min(right - left, bottom - top), max(right - left, bottom - top) / 32)
    best = (_score(ring, middle, middle), middle)
    queue: list[tuple[float, int, float, float, float]] = []
    ticket = count()

    def offer(x: float, y: float, half: float) -> None:
        nonlocal best
        score = _score(ring, (x, y), middle)
        if score > best[0]:
            best = (score, (x, y))
        # A point in this cell is at most half a diagonal from its centre, which bounds the score there.
        bound = score + half * sqrt(2) * (1 + MIDDLE_WEIGHT)
        if bound > best[0] + PRECISION:
            # The heap returns the smallest first, hence the minus. The ticket decides ties.
            heappush(queue, (-bound, next(ticket), x, y, half))

    for i in range(ceil((right - left) / size)):
        for j in range(ceil((bottom - top) / size)):
            offer(left + size * (i + 0.5), top + size * (j + 0.5), size / 2)
    while queue and -queue[0][0] > best[0] + PRECISION:
        _, _, x, y, half = heappop(queue)
        for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            offer(x + dx * half / 2, y + dy * half / 2, half / 2)
    return _best_integer_point(ring, best[1])


def _best_integer_point(ring: Ring, point: tuple[float, float]) -> Point:
    """Return the deepest of the integer points around the one found."""
    x, y = round(point[0]), round(point[1])
    near = [(x, y), *((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)]
    within = [candidate for candidate in near if point_in_ring(ring, candidate)]
    if not within:
        return ring[0]
    return max(within, key=lambda candidate: clearance_squared(ring, candidate))


def _score(ring: Ring, point: tuple[float, float], middle: tuple[float, float]) -> float:
    return _depth(ring, point) - MIDDLE_WEIGHT * hypot(point[0] - middle[0], point[1] - middle[1])


def _depth(ring: Ring, point: tuple[float, float]) -> float:
    """Return the distance to the outline, negative outside."""
    x, y = point
    odd, nearest = False, float("inf")
    ax, ay = ring[-1]
    for bx, by in ring:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
        dx, dy, ex, ey = bx - ax, by - ay, x - ax, y - ay
        along = (ex * dx + ey * dy) / (dx * dx + dy * dy)
        # Use the nearest point of the edge: its end, its start, or the foot of the perpendicular.
        if along >= 1:
            ex, ey = x - bx, y - by
        elif along > 0:
            ex, ey = ex - along * dx, ey - along * dy
        apart = ex * ex + ey * ey
        if apart < nearest:
            nearest = apart
        ax, ay = bx, by
    return sqrt(nearest) if odd else -sqrt(nearest)


def _centroid(ring: Ring) -> tuple[float, float]:
    area = double_area(ring)
    if area == 0:
        return (float(ring[0][0]), float(ring[0][1]))
    terms = [(a, b, a[0] * b[1] - a[1] * b[0]) for a, b in edges(ring)]
    return (
        sum((a[0] + b[0]) * term for a, b, term in terms) / (3 * area),
        sum((a[1] + b[1]) * term for a, b, term in terms) / (3 * area),
    )
