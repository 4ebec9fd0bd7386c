"""Explain why one space does not see another: the line with the fewest obstacles, and these obstacles.

It tries the same lines as `sight.py`, past every two corners between the spaces, but only for two spaces and without
NumPy. `looks.py` says which spaces may lie between which two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import hypot
from typing import NamedTuple

from msgspec import Struct

from engine.graph.arrangement import NOBODY, arrange
from engine.graph.model import Map
from engine.text import Text, or_list
from maker.mapping.looks import CLEAR, ELEVATED, ENCLOSED, KINDS, Look, looks_between
from maker.mapping.witness import NUDGE, Family, Line, Place, convex_hull, family_along, middle_line, reflex_corners

# A little more than a nudge, so that rounding cannot make a line lean too close.
LEAN = NUDGE * 1.01
LAWS = {
    frozenset({ENCLOSED}): (Text("only enclosed spaces"), "MP-LOS-06"),
    frozenset({CLEAR}): (Text("only open ground and water"), "MP-LOS-01"),
    frozenset({CLEAR, ENCLOSED, ELEVATED}): (Text("no obstruction"), "MP-LOS-04"),
}
"""The spaces that a look allows in between, in words, and the rule."""


class Blame(Struct, frozen=True):
    """Why there is no sight. `why` is a sentence with the rule it rests on.

    `line` is the best line, `through` the spaces it crosses in order, `blockers` those of them that block it.
    A space and the one over it have no line. Two that touch but need a space in between have no blockers.
    """

    line: Line | None
    through: tuple[str, ...]
    blockers: tuple[str, ...]
    why: Text


def find_blame(drawn: Map, a: str, b: str) -> Blame:
    """Return why `a` does not see `b`. Raises `KeyError` for an unknown space."""
    one, other = _number(drawn, a), _number(drawn, b)
    ways = looks_between(drawn, one, other)
    if not ways:
        return Blame(None, (), (), Text("A space and the one over it never see each other (MP-LOS-12)."))
    board = _Board(drawn)
    best = min(board.tries(one, other, ways), key=lambda found: found.cost, default=None)
    if best is None:
        return Blame(None, (), (), Text("No straight line leads from the one to the other."))
    crossed = dict.fromkeys(best.through[::-1] if best.turned else best.through)
    through = tuple(board.names[space] for space in crossed)
    blockers = tuple(board.names[space] for space in crossed if board.blocks(space, best.look))
    return Blame(board.middle(best), through, blockers, _allowed_between(ways) if blockers else _too_near(drawn, a, b))


def _number(drawn: Map, name: str) -> int:
    return list(drawn.spaces).index(drawn.spaces[name].id)


def _allowed_between(ways: Sequence[Look]) -> Text:
    """Return which spaces may lie between two spaces. A last resort allows everything the other ways do."""
    resort = [look for look in ways if look.resort]
    laws = [LAWS[look.through] for look in resort or ways]
    rules = ", ".join(rule for _, rule in laws)
    return Text("{allowed} may lie between these two ({rules}).", allowed=or_list(law for law, _ in laws), rules=rules)


def _too_near(drawn: Map, a: str, b: str) -> Text:
    room, walkway = (a, b) if drawn.spaces[a].kind == "enclosed" else (b, a)
    return Text(
        "Between the room {room} and the walkway {walkway} there must be open ground or water, or a ladder "
        "from the one to the other (MP-LOS-11).",
        room=room,
        walkway=walkway,
    )


# Lines


class _Way(NamedTuple):
    """A straight line: a point of it, and its direction of length 1."""

    x: float
    y: float
    dx: float
    dy: float

    def left(self, corner: Place) -> float:
        """Return how far to the left of the line a corner lies."""
        return self.dx * (corner[1] - self.y) - self.dy * (corner[0] - self.x)

    def along(self, corner: Place) -> float:
        """Return how far along the line a corner lies."""
        return self.dx * (corner[0] - self.x) + self.dy * (corner[1] - self.y)


class _Step(NamedTuple):
    """The crossing of one border: where along the line, which, and the spaces of either layer from here on."""

    place: float
    edge: int
    ground: int
    under: int


class _Attempt(NamedTuple):
    """A candidate line between the two spaces, and its cost. If `turned`, it runs from the second to the first.

    `through` lists the spaces it crosses, again if it returns to one.
    """

    cost: tuple[int, int, float]
    look: Look
    way: _Way
    steps: tuple[_Step, ...]
    through: tuple[int, ...]
    turned: bool


class _Board:
    """A map's borders, and lines followed across them."""

    def __init__(self, drawn: Map) -> None:
        self.spaces = list(drawn.spaces.values())
        self.names = list(drawn.spaces)
        arrangement = arrange(self.spaces)
        self.corners, self.edges = arrangement.corners, arrangement.edges

    def blocks(self, space: int, look: Look) -> bool:
        """Return whether a space blocks every line of this look."""
        return KINDS[self.spaces[space].kind] not in look.through

    def tries(self, one: int, other: int, ways: Sequence[Look]) -> Iterator[_Attempt]:
        """Yield every line from one space to the other, for every look that the two can use."""
        for way in self._leaning_lines(one, other):
            steps = self.follow(way)
            for look in ways:
                seen = [_space_after(step, look) for step in steps]
                for leave, enter in _stretches(seen, one, other):
                    stretch = steps[leave : enter + 1]
                    if self._keeps_clear(way, stretch[0].place, stretch[-1].place):
                        through = tuple(space for space in seen[leave:enter] if space != NOBODY)
                        yield self._attempt(look, way, stretch, through, seen[enter] == one)

    def _attempt(
        self, look: Look, way: _Way, steps: Sequence[_Step], through: tuple[int, ...], turned: bool
    ) -> _Attempt:
        crossed = set(through)
        blocked = sum(self.blocks(space, look) for space in crossed)
        length = steps[-1].place - steps[0].place
        # A line without blockers crosses too few spaces, which also costs one.
        return _Attempt((max(blocked, 1), len(crossed), length), look, way, tuple(steps), through, turned)

    def _leaning_lines(self, one: int, other: int) -> Iterator[_Way]:
        """Yield lines through both spaces, left of one corner between them and right of another."""
        rings = self.spaces[one].outline, self.spaces[other].outline
        # Any line from one ring to the other stays in the hull of both, so only corners in it matter.
        around = convex_hull([(float(x), float(y)) for ring in rings for x, y in ring])
        near = [corner for corner in self.corners if _is_in_convex(around, corner)]
        for (ux, uy), (vx, vy) in combinations(near, 2):
            length = hypot(vx - ux, vy - uy)
            # The direction turned by 90 degrees, LEAN long: one corner is passed on either side.
            aside_x, aside_y = -LEAN * (vy - uy) / length, LEAN * (vx - ux) / length
            way = _way((ux + aside_x, uy + aside_y), (vx - aside_x, vy - aside_y))
            # A line that misses one of the two spaces cannot join them.
            if all(_is_split_by(way, ring) for ring in rings):
                yield way

    def follow(self, way: _Way) -> list[_Step]:
        """Return every border that a line crosses, in order; nothing if rounding has mixed up the order."""
        x, y, dx, dy = way
        away = [dx * (cy - y) - dy * (cx - x) for cx, cy in self.corners]
        crossed = [(number, edge) for number, edge in enumerate(self.edges) if (away[edge.a] > 0) != (away[edge.b] > 0)]
        order = []
        for number, edge in crossed:
            at_a, at_b = away[edge.a], away[edge.b]
            along_a, along_b = way.along(self.corners[edge.a]), way.along(self.corners[edge.b])
            # The crossing divides the border as its ends' distances from the line do.
            order.append((along_a + (along_b - along_a) * at_a / (at_a - at_b), number, at_b > 0))
        ground = under = NOBODY
        steps = []
        for place, number, rightwards in sorted(order):
            edge = self.edges[number]
            layers = []
            for sides, now in ((edge.ground, ground), (edge.under, under)):
                borders = sides != (NOBODY, NOBODY)
                if borders and sides[not rightwards] != now:
                    return []
                layers.append(sides[rightwards] if borders else now)
            ground, under = layers
            steps.append(_Step(place, number, ground, under))
        return steps

    def _keeps_clear(self, way: _Way, start: float, end: float) -> bool:
        """Return whether a line keeps `NUDGE` away from every corner on this stretch."""
        return not any(
            abs(way.left(corner)) < NUDGE and start - NUDGE < way.along(corner) < end + NUDGE for corner in self.corners
        )

    # The line to show

    def middle(self, found: _Attempt) -> Line:
        """Return the middle of all lines across the same borders, or the line itself if the middle crosses others."""
        family = self._family(found)
        line = middle_line(family).line
        if line[0] != line[1]:
            crossed = [step.edge for step in self.follow(_way(*line))]
            if family.crossed not in [tuple(crossed[i : i + len(family.crossed)]) for i in range(len(crossed))]:
                line = family.own
        return (line[1], line[0]) if found.turned else line

    def _family(self, found: _Attempt) -> Family:
        x, y, dx, dy = found.way
        ends = [(self.corners[self.edges[step.edge].a], self.corners[self.edges[step.edge].b]) for step in found.steps]
        return family_along(
            way=((x, y), (dx, dy)),
            span=(found.steps[0].place, found.steps[-1].place),
            crossed=tuple(step.edge for step in found.steps),
            borders=[(a, b) if found.way.left(a) > 0 else (b, a) for a, b in ends],
            dents=[dent for space in set(found.through) for dent in reflex_corners(self.spaces[space].outline)],
            through=found.through,
        )


