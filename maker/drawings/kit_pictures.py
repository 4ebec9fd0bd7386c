"""`python -m maker.drawings.kit_pictures`: draw the build guide's pictures of the sheets of `sniperboard map kit`."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from engine.graph.svg import draw
from firmware_host.board.wiring import FILE, of_board
from firmware_host.core import maps
from maker.kit import chain, sheets
from maker.kit.choices import Choices
from maker.kit.folder import strip_pieces
from maker.kit.holes import drill_holes
from maker.mapping.drawings import survey_named
from maker.mapping.wiring import wiring_overlay as chain_overlay
from maker.png import render_png

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "kit"
MAP = "launch-facility"
WIDTH = 1000
"""Pixels of a picture."""
CLOSE = 4
"""Enlargement of a sheet of which only a corner is shown."""
CORNER = (0.02, 0.55, 0.27, 0.8)
"""Left, top, right and bottom of that corner, as fractions of the sheet."""


def draw_sheets() -> Iterator[tuple[str, str]]:
    """Yield name and SVG of each sheet."""
    board, choices = survey_named(MAP, "loose").map, Choices()
    numbers = of_board(board, maps.drawing_of(MAP).with_name(FILE))
    holes = drill_holes(board, numbers, choices)
    found = chain.place_plates(board, holes, len(numbers.sensors), choices)
    yield "artwork", sheets.artwork(board, holes, choices.windows)
    yield "drill", sheets.drill_plan(board, holes, found, choices)
    yield "chain", draw(board, chain_overlay(board, [space for _, space, *_ in strip_pieces(holes, choices)]))


def webp_picture(svg: str, corner: tuple[float, float, float, float] | None = None) -> bytes:
    """Return a sheet as WebP on white, or an enlarged corner of it."""
    drawn = Image.open(io.BytesIO(render_png(svg, WIDTH * (CLOSE if corner else 1)))).convert("RGBA")
    sheet = Image.alpha_composite(Image.new("RGBA", drawn.size, "white"), drawn).convert("RGB")
    if corner:
        wide, high = sheet.size
        sheet = sheet.crop((int(corner[0] * wide), int(corner[1] * high), int(corner[2] * wide), int(corner[3] * high)))
    held = io.BytesIO()
    sheet.save(held, "WEBP", quality=60, method=6)
    return held.getvalue()


def main() -> None:
    """Write all pictures."""
    sheet = dict(draw_sheets())
    (FOLDER / "artwork.webp").write_bytes(webp_picture(sheet["artwork"]))
    (FOLDER / "chain.webp").write_bytes(webp_picture(sheet["chain"]))
    (FOLDER / "drill.webp").write_bytes(webp_picture(sheet["drill"], CORNER))


if __name__ == "__main__":
    main()
