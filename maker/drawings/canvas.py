"""An SVG sheet for circuit drawings: wires in the colours of their nets, and the symbols of our parts.

This module knows nothing about the board; `wiring_pictures.py` and `main_board.py` draw it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

Point = tuple[float, float]

INK, SOFT, PAPER, BODY = "#1d2329", "#5c6670", "#ffffff", "#f3efe6"
NETS = {
    "5V": "#c8261d",
    "3V3": "#8d3fa8",
    "ground": "#14171a",
    "data": "#1d8a3c",
    "clock": "#1f5fc4",
    "load": "#e07b00",
    "sensor": "#7a5a32",
    "usb": "#7d8790",
}
"""The colour of each net, the same on every sheet."""
NET_NAMES = {
    "5V": "5 V",
    "3V3": "3.3 V",
    "ground": "ground",
    "data": "data",
    "clock": "clock",
    "load": "load",
    "sensor": "sensor",
    "usb": "USB",
}


FONTS = "Helvetica, Arial, sans-serif"
"""The fonts of the drawings; the viewer uses the first one that it has."""


class Canvas:
    """An SVG drawing with its title, built from back to front. Lengths are thousandths of its width."""

    def __init__(self, title: str, height: float, width: float = 1000) -> None:
        self.title, self.width, self.height = title, width, height
        self._drawn: list[str] = []
        self.write_line(24, 30, title, size=20, bold=True)

    def svg(self) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}">\n'
            f"<title>{escape(self.title)}</title>\n"
            f'<rect width="{self.width:g}" height="{self.height:g}" fill="{PAPER}"/>\n'
            f'<g font-family="{FONTS}" font-size="14" fill="{INK}" stroke-linejoin="round" '
            'stroke-linecap="round">\n' + "\n".join(self._drawn) + "\n</g>\n</svg>\n"
        )

    # --- words ----------------------------------------------------------------------------------------------------

    def write_line(
        self,
        x: float,
        y: float,
        text: str,
        anchor: str = "start",
        size: float = 14,
        fill: str = INK,
        bold: bool = False,
    ) -> None:
        """Write a line of text, vertically centred on `y`."""
        weight = ' font-weight="bold"' if bold else ""
        self._drawn.append(
            f'<text x="{x:g}" y="{y + size * 0.35:g}" font-size="{size:g}" text-anchor="{anchor}" '
            f'fill="{fill}"{weight}>{escape(text)}</text>'
        )

    def write_lines(self, x: float, y: float, texts: Iterable[str]) -> None:
        """Write small text, one line below the other."""
        for number, text in enumerate(texts):
            self.write_line(x, y + 18 * number, text, "start", 13, SOFT)

    def draw_legend(self, x: float, y: float, nets: Sequence[str]) -> None:
        """Explain the colours of some nets, in a row."""
        for net in nets:
            self.draw_wire(net, (x, y), (x + 26, y))
            self.write_line(x + 33, y, NET_NAMES[net], size=13)
            x += 51 + 7.2 * len(NET_NAMES[net])

    # --- wires ----------------------------------------------------------------------------------------------------

    def draw_wire(self, net: str, *points: Point) -> None:
        """Draw a wire through all points. It passes over earlier drawings, with a gap on either side."""
        path = _path(points)
        for colour, width in ((PAPER, 8), (NETS[net], 3)):
            # A round end of the gap would cut into the part at the end of the wire.
            cap = "butt" if colour == PAPER else "round"
            self._drawn.append(
                f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
                f'stroke-linecap="{cap}"/>'
            )

    def joint(self, net: str, *points: Point) -> None:
        self._drawn += [f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="{NETS[net]}"/>' for x, y in points]

    def draw_tag(self, x: float, y: float, net: str, text: str, side: str = "left") -> None:
        """Draw a label with the wire's destination at its end, to the left or right of (x, y)."""
        width = 22 + 7.3 * len(text)
        left = x - width if side == "left" else x
        self._drawn.append(
            f'<rect x="{left:g}" y="{y - 13:g}" width="{width:g}" height="26" rx="6" fill="{PAPER}" '
            f'stroke="{NETS[net]}" stroke-width="2"/>'
        )
        self.write_line(left + width / 2, y, text, "middle", 13, bold=True)

    # --- parts ----------------------------------------------------------------------------------------------------

    def box(
        self, x: float, y: float, width: float, height: float, fill: str = BODY, edge: str = INK, rx: float = 6
    ) -> None:
        self._drawn.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{rx:g}" fill="{fill}" '
            f'stroke="{edge}" stroke-width="1.6"/>'
        )

    def disc(self, x: float, y: float, radius: float, fill: str, edge: str = INK) -> None:
        self._drawn.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{edge}" stroke-width="1.4"/>'
        )

    def draw_pad(self, x: float, y: float, number: str, net: str | None = None) -> None:
        """Draw a pin with its number, in its net's colour if a wire leads to it."""
        self.disc(x, y, 10, PAPER if net is None else NETS[net], SOFT if net is None else NETS[net])
        self.write_line(x, y, number, "middle", 11, SOFT if net is None else PAPER, net is not None)

    def stroke(self, path: str, colour: str, width: float) -> None:
        self._drawn.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>')


def _path(points: Iterable[Point]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
