"""The files of a kit's folder, written atomically: all or none."""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
from codecs import BOM_UTF8
from collections.abc import Sequence
from itertools import combinations
from math import dist
from pathlib import Path

from engine.graph.fault import MapError
from engine.graph.model import Map
from firmware_host.board.wiring import FILE, Wiring, wiring_text
from firmware_host.core import maps
from maker.drawings.kit_boards import board_drawings
from maker.kit import chain, chipboard, paper, parts, plates, power, sheets
from maker.kit.choices import Choices
from maker.kit.dxf import dxf
from maker.kit.holes import Holes, drill_holes
from maker.output_files import format_geojson

LEAST_DISTANCE = 30.0
"""Minimum millimetres between two spots: a base of 25 mm and room for a finger."""
GERBERS = "chipboard-gerbers.zip"
STRIP_HEADS = ("lamp", "space", "x mm", "y mm", "piece mm", "wire to the next mm")
README = """\
{name}: what to print, cut, buy and solder. Made by `sniperboard map kit`.

Print every PDF at 100 % ("actual size"), and measure the line of 100 mm on the tiles before you glue anything.
artwork.pdf         the map in its real size, {wide:g} x {high:g} mm{windows}
artwork-A3.pdf, artwork-A4.pdf
                    the same in tiles: cut left and above along the marks, lay half circles onto whole ones
drill.pdf           the underside of the carrier, mirrored: every hole, numbers as they are soldered
drill-A3.pdf, drill-A4.pdf
                    the same in tiles
{light}carrier.dxf/.svg    the carrier for a laser or router, from above, in mm: the outline and every hole
floor.dxf/.svg      the floor, from above: the screws of every plate and spacer, and the cables' hole
plates.dxf/.svg     plates for the {chip}s' boards and for computer and supply
rings.dxf/.svg      the rings that hold the miniatures, spares included
{gerbers}boards.pdf          the boards to solder, and what is connected to what
wires.csv, .pdf     every wire with its length in mm, sorted as it is soldered
{strip}chips.csv           {chip}, input, sensor number, space
labels.pdf          flags for the wires
parts.csv, .pdf     what to buy; prices are estimates of {priced}
power.csv           what it draws, with the source of each figure
map.geojson, wiring.toml
                    the drawing with the holes' places, and the numbers: keep them with the board
"""


def make_kit(board: Map, wiring: Wiring, choices: Choices, drawing: bytes = b"") -> dict[str, bytes]:
    """Return all files by name. `drawing` is the file that the map was read from, if there is one.

    Raises `MapError` if there is no room for the holes, parts collide, or the drawing is not to scale.
    """
    _require_scale(board)
    holes = drill_holes(board, wiring, choices)
    layout = chain.place_plates(board, holes, len(wiring.sensors), choices)
    plates.require_fit(board.slug, layout.plates, holes, choices)
    # Parts, work and lists use the same wires, so that their figures always agree.
    counted = parts.count_parts(board, holes, layout, choices)
    return {
        **_papers(board, holes, layout, choices),
        **_plates(board, holes, layout, choices),
        **_lists(board.name, holes, layout, counted, choices),
        **({maps.DRAWING: with_lamp_places(drawing, holes)} if drawing else {}),
        "boards.pdf": paper.drawing_pages(board_drawings(choices, counted.lamps)),
        **({GERBERS: chipboard.gerber_zip()} if choices.chips == "pcb" else {}),
        FILE: wiring_text(wiring).encode(),
        "README.txt": _readme(board, choices).encode(),
    }


def with_lamp_places(drawing: bytes, holes: Sequence[Holes]) -> bytes:
    """Return the drawing with each lamp's place written into it, so that a kit made from it has the same holes."""
    document = json.loads(drawing.removeprefix(BOM_UTF8))
    windows = {hole.space: hole.window for hole in holes}
    for feature in document["features"]:
        window = windows.get(feature["properties"].get("id"))
        if window is not None:
            feature["properties"]["lamp"] = [round(part * 10) for part in window]
    return format_geojson(document).encode()


def _require_scale(board: Map) -> None:
    """Raise `MapError` for a board with lamps only, and for a drawing that is not to scale."""
    if not board.has_sensors:
        remedy = "Print it with `sniperboard map render`; docs/hardware.md tells how its strips are cut."
        raise MapError(board.slug, [f"this board has lamps alone, in rows along uncut strips. {remedy}"])
    spots = [board.spaces[name].spot for name in board.enterable]
    nearest = min((dist(one, other) / 10 for one, other in combinations(spots, 2)), default=LEAST_DISTANCE)
    if nearest < LEAST_DISTANCE:
        raise MapError(
            board.slug,
            [
                f"two spaces' spots are only {nearest:.1f} mm apart, and a miniature takes {LEAST_DISTANCE:g} mm. This "
                "drawing is not in its real size. Draw it in tenths of a millimetre, with `size` to match."
            ],
        )