def _way(start: Place, end: Place) -> _Way:
    length = hypot(end[0] - start[0], end[1] - start[1])
    return _Way(*start, (end[0] - start[0]) / length, (end[1] - start[1]) / length)


def _is_split_by(way: _Way, ring: Sequence[Place]) -> bool:
    """Return whether a ring has corners on both sides of a line."""
    sides = [way.left(corner) for corner in ring]
    return min(sides) < 0 < max(sides)


def _is_in_convex(around: Sequence[Place], corner: Place) -> bool:
    """Return whether a point lies in a convex shape, border included."""
    x, y = corner
    return all(
        (bx - ax) * (y - ay) >= (by - ay) * (x - ax)
        for (ax, ay), (bx, by) in zip(around, (*around[1:], around[0]), strict=True)
    )


def _space_after(step: _Step, look: Look) -> int:
    """Return the space that a line is in after a crossing. Where two spaces overlap, the look decides."""
    if step.under != NOBODY and (look.indoors or step.under in look.shown or step.ground == NOBODY):
        return step.under
    return step.ground


def _stretches(seen: Sequence[int], one: int, other: int) -> Iterator[tuple[int, int]]:
    """Yield where a line leaves either space and enters the other, with neither in between."""
    last = None
    for number, space in enumerate(seen):
        if space in (one, other):
            if last is not None and seen[last] != space:
                yield last + 1, number
            last = number
