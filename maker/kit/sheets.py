"""A kit's drawings as SVG in millimetres: the artwork with its lamp windows, the drill plan, the plates.

`plan` shows the underside of the carrier, mirrored; everything else is seen from above. Text is never mirrored. Lines
for a laser or router are hairlines: red is cut, blue is engraved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, degrees

from msgspec import Struct

from engine.graph.model import Map
from engine.graph.overlay import Overlay
from engine.graph.palette import FLOOR, GROUND
from engine.graph.pen import circle_element, escaped
from engine.graph.svg import draw
from maker.kit.chain import CABLE_HOLE, Chip, Layout, lamp_chain
from maker.kit.choices import LAMP_HOLE, RING, SENSOR_HOLE, Choices
from maker.kit.holes import Holes, Place
from maker.kit.plates import CHIP_PLATE, GAP, MAIN_PLATE, POST, SCREW, SHEET_WIDE, STRIP_WIDE, Plate, nested_corners
from maker.png import font_rules

WINDOWS = (0, 4, 6, 8, 10)
"""Millimetres."""
INKS = (75, 50, 25)
"""Percent."""

CUT = 'fill="none" stroke="#f00" stroke-width="0.1"'
ENGRAVE = 'fill="none" stroke="#00f" stroke-width="0.1"'


class Circle(Struct, frozen=True):
    """A hole to cut; `layer` names its purpose."""

    layer: str
    at: Place
    across: float


class Rectangle(Struct, frozen=True):
    """A plate's outline, from its corner nearest to the origin."""

    layer: str
    at: Place
    size: Place


class Word(Struct, frozen=True):
    """A text to engrave, centred on `at`."""

    layer: str
    at: Place
    high: float
    text: str


Shape = Circle | Rectangle | Word


def artwork(board: Map, holes: Sequence[Holes], windows: bool) -> str:
    """Return the printed map, with the paper left white above each lamp. One unit is a tenth of a millimetre."""
    places = [hole.window for hole in holes if hole.window is not None] if windows else []
    marks = [circle_element("mark window", (x * 10, y * 10), LAMP_HOLE * 5) for x, y in places]
    rules = (" .window{fill:#fff;stroke:#efebe0;stroke-opacity:.5;stroke-width:4}",)
    drawing = draw(board, Overlay("print", rules, above=tuple(marks)))
    return drawing.replace("</style>", f"{font_rules()}</style>", 1)


def drill_plan(board: Map, holes: Sequence[Holes], layout: Layout, choices: Choices) -> str:
    """Return the drill plan, mirrored, to glue to the carrier's underside, with every number."""
    wide, high = board.size[0] / 10, board.size[1] / 10

    def at(place: Place) -> Place:
        # From below, left and right are exchanged.
        return (wide - place[0], place[1])

    main = "Pi, supply" if choices.brain == "pi" else "Pico, shifter, supply"
    parts = [
        '<g fill="none" stroke="#bbb" stroke-width="0.25">',
        *(_outline([at((x / 10, y / 10)) for x, y in space.outline]) for space in board.spaces.values()),
        "</g>",
        *(
            part
            for plate in layout.plates
            for part in _plate_places(at(plate.at), plate.size, main if plate.name == "main" else plate.name)
        ),
        *(_drill(at(place), SCREW, "#08c") for plate in layout.plates for place in plate.spacers),
        *_chain([at(hole.window or hole.spot) for hole in lamp_chain(holes)]),
    ]
    for hole in holes:
        parts += _hole(hole, at(hole.spot), None if hole.window is None else at(hole.window), choices)
    return svg_page((wide, high), parts)


def _outline(ring: Iterable[Place]) -> str:
    return f'<path d="M{"L".join(f"{x:.2f} {y:.2f}" for x, y in ring)}Z"/>'


def _hole(hole: Holes, spot: Place, window: Place | None, choices: Choices) -> Iterator[str]:
    if hole.sensor is not None:
        yield _drill(spot, SENSOR_HOLE[choices.sensor], "#000")
    yield centred_text((spot[0], spot[1] - 5), hole.space, 4, "#000", "bold")
    if hole.sensor is not None:
        yield centred_text((spot[0], spot[1] + 8.5), f"S{hole.sensor}", 3.6)
    if window is not None:
        # The strip runs across the line from sensor to lamp.
        turned = degrees(atan2(window[1] - spot[1], window[0] - spot[0])) + 90
        x, y = window
        piece = f'x="{-choices.pitch / 2:.2f}" y="{-STRIP_WIDE / 2:.2f}" width="{choices.pitch:.2f}"'
        where = f'transform="translate({x:.2f} {y:.2f}) rotate({turned:.1f})"'
        yield f'<rect {piece} height="{STRIP_WIDE:g}" {where} fill="none" stroke="#c80" stroke-width="0.2"/>'
        yield _drill(window, LAMP_HOLE, "#c80")
        yield centred_text((x, y + LAMP_HOLE / 2 + 4), f"L{hole.lamp}", 3.6, "#a60")


