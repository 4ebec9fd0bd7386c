"""Who sees whom, how far, and along which line: works out the sight table of a map (MP-LOS-*, MP-DIST-*).

A line counts only if its list of crossed spaces stays the same when its ends are nudged by `NUDGE` (R-67). Take all
lines that cross the same borders in the same order: a family. Turn within it as far clockwise as it goes, and the
line comes to lean on two corners, one on either side, a nudge away, both between its two ends. So one line for every
two corners, passing them on opposite sides, visits every family; what it crosses gives candidates for every pair of
spaces at once. That is done here, with NumPy, imported only when asked for. What may lie between whom is `looks.py`;
which line of which family is kept is `witness.py`.

Decisions are safe in floating point: a corner nearer to a line than a nudge rules out the segment, so its side is
never in doubt (an error of 1e-9 against a distance of 1e-3), and the order in which borders are crossed is checked
by walking from space to space; where that fails, fractions settle it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine.graph.arrangement import NOBODY, arrange
from engine.graph.fault import MapError
from engine.graph.looks import KINDS, NEVER, VOID, Look, looks
from engine.graph.model import Map, Point, Sight
from engine.graph.plane import order_along, reflex_corners
from engine.graph.witness import NUDGE, Family, Line, Middle, best, family_along

Progress = Callable[[float], None]
Array = Any
"""A NumPy array; NumPy's own name is not imported here, for playing does without it."""

LEAN = NUDGE * 1.01
NEAR = 0.01
"""Places along a line nearer than this count as one where that only lets more candidates through."""
SIDES_AT_ONCE = 1_500_000
"""How many corners are compared with how many lines at once: enough to be quick, not so many as to fill the memory."""
LINES_AT_ONCE = 4096
FAMILIES_KEPT = 8
FAMILIES_WEIGHED = 60_000
"""How many families of a pair, those with the shortest lines, are weighed for a witness; and how many in all."""
HITS_AT_ONCE = 200_000


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
    crossing, after which it is off the board; `torn` one that does not start in the space where the one before ended.
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
    """Lines past two corners each, what they cross, and which crossings are not after the first / before the second."""

    lines: Lines
    found: Crossings
    early: Array
    late: Array


def with_sights(surveyed: Map, progress: Progress | None = None, of: str | None = None) -> Map:
    """The map with its sight table. Raises `MapError` when NumPy is not installed.

    `progress` hears the share that is done, from 0 to 1. With `of` the table holds the sights of that space alone,
    which takes a fraction of the time.
    """
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        remedy = "Install it with: pip install 'sniperboard[maps]'."
        raise MapError(surveyed.name, [f"working out who sees whom needs NumPy. {remedy}"]) from error
    tell = progress or (lambda share: None)
    board = _Board(surveyed)
    own = None if of is None else board.names.index(of)
    hits = _Hits(len(surveyed.spaces), own)
    for share, lines, u, v in board.leaning(() if of is None else surveyed.spaces[of].outline):
        for sweep in board.sweep(lines, u, v):
            for look in board.looks:
                hits.add(board, sweep, look)
        tell(0.9 * share)
    sights = _witnesses(board, hits)
    tell(1.0)
    return replace(surveyed, sights=sights)


