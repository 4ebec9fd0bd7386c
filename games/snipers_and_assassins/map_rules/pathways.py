"""The boards: pathways of twelve spaces with a Hideout at each end, drawn at 1:1 (SA-BRD-01..04).

Columns are one pitch apart and pathways two, so players can see the distance of a shot on the board (SA-R-05). Every
board is as wide as the long side of A2, which is the short side of A1. Boards with up to five pathways fit on A2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import cos, radians, sin
from typing import Final

from engine.graph import Map, Point
from engine.graph.builder import BoardsByPlayers, Feature, build, sheet, space
from engine.graph.overlay import Overlay
from engine.graph.palette import INK
from engine.graph.pen import text_element
from engine.text import Text
from games.snipers_and_assassins.map_rules.town import RULES as TOWN_RULES
from games.snipers_and_assassins.map_rules.town import STREET, Box, town
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.places import Place
from games.snipers_and_assassins.rules.words import FEWEST, MOST

TITLES: Final = {
    2: Text("Pathways for 2"),
    3: Text("Pathways for 3"),
    4: Text("Pathways for 4"),
    5: Text("Pathways for 5"),
    6: Text("Pathways for 6"),
}
"""Number of players -> board name."""
PITCH: Final = 400  # Distance between columns, and size of a space, in tenths of a millimetre
MARGIN: Final = 170
CHAMFER: Final = 110  # Length cut off the corners of a space, in tenths of a millimetre
ARC: Final = 15  # Degrees between two corners of a Hideout's round end
HUES: Final = (
    ("#5c4a17", "#8a7230"),
    ("#173a56", "#2f648d"),
    ("#4d2340", "#7d4269"),
    ("#14473a", "#2b7763"),
    ("#5c3010", "#8f5527"),
    ("#2c3c70", "#4c60a3"),
    ("#3f4616", "#6b7531"),
    ("#4a4f53", "#757c82"),
)
"""Fill colours of each pathway's spaces and Hideouts, from the top.

