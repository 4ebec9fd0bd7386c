"""`sniperboard hw scan` and `hw lights`: what the sensors feel as a chart in the terminal; each lamp in turn."""

from __future__ import annotations

from collections.abc import Callable, Collection

from engine.graph import Map
from firmware_host.lab.diagnostics.workbench import WHITE, Typed, Workbench
from hardware.ports import Colour, Edge

WIDTH, HEIGHT = 110, 34
"""Characters of the chart, at most."""
HERE, NOT_HERE = "●", "·"
AWHILE = 3600.0
EACH, ALL = 0.4, 1.2
"""Seconds that each lamp shines alone, and all of them in each colour."""
PRIMARIES: dict[str, Colour] = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "white": WHITE}

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
        say(f"{_name(bench, heard)}: {'down' if heard.down else 'up'}")


def picture(bench: Workbench) -> str:
    """The chart, and above it what it comes from."""
    return "\n".join([*bench.connected, chart(bench.board, occupied(bench))])


def occupied(bench: Workbench) -> set[str]:
    """The spaces whose sensors are settled down."""
    sensors = bench.wiring.sensors
    return {space for number, space in enumerate(sensors) if number in bench.down and space is not None}


def _name(bench: Workbench, edge: Edge) -> str:
    sensors = bench.wiring.sensors
    space = sensors[edge.sensor] if edge.sensor < len(sensors) else None
    return f"sensor {edge.sensor}, {space or 'under no space'}"


def lights(bench: Workbench, say: Say, seconds: float, each: float = EACH) -> None:
    """Each lamp in turn for `each` seconds, along the chain, then all of them for `seconds` in each colour.

    With 0 for `each` they do not take turns. Any line typed ends it.
    """
    turns = len(bench.wiring.lamps) * each
    say(f"This takes about {turns + len(PRIMARIES) * seconds:.0f} seconds. Return ends it.")
    for number, space in enumerate(bench.wiring.lamps if each else ()):
        bench.light({number: WHITE})
        say(f"lamp {number}: {space or 'under no space'}")
        if _typed_within(bench, each):
            bench.dark()
            return
    for name, colour in PRIMARIES.items():
        bench.light(dict.fromkeys(range(len(bench.wiring.lamps)), colour))
        say(f"all {name}, as far as the current limit lets them")
        if _typed_within(bench, seconds):
            break
    bench.dark()


def _typed_within(bench: Workbench, seconds: float) -> bool:
    until = bench.now + seconds
    while (heard := bench.next(until)) is not None:
        if isinstance(heard, Typed):
            return True
    return False
