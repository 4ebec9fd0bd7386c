"""Find the borders of a map that straight lines cross, in order: many lines at once, with NumPy.

Decisions are safe in floating point. Segments with a corner nearer than `NUDGE` are excluded, so it is always certain
on which side a corner is (an error of 1e-9 compared with a distance of 1e-3). The order of crossings is checked by
following the line from space to space; if that fails, it is computed with exact fractions. NumPy is imported only when
needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from engine.graph.arrangement import NOBODY, arrange
from engine.graph.model import Map, Point
from maker.mapping.sight_rules import KINDS, VOID, Look, possible_looks
from maker.mapping.witness import NUDGE, reflex_corners

Array = Any
"""A NumPy array. NumPy is not imported at the top, because playing works without it."""

LEAN = NUDGE * 1.01
NEAR = 0.01
"""Places along a line that are closer than this count as equal, but only in comparisons where that just adds
candidates."""
SIDES_AT_ONCE = 1_500_000
"""Number of pairs of corner and line compared at once: large enough for speed, small enough for memory."""


class Lines(NamedTuple):
    """Many straight lines: a point of each, and its direction of length 1."""

    x: Array
    y: Array
    dx: Array
    dy: Array

    def pick(self, which: Array) -> Lines:
        return Lines(*(part[which] for part in self))


class Crossings(NamedTuple):
    """The borders that lines cross, line after line and in order along each.

    `ground` and `under` are the spaces of either layer from this crossing to the next; `last` marks a line's last
    crossing, after which it is off the board. `torn` marks a crossing that does not start in the space where the
    previous one ended.
    """

    line: Array
    edge: Array
    place: Array
    ground: Array
    under: Array
    last: Array
    torn: Array

    def pick(self, which: Array) -> Crossings:
        return Crossings(*(part[which] for part in self))


class Sweep(NamedTuple):
    """Lines past two corners each, what they cross, and which crossings are not after the first or not before the
    second corner."""

    lines: Lines
    found: Crossings
    early: Array
    late: Array


class Borders:
    """A map's borders as arrays, and lines followed across them."""

    def __init__(self, surveyed: Map) -> None:
        import numpy as np

        spaces = list(surveyed.spaces.values())
        self.names = [space.id for space in spaces]
        self.looks = possible_looks(surveyed)
        self.kind = np.array([KINDS[space.kind] for space in spaces] + [VOID])
        self.dents = [reflex_corners(space.outline) for space in spaces]
        self.arrangement = arrange(spaces)
        self.corners = self.arrangement.corners
        self.x, self.y = np.array(self.corners, dtype=float).reshape(-1, 2).T
        edges = self.arrangement.edges
        self.a = np.array([edge.a for edge in edges], dtype=int)
        self.b = np.array([edge.b for edge in edges], dtype=int)
        self.ground = np.array([edge.ground for edge in edges], dtype=int).reshape(-1, 2)
        self.under = np.array([edge.under for edge in edges], dtype=int).reshape(-1, 2)

    def lines_past_corners(self, of: Sequence[Point] = ()) -> Iterator[tuple[float, Lines, Array, Array]]:
        """Yield lines past every two corners, left of the first and right of the second, some thousands at a time.

        Each batch also has the share done and the two corners of each line. If `of` is the outline of a space, lines
        that don't cross it are left out.
        """
        import numpy as np

        first, second = np.triu_indices(len(self.x), 1)
        at_once = max(SIDES_AT_ONCE // max(len(self.x), 1), 64)
        for start in range(0, len(first), at_once):
            u, v = first[start : start + at_once], second[start : start + at_once]
            dx, dy = self.x[v] - self.x[u], self.y[v] - self.y[u]
            length = np.sqrt(dx * dx + dy * dy)
            left_x, left_y = -LEAN * dy / length, LEAN * dx / length
            lines = lines_through(self.x[u] + left_x, self.y[u] + left_y, self.x[v] - left_x, self.y[v] - left_y)
            if of:
                away = np.array([lines.dx * (y - lines.y) - lines.dy * (x - lines.x) for x, y in of])
                near = np.nonzero((away.min(axis=0) < 1) & (away.max(axis=0) > -1))[0]
                lines, u, v = lines.pick(near), u[near], v[near]
            yield min(start + at_once, len(first)) / len(first), lines, u, v

    def sides(self, lines: Lines) -> tuple[Array, Array]:
        """Return for each corner (row) and line (column) the corner's distance to the left of the line, and its
        position along it."""
        off_x = self.x[:, None] - lines.x
        off_y = self.y[:, None] - lines.y
        return lines.dx * off_y - lines.dy * off_x, lines.dx * off_x + lines.dy * off_y

    def sweep(self, lines: Lines, u: Array, v: Array) -> Iterator[Sweep]:
        """Yield what the lines cross. Lines with another corner between their two are left out."""
        import numpy as np

        away, along = self.sides(lines)
        close = np.abs(away) < NUDGE
        here = np.arange(len(u))
        close[u, here] = close[v, here] = False
        in_the_way = close & (along > along[u, here]) & (along < along[v, here])
        keep = np.nonzero(~in_the_way.any(axis=0))[0]
        if not len(keep):
            return
        lines, u, v = lines.pick(keep), u[keep], v[keep]
        away, along, close = away[:, keep], along[:, keep], close[:, keep]
        crossings = self.crossed_borders(lines, away, along)
        a, b, line = self.a[crossings.edge], self.b[crossings.edge], crossings.line
        here = np.arange(len(u))
        early = (a == u[line]) | (b == u[line]) | (crossings.place <= along[u, here][line] + NEAR)
        late = (a == v[line]) | (b == v[line]) | (crossings.place >= along[v, here][line] - NEAR)
        for corner, close_line in zip(*np.nonzero(close), strict=True):
            # A third corner touches the line, before or beyond the two: no segment may extend that far.
            own, place = line == close_line, along[corner, close_line]
            if place < along[u[close_line], close_line]:
                early &= ~own | (crossings.place > place) & (a != corner) & (b != corner)
            else:
                late &= ~own | (crossings.place < place) & (a != corner) & (b != corner)
        yield Sweep(lines, crossings, early, late)

    def crossed_borders(self, lines: Lines, away: Array, along: Array) -> Crossings:
        """Return every border that the lines cross, in order."""
        import numpy as np

        # A border is crossed if its corners are on different sides of the line. The sides are certain: see the module.
        left = away > 0
        edge, line = np.nonzero(left[self.a] != left[self.b])
        a, b = self.a[edge], self.b[edge]
        at_a, at_b = away[a, line], away[b, line]
        place = along[a, line] + (along[b, line] - along[a, line]) * (at_a / (at_a - at_b))
        order = np.lexsort((place, line))
        crossings = self._entered(line[order], edge[order], place[order], (at_b > 0)[order])
        if not crossings.torn.any():
            return crossings
        # Rounding has swapped crossings that are very close together, so order them with exact fractions.
        for astray in np.unique(crossings.line[crossings.torn]):
            own = np.nonzero(crossings.line == astray)[0]
            ends = [(self.corners[self.a[edge]], self.corners[self.b[edge]]) for edge in crossings.edge[own]]
            x, y, dx, dy = (float(part[astray]) for part in lines)
            order[own] = order[own][order_along((x, y), (dx, dy), ends)]
        crossings = self._entered(line[order], edge[order], place[order], (at_b > 0)[order])
        return crossings.pick(~np.isin(crossings.line, crossings.line[crossings.torn]))

    def _entered(self, line: Array, edge: Array, place: Array, rightwards: Array) -> Crossings:
        """Return the crossings with the spaces they lead into. An edge of one layer does not change the other."""
        import numpy as np

        last = np.ones(len(line), dtype=bool)
        last[:-1] = line[1:] != line[:-1]
        torn = np.zeros(len(line), dtype=bool)
        entered = []
        for layer in (self.ground, self.under):
            # Only borders of this layer change its space. The space after a crossing must be the space before the next.
            own = np.nonzero((layer[edge] != NOBODY).any(axis=1))[0]
            ahead, behind = layer[edge[own], rightwards[own] * 1], layer[edge[own], ~rightwards[own] * 1]
            starts = np.ones(len(own) + 1, dtype=bool)
            starts[1:-1] = line[own][1:] != line[own][:-1]
            torn[own] = torn[own] | (behind != np.where(starts[:-1], NOBODY, np.roll(ahead, 1)))
            torn[own] = torn[own] | (starts[1:] & (ahead != NOBODY))
            space = np.full(len(line), NOBODY)
            if len(own):
                # Between its own borders, a layer keeps the space entered last.
                since = np.searchsorted(own, np.arange(len(line)), side="right") - 1
                space = np.where((since >= 0) & (line[own[since]] == line), ahead[since], NOBODY)
            entered.append(space)
        return Crossings(line, edge, place, entered[0], entered[1], last, torn)

    def spaces(self, crossings: Crossings, look: Look) -> Array:
        """Return for each crossing the space that the line is in after it, by this look."""
        import numpy as np

        upper = np.where(crossings.ground != NOBODY, crossings.ground, crossings.under)
        lower = np.where(crossings.under != NOBODY, crossings.under, crossings.ground)
        if look.indoors:
            return lower
        return np.where(
            np.isin(crossings.under, list(look.shown)) & (crossings.under != NOBODY), crossings.under, upper
        )


def lines_through(px: Array, py: Array, qx: Array, qy: Array) -> Lines:
    import numpy as np

    dx, dy = qx - px, qy - py
    length = np.sqrt(dx * dx + dy * dy)
    return Lines(px, py, dx / length, dy / length)


def order_along(
    start: tuple[float, float],
    way: tuple[float, float],
    segments: Sequence[tuple[tuple[float, float], tuple[float, float]]],
) -> list[int]:
    """Return the order in which a line meets the segments that it crosses, taking floats as exact fractions."""
    x, y, dx, dy = (Fraction(value) for value in (*start, *way))

    def place(number: int) -> Fraction:
        (ax, ay), (bx, by) = (tuple(Fraction(value) for value in end) for end in segments[number])
        # `at_a` and `at_b` are the ends' signed distances from the line. They have opposite signs, and interpolating
        # between them gives the crossing.
        at_a, at_b = dx * (ay - y) - dy * (ax - x), dx * (by - y) - dy * (bx - x)
        along_a, along_b = dx * ax + dy * ay, dx * bx + dy * by
        return along_a + (along_b - along_a) * at_a / (at_a - at_b)

    return sorted(range(len(segments)), key=place)