Hues also differ in lightness. They carry no meaning.
"""
RULES: Final = (
    f" .lane{{fill:none;stroke:{INK};stroke-width:9;stroke-linecap:round;stroke-dasharray:1 34;opacity:.5}}",
    f" .hop{{fill:none;stroke:{INK};stroke-width:8;stroke-linecap:round;stroke-linejoin:round;opacity:.55}}",
    f" .board-key{{text-anchor:start;fill:{INK};opacity:.72}}",
    " .board-title{text-anchor:start;font-weight:700;letter-spacing:9px}",
    f" .board-players{{text-anchor:end;fill:{INK};opacity:.72}}",
)
TITLE: Final = Text("Snipers and Assassins")
KEY: Final = Text(
    "Rounded ends: Hideouts   ·   dotted lanes: jumps, from a space to the one above or below   ·   "
    "a shot: 3 columns, on its own pathway and the next"
)
TITLE_SIZE, KEY_SIZE = 84, 54
TOP, FOOT = 112, 62  # Distance of the title from the upper edge, and of the key from the lower edge
HOP = 26  # Half the width of an arrowhead on a jump lane
WIDTH: Final = 2 * MARGIN + (places.LENGTH + 2) * PITCH


def _draw(name: str, players: int) -> Map:
    pathways = players + places.EXTRA_PATHWAYS
    document = sheet(
        name,
        str(TITLES[players]),
        (WIDTH, 2 * MARGIN + (places.ROW_PITCH * pathways - 1) * PITCH),
        map(_feature, places.spaces(pathways)),
        tuple(map(places.letter, range(1, pathways + 1))),
        code=f"P{players}",
    )
    return build(document, _steps(pathways), "board")


BOARDS: Final = BoardsByPlayers("pathways", range(FEWEST, MOST + 1), _draw)


def map_art(board: Map, say: Callable[[Text], str] = str) -> Overlay:
    """Return the printed overlay: pathway colours, the town between them, jump lanes, a title and a key.

    `say` translates the text. Raises `NotUnderstood` for a board of another game.
    """
    players = BOARDS.players_on(board.slug)
    pathways = players + places.EXTRA_PATHWAYS
    width, height = board.size
    coloured = (
        f" .{places.letter(number)}.open{{fill:{floor}}}* .{places.letter(number)}.enclosed{{fill:{den}}}"
        for number, (floor, den) in enumerate(HUES[:pathways], 1)
    )
    seated = Text("{number} player", "{number} players", number=players)
    return Overlay(
        name="pathways",
        rules=(*RULES, *TOWN_RULES, *coloured),
        beneath=(
            *town(_gaps(board, pathways)),
            *(lane for number in range(1, pathways) for lane in _lanes(board, number)),
            text_element("board-title", say(TITLE).upper(), (MARGIN, TOP), TITLE_SIZE),
            text_element("board-players", say(seated), (width - MARGIN, TOP), TITLE_SIZE - 20),
            text_element("board-key", say(KEY), (MARGIN, height - FOOT), KEY_SIZE),
        ),
    )


def _gaps(board: Map, pathways: int) -> Iterator[Box]:
    """Yield the gaps between the pathways, from lane to lane and outside the outer lanes."""
    lanes = [board.spaces[f"A{column}"].spot[0] for column in range(1, places.LENGTH + 1)]
    bounds = [MARGIN - STREET, *lanes, board.size[0] - MARGIN + STREET]
    for number in range(1, pathways):
        top = board.spaces[f"{places.letter(number)}1"].spot[1] + PITCH // 2 + STREET
        bottom = top + (places.ROW_PITCH - 1) * PITCH - 2 * STREET
        for left, right in pairwise(bounds):
            yield left + STREET, top, right - STREET, bottom


def _lanes(board: Map, pathway: int) -> Iterator[str]:
    """Yield the jump lanes from a pathway to the next. Each column has a dotted line with an arrowhead at each end."""
    for column in range(1, places.LENGTH + 1):
        x, y = board.spaces[f"{places.letter(pathway)}{column}"].spot
        # The lane fills the gap between the two rows, with a margin at each end.
        top, bottom = y + PITCH // 2 + HOP, y + places.ROW_PITCH * PITCH - PITCH // 2 - HOP
        yield f'<path class="line lane" d="M{x} {top + 2 * HOP}V{bottom - 2 * HOP}"/>'
        heads = f"M{x - HOP} {top + HOP}L{x} {top}L{x + HOP} {top + HOP}"
        heads += f"M{x - HOP} {bottom - HOP}L{x} {bottom}L{x + HOP} {bottom - HOP}"
        yield f'<path class="line hop" d="{heads}"/>'


def _steps(pathways: int) -> Iterator[tuple[str, str]]:
    """Yield the single steps along the pathways (SA-R-03)."""
    # Places are sorted by pathway, so neighbours on a pathway follow each other.
    for one, other in pairwise(places.spaces(pathways)):
        if places.place_of(one).pathway == places.place_of(other).pathway:
            yield one, other


def _feature(name: str) -> Feature:
    place = places.place_of(name)
    left, top = _corner(place)
    shape = BEAD if place.is_space else DEN if place.column == places.LEFT else MIRRORED
    outline = [(left + x, top + y) for x, y in shape]
    facts = {"sector": places.letter(place.pathway), "spot": [left + PITCH // 2, top + PITCH // 2]}
    if place.is_space:
        return space(name, outline, "open", **facts)
    return space(name, outline, "enclosed", area=name, **facts)


def _corner(place: Place) -> Point:
    """Return the top left corner of a place's square."""
    return MARGIN + place.column * PITCH, MARGIN + places.ROW_PITCH * (place.pathway - 1) * PITCH


def _den() -> tuple[Point, ...]:
    """Return the outline of a left-hand Hideout: a space with a round outer half."""
    radius = PITCH // 2
    turns = (radians(degrees) for degrees in range(90, 271, ARC))
    arc = tuple((round(radius + radius * cos(turn)), round(radius + radius * sin(turn))) for turn in turns)
    # The right half is that of a space. The arc replaces the left half.
    return (*BEAD[1:5], *arc)


BEAD: Final[tuple[Point, ...]] = (
    (CHAMFER, 0),
    (PITCH - CHAMFER, 0),
    (PITCH, CHAMFER),
    (PITCH, PITCH - CHAMFER),
    (PITCH - CHAMFER, PITCH),
    (CHAMFER, PITCH),
    (0, PITCH - CHAMFER),
    (0, CHAMFER),
)
"""Outline of a space: a square with cut corners."""
DEN: Final = _den()
MIRRORED: Final[tuple[Point, ...]] = tuple((PITCH - x, y) for x, y in reversed(DEN))
