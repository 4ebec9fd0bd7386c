"""Compute the sight table of a map: which spaces see each other, how far, along which line (MP-LOS-*, MP-DIST-*).

A line counts only if its list of crossed spaces stays the same when its ends are nudged by `NUDGE` (R-67). All lines
that cross the same borders in the same order are a family. If a line is turned clockwise as far as possible without
leaving its family, it ends up touching two corners, one on either side, at the distance `NUDGE`, both between its two
ends. It is therefore enough to draw, for every two corners, a line that passes them on opposite sides: these lines
include one of every family. The crossings of each line give candidates for many pairs of spaces at once. `crossings.py`
finds what lines cross, `candidates.py` the candidates among them, `looks.py` what may lie between two spaces, and
`witness.py` the line to keep. NumPy is imported only when needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from engine.graph.arrangement import NOBODY
from engine.graph.fault import MapError
from engine.graph.model import Map, Sight
from maker.mapping.candidates import Candidates, Obstructed
from maker.mapping.crossings import LEAN, Array, Borders, Lines, lines_through
from maker.mapping.sight_rules import Look
from maker.mapping.witness import NUDGE, Family, Line, Middle, best_family, family_along, middle_line

Progress = Callable[[float], None]

LINES_AT_ONCE = 4096


def with_sights(surveyed: Map, progress: Progress | None = None, of: str | None = None) -> Map:
    """Return the map with its sight table. Raises `MapError` if NumPy is not installed.

    `progress` is called with the finished share, from 0 to 1. With `of` the table holds the sights of that space only,
    which takes a fraction of the time.
    """
    tell = progress or (lambda share: None)
    board = _borders(surveyed)
    own = None if of is None else board.names.index(of)
    candidates = Candidates(len(surveyed.spaces), own)
    for share, lines, u, v in board.lines_past_corners(() if of is None else surveyed.spaces[of].outline):
        for sweep in board.sweep(lines, u, v):
            for look in board.looks:
                candidates.add(board, sweep, look)
        tell(0.9 * share)
    sights = _witnesses(board, candidates)
    tell(1.0)
    return replace(surveyed, sights=sights)


def _borders(surveyed: Map) -> Borders:
    try:
        return Borders(surveyed)
    except ImportError as error:
        remedy = "Install it with: pip install -e '.[maps]' in the project's folder."
        raise MapError(surveyed.name, [f"working out who sees whom needs NumPy. {remedy}"]) from error


def best_obstructed_line(
    surveyed: Map, a: str, b: str, ways: Sequence[Look]
) -> tuple[Line, tuple[str, ...], tuple[str, ...]] | None:
    """Return the line between two spaces with the fewest obstacles by these looks, the spaces that it crosses, and
    those of them that block it; None if there is no line. Raises `MapError` if NumPy is not installed.
    """
    board = _borders(surveyed)
    one, other = board.names.index(a), board.names.index(b)
    candidates = Obstructed(len(board.names), one, other)
    for _, lines, u, v in board.lines_past_corners(surveyed.spaces[a].outline):
        for sweep in board.sweep(lines, u, v):
            for look in ways:
                candidates.add(board, sweep, look)
    # The shortest comes first.
    rows = candidates.table()[:1]
    if not len(rows):
        return None
    family = next(_families(board, rows))
    if rows["turned"][0] != (one > other):
        family = family.backwards()
    middle = middle_line(family)
    line = middle.line if all(_hold(board, [(middle, family)])) else family.own
    crossed, passable = dict.fromkeys(family.through), board.looks[rows["look"][0]].through
    blockers = tuple(board.names[space] for space in crossed if int(board.kind[space]) not in passable)
    return line, tuple(board.names[space] for space in crossed), blockers


def _witnesses(board: Borders, candidates: Candidates) -> dict[str, dict[str, Sight]]:
    chosen = {
        pair: best_family([family for _, family in choice])
        for pair, choice in groupby(_choices(board, candidates), _pair)
    }
    sights: dict[str, dict[str, Sight]] = {}
    for (pair, (middle, family)), holds in zip(chosen.items(), _hold(board, list(chosen.values())), strict=True):
        a, b = divmod(pair, candidates.spaces)
        # If the middle line touches another corner, keep the original line.
        line = middle.line if holds else family.own
        through = tuple(dict.fromkeys(board.names[space] for space in family.through))
        sights.setdefault(board.names[a], {})[board.names[b]] = Sight(len(through) + 1, _round_line(line), through)
    return sights


def _choices(board: Borders, candidates: Candidates) -> Iterator[tuple[int, Family]]:
    """Yield the candidates, pair after pair, each with its family seen from the earlier space."""
    rows = candidates.table()
    for start in range(0, len(rows), LINES_AT_ONCE):
        some = rows[start : start + LINES_AT_ONCE]
        for row, family in zip(some, _families(board, some), strict=True):
            yield int(row["pair"]), family.backwards() if row["turned"] else family


def _pair(choice: tuple[int, Family]) -> int:
    return choice[0]


def _round_line(line: Line) -> Line:
    (ax, ay), (bx, by) = line
    return ((round(ax, 6), round(ay, 6)), (round(bx, 6), round(by, 6)))


def _families(board: Borders, rows: Array) -> Iterator[Family]:
    """Yield the family that each candidate belongs to, seen along the candidate's line."""
    import numpy as np

    lines = Lines(*(rows[name] for name in ("x", "y", "dx", "dy")))
    away, along = board.sides(lines)
    crossings = board.crossed_borders(lines, away, along)
    first = np.searchsorted(crossings.line, np.arange(len(rows)))
    seen = [board.spaces(crossings, look) for look in board.looks]
    for number, row in enumerate(rows):
        leave, enter = int(first[number] + row["leave"]), int(first[number] + row["enter"])
        crossed = crossings.edge[leave : enter + 1].tolist()
        nowhere = {NOBODY, *divmod(int(row["pair"]), len(board.names))}
        through = [space for space in seen[row["look"]][leave:enter].tolist() if space not in nowhere]
        ends = ((board.a[edge], board.b[edge]) for edge in crossed)
        yield family_along(
            way=((float(lines.x[number]), float(lines.y[number])), (float(lines.dx[number]), float(lines.dy[number]))),
            span=(float(crossings.place[leave]), float(crossings.place[enter])),
            crossed=tuple(crossed),
            borders=[
                (board.corners[a], board.corners[b]) if away[a, number] > 0 else (board.corners[b], board.corners[a])
                for a, b in ends
            ],
            dents=[dent for space in set(through) for dent in board.dents[space]],
            through=tuple(through),
        )


