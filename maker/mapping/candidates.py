"""Find candidates for lines of sight: for each pair of spaces, the stretches of lines that cross the fewest others.

`crossings.py` finds what lines cross, and `looks.py` defines what may lie between two spaces. `sight.py` chooses among
the candidates.
"""

from __future__ import annotations

import functools

from engine.graph.arrangement import NOBODY
from maker.mapping.crossings import Array, Borders, Crossings, Sweep
from maker.mapping.sight_rules import NEVER, VOID, Look

FAMILIES_KEPT = 8
FAMILIES_WEIGHED = 60_000
"""Maximum number of families (those with the shortest lines) per pair, and for all pairs."""
HITS_AT_ONCE = 200_000
TOLL = 1 << 10
"""More than the spaces that any line crosses."""


class Candidates:
    """The shortest families found so far for each pair of spaces, as one table of candidates."""

    def __init__(self, spaces: int, own: int | None = None) -> None:
        """Start without candidates. `own` is the number of the only space to look from, or None for all."""
        import numpy as np

        self.spaces, self.own = spaces, own
        self.fewest = np.full(spaces * spaces, 2 * NEVER)
        self.waiting: list[Array] = []
        self.columns = [
            *(("pair", int), ("count", int), ("mark", np.uint64), ("length", float), ("look", int), ("turned", bool)),
            *(("leave", int), ("enter", int), ("x", float), ("y", float), ("dx", float), ("dy", float)),
        ]

    def add(self, board: Borders, sweep: Sweep, look: Look) -> None:
        """Add every stretch of the lines that this look allows."""
        import numpy as np

        sweep, space = _shown(board, sweep, look)
        crossings = sweep.found
        least = np.array(look.least)
        passable = np.isin(board.kind, [*look.through, VOID])
        no_ends, toll = np.zeros(len(passable), dtype=bool), np.ones(len(passable), dtype=int)
        # A last resort costs more than any other look, so it is used only if the others find nothing.
        more = NEVER * look.resort
        self._take(board, sweep, look, space, _stretches(sweep, space, passable, least, no_ends, toll), more)
        for pair in _touching_pairs(crossings, space, least):
            # These two spaces touch, which is not enough to see each other; but a line may leave one of them and
            # return.
            ends = np.isin(np.arange(len(passable)), pair)
            both = np.intersect1d(crossings.line[space == pair[0]], crossings.line[space == pair[1]])
            keep = np.isin(crossings.line, both)
            part = Sweep(sweep.lines, crossings.pick(keep), sweep.early[keep], sweep.late[keep])
            only = np.where(ends[:, None] & ends, least, NEVER)
            stretches = _stretches(part, space[keep], passable | ends, only, ends, toll)
            self._take(board, part, look, space[keep], stretches, more)

    def _take(
        self, board: Borders, sweep: Sweep, look: Look, space: Array, stretches: tuple[Array, ...], more: int = 0
    ) -> None:
        import numpy as np

        leave, enter, count = stretches
        if self.own is not None:
            own = (space[leave - 1] == self.own) | (space[enter] == self.own)
            leave, enter, count = leave[own], enter[own], count[own]
        if not len(leave):
            return
        crossings = sweep.found
        one, other, line = space[leave - 1], space[enter], crossings.line[leave]
        first = np.searchsorted(crossings.line, line)
        # A sum over the numbers of all borders crossed identifies a family: a prefix sum gives it for every stretch.
        # The power and the constant spread the numbers, so that sums of different families are hardly ever equal.
        marks = np.cumsum(
            (crossings.edge.astype(np.uint64) + np.uint64(1)) ** np.uint64(5) * np.uint64(0x9E3779B97F4A7C15)
        )
        rows = np.zeros(len(leave), dtype=self.columns)
        rows["pair"] = np.minimum(one, other) * self.spaces + np.maximum(one, other)
        rows["count"] = count + more
        rows["mark"] = marks[enter] - marks[leave - 1]
        rows["length"] = crossings.place[enter] - crossings.place[leave]
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
        """Return the candidates that cross the fewest spaces: a few of the shortest for each pair, each family once."""
        import numpy as np

        rows = np.concatenate([np.zeros(0, dtype=self.columns), *self.waiting])
        rows = rows[rows["count"] == self.fewest[rows["pair"]]]
        rows = rows[np.lexsort((rows["length"], rows["mark"], rows["pair"]))]
        rows = rows[_change_indices(rows["pair"]) | _change_indices(rows["mark"])]
        rows = rows[np.lexsort((rows["mark"], rows["length"], rows["pair"]))]
        groups = np.nonzero(_change_indices(rows["pair"]))[0]
        rank = np.arange(len(rows)) - np.repeat(groups, np.diff(np.append(groups, len(rows))))
        return rows[rank < max(1, min(FAMILIES_KEPT, FAMILIES_WEIGHED // max(len(groups), 1)))]


class Obstructed(Candidates):
    """The lines between two spaces that do not see each other, by how many obstacles they meet.

    The count of a line is `TOLL` for each space in between that its look forbids, and 1 for each space.
    """

    def __init__(self, spaces: int, one: int, other: int) -> None:
        import numpy as np

        super().__init__(spaces, one)
        self.least = np.full((spaces + 1, spaces + 1), NEVER * TOLL)
        self.least[one, other] = self.least[other, one] = 0

    def add(self, board: Borders, sweep: Sweep, look: Look) -> None:
        """Add every stretch between the two spaces, regardless of obstacles."""
        import numpy as np

        sweep, space = _shown(board, sweep, look)
        toll = np.where(np.isin(board.kind, [*look.through, VOID]), 1, 1 + TOLL)
        everywhere = np.ones(len(toll), dtype=bool)
        leave, enter, count = _stretches(sweep, space, everywhere, self.least, ~everywhere, toll)
        # Some lines without obstacles cross too few spaces; that counts like one obstacle.
        self._take(board, sweep, look, space, (leave, enter, np.where(count < TOLL, count + TOLL, count)))


def _shown(board: Borders, sweep: Sweep, look: Look) -> tuple[Sweep, Array]:
    """Return the lines that this look allows, and the space after each crossing."""
    import numpy as np

    crossings, space = sweep.found, board.spaces(sweep.found, look)
    if not look.shown:
        return sweep, space
    lines = functools.reduce(np.intersect1d, [crossings.line[space == shown] for shown in look.shown])
    keep = np.isin(crossings.line, lines)
    return Sweep(sweep.lines, crossings.pick(keep), sweep.early[keep], sweep.late[keep]), space[keep]


def _change_indices(values: Array) -> Array:
    """Return where a sorted column changes."""
    import numpy as np

    return np.append(True, values[1:] != values[:-1])[: len(values)]


def _touching_pairs(crossings: Crossings, space: Array, least: Array) -> list[tuple[int, int]]:
    """Return pairs of spaces that some line crosses in succession though their look needs a space in between."""
    import numpy as np

    pairs = []
    for apart in (1, 2):
        one, other = space[:-apart], space[apart:]
        bare = True if apart == 1 else space[1:-1] == NOBODY
        wants = (crossings.line[:-apart] == crossings.line[apart:]) & bare & (least[one, other] == 1)
        pairs.append(np.sort(np.stack((one[wants], other[wants])), axis=0))
    return [(int(a), int(b)) for a, b in np.unique(np.concatenate(pairs, axis=1), axis=1).T]


def _stretches(
    sweep: Sweep, space: Array, passable: Array, least: Array, ends: Array, toll: Array
) -> tuple[Array, ...]:
    """Return every stretch of a line from one space to another over passable ones, around the line's two corners.

    Returns the numbers of the crossings that leave one space and enter the other, and the toll of the spaces in
    between. All stretches grow by one crossing at a time, until each meets an impassable space or its own start. Spaces
    marked as `ends` are passed freely and never counted.
    """
    import numpy as np

    crossings, total = sweep.found, len(space)
    previous = _previous_entries(crossings.line, space)
    open_, starts = passable[space], (least < NEVER).any(axis=1)
    # If two places have the same number of walls before them, all spaces in between are passable.
    walls = np.cumsum(~open_)
    # The first crossing of each line where a stretch may end.
    goal = np.full(len(sweep.lines.x), total)
    late = np.nonzero(sweep.late)[0][::-1]
    goal[crossings.line[late]] = late
    here = np.nonzero(~crossings.last[:-1] & sweep.early[1:] & starts[space[:-1]])[0]
    goal_here = np.maximum(goal[crossings.line[here]], here + 1)
    reachable = goal_here < total
    here, goal_here = here[reachable], goal_here[reachable]
    here = here[walls[goal_here - 1] == walls[here]]
    there, count = here + 1, np.zeros(len(here), dtype=int)
    parts = []
    while len(here):
        # A stretch ends where it enters a space for the first time and crosses enough others.
        once = (previous[there] < here) | ends[space[there]]
        hit = sweep.late[there] & once & (count >= least[space[here], space[there]])
        parts.append((here[hit] + 1, there[hit], count[hit]))
        on = ~crossings.last[there] & open_[there] & ((space[there] != space[here]) | ends[space[there]])
        here, there, count = here[on], there[on], count[on]
        new = (space[there] != NOBODY) & ~ends[space[there]] & (previous[there] <= here)
        count = count + toll[space[there]] * new
        there = there + 1
    if not parts:
        return here, here, here
    leave, enter, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    return leave, enter, count


def _previous_entries(line: Array, space: Array) -> Array:
    """Return for each crossing the last one before it on its line that enters the same space, or -1."""
    import numpy as np

    order = np.lexsort((space, line))
    again = (line[order][1:] == line[order][:-1]) & (space[order][1:] == space[order][:-1])
    previous = np.full(len(line), -1)
    previous[order[1:][again]] = order[:-1][again]
    return previous