def _papers(board: Map, holes: Sequence[Holes], layout: chain.Layout, choices: Choices) -> dict[str, bytes]:
    size = (board.size[0] / 10, board.size[1] / 10)
    drawings = {
        "artwork": (sheets.artwork(board, holes, choices.windows), board.name),
        "drill": (sheets.drill_plan(board, holes, layout, choices), f"{board.name}, underside"),
    }
    files = (
        {"light-test.pdf": paper.single_page(sheets.light_test_sheet(), paper.A4)} if choices.lamps != "none" else {}
    )
    for name, (drawing, title) in drawings.items():
        files[f"{name}.pdf"] = paper.single_page(drawing, size)
        for form, sheet in (("A3", paper.A3), ("A4", paper.A4)):
            files[f"{name}-{form}.pdf"] = paper.tiled_pages(drawing, size, sheet, title)
    return files


def _plates(board: Map, holes: Sequence[Holes], layout: chain.Layout, choices: Choices) -> dict[str, bytes]:
    shapes = {
        "carrier": sheets.carrier_shapes(board, holes, layout, choices),
        "floor": sheets.floor_shapes(board, layout),
        "plates": sheets.plate_shapes(layout.chips, choices, len(layout.gates)),
        "rings": sheets.ring_shapes(parts.ring_count(len(board.enterable))),
    }
    files = {f"{name}.dxf": dxf(shape).encode("ascii") for name, shape in shapes.items()}
    return files | {f"{name}.svg": sheets.cutting_svg(shape).encode() for name, shape in shapes.items()}


def _lists(
    name: str, holes: Sequence[Holes], layout: chain.Layout, counted: parts.BoardQuantities, choices: Choices
) -> dict[str, bytes]:
    bought = parts.list_parts(counted, choices)
    work = parts.estimate_work(counted, bought)
    total = sum(part.cost for part in bought)
    wires = [(cut.start, cut.end, cut.colour, str(cut.length)) for cut in counted.cuts]
    chips = [
        (str(chip.number), letter, str(hole.sensor), hole.space)
        for chip in layout.chips
        for letter, hole in zip(choices.inputs, chip.inputs, strict=True)
        if hole is not None
    ]
    wire_heads, budget = ("from", "to", "colour", "mm"), power.power_rows(counted, choices)
    note = f"Prices are estimates of {parts.PRICED}: {total:.0f} EUR in all. "
    note += f"About {work.joints} solder joints and {work.hours:g} hours (estimate)"
    return {
        "wires.csv": csv_table(wire_heads, wires),
        "wires.pdf": paper.table_pages(f"{name}: wires", [("In the order of soldering", wire_heads, wires)]),
        **({"lamps.csv": csv_table(STRIP_HEADS, chain.strip_pieces(holes, choices))} if counted.lamps else {}),
        "chips.csv": csv_table((choices.chip, "input", "sensor", "space"), chips),
        "labels.pdf": paper.label_pages(_warnings(holes, layout, choices)),
        "parts.csv": csv_table(parts.HEADS, parts.part_rows(bought)),
        "parts.pdf": paper.table_pages(
            f"{name}: parts", [(note, parts.HEADS, parts.part_rows(bought)), ("Power", power.HEADS, budget)]
        ),
        "power.csv": csv_table(power.HEADS, budget),
    }


def _warnings(holes: Sequence[Holes], layout: chain.Layout, choices: Choices) -> list[str]:
    sensors = sorted((hole.sensor, hole.space) for hole in holes if hole.sensor is not None)
    inputs = len(choices.inputs)
    return [
        *(f"S{number} {space} {number // inputs}{choices.inputs[number % inputs]}" for number, space in sensors),
        *(f"L{hole.lamp} {hole.space}" for hole in chain.lamp_chain(holes)),
        *(f"{choices.chip} {chip.number}" for chip in layout.chips),
    ]


def csv_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\n").writerows([heads, *rows])
    return lines.getvalue().encode()


def _readme(board: Map, choices: Choices) -> str:
    lit = choices.lamps != "none"
    ordered = f"{GERBERS}\n{'':20}the chips' boards for a board factory: 2 layers, 1.6 mm, nothing else to choose\n"
    light = "which window and which ink let enough light through: print it on the map's own paper\n"
    return README.format(
        name=board.name,
        wide=board.size[0] / 10,
        high=board.size[1] / 10,
        windows=", white above each lamp" if choices.windows and lit else "",
        light=f"{'light-test.pdf':20}{light}" if lit else "",
        gerbers=ordered if choices.chips == "pcb" else "",
        strip=f"{'lamps.csv':20}the strip's pieces in their order, with the way to the next one\n" if lit else "",
        priced=parts.PRICED,
        chip=choices.chip,
    )


def write_folder(files: dict[str, bytes], out: Path) -> None:
    """Write a new folder, completely or not at all. Raises `MapError` if it exists or cannot be written."""
    require_new(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".kit") as place:
            draft = Path(place, "kit")
            draft.mkdir()
            for name, content in files.items():
                (draft / name).write_bytes(content)
            # The draft is in the same folder, so this is a rename.
            shutil.move(draft, out)
    except OSError as error:
        raise MapError(str(out), [f"cannot be written: {error.strerror}. Give another folder with --out."]) from error


def require_new(out: Path) -> None:
    """Raise `MapError` if the kit's folder already exists."""
    if out.exists() or out.is_symlink():
        raise MapError(
            str(out), ["exists already and is not overwritten. Give another folder with --out, or move it away."]
        )