def _hold(board: Borders, chosen: list[tuple[Middle, Family]]) -> list[bool]:
    """Return whether each chosen line crosses exactly the borders of its family, with no corner within `NUDGE`."""
    import numpy as np

    # Spaces that touch have one border between them, and a line of no length on it.
    verdicts = [len(family.crossed) == 1 for _, family in chosen]
    unproved = [number for number, verdict in enumerate(verdicts) if not verdict]
    for start in range(0, len(unproved), LINES_AT_ONCE):
        some = unproved[start : start + LINES_AT_ONCE]
        px, py, qx, qy = np.array([[*chosen[i][0].line[0], *chosen[i][0].line[1]] for i in some]).T
        lines = lines_through(px, py, qx, qy)
        away, along = board.sides(lines)
        reach = np.hypot(qx - px, qy - py)
        free = ~((np.abs(away) < LEAN) & (along > -NUDGE) & (along < reach + NUDGE)).any(axis=0)
        crossings = board.crossed_borders(lines, away, along)
        for number, i in enumerate(some):
            crossed = crossings.edge[crossings.line == number].tolist()
            family = chosen[i][1]
            if free[number] and {family.crossed[0], family.crossed[-1]} <= {*crossed}:
                ends = crossed.index(family.crossed[0]), crossed.index(family.crossed[-1])
                verdicts[i] = tuple(crossed[ends[0] : ends[1] + 1]) == family.crossed
    return verdicts
