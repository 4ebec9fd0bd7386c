"""`python -m maker.drawings.kit_pictures`: draw the build guide's pictures: the sheets of `sniperboard map kit`, the
sizes of the maps, the floor from below, and a space with its ring.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image

from engine.graph import Map
from engine.graph.svg import draw
from firmware_host.core import maps
from maker.drawings import hardware_facts
from maker.drawings.chipboard.picture import draw_front, input_pads
from maker.kit import chain, sheets
from maker.kit.choices import BASE, CHIP_INPUTS, MAGNET, RING, Choices
from maker.kit.holes import Holes, drill_holes
from maker.kit.plates import CHIP_PLATE, MAIN_PLATE, POST
from maker.mapping.drawings import survey_named, wiring_of
from maker.mapping.wiring import wiring_overlay as chain_overlay
from maker.png import render_png

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "kit"
MAP = "launch-facility"
WIDTH = 1000
"""Pixels of a picture."""
CLOSE_UP_SCALE = 4
"""Enlargement of a sheet if only a corner is shown."""
CORNER = (0.02, 0.55, 0.27, 0.8)
"""Left, top, right and bottom of that corner, as fractions of the sheet."""
ROOM, BASE_ON = (0.0, 0.75, 0.25, 1.0), "Y30"
"""The corner in the picture of the rings, and the space with a base on it."""


def draw_sheets() -> Iterator[tuple[str, str]]:
    board, choices = survey_named(MAP, "loose").map, Choices()
    numbers = wiring_of(MAP, board)
    holes = drill_holes(board, numbers, choices)
    layout = chain.place_plates(board, holes, len(numbers.sensors), choices)
    yield "artwork", sheets.artwork(board, holes, choices.windows)
    yield "drill", sheets.drill_plan(board, holes, layout, choices)
    yield "chain", draw(board, chain_overlay(board, [space for _, space, *_ in chain.strip_pieces(holes, choices)]))
    yield "maps", draw_maps()
    yield "floor", draw_floor(board, layout)
    yield "ring", draw_rings(board, holes)
    yield "chip", draw_chip(board, layout)
    yield "feeds", draw_feeds(board, holes, layout)


A4 = (210.0, 297.0)
MARGIN = 30.0
INK, EDGE = "#1d2329", "#5c6670"


def _words(at: tuple[float, float], text: str, size: float, anchor: str = "middle") -> str:
    # Inline, because a map's own rules colour all text of the drawing.
    style = f"fill:{INK};stroke:none;text-anchor:{anchor}"
    return f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size:g}" style="{style}">{text}</text>'


def draw_maps() -> str:
    """Return all maps for which a board can be built, side by side at one scale, with a sheet of A4. In millimetres."""
    parts, x, low = [], MARGIN, 0.0
    for spec in hardware_facts.board_specs():
        wide, high = spec.size
        place = f'<svg x="{x:g}" y="{MARGIN:g}" width="{wide:g}" height="{high:g}"'
        own_size = re.compile(r' width="[^"]*mm" height="[^"]*mm"')
        parts.append(own_size.sub("", draw(maps.load(spec.slug)), count=1).replace("<svg", place, 1))
        low = max(low, MARGIN + high)
        text = f"{spec.name}: {spec.spaces} spaces, {wide:g} × {high:g} mm"
        parts.append(_words((x + wide / 2, MARGIN + high + 50), text, 34))
        x += wide + MARGIN
    sheet = f'x="{x:g}" y="{MARGIN:g}" width="{A4[0]:g}" height="{A4[1]:g}"'
    parts.append(f'<rect {sheet} style="fill:#fff;stroke:{EDGE};stroke-width:3"/>')
    parts.append(_words((x + A4[0] / 2, MARGIN + A4[1] / 2), "A4", 34))
    return sheets.svg_page((x + A4[0] + MARGIN, low + 80), parts)


FLOOR_KEY = (
    ("#c8261d", "ends in a spacer: loosen these to open the board"),
    ("#5c6670", "holds plate and board"),
    ("#fff", "the cables' hole"),
)
"""Colours of the floor's holes."""


