"""Convert a drawn map to PNG. The renderer comes with the extra `maps` and is imported only when needed.

The viewer of an SVG supplies the fonts; a PNG needs them when it is drawn. DejaVu is preferred, so that all machines
that have it draw the same picture; otherwise the first installed one of FAMILIES is used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from engine.graph.fault import MapError

FAMILIES = (
    ("DejaVu Sans", "DejaVu Serif"),
    ("Noto Sans", "Noto Serif"),
    ("Liberation Sans", "Liberation Serif"),
    ("Arial", "Georgia"),
    ("Helvetica", "Times"),
)
"""The font for text, and the one for the names of places."""
NO_FAMILY = "No Such Family"
DPI = 254.0
"""The resolution at which a tenth of a millimetre, the unit of drawings, is one pixel before scaling."""


def render_png(svg: str, width: int, fonts: Path | None = None) -> bytes:
    """Return the drawing as PNG, `width` pixels wide, with the system's fonts or those of a folder.

    Raises `MapError` if the renderer or every usable font is missing.
    """
    return _renderer(fonts)(svg, style_sheet=font_rules(fonts), width=width)


def font_rules(fonts: Path | None = None) -> str:
    """Return style rules with fonts that this machine, or a folder of fonts, has. Raises as `png` does."""
    upright, slanted = _family(_renderer(fonts))
    return (
        f'svg.board-map text{{font-family:"{upright}"}}svg.board-map text.name{{font-family:"{slanted}","{upright}"}}'
    )


def plain_family() -> str:
    """Return the font for text that this machine has. Raises as `png` does."""
    return _family(_renderer(None))[0]


def _renderer(fonts: Path | None) -> Callable[..., bytes]:
    """Return the function that draws SVG text as PNG. Raises `MapError` if it is not installed."""
    try:
        import resvg_py
    except ImportError as error:
        remedy = "Install it with: pip install -e '.[maps]' in the project's folder; or draw an .svg."
        raise MapError("", [f"a PNG is drawn by resvg, which is not installed. {remedy}"]) from error

    return partial(
        resvg_py.svg_to_bytes,
        dpi=DPI,
        skip_system_fonts=fonts is not None,
        font_dirs=None if fonts is None else [str(fonts)],
    )


def _family(render: Callable[..., bytes]) -> tuple[str, str]:
    """Return the first of FAMILIES that is drawn differently from a font that does not exist."""
    # A missing font draws nothing, or the same fallback as an unknown family.
    fallbacks = {render(text) for text in (_letters("", ""), _letters(NO_FAMILY, "Rag 8"))}
    for upright, slanted in FAMILIES:
        if render(_letters(upright, "Rag 8")) not in fallbacks:
            return upright, slanted
    families = ", ".join(upright for upright, _ in FAMILIES)
    remedy = "Install one, on Debian with: sudo apt-get install fonts-dejavu; or draw an .svg."
    raise MapError("", [f"a PNG needs letters, and none of these fonts is installed: {families}. {remedy}"])


def _letters(family: str, text: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">'
        f'<text x="4" y="22" font-size="20" font-family="{family}">{text}</text></svg>'
    )