def _drill(at: Place, across: float, colour: str) -> str:
    x, y, arm = at[0], at[1], across / 2 + 1.5
    cross = f'<path d="M{x - arm:.2f} {y:.2f}h{2 * arm:.2f}M{x:.2f} {y - arm:.2f}v{2 * arm:.2f}" stroke-width="0.15"/>'
    ring = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{across / 2:.2f}" stroke-width="0.25"/>'
    return f'<g fill="none" stroke="{colour}">{ring}{cross}</g>'


def _plate_places(middle: Place, size: Place, text: str) -> Iterator[str]:
    (x, y), (wide, high) = middle, size
    box = f'x="{x - wide / 2:.2f}" y="{y - high / 2:.2f}" width="{wide:g}" height="{high:g}"'
    yield f'<rect {box} fill="none" stroke="#08c" stroke-width="0.2" stroke-dasharray="2 2"/>'
    yield centred_text((x, y - high / 2 + 4), text, 3.6, "#06a")


def _chain(places: Sequence[Place]) -> Iterator[str]:
    for (x, y), (to_x, to_y) in pairwise(places):
        yield f'<path d="M{x:.2f} {y:.2f}L{to_x:.2f} {to_y:.2f}" stroke="#c80" stroke-width="0.15" fill="none"/>'


def carrier_shapes(board: Map, holes: Sequence[Holes], layout: Layout, choices: Choices) -> list[Shape]:
    """Return the carrier's outline and holes, including those for the spacers' upper screws, seen from above."""
    shapes: list[Shape] = [Rectangle("OUTLINE", (0.0, 0.0), (board.size[0] / 10, board.size[1] / 10))]
    shapes += [Circle("SENSOR", hole.spot, SENSOR_HOLE[choices.sensor]) for hole in holes if hole.sensor is not None]
    shapes += [Circle("LAMP", hole.window, LAMP_HOLE) for hole in holes if hole.window is not None]
    return [*shapes, *(Circle("SCREW", place, SCREW) for plate in layout.plates for place in plate.spacers)]


def floor_shapes(board: Map, layout: Layout) -> list[Shape]:
    """Return the floor's outline, its screw holes and cable hole, and the plates' numbers, seen from above."""
    shapes: list[Shape] = [Rectangle("OUTLINE", (0.0, 0.0), (board.size[0] / 10, board.size[1] / 10))]
    for plate in layout.plates:
        shapes += [Circle("SCREW", place, SCREW) for place in plate.screws]
        if plate.size != POST:
            shapes.append(Word("ENGRAVE", plate.at, 4.0, plate.name))
    if layout.lamps_from not in (None, layout.main):
        shapes.append(Word("ENGRAVE", layout.lamps_from, 4.0, "WLED"))
    return [*shapes, Circle("CABLES", layout.cables, CABLE_HOLE)]


def plate_shapes(chips: Sequence[Chip], choices: Choices, gate_boards: int = 0) -> list[Shape]:
    """Return the plates for the boards of chips, gates and connectors, nested on a sheet, with their numbers."""
    shapes = _plate((0.0, 0.0), MAIN_PLATE, "Pico  5 V  USB" if choices.brain == "pico" else "Pi  5 V")
    corners = nested_corners(len(chips) + gate_boards)
    for number, place in enumerate(corners[len(chips) :]):
        shapes += _plate(place, CHIP_PLATE, f"gates {number}")
    for chip, (x, y) in zip(chips, corners, strict=False):
        shapes += _plate((x, y), CHIP_PLATE, f"{choices.chip} {chip.number}")
        spaces = [hole.space if hole is not None else "-" for hole in chip.inputs]
        half = len(spaces) // 2
        for row, names in enumerate((spaces[:half], spaces[half:])):
            place = (x + CHIP_PLATE[0] / 2, y + CHIP_PLATE[1] - 12 + 5 * row)
            text = f"{choices.inputs[half * row]}: {' '.join(names)}"
            shapes.append(Word("ENGRAVE", place, min(3.0, 90 / len(text)), text))
    return shapes