def draw_floor(board: Map, layout: chain.Layout) -> str:
    """Return the floor from below, with the screws coloured by what they hold. In millimetres."""
    wide, high = board.size[0] / 10, board.size[1] / 10
    spacer, holding, hole = (colour for colour, _ in FLOOR_KEY)

    def dot(at: tuple[float, float], across: float, colour: str) -> str:
        # From below, left and right are exchanged.
        where = f'cx="{wide - at[0]:.1f}" cy="{at[1]:.1f}" r="{across / 2:g}"'
        return f'<circle {where} fill="{colour}" stroke="{EDGE}"/>'

    parts = [f'<rect width="{wide:g}" height="{high:g}" fill="#d9b98a"/>', dot(layout.cables, chain.CABLE_HOLE, hole)]
    for plate in layout.plates:
        (x, y), (across, deep) = plate.at, plate.size
        if plate.size == POST:
            parts.append(dot(plate.at, 13, spacer))
            continue
        box = f'x="{wide - x - across / 2:.1f}" y="{y - deep / 2:.1f}" width="{across:g}" height="{deep:g}"'
        parts.append(f'<rect {box} fill="none" stroke="#8a6d42" stroke-width="1.5" stroke-dasharray="6 5"/>')
        parts.append(_words((wide - x, y + 4), "Pico" if plate.name == "main" else plate.name, 13))
        parts += [dot(place, *((13, spacer) if place in plate.spacers else (9, holding))) for place in plate.screws]
    for (colour, text), x in zip(FLOOR_KEY, (30, 450, 655), strict=True):
        parts.append(f'<circle cx="{x}" cy="{high + 24:g}" r="7" fill="{colour}" stroke="{EDGE}"/>')
        parts.append(_words((x + 14, high + 30), text, 16, "start"))
    return sheets.svg_page((wide, high + 46), parts)


AROUND = 22.0
"""Millimetres drawn around a chip's board and its sensors."""
WOOD = "#efe3cd"
VIEW = re.compile(r'viewBox="([^"]*)"')


def draw_chip(board: Map, layout: chain.Layout, number: int = 0) -> str:
    """Return a chip's board on the carrier's underside, with the wires of its sensors. In millimetres."""
    wide, chip = board.size[0] / 10, layout.chips[number]
    # From below, left and right are exchanged; the board itself lies with its parts up.
    x, y = (wide - chip.at[0] - CHIP_PLATE[0] / 2, chip.at[1] - CHIP_PLATE[1] / 2)
    wires, words, spots, pads = [], [], [(x, y), (x + CHIP_PLATE[0], y + CHIP_PLATE[1])], input_pads()
    for letter, hole in zip(CHIP_INPUTS, chip.inputs, strict=True):
        if hole is not None:
            at = (wide - hole.spot[0], hole.spot[1])
            wires.append(_wire(at, (x + pads[letter][0], y + pads[letter][1])))
            words.append(_label((at[0], at[1] - 5), f"S{hole.sensor} ({hole.space}) → {letter}", 5))
            words.append(
                _label((at[0], at[1] + 9), f"{chain.wire_length(hole.spot, chip.at, chain.SERVICE_LOOP)} mm", 4.5)
            )
            spots.append(at)
    left, top = (min(at[i] for at in spots) - AROUND for i in (0, 1))
    across, down = (max(at[i] for at in spots) + AROUND - start for i, start in ((0, left), (1, top)))
    front = draw_front()
    margin, _, *size = (float(word) for word in VIEW.findall(front)[0].split())
    place = f'x="{x + margin:g}" y="{y + margin:g}" width="{size[0]:g}" height="{size[1]:g}"'
    parts = [
        f'<rect x="{left:g}" y="{top:g}" width="{across:g}" height="{down:g}" fill="{WOOD}"/>',
        *_outlines(board),
        front.replace("<svg", f"<svg {place}", 1),
        *wires,
        *words,
    ]
    page = sheets.svg_page((across, down), parts)
    return VIEW.sub(f'viewBox="{left:g} {top:g} {across:g} {down:g}"', page, count=1)


def _outlines(board: Map) -> Iterator[str]:
    for space in board.spaces.values():
        ring = "L".join(f"{(board.size[0] - x) / 10:.1f} {y / 10:.1f}" for x, y in space.outline)
        yield f'<path d="M{ring}Z" fill="none" stroke="#c9b48d" stroke-width="0.5"/>'


def _wire(start: tuple[float, float], end: tuple[float, float], colour: str = "#7a5a32", wide: float = 1.2) -> str:
    path = f'<path d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}" stroke'
    dot = f'<circle cx="{start[0]:.1f}" cy="{start[1]:.1f}" r="{2 * wide:g}" fill="#fff" stroke="{INK}"/>'
    return f'{path}="#fff" stroke-width="{2 * wide:g}"/>{path}="{colour}" stroke-width="{wide:g}"/>{dot}'


