"""Track boards: a row of pads and one strip of tracks per player, drawn at 1:1 (ST-X-01..03).

The boards have lamps only. Lamps are one pitch apart, as on a strip with 60 lamps per metre. The pads are numbered
before the players' strips, so the wiring for six players also works for fewer. The largest board fits on A2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from engine.graph import Map, Point
from engine.graph.builder import BoardsByPlayers, Feature, build, rectangle, sheet, space
from engine.graph.overlay import Overlay
from engine.graph.palette import INK, NIGHT
from engine.graph.pen import text_element
from engine.seats import player_names
from engine.text import Text
from games.stalingrad.rules.words import CAP, FEWEST, LOST_TURNS, MOST, PADS, STARS, TRACKS

TITLES: Final = {
    1: Text("Tracks for 1"),
    2: Text("Tracks for 2"),
    3: Text("Tracks for 3"),
    4: Text("Tracks for 4"),
    5: Text("Tracks for 5"),
    6: Text("Tracks for 6"),
}
"""Number of players -> board name."""
PITCH: Final = 167  # Distance between lamps, in tenths of a millimetre
MARGIN: Final = 170
ROOM: Final = 13  # Gap between the cells of a track, in tenths of a millimetre
HEAD: Final = 330  # Distance from the upper edge to the pads, in tenths of a millimetre
STRIP_TOP: Final = 640  # Distance from the upper edge to the first strip, in tenths of a millimetre
ROW: Final = 250
"""Distance between the rows of a strip, in tenths of a millimetre.

The labels above a row use the space between the cells.
"""
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
"""Track -> column and row of its first cell within a strip. Lamps are numbered along the rows."""


HUES: Final = {
    "pads": "#3c4246",
    "player-1": "#5b2520",
    "player-2": "#20385f",
    "player-3": "#1b4a33",
    "player-4": "#5a4718",
    "player-5": "#4a2350",
    "player-6": "#4a4f53",
}
"""Fill colours of the pads and of each strip's cells.

The colours carry no meaning: each strip is labelled with its player's name.
"""
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
ABOVE: Final = 22  # Distance between a label and the cells of its track, in tenths of a millimetre
TITLE_DOWN: Final = 150


def _draw(name: str, players: int) -> Map:
    seats = player_names(players)
    document = sheet(
        name,
        str(TITLES[players]),
        (2 * MARGIN + COLUMNS * PITCH, STRIP_TOP + STRIP * players + FOOT),
        [*_pads(), *(cell for number, seat in enumerate(seats) for cell in _strip(seat, number))],
        (SECTOR, *seats),
        code=f"T{players}",
        sensors=False,
    )
    # Lamps only: no piece moves here, so no cell has neighbours.
    return build(document, adjacent=())


BOARDS: Final = BoardsByPlayers("tracks", range(FEWEST, MOST + 1), _draw)


def map_art(board: Map, say: Callable[[Text], str] = str) -> Overlay:
    """Return the printed overlay: cell numbers, track labels and a title.

    `say` translates the text. Raises `NotUnderstood` for a board of another game.
    """
    BOARDS.players_on(board.slug)
    coloured = (f" .space.{sector}{{fill:{HUES[sector]}}}" for sector in board.sectors)
    left = min(cell.outline[0][0] for cell in board.spaces.values())
    title = text_element("board-title", say(TITLE).upper(), (left, TITLE_DOWN), TITLE_SIZE)
    return Overlay(name="tracks", rules=(*RULES, *coloured), beneath=(title, *_labels(board, say), *_numbers(board)))


def _labels(board: Map, say: Callable[[Text], str]) -> Iterator[str]:
    """Yield a label above the first cell of each track, and the player's name beside the score track."""
    yield text_element("track", say(FACE_DOWN).upper(), _label_point(board, "pad/1"), LABEL_SIZE)
    for seat in board.sectors[1:]:
        for track, label in LABELS.items():
            # Only the experience track starts at zero.
            first = f"{seat}/{track}/{0 if track == 'xp' else 1}"
            yield text_element("track", say(label).upper(), _label_point(board, first), LABEL_SIZE)
        # The name goes to the right of the last cell of the score track.
        right, above = _label_point(board, f"{seat}/stars/20")
        owner = Text("Player {number}", number=int(seat.removeprefix("player-")))
        yield text_element("owner", say(owner).upper(), (right + PITCH, above), LABEL_SIZE)


def _label_point(board: Map, cell: str) -> Point:
    left, top = board.spaces[cell].outline[0]
    return left, top - ABOVE


def _numbers(board: Map) -> Iterator[str]:
    for name, cell in board.spaces.items():
        x, y = cell.spot
        yield text_element("cell", name.rpartition("/")[2], (x, y + 0.36 * NUMBER_SIZE), NUMBER_SIZE)


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
    """Return a square cell with its lamp in the centre."""
    (left, top), side = corner, PITCH - ROOM
    outline = rectangle(left, top, left + side, top + side)
    return space(name, outline, sector=sector, spot=[left + side // 2, top + side // 2])
