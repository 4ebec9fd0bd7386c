"""Overlays of a drawn map: space colours, marks, and a strip of explanation below the board.

Each overlay has its own file (`heat.py`, `wiring.py`, `sightline.py`). `svg.py` draws the map below.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.graph.pen import scoped

STRIP = 6000
"""Width of the strip below the board in its own units, for any board size. `depth` uses them too."""


class Overlay(Struct, frozen=True):
    """An overlay of a drawn map. `name` is an additional class of the drawing's root element; `rules` apply below it.

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
        # Use style rules instead of attributes, because the pages forbid styles of single elements. `data-spot` only
        # raises the priority of the rule.
        paint = (f' .space[data-space="{_css(it)}"][data-spot]{{fill:{colour}}}' for it, colour in self.paint.items())
        return "\n".join((own, scoped([*paint]))).strip()


def _css(text: str) -> str:
    """Escape text for a string in a style sheet."""
    return "".join(it if it.isalnum() else f"\\{ord(it):x} " for it in text)


NO_OVERLAY = Overlay()
