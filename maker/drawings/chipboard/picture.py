"""Draw the chip board for docs/hardware.md from the file that KiCad saved, so that it shows the ordered board."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from maker.drawings.canvas import FONTS
from maker.drawings.chipboard.expressions import Node, lists, numbers, one, parse, words
from maker.kit.chipboard import BOARD, ELEMENTS, FILES
from maker.kit.plates import CHIP_PLATE

ORIGIN = (100.0, 60.0)
"""The board's upper left corner on KiCad's sheet, in millimetres."""
SCREW_ROOM = 3.5
"""Radius around a screw's centre without copper, in millimetres: room for the head and the nut."""

BODY, GROUND, TRACK, PAD, HOLE, WHITE = "#0f3d2e", "#17583f", "#2f8f63", "#d9b45a", "#ffffff", "#f4f4ee"
HALO = 0.3
MARGIN = 2.0


def draw_front() -> str:
    return _draw_side("The chip board from the front", "F", mirrored=False)


def draw_back() -> str:
    """Return the other side, as seen when the board is turned over."""
    return _draw_side("The chip board from the back", "B", mirrored=True)


def input_pads() -> dict[str, tuple[float, float]]:
    """Return where the wire of each input's sensor is soldered, in millimetres from the board's upper left corner."""
    pads = {}
    letters = {it.name: it.value for it in ELEMENTS if it.kind == "WIRES3"}
    for part in lists(parse((FILES / BOARD).read_text("utf-8")), "footprint"):
        name = next(text[2] for text in lists(part, "fp_text") if text[1] == "reference")
        if name in letters:
            (x, y), (dx, dy) = _spot(one(part, "at")), numbers(one(next(lists(part, "pad")), "at"))[:2]
            pads[letters[name]] = (x + dx, y + dy)
    return pads


def _draw_side(title: str, side: str, mirrored: bool) -> str:
    board = parse((FILES / BOARD).read_text("utf-8"))
    wide, high = CHIP_PLATE
    turn = f' transform="translate({wide:g} 0) scale(-1 1)"' if mirrored else ""
    box = f"{-MARGIN:g} {-MARGIN:g} {wide + 2 * MARGIN:g} {high + 2 * MARGIN:g}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="{FONTS}">',
            f"<title>{escape(title)}</title>",
            f'<g stroke-linecap="round" stroke-linejoin="round"{turn}>',
            f'<rect width="{wide:g}" height="{high:g}" fill="{BODY}"/>',
            f'<rect x=".5" y=".5" width="{wide - 1:g}" height="{high - 1:g}" fill="{GROUND}"/>',
            *_copper_svg(board, side),
            *_printed_svg(board, side),
            "</g>",
            *_texts_svg(board, side, mirrored),
            "</svg>\n",
        ]
    )


def _copper_svg(board: Node, side: str) -> Iterator[str]:
    """Yield tracks with the gap around them, then pads. The remaining area is ground."""
    layer = f"{side}.Cu"
    segments = [line for line in lists(board, "segment") if words(one(line, "layer"))[0] == layer]
    for colour, more in ((BODY, 2 * HALO), (TRACK, 0.0)):
        for line in segments:
            start, end = _spot(one(line, "start")), _spot(one(line, "end"))
            width = numbers(one(line, "width"))[0] + more
            yield (
                f'<path d="M{start[0]:.3f} {start[1]:.3f}L{end[0]:.3f} {end[1]:.3f}" fill="none" stroke="{colour}" '
                f'stroke-width="{width:.2f}"/>'
            )
    for via in lists(board, "via"):
        x, y = _spot(one(via, "at"))
        yield f'<circle cx="{x:.3f}" cy="{y:.3f}" r="0.3" fill="{TRACK}"/>'
    for part in lists(board, "footprint"):
        x, y = _spot(one(part, "at"))
        for pad in lists(part, "pad"):
            yield from _pad_svg(pad, x, y)


def _pad_svg(pad: Node, x: float, y: float) -> Iterator[str]:
    dx, dy = numbers(one(pad, "at"))[:2]
    size, drill = numbers(one(pad, "size"))[0], numbers(one(pad, "drill"))[0]
    # A pad begins with the word `pad`, its number, its type and its shape.
    copper = pad[2] == "thru_hole"
    ring = size / 2 + (HALO if copper else SCREW_ROOM - size / 2)
    at = f'cx="{x + dx:.3f}" cy="{y + dy:.3f}"'
    yield f'<circle {at} r="{ring:.2f}" fill="{BODY}"/>'
    if copper and pad[3] == "roundrect":
        corner = f'x="{x + dx - size / 2:.3f}" y="{y + dy - size / 2:.3f}" width="{size:g}" height="{size:g}"'
        yield f'<rect {corner} rx="{size / 4:g}" fill="{PAD}"/>'
    elif copper:
        yield f'<circle {at} r="{size / 2:g}" fill="{PAD}"/>'
    yield f'<circle {at} r="{drill / 2:g}" fill="{HOLE}"/>'


def _printed_svg(board: Node, side: str) -> Iterator[str]:
    for part in lists(board, "footprint"):
        x, y = _spot(one(part, "at"))
        for line in lists(part, "fp_line"):
            if words(one(line, "layer"))[0] == f"{side}.SilkS":
                (ax, ay), (bx, by) = numbers(one(line, "start")), numbers(one(line, "end"))
                yield (
                    f'<path d="M{x + ax:.3f} {y + ay:.3f}L{x + bx:.3f} {y + by:.3f}" stroke="{WHITE}" '
                    'stroke-width="0.15"/>'
                )


def _texts_svg(board: Node, side: str, mirrored: bool) -> Iterator[str]:
    texts = [(text, (0.0, 0.0)) for text in lists(board, "gr_text")]
    for part in lists(board, "footprint"):
        texts += [(text, _spot(one(part, "at"))) for text in lists(part, "fp_text")]
    for text, origin in texts:
        if words(one(text, "layer"))[0] != f"{side}.SilkS":
            continue
        x, y = numbers(one(text, "at"))[:2] if origin != (0.0, 0.0) else _spot(one(text, "at"))
        x, y = x + origin[0], y + origin[1]
        size = numbers(one(one(one(text, "effects"), "font"), "size"))
        label = text[2] if text[0] == "fp_text" else text[1]
        assert isinstance(label, str)
        where = f'x="{CHIP_PLATE[0] - x if mirrored else x:.2f}" y="{y + 0.45 * size[0]:.2f}"'
        wide = (
            f' textLength="{0.8 * size[1] * len(label):.2f}" lengthAdjust="spacingAndGlyphs"' if len(label) > 1 else ""
        )
        yield f'<text {where} font-size="{1.3 * size[0]:.2f}" text-anchor="middle"{wide} fill="{WHITE}">{label}</text>'


def _spot(node: Node) -> tuple[float, float]:
    x, y = numbers(node)[:2]
    return (x - ORIGIN[0], y - ORIGIN[1])
