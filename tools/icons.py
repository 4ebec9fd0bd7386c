"""`python -m tools.icons`: write the panel's icons for home screens as PNG, and the "your turn" icon.

The "your turn" icon is for the browser tab. All are made from icon.svg. Some systems crop icons: the maskable one fills
its square and keeps the crest away from the edges.
"""

from __future__ import annotations

from pathlib import Path

import resvg_py

from maker.page_parts import write_generated
from web_panel.shell import ICONS, STATIC

ROUND = 'rx="10"'
CREST = '<g id="crest"'
INSIDE = '<g id="crest" transform="translate(24 24) scale(.72) translate(-24 -24)"'
TOUCH = ("icon-touch.png", 180, "maskable")
"""For iOS, which rounds the corners itself."""
TURN = "icon-turn.svg"
DOT = '<circle cx="37" cy="11" r="9.5" fill="#ffb52e" stroke="#0d1114" stroke-width="2.5"/>\n</svg>'


def icon_png(name: str, size: int, purpose: str) -> bytes:
    """Return an icon as PNG. Raises `ValueError` if icon.svg has an unexpected structure."""
    text = (STATIC / "icon.svg").read_text("utf-8")
    if ROUND not in text or CREST not in text:
        raise ValueError(f"icon.svg has no {ROUND} or no {CREST}: {name} cannot be made from it.")
    if purpose == "maskable":
        text = text.replace(ROUND, 'rx="0"').replace(CREST, INSIDE)
    return bytes(resvg_py.svg_to_bytes(svg_string=text, width=size, height=size))


def files() -> dict[Path, bytes]:
    turn = (STATIC / "icon.svg").read_text("utf-8").replace("</svg>", DOT).encode()
    return {STATIC / TURN: turn, **{STATIC / icon[0]: icon_png(*icon) for icon in (*ICONS, TOUCH)}}


if __name__ == "__main__":
    raise SystemExit(write_generated(files()))
