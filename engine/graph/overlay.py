"""What is laid over a drawn map: colours for its spaces, marks on it, and a strip of explanation below the board.

Each overlay is a file of its own (`heat.py`, `wiring.py`, `sightline.py`); how the map below is drawn is `svg.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from engine.graph.palette import INK, NIGHT
from engine.graph.pen import scoped, word

STRIP = 6000
"""How wide the strip below the board is in its own units, whatever the board measures; `depth` is in them too."""
HEIGHT = 300
"""The usual `depth`."""
LINES = (122, 218)
"""Where the two lines of words in a strip stand."""
SIZE = 62


class Overlay(Struct, frozen=True):
    """`name` is one more class of the drawing's root, below which `rules` hold (written as in `palette.py`).

    `paint` is space -> colour; `beneath` lies under the map's own words and rings, `above` over them; `strip` is
    drawn below the board, `depth` high.
    """

    name: str = ""
    rules: tuple[str, ...] = ()
    paint: Mapping[str, str] = {}
    beneath: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    strip: tuple[str, ...] = ()
    depth: int = 0

    def style(self) -> str:
        """The overlay's own style sheet, stronger than the map's."""
        return scoped(self.rules, f".board-map.{self.name}") if self.rules else ""


BARE = Overlay()

STRIP_RULES = (
    f" .note{{text-anchor:start;fill:{INK};opacity:.72}}* .title{{text-anchor:start;fill:{INK};font-weight:700}}",
    f" .tick{{fill:{INK};opacity:.9}}",
    f" .strip{{fill:{NIGHT}}}",
)
"""Rules of every overlay that has a strip."""


def titled(title: str, below: str) -> Iterable[str]:
    """The left end of a strip: what this picture is, and one line about it."""
    yield word("title", title, (90, LINES[0]), 88)
    yield from notes(90, ["", below])


def notes(left: float, lines: Sequence[str]) -> Iterable[str]:
    """Up to two lines of explanation in a strip."""
    yield from (word("note", line, (left, down), SIZE) for line, down in zip(lines, LINES, strict=False) if line)