def _label(at: tuple[float, float], text: str, size: float) -> str:
    """Return words that are readable on any background."""
    halo = f"stroke:{WOOD};stroke-width:{size / 3:g};stroke-linejoin:round"
    return _words(at, text, size).replace("stroke:none", halo) + _words(at, text, size)


def draw_feeds(board: Map, holes: Sequence[Holes], layout: chain.Layout) -> str:
    """Return the carrier's underside with the chain of lamps and the pairs that feed it. In millimetres."""
    wide, high = board.size[0] / 10, board.size[1] / 10
    lamps = chain.lamp_chain(holes)
    line = "L".join(f"{wide - x:.1f} {y:.1f}" for x, y in (lamp.window or lamp.spot for lamp in lamps))
    main = (wide - layout.main[0], layout.main[1])
    box = f'x="{main[0] - MAIN_PLATE[0] / 2:.1f}" y="{main[1] - MAIN_PLATE[1] / 2:.1f}"'
    feeds, words = [], [_label((main[0], main[1] + 5), "Pico, fuse", 13)]
    for lamp in chain.feed_points(lamps):
        place = lamp.window or lamp.spot
        at = (wide - place[0], place[1])
        feeds.append(_wire(at, main, "#c8261d", 2))
        length = chain.wire_length(layout.main, place, chain.SERVICE_LOOP)
        text = f"lamp {lamp.lamp} ({lamp.space}), {length} mm"
        # Keep labels inside the sheet and off the main plate.
        below = abs(at[0] - main[0]) < MAIN_PLATE[0] / 2 and at[1] > main[1]
        middle = min(max(at[0], 4 * len(text)), wide - 4 * len(text))
        words.append(_label((middle, at[1] + (18 if below else -9)), text, 13))
    parts = [
        f'<rect width="{wide:g}" height="{high:g}" fill="{WOOD}"/>',
        *_outlines(board),
        f'<path d="M{line}" fill="none" stroke="#c80" stroke-width="1.5"/>',
        *feeds,
        f'<rect {box} width="{MAIN_PLATE[0]:g}" height="{MAIN_PLATE[1]:g}" fill="#e4efe4" stroke="{INK}"/>',
        *words,
    ]
    return sheets.svg_page((wide, high), parts)


def draw_rings(board: Map, holes: Sequence[Holes]) -> str:
    """Return the printed map with a ring around each space, and a base with its magnet on one. In tenths of a mm."""
    marks = []

    def circle(hole: Holes, across: float, style: str) -> None:
        x, y = (10 * part for part in hole.spot)
        marks.append(f'<circle cx="{x:g}" cy="{y:g}" r="{5 * across:g}" style="fill:none;{style}"/>')

    for hole in holes:
        width = 5 * (RING[1] - RING[0])
        circle(hole, (RING[0] + RING[1]) / 2, f"stroke:#dff1f7;stroke-opacity:.55;stroke-width:{width:g}")
        if hole.space == BASE_ON:
            circle(hole, BASE, f"fill:#9aa3a8;stroke:{INK};stroke-width:6")
            circle(hole, MAGNET, f"stroke:{INK};stroke-width:6;stroke-dasharray:16 12")
    return sheets.artwork(board, holes, True).replace("</svg>", "".join(marks) + "</svg>")


def webp_picture(svg: str, corner: tuple[float, float, float, float] | None = None) -> bytes:
    """Return a sheet as WebP on white, or an enlarged corner of it."""
    drawn = Image.open(io.BytesIO(render_png(svg, WIDTH * (CLOSE_UP_SCALE if corner else 1)))).convert("RGBA")
    sheet = Image.alpha_composite(Image.new("RGBA", drawn.size, "white"), drawn).convert("RGB")
    if corner:
        wide, high = sheet.size
        sheet = sheet.crop((int(corner[0] * wide), int(corner[1] * high), int(corner[2] * wide), int(corner[3] * high)))
    buffer = io.BytesIO()
    sheet.save(buffer, "WEBP", quality=60, method=6)
    return buffer.getvalue()


def main() -> None:
    close = {"drill": CORNER, "ring": ROOM}
    for name, sheet in draw_sheets():
        (FOLDER / f"{name}.webp").write_bytes(webp_picture(sheet, close.get(name)))


if __name__ == "__main__":
    main()
