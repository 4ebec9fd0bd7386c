"""Overlays of a drawn map: space colours, marks, and a strip of explanation below the board.

Each overlay has its own file (`heat.py`, `wiring.py`, `sightline.py`). `svg.py` draws the map below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from engine.graph.palette import INK, NIGHT
from engine.graph.pen import scoped, text_element

STRIP = 6000
"""Width of the strip below the board in its own units, for any board size. `depth` uses them too."""
HEIGHT = 300  # The usual `depth`
LINES = (122, 218)  # Vertical positions of the two lines of text in a strip
SIZE = 62


class Overlay(Struct, frozen=True):
    """An overlay. `name` is an additional class of the drawing's root, to which `rules` apply.

    `rules` are written as in `palette.py`. `paint` maps spaces to colours. `beneath` lies under the map's own text and
    rings, `above` over them. `strip` is drawn below the board, `depth` high.
    """

    name: str = ""
    rules: tuple[str, ...] = ()
    paint: Mapping[str, str] = {}
    beneath: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    strip: tuple[str, ...] = ()
    depth: int = 0

    def style(self) -> str:
        """Return the overlay's style sheet, which overrides the map's."""
        own = scoped(self.rules, f".board-map.{self.name}") if self.rules else ""
        # Rules, not attributes: the pages forbid styles of single elements. `data-spot` only gives them more weight.
        paint = (f' .space[data-space="{_css(it)}"][data-spot]{{fill:{colour}}}' for it, colour in self.paint.items())
        return "\n".join((own, scoped([*paint]))).strip()


def _css(text: str) -> str:
    """Escape text for a string in a style sheet."""
    return "".join(it if it.isalnum() else f"\\{ord(it):x} " for it in text)


NO_OVERLAY = Overlay()

STRIP_RULES = (
    f" .note{{text-anchor:start;fill:{INK};opacity:.72}}* .title{{text-anchor:start;fill:{INK};font-weight:700}}",
    f" .tick{{fill:{INK};opacity:.9}}",
    f" .strip{{fill:{NIGHT}}}",
)
"""Rules of every overlay that has a strip."""


def titled(title: str, below: str) -> Iterable[str]:
    """Yield the left end of a strip: the picture's title, and one line below it."""
    yield text_element("title", title, (90, LINES[0]), 88)
    yield from notes(90, ["", below])


def notes(left: float, lines: Sequence[str]) -> Iterable[str]:
    """Yield up to two lines of explanation in a strip."""
    yield from (
        text_element("note", line, (left, down), SIZE) for line, down in zip(lines, LINES, strict=False) if line
    )