class _Board:
    """A map's borders as arrays, and lines followed across them."""

    def __init__(self, surveyed: Map) -> None:
        import numpy as np

        spaces = list(surveyed.spaces.values())
        self.names = [space.id for space in spaces]
        self.looks = looks(surveyed)
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

    def leaning(self, of: Sequence[Point] = ()) -> Iterator[tuple[float, Lines, Array, Array]]:
        """Lines past every two corners, left of the first and right of the second, some thousands at a time.

        With each batch come the share done and the two corners of each line. With the outline `of` a space, lines that
        pass it by are left out.
        """
        import numpy as np

        first, second = np.triu_indices(len(self.x), 1)
        at_once = max(SIDES_AT_ONCE // max(len(self.x), 1), 64)
        for start in range(0, len(first), at_once):
            u, v = first[start : start + at_once], second[start : start + at_once]
            dx, dy = self.x[v] - self.x[u], self.y[v] - self.y[u]
            length = np.sqrt(dx * dx + dy * dy)
            left_x, left_y = -LEAN * dy / length, LEAN * dx / length
            lines = _through(self.x[u] + left_x, self.y[u] + left_y, self.x[v] - left_x, self.y[v] - left_y)
            if of:
                away = np.array([lines.dx * (y - lines.y) - lines.dy * (x - lines.x) for x, y in of])
                near = np.nonzero((away.min(axis=0) < 1) & (away.max(axis=0) > -1))[0]
                lines, u, v = lines.pick(near), u[near], v[near]
            yield min(start + at_once, len(first)) / len(first), lines, u, v

    def sides(self, lines: Lines) -> tuple[Array, Array]:
        """For each corner (row) and line (column): how far to the left of it, and how far along."""
        off_x = self.x[:, None] - lines.x
        off_y = self.y[:, None] - lines.y
        return lines.dx * off_y - lines.dy * off_x, lines.dx * off_x + lines.dy * off_y

    def sweep(self, lines: Lines, u: Array, v: Array) -> Iterator[Sweep]:
        """What the lines cross; those with another corner in the way between their two are left out."""
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
        found = self.follow(lines, away, along)
        a, b, line = self.a[found.edge], self.b[found.edge], found.line
        here = np.arange(len(u))
        early = (a == u[line]) | (b == u[line]) | (found.place <= along[u, here][line] + NEAR)
        late = (a == v[line]) | (b == v[line]) | (found.place >= along[v, here][line] - NEAR)
        for corner, close_line in zip(*np.nonzero(close), strict=True):
            # A third corner leans on the line, before or beyond the two: no segment may reach as far as it.
            own, place = line == close_line, along[corner, close_line]
            if place < along[u[close_line], close_line]:
                early &= ~own | (found.place > place) & (a != corner) & (b != corner)
            else:
                late &= ~own | (found.place < place) & (a != corner) & (b != corner)
        yield Sweep(lines, found, early, late)

    def follow(self, lines: Lines, away: Array, along: Array) -> Crossings:
        """Every border that the lines cross, in order."""
        import numpy as np

        left = away > 0
        edge, line = np.nonzero(left[self.a] != left[self.b])
        a, b = self.a[edge], self.b[edge]
        at_a, at_b = away[a, line], away[b, line]
        place = along[a, line] + (along[b, line] - along[a, line]) * (at_a / (at_a - at_b))
        order = np.lexsort((place, line))
        found = self._entered(line[order], edge[order], place[order], (at_b > 0)[order])
        if not found.torn.any():
            return found
        for astray in np.unique(found.line[found.torn]):
            own = np.nonzero(found.line == astray)[0]
            ends = [(self.corners[self.a[edge]], self.corners[self.b[edge]]) for edge in found.edge[own]]
            x, y, dx, dy = (float(part[astray]) for part in lines)
            order[own] = order[own][order_along((x, y), (dx, dy), ends)]
        found = self._entered(line[order], edge[order], place[order], (at_b > 0)[order])
        return found.pick(~np.isin(found.line, found.line[found.torn]))

    def _entered(self, line: Array, edge: Array, place: Array, rightwards: Array) -> Crossings:
        """The crossings with the spaces that each leads into; an edge of one layer leaves the other as it was."""
        import numpy as np

        last = np.ones(len(line), dtype=bool)
        last[:-1] = line[1:] != line[:-1]
        torn = np.zeros(len(line), dtype=bool)
        entered = []
        for layer in (self.ground, self.under):
            own = np.nonzero((layer[edge] != NOBODY).any(axis=1))[0]
            ahead, behind = layer[edge[own], rightwards[own] * 1], layer[edge[own], ~rightwards[own] * 1]
            starts = np.ones(len(own) + 1, dtype=bool)
            starts[1:-1] = line[own][1:] != line[own][:-1]
            torn[own] = torn[own] | (behind != np.where(starts[:-1], NOBODY, np.roll(ahead, 1)))
            torn[own] = torn[own] | (starts[1:] & (ahead != NOBODY))
            space = np.full(len(line), NOBODY)
            if len(own):
                since = np.searchsorted(own, np.arange(len(line)), side="right") - 1
                space = np.where((since >= 0) & (line[own[since]] == line), ahead[since], NOBODY)
            entered.append(space)
        return Crossings(line, edge, place, entered[0], entered[1], last, torn)

    def spaces(self, found: Crossings, look: Look) -> Array:
        """For each crossing the space that the line is in from there on, by this look."""
        import numpy as np

        upper = np.where(found.ground != NOBODY, found.ground, found.under)
        lower = np.where(found.under != NOBODY, found.under, found.ground)
        if look.indoors:
            return lower
        return np.where(np.isin(found.under, list(look.shown)) & (found.under != NOBODY), found.under, upper)


def _through(px: Array, py: Array, qx: Array, qy: Array) -> Lines:
    import numpy as np

    dx, dy = qx - px, qy - py
    length = np.sqrt(dx * dx + dy * dy)
    return Lines(px, py, dx / length, dy / length)


class _Hits:
    """The shortest families found so far for each pair of spaces, as one table of candidates."""

    def __init__(self, spaces: int, own: int | None = None) -> None:
        """`own` is the number of the space whose pairs are wanted; None: all of them."""
        import numpy as np

        self.spaces, self.own = spaces, own
        self.fewest = np.full(spaces * spaces, 2 * NEVER)
        self.waiting: list[Array] = []
        self.columns = [
            *(("pair", int), ("count", int), ("mark", np.uint64), ("length", float), ("look", int), ("turned", bool)),
            *(("leave", int), ("enter", int), ("x", float), ("y", float), ("dx", float), ("dy", float)),
        ]

    def add(self, board: _Board, sweep: Sweep, look: Look) -> None:
        """Takes in every stretch of the lines that this look allows."""
        import numpy as np

        found, space = sweep.found, board.spaces(sweep.found, look)
        if look.shown:
            wanted = functools.reduce(np.intersect1d, [found.line[space == one] for one in look.shown])
            keep = np.isin(found.line, wanted)
            found, space = found.pick(keep), space[keep]
            sweep = Sweep(sweep.lines, found, sweep.early[keep], sweep.late[keep])
        least = np.array(look.least)
        passable = np.isin(board.kind, [*look.through, VOID])
        nobody = np.zeros(len(passable), dtype=bool)
        self._take(board, sweep, look, space, _stretches(sweep, space, passable, least, nobody))
        for pair in _touching(found, space, least):
            # These two touch, which is not enough for them; but a line may leave one of them and come back to it.
            ends = np.isin(np.arange(len(passable)), pair)
            both = np.intersect1d(found.line[space == pair[0]], found.line[space == pair[1]])
            keep = np.isin(found.line, both)
            part = Sweep(sweep.lines, found.pick(keep), sweep.early[keep], sweep.late[keep])
            only = np.where(ends[:, None] & ends, least, NEVER)
            self._take(board, part, look, space[keep], _stretches(part, space[keep], passable | ends, only, ends))

    def _take(self, board: _Board, sweep: Sweep, look: Look, space: Array, stretches: tuple[Array, ...]) -> None:
        import numpy as np

        leave, enter, count = stretches
        if self.own is not None:
            wanted = (space[leave - 1] == self.own) | (space[enter] == self.own)
            leave, enter, count = leave[wanted], enter[wanted], count[wanted]
        if not len(leave):
            return
        found = sweep.found
        one, other, line = space[leave - 1], space[enter], found.line[leave]
        first = np.searchsorted(found.line, line)
        marks = np.cumsum((found.edge.astype(np.uint64) + np.uint64(1)) ** np.uint64(5) * np.uint64(0x9E3779B97F4A7C15))
        rows = np.zeros(len(leave), dtype=self.columns)
        rows["pair"] = np.minimum(one, other) * self.spaces + np.maximum(one, other)
        rows["count"] = count + NEVER * look.resort
        rows["mark"] = marks[enter] - marks[leave - 1]
        rows["length"] = found.place[enter] - found.place[leave]
        rows["look"] = board.looks.index(look)
        rows["turned"] = one > other
        rows["leave"], rows["enter"] = leave - first, enter - first
        for name, part in zip(("x", "y", "dx", "dy"), sweep.lines, strict=True):
            rows[name] = part[line]
        np.minimum.at(self.fewest, rows["pair"], rows["count"])
        self.waiting.append(rows[rows["count"] == self.fewest[rows["pair"]]])
        if sum(len(rows) for rows in self.waiting) > HITS_AT_ONCE:
            self.waiting = [self.table()]

    def table(self) -> Array:
        """The candidates that cross fewest spaces, a few of the shortest for each pair, each family once."""
        import numpy as np

        rows = np.concatenate([np.zeros(0, dtype=self.columns), *self.waiting])
        rows = rows[rows["count"] == self.fewest[rows["pair"]]]
        rows = rows[np.lexsort((rows["length"], rows["mark"], rows["pair"]))]
        rows = rows[_starts(rows["pair"]) | _starts(rows["mark"])]
        rows = rows[np.lexsort((rows["mark"], rows["length"], rows["pair"]))]
        groups = np.nonzero(_starts(rows["pair"]))[0]
        rank = np.arange(len(rows)) - np.repeat(groups, np.diff(np.append(groups, len(rows))))
        return rows[rank < max(1, min(FAMILIES_KEPT, FAMILIES_WEIGHED // max(len(groups), 1)))]


def _starts(values: Array) -> Array:
    """Where a sorted column changes."""
    import numpy as np

    return np.append(True, values[1:] != values[:-1])[: len(values)]


def _touching(found: Crossings, space: Array, least: Array) -> list[tuple[int, int]]:
    """The pairs of spaces that some line enters one right after the other though they need something between."""
    import numpy as np

    pairs = []
    for apart in (1, 2):
        one, other = space[:-apart], space[apart:]
        bare = True if apart == 1 else space[1:-1] == NOBODY
        wants = (found.line[:-apart] == found.line[apart:]) & bare & (least[one, other] == 1)
        pairs.append(np.sort(np.stack((one[wants], other[wants])), axis=0))
    return [(int(a), int(b)) for a, b in np.unique(np.concatenate(pairs, axis=1), axis=1).T]


def _stretches(sweep: Sweep, space: Array, passable: Array, least: Array, ends: Array) -> tuple[Array, ...]:
    """Every stretch of a line from one space to another over passable ones, around the line's two corners.

    Gives the numbers of the crossings that leave the one and enter the other, and how many spaces lie between.
    Grows all stretches by one crossing at a time, until each meets something impassable or its own start; but spaces
    marked as `ends` are passed freely and never counted.
    """
    import numpy as np

    found, total = sweep.found, len(space)
    previous = _previous(found.line, space)
    open_, starts = passable[space], (least < NEVER).any(axis=1)
    walls = np.cumsum(~open_)
    goal = np.full(len(sweep.lines.x), total)
    late = np.nonzero(sweep.late)[0][::-1]
    goal[found.line[late]] = late
    here = np.nonzero(~found.last[:-1] & sweep.early[1:] & starts[space[:-1]])[0]
    goal_here = np.maximum(goal[found.line[here]], here + 1)
    reachable = goal_here < total
    here, goal_here = here[reachable], goal_here[reachable]
    here = here[walls[goal_here - 1] == walls[here]]
    there, count = here + 1, np.zeros(len(here), dtype=int)
    parts = []
    while len(here):
        once = (previous[there] < here) | ends[space[there]]
        hit = sweep.late[there] & once & (count >= least[space[here], space[there]])
        parts.append((here[hit] + 1, there[hit], count[hit]))
        on = ~found.last[there] & open_[there] & ((space[there] != space[here]) | ends[space[there]])
        here, there, count = here[on], there[on], count[on]
        count = count + ((space[there] != NOBODY) & ~ends[space[there]] & (previous[there] <= here))
        there = there + 1
    if not parts:
        return here, here, here
    leave, enter, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    return leave, enter, count


def _previous(line: Array, space: Array) -> Array:
    """For each crossing the last one before it on its line that led into the same space, or -1."""
    import numpy as np

    order = np.lexsort((space, line))
    again = (line[order][1:] == line[order][:-1]) & (space[order][1:] == space[order][:-1])
    previous = np.full(len(line), -1)
    previous[order[1:][again]] = order[:-1][again]
    return previous


# Witnesses


def _witnesses(board: _Board, hits: _Hits) -> dict[str, dict[str, Sight]]:
    chosen = {pair: best([family for _, family in choice]) for pair, choice in groupby(_choices(board, hits), _pair)}
    sights: dict[str, dict[str, Sight]] = {}
    for (pair, (middle, family)), holds in zip(chosen.items(), _hold(board, list(chosen.values())), strict=True):
        a, b = divmod(pair, hits.spaces)
        line = middle.line if holds else family.own
        through = tuple(dict.fromkeys(board.names[space] for space in family.through))
        sights.setdefault(board.names[a], {})[board.names[b]] = Sight(len(through) + 1, _rounded(line), through)
    return sights


def _choices(board: _Board, hits: _Hits) -> Iterator[tuple[int, Family]]:
    """The candidates, pair after pair, each with its family seen from the earlier space."""
    rows = hits.table()
    for start in range(0, len(rows), LINES_AT_ONCE):
        some = rows[start : start + LINES_AT_ONCE]
        for row, family in zip(some, _families(board, some), strict=True):
            yield int(row["pair"]), family.backwards() if row["turned"] else family


def _pair(choice: tuple[int, Family]) -> int:
    return choice[0]


def _rounded(line: Line) -> Line:
    (ax, ay), (bx, by) = line
    return ((round(ax, 6), round(ay, 6)), (round(bx, 6), round(by, 6)))


def _families(board: _Board, rows: Array) -> Iterator[Family]:
    """The family that each candidate belongs to, seen along the candidate's line."""
    import numpy as np

    lines = Lines(*(rows[name] for name in ("x", "y", "dx", "dy")))
    away, along = board.sides(lines)
    found = board.follow(lines, away, along)
    first = np.searchsorted(found.line, np.arange(len(rows)))
    seen = [board.spaces(found, look) for look in board.looks]
    for number, row in enumerate(rows):
        leave, enter = int(first[number] + row["leave"]), int(first[number] + row["enter"])
        crossed = found.edge[leave : enter + 1].tolist()
        nowhere = {NOBODY, *divmod(int(row["pair"]), len(board.names))}
        through = [space for space in seen[row["look"]][leave:enter].tolist() if space not in nowhere]
        ends = ((board.a[edge], board.b[edge]) for edge in crossed)
        yield family_along(
            way=((float(lines.x[number]), float(lines.y[number])), (float(lines.dx[number]), float(lines.dy[number]))),
            span=(float(found.place[leave]), float(found.place[enter])),
            crossed=tuple(crossed),
            borders=[
                (board.corners[a], board.corners[b]) if away[a, number] > 0 else (board.corners[b], board.corners[a])
                for a, b in ends
            ],
            dents=[dent for space in set(through) for dent in board.dents[space]],
            through=tuple(through),
        )


def _hold(board: _Board, chosen: list[tuple[Middle, Family]]) -> list[bool]:
    """Whether each chosen line crosses just the borders of its family, no corner nearer than a nudge."""
    import numpy as np

    verdicts = [len(family.crossed) == 1 for _, family in chosen]
    asked = [number for number, verdict in enumerate(verdicts) if not verdict]
    for start in range(0, len(asked), LINES_AT_ONCE):
        some = asked[start : start + LINES_AT_ONCE]
        px, py, qx, qy = np.array([[*chosen[i][0].line[0], *chosen[i][0].line[1]] for i in some]).T
        lines = _through(px, py, qx, qy)
        away, along = board.sides(lines)
        reach = np.hypot(qx - px, qy - py)
        free = ~((np.abs(away) < LEAN) & (along > -NUDGE) & (along < reach + NUDGE)).any(axis=0)
        found = board.follow(lines, away, along)
        for number, i in enumerate(some):
            crossed = found.edge[found.line == number].tolist()
            family = chosen[i][1]
            if free[number] and {family.crossed[0], family.crossed[-1]} <= {*crossed}:
                ends = crossed.index(family.crossed[0]), crossed.index(family.crossed[-1])
                verdicts[i] = tuple(crossed[ends[0] : ends[1] + 1]) == family.crossed
    return verdicts
