"""`sniperboard hw scan` and `hw lights`: what the sensors feel as a chart in the terminal; each lamp in turn."""

from __future__ import annotations

from collections.abc import Callable, Collection

from engine.graph import Map
from firmware_host.workshop.looking import ALL, EACH, PRIMARIES, Lighting, changed
from firmware_host.workshop.workbench import Typed, Workbench

WIDTH, HEIGHT = 110, 34
"""Characters of the chart, at most."""
HERE, NOT_HERE = "●", "·"
AWHILE = 3600.0
__all__ = ["ALL", "AWHILE", "EACH", "chart", "lights", "occupied", "picture", "scan"]

Say = Callable[[str], None]


def chart(board: Map, down: Collection[str]) -> str:
    """The board as text, each space about where it lies: its mark and its name."""
    across, deep = board.size
    rows = [[" "] * WIDTH for _ in range(HEIGHT)]
    for space in board.enterable:
        x, y = board.spaces[space].spot
        text = (HERE if space in down else NOT_HERE) + space
        row, column = round(y / deep * (HEIGHT - 1)), round(x / across * (WIDTH - len(text) - 1))
        row, column = _room(rows, row, column, len(text))
        rows[row][column : column + len(text)] = text
    return "\n".join("".join(row).rstrip() for row in rows)


def _room(rows: list[list[str]], row: int, column: int, length: int) -> tuple[int, int]:
    """The nearest place where a word fits with a gap around it."""
    for away in range(WIDTH):
        for near in (column - away, column + away):
            if 0 <= near <= WIDTH - length and not "".join(rows[row][max(0, near - 1) : near + length + 1]).strip():
                return row, near
    return row, column


def scan(bench: Workbench, say: Say, redraw: Callable[[str], None]) -> None:
    """Show what is felt, until somebody types a line: the chart anew at each change, a line for each."""
    bench.next(bench.now + 0.3)
    redraw(picture(bench))
    while not isinstance(heard := bench.next(bench.now + AWHILE), Typed):
        if heard is None:
            return
        redraw(picture(bench))
        say(changed(bench.wiring, heard))


def picture(bench: Workbench) -> str:
    """The chart, and above it what it comes from."""
    return "\n".join([*bench.connected, chart(bench.board, occupied(bench))])


def occupied(bench: Workbench) -> set[str]:
    """The spaces whose sensors are settled down."""
    sensors = bench.wiring.sensors
    return {space for number, space in enumerate(sensors) if number in bench.down and space is not None}


def lights(bench: Workbench, say: Say, seconds: float, each: float = EACH) -> None:
    """Each lamp in turn for `each` seconds, along the chain, then all of them for `seconds` in each colour.

    With 0 for `each` they do not take turns. Any line typed ends it.
    """
    turns = len(bench.wiring.lamps) * each
    say(f"This takes about {turns + len(PRIMARIES) * seconds:.0f} seconds. Return ends it.")
    job = Lighting(bench.wiring, each, seconds)
    job.told("round", None, bench.now)
    told = 0
    while job.running:
        if job.step != told:
            told = job.step
            bench.light(job.lamps(bench.now))
            say(job.asks)
        if isinstance(bench.next(job.due(bench.now) or bench.now + AWHILE), Typed):
            break
        job.elapsed(bench.now)
    bench.dark()
