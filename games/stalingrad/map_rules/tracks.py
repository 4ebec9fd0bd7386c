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
from engine.graph.palette import INK, NIGHT
from engine.graph.pen import word
from engine.refusal import NotUnderstood, no_such
from engine.text import Text
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
"""Number of players -> name of the board."""
PITCH: Final = 167
"""The distance from lamp to lamp, in tenths of a millimetre."""
MARGIN: Final = 170
ROOM: Final = 13
"""The gap between the cells of a track."""
HEAD: Final = 330
"""The distance from the upper edge to the pads."""
STRIP_TOP: Final = 640
"""The distance from the upper edge to the first strip."""
ROW: Final = 250
"""The distance from row to row of a strip; the words above a row use the space between the cells."""
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


HUES: Final = {
    "pads": "#3c4246",
    "player-1": "#5b2520",
    "player-2": "#20385f",
    "player-3": "#1b4a33",
    "player-4": "#5a4718",
    "player-5": "#4a2350",
    "player-6": "#4a4f53",
}
"""The fill of the cells of the pads and of each strip. It means nothing: every strip has its player's name."""
LABELS: Final = {
    "stars": Text("Stars"),
    "hunt": Text("Hunt"),
    "skip": Text("Lost turns"),
    "shoot": Text("Shoot"),
    "evade": Text("Evade"),
    "xp": Text("Experience"),
}
TITLE: Final = Text("Snipers of Stalingrad")
FACE_DOWN: Final = Text("Face down")
RULES: Final = (
    " .spot,* .id,* .border,* .line.path{display:none}",
    f" .cell{{fill:{INK};font-weight:700;paint-order:stroke;stroke:{NIGHT};stroke-width:10px;opacity:.9}}",
    f" .track{{text-anchor:start;fill:{INK};opacity:.8}}",
    f" .owner{{text-anchor:end;fill:{INK};font-weight:700;letter-spacing:4px}}",
    " .board-title{text-anchor:start;font-weight:700;letter-spacing:9px}",
)
NUMBER_SIZE, LABEL_SIZE, TITLE_SIZE = 66, 40, 92
ABOVE: Final = 22
"""The distance of a word from the cells of its track."""
TITLE_DOWN: Final = 150


def names() -> tuple[str, ...]:
    """Return the names of the boards."""
    return tuple(map(name_for, range(FEWEST, MOST + 1)))


def name_for(players: int) -> str:
    """Return the name of the board for a number of players."""
    return f"{PREFIX}{players}"


def players_on(slug: str) -> int:
    """Return for how many players a board is. Raises `NotUnderstood` for a board of another game."""
    if slug not in names():
        raise NotUnderstood(no_such("board of this game", slug, names()))
    return int(slug.removeprefix(PREFIX))


@cache
def make_map(name: str) -> Map:
    """Return the board called `name`. Raises `NotUnderstood`."""
    seats = seat_names(players_on(name))
    document = sheet(
        name,
        str(TITLES[len(seats)]),
        (2 * MARGIN + COLUMNS * PITCH, STRIP_TOP + STRIP * len(seats) + FOOT),
        [*_pads(), *(cell for number, seat in enumerate(seats) for cell in _strip(seat, number))],
        (SECTOR, *seats),
        code=f"T{len(seats)}",
        sensors=False,
    )
    return build(document, adjacent=())


def map_art(board: Map, say: Callable[[Text], str] = str) -> Overlay:
    """Return a number in each cell, a word above each track, and a title. `say` translates the words.

    Raises `NotUnderstood` for a board of another game.
    """
    players_on(board.slug)
    coloured = (f" .space.{sector}{{fill:{HUES[sector]}}}" for sector in board.sectors)
    left = min(cell.outline[0][0] for cell in board.spaces.values())
    title = word("board-title", say(TITLE).upper(), (left, TITLE_DOWN), TITLE_SIZE)
    return Overlay(name="tracks", rules=(*RULES, *coloured), beneath=(title, *_labels(board, say), *_numbers(board)))


def _labels(board: Map, say: Callable[[Text], str]) -> Iterator[str]:
    """Yield a word above the first cell of each track, and the player's name at the end of the first one."""
    yield word("track", say(FACE_DOWN).upper(), _above(board, "pad/1"), LABEL_SIZE)
    for seat in board.sectors[1:]:
        for track, label in LABELS.items():
            first = f"{seat}/{track}/{0 if track == 'xp' else 1}"
            yield word("track", say(label).upper(), _above(board, first), LABEL_SIZE)
        right, above = _above(board, f"{seat}/stars/20")
        owner = Text("Player {number}", number=int(seat.removeprefix("player-")))
        yield word("owner", say(owner).upper(), (right + PITCH, above), LABEL_SIZE)


def _above(board: Map, cell: str) -> Point:
    left, top = board.spaces[cell].outline[0]
    return left, top - ABOVE


def _numbers(board: Map) -> Iterator[str]:
    for name, cell in board.spaces.items():
        x, y = cell.spot
        yield word("cell", name.rpartition("/")[2], (x, y + 0.36 * NUMBER_SIZE), NUMBER_SIZE)


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
    """Return a square with its lamp in the middle."""
    (left, top), side = corner, PITCH - ROOM
    outline = rectangle(left, top, left + side, top + side)
    return space(name, outline, sector=sector, spot=[left + side // 2, top + side // 2])