def _plate(at: Place, size: Place, text: str) -> list[Shape]:
    middle = (at[0] + size[0] / 2, at[1] + size[1] / 2)
    return [
        Rectangle("OUTLINE", at, size),
        *(Circle("SCREW", place, SCREW) for place in Plate(text, middle, size).screws),
        Word("ENGRAVE", (at[0] + size[0] / 2, at[1] + 8), 4.0, text),
    ]


def ring_shapes(count: int) -> list[Shape]:
    step = RING[1] + GAP
    columns = int((SHEET_WIDE + GAP) // step)
    middles = [
        (number % columns * step + RING[1] / 2, number // columns * step + RING[1] / 2) for number in range(count)
    ]
    return [Circle("OUTLINE", middle, across) for middle in middles for across in RING]


def light_test_sheet() -> str:
    """Return an A4 page to lay on one lamp: each ground colour with windows of several sizes, and thinner ink."""
    parts = [centred_text((105, 20), "Lay this page on one lamp, in the room where you play.", 5, "#000", "bold")]
    heads = [*(f"{across} mm" for across in WINDOWS), *(f"{ink} %" for ink in INKS)]
    parts += [centred_text((48 + 18 * column, 34), head, 4) for column, head in enumerate(heads)]
    for row, (name, colour) in enumerate({**GROUND, "room": FLOOR["yellow"]}.items()):
        y = 50 + 24 * row
        parts.append(centred_text((22, y), name, 4))
        for column, across in enumerate(WINDOWS):
            parts.append(_patch(48 + 18 * column, y, colour))
            if across:
                parts.append(f'<circle cx="{48 + 18 * column:g}" cy="{y:g}" r="{across / 2:g}" fill="#fff"/>')
        for column, ink in enumerate(INKS):
            parts.append(_patch(48 + 18 * (column + len(WINDOWS)), y, colour, ink / 100))
    words = "Windows by their width, then the ground without a window in that share of its ink."
    return svg_page((210.0, 297.0), [*parts, centred_text((105, 180), words, 4)])


def _patch(x: float, y: float, colour: str, opacity: float = 1.0) -> str:
    return (
        f'<rect x="{x - 8:g}" y="{y - 10:g}" width="16" height="20" fill="{colour}" fill-opacity="{opacity:g}" '
        'stroke="#999" stroke-width="0.1"/>'
    )


def sheet_size(shapes: Iterable[Shape]) -> Place:
    corners = [_corner(shape) for shape in shapes]
    return (max(x for x, _ in corners), max(y for _, y in corners))


def _corner(shape: Shape) -> Place:
    """Return the corner of a shape farthest from the origin, or the middle of a word."""
    if isinstance(shape, Word):
        return shape.at
    size = shape.size if isinstance(shape, Rectangle) else (shape.across / 2, shape.across / 2)
    return (shape.at[0] + size[0], shape.at[1] + size[1])


def cutting_svg(shapes: Sequence[Shape]) -> str:
    return svg_page(sheet_size(shapes), map(_cut, shapes))


def _cut(shape: Shape) -> str:
    x, y = shape.at
    if isinstance(shape, Circle):
        return f'<circle class="{shape.layer}" cx="{x:.2f}" cy="{y:.2f}" r="{shape.across / 2:.2f}" {CUT}/>'
    if isinstance(shape, Rectangle):
        size = f'width="{shape.size[0]:.2f}" height="{shape.size[1]:.2f}"'
        return f'<rect class="{shape.layer}" x="{x:.2f}" y="{y:.2f}" {size} {CUT}/>'
    return f'<text class="{shape.layer}" x="{x:.2f}" y="{y:.2f}" font-size="{shape.high:g}" {ENGRAVE}>' + (
        f"{escaped(shape.text)}</text>"
    )


def centred_text(at: Place, text: str, size: float, colour: str = "#333", weight: str = "normal") -> str:
    where = f'x="{at[0]:.2f}" y="{at[1]:.2f}" font-size="{size:g}"'
    return f'<text {where} fill="{colour}" font-weight="{weight}">{escaped(text)}</text>'


def svg_page(size: Place, parts: Iterable[str]) -> str:
    """Return a drawing in millimetres."""
    wide, high = size
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board-map kit" viewBox="0 0 {wide:g} {high:g}" '
    style = f"<style>text{{text-anchor:middle;}}{font_rules()}</style>"
    return head + f'width="{wide:g}mm" height="{high:g}mm">\n{style}\n' + "\n".join(parts) + "\n</svg>\n"
