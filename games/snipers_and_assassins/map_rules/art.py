"""How the boards look beyond their spaces: pathways in hues of their own, the lanes of jumps, a title and a key.

The hues differ in lightness too, and no meaning hangs on them: every pathway has its letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.graph import Map
from engine.graph.overlay import Overlay
from engine.graph.palette import INK
from engine.graph.pen import word
from engine.text import Text
from games.snipers_and_assassins.rules import places

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
"""The fill of a pathway's spaces and that of its Hideouts, from the top."""
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
TOP, FOOT = 112, 62
"""How far the title stands from the upper edge, and the key from the lower one."""
HOP = 26
"""Half the width of the arrowheads of a lane."""


def art(board: Map, players: int, margin: int, pitch: int, say: Callable[[Text], str]) -> Overlay:
    """What is drawn over a board whose spaces are `pitch` wide, inside a `margin`; `say` puts words into a language."""
    pathways = players + places.EXTRA_PATHWAYS
    width, height = board.size
    seated = Text("{number} player", "{number} players", number=players)
    coloured = (
        f" .{places.letter(number)}.open{{fill:{floor}}}* .{places.letter(number)}.enclosed{{fill:{den}}}"
        for number, (floor, den) in enumerate(HUES[:pathways], 1)
    )
    return Overlay(
        name="pathways",
        rules=(*RULES, *coloured),
        beneath=(
            *(lane for number in range(1, pathways) for lane in _lanes(board, number, pitch)),
            word("board-title", say(TITLE).upper(), (margin, TOP), TITLE_SIZE),
            word("board-players", say(seated), (width - margin, TOP), TITLE_SIZE - 20),
            word("board-key", say(KEY), (margin, height - FOOT), KEY_SIZE),
        ),
    )


def _lanes(board: Map, pathway: int, pitch: int) -> Iterator[str]:
    """The lanes from a pathway to the next one: a dotted line a column, with an arrowhead each way."""
    for column in range(1, places.LENGTH + 1):
        x, y = board.spaces[f"{places.letter(pathway)}{column}"].spot
        top, bottom = y + pitch // 2 + HOP, y + places.ROW_PITCH * pitch - pitch // 2 - HOP
        yield f'<path class="line lane" d="M{x} {top + 2 * HOP}V{bottom - 2 * HOP}"/>'
        heads = f"M{x - HOP} {top + HOP}L{x} {top}L{x + HOP} {top + HOP}"
        heads += f"M{x - HOP} {bottom - HOP}L{x} {bottom}L{x + HOP} {bottom - HOP}"
        yield f'<path class="line hop" d="{heads}"/>'
