"""The track boards: a row of pads and a strip of tracks for each player, lamps alone, drawn at 1:1 (ST-X-01..03).

Lamps are one pitch apart, as on a strip of 60 lamps a metre. The pads come first and the players follow, so that the
wiring of a board for six players serves every smaller number. The largest board fits on A2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

from engine.graph import Map, Point
from engine.graph.builder import Feature, build, rectangle, sheet, space
from engine.graph.overlay import Overlay
from engine.refusal import NotUnderstood, no_such
from engine.text import Text
from games.stalingrad.map_rules.art import art
from games.stalingrad.rules.cells import LOST_TURNS, PADS, STARS, TRACKS
from games.stalingrad.rules.words import CAP, FEWEST, MOST, seat_names

PREFIX: Final = "tracks-"
TITLES: Final = {
    1: Text("Tracks for 1"),
    2: Text("Tracks for 2"),
    3: Text("Tracks for 3"),
    4: Text("Tracks for 4"),
    5: Text("Tracks for 5"),
    6: Text("Tracks for 6"),
}
"""Players -> what their board is called."""
PITCH: Final = 167
"""From lamp to lamp, in tenths of a millimetre."""
MARGIN: Final = 170
ROOM: Final = 13
"""Between the cells of a track."""
HEAD: Final = 330
"""From the upper edge to the pads."""
STRIP_TOP: Final = 640
"""From the upper edge to the first strip."""
ROW: Final = 250
"""From row to row of a strip; the words above a row have what the cells leave."""
STRIP: Final = 3 * ROW + 50
FOOT: Final = 150
COLUMNS: Final = STARS
SECTOR: Final = "pads"
PLACES: Final[Mapping[str, Point]] = {
    "stars": (0, 0),
    "hunt": (0, 1),
    "skip": (CAP, 1),
    "shoot": (CAP + LOST_TURNS, 1),
    "evade": (0, 2),
    "xp": (COLUMNS - len(TRACKS["xp"]), 2),
}
"""Track -> column and row of its first cell in a strip. Lamps are numbered along the rows."""


def names() -> tuple[str, ...]:
    """The names of the boards."""
    return tuple(map(name_for, range(FEWEST, MOST + 1)))


def name_for(players: int) -> str:
    """The name of the board for so many players."""
    return f"{PREFIX}{players}"


def players_on(slug: str) -> int:
    """For how many players a board is. Raises `NotUnderstood` for a board of another game."""
    if slug not in names():
        raise NotUnderstood(no_such("board of this game", slug, names()))
    return int(slug.removeprefix(PREFIX))


@cache
def make(slug: str) -> Map:
    """A board by its name. Raises `NotUnderstood`."""
    seats = seat_names(players_on(slug))
    document = sheet(
        slug,
        str(TITLES[len(seats)]),
        (2 * MARGIN + COLUMNS * PITCH, STRIP_TOP + STRIP * len(seats) + FOOT),
        [*_pads(), *(cell for number, seat in enumerate(seats) for cell in _strip(seat, number))],
        (SECTOR, *seats),
        code=f"T{len(seats)}",
        sensors=False,
    )
    return build(document, adjacent=())


def map_art(board: Map, say: Callable[[Text], str] = str) -> Overlay:
    """How a board looks beyond its cells; see `art`. Raises `NotUnderstood` for a board of another game."""
    players_on(board.slug)
    return art(board, PITCH, say)


def _pads() -> Iterator[Feature]:
    first = (COLUMNS - CAP) // 2
    for along, name in enumerate(PADS, first):
        yield _cell(name, SECTOR, (MARGIN + along * PITCH, HEAD))


def _strip(seat: str, number: int) -> Iterator[Feature]:
    top = STRIP_TOP + number * STRIP
    for track, (column, row) in PLACES.items():
        for along, cell in enumerate(TRACKS[track], column):
            yield _cell(f"{seat}/{track}/{cell}", seat, (MARGIN + along * PITCH, top + row * ROW))


def _cell(name: str, sector: str, corner: Point) -> Feature:
    """A square with its lamp in the middle."""
    (left, top), side = corner, PITCH - ROOM
    outline = rectangle(left, top, left + side, top + side)
    return space(name, outline, sector=sector, spot=[left + side // 2, top + side // 2])
