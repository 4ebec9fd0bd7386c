"""How the track boards look beyond their cells: a number in each cell, a word above each track, a title."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.graph import Map
from engine.graph.model import Point
from engine.graph.overlay import Overlay
from engine.graph.palette import INK, NIGHT
from engine.graph.pen import word
from engine.text import Text

HUES: Final = {
    "pads": "#3c4246",
    "player-1": "#5b2520",
    "player-2": "#20385f",
    "player-3": "#1b4a33",
    "player-4": "#5a4718",
    "player-5": "#4a2350",
    "player-6": "#4a4f53",
}
"""The fill of the cells of the pads and of each strip. No meaning hangs on it: every strip bears its player's name."""
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
"""How far a word stands above the cells of its track."""
TITLE_DOWN: Final = 150


def art(board: Map, pitch: int, say: Callable[[Text], str]) -> Overlay:
    """What is drawn over a track board whose lamps are `pitch` apart; `say` puts its words into a language."""
    coloured = (f" .space.{sector}{{fill:{HUES[sector]}}}" for sector in board.sectors)
    left = min(space.outline[0][0] for space in board.spaces.values())
    return Overlay(
        name="tracks",
        rules=(*RULES, *coloured),
        beneath=(
            word("board-title", say(TITLE).upper(), (left, TITLE_DOWN), TITLE_SIZE),
            *_labels(board, pitch, say),
            *_numbers(board),
        ),
    )


def _labels(board: Map, pitch: int, say: Callable[[Text], str]) -> Iterator[str]:
    """A word above the first cell of each track, and the player's name at the end of the first one."""
    yield word("track", say(FACE_DOWN).upper(), _above(board, "pad/1"), LABEL_SIZE)
    for seat in board.sectors[1:]:
        for track, label in LABELS.items():
            first = f"{seat}/{track}/{0 if track == 'xp' else 1}"
            yield word("track", say(label).upper(), _above(board, first), LABEL_SIZE)
        right, above = _above(board, f"{seat}/stars/20")
        owner = Text("Player {number}", number=int(seat.removeprefix("player-")))
        yield word("owner", say(owner).upper(), (right + pitch, above), LABEL_SIZE)


def _above(board: Map, cell: str) -> Point:
    left, top = board.spaces[cell].outline[0]
    return left, top - ABOVE


def _numbers(board: Map) -> Iterator[str]:
    for name, space in board.spaces.items():
        x, y = space.spot
        yield word("cell", name.rpartition("/")[2], (x, y + 0.36 * NUMBER_SIZE), NUMBER_SIZE)
