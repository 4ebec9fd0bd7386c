"""Write the chip board in the format of KiCad 6. KiCad itself pours ground (`kicad.py`)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from itertools import pairwise
from math import dist

from maker.drawings.chipboard import place
from maker.drawings.chipboard.expressions import Node, Quoted
from maker.drawings.chipboard.route import POURED, Routes, Track
from maker.drawings.chipboard.shapes import SHAPES, STEP, Shape, Spot, outline
from maker.kit import chipboard
from maker.kit.chipboard import Element

TITLE, REVISION, DATE = "sniperboard chip board", "1", "2026-11-25"
ORIGIN = (100.0, 60.0)
"""Millimetres on the sheet: the board's upper left corner."""
TRACK, VIA, VIA_DRILL, CLEARANCE = 0.4, 0.8, 0.4, 0.2
CHAMFER = 0.5
EDGE_ROOM = 0.5
"""Millimetres from copper to the board's edge."""
SPACE = uuid.UUID("5f0f6a58-5c1c-4a4e-9f3f-1b0c1d5a0e63")
FRONT_BACK = ("F.Cu", "B.Cu")
LAYERS = (
    (0, "F.Cu", "signal"), (31, "B.Cu", "signal"), (34, "B.Paste", "user"), (35, "F.Paste", "user"),
    (36, "B.SilkS", "user"), (37, "F.SilkS", "user"), (38, "B.Mask", "user"), (39, "F.Mask", "user"),
    (44, "Edge.Cuts", "user"), (46, "B.CrtYd", "user"), (47, "F.CrtYd", "user"), (48, "B.Fab", "user"),
    (49, "F.Fab", "user"),
)  # fmt: skip


def identity(name: str) -> Node:
    """Return KiCad's identifier of an item, the same each time."""
    return ["tstamp", str(uuid.uuid5(SPACE, name))]


def symbol_identity(name: str) -> str:
    """Return KiCad's identifier of an element in the schematic."""
    return str(uuid.uuid5(SPACE, f"symbol {name}"))


def net_numbers() -> dict[str, int]:
    """Return net -> its number on the board. 0 means no net."""
    free = [_free(element, pad.name) for element in chipboard.ELEMENTS for pad in SHAPES[element.kind].pads]
    return {net: number for number, net in enumerate(sorted({*chipboard.nets(), *filter(None, free)}), 1)}


def _free(element: Element, pin: str) -> str | None:
    """Return KiCad's name for the net of an unconnected pin."""
    return None if pin in element.pins else f"unconnected-({element.name}-Pad{pin})"


def board(routes: Routes) -> Node:
    """Return the whole file."""
    sheet: Node = [
        "kicad_pcb",
        ["version", "20211014"],
        ["generator", "pcbnew"],
        ["general", ["thickness", "1.6"]],
        ["paper", Quoted("A4")],
        ["title_block", ["title", Quoted(TITLE)], ["date", Quoted(DATE)], ["rev", Quoted(REVISION)]],
        ["layers", *([str(number), Quoted(name), kind] for number, name, kind in LAYERS)],
        ["setup", ["pad_to_mask_clearance", "0.05"], ["aux_axis_origin", *_at((0, place.SIZE[1]))]],
        ["net", "0", Quoted("")],
        *(["net", str(number), Quoted(net)] for net, number in net_numbers().items()),
    ]
    sheet += [footprint(element) for element in chipboard.ELEMENTS]
    sheet += [screw(number, spot) for number, spot in enumerate(place.SCREWS, 1)]
    sheet += [*_edges(), *_silk()]
    sheet += [*_tracks(routes), *_vias(routes)]
    sheet += [_pour(layer) for layer in FRONT_BACK]
    return sheet


def _at(spot: tuple[float, float]) -> list[str]:
    return [f"{ORIGIN[0] + spot[0]:g}", f"{ORIGIN[1] + spot[1]:g}"]


def _mm(steps: float) -> str:
    return f"{round(steps * STEP, 4):g}"


# --- parts ------------------------------------------------------------------------------------------------------


def footprint(element: Element, library: bool = False) -> Node:
    """Return a part on the board, or only its shape for the library."""
    shape, name = SHAPES[element.kind], element.name
    owner = element.kind if library else name
    found: Node = ["footprint", Quoted(element.kind if library else f"chipboard:{element.kind}")]
    if library:
        found += [["version", "20211014"], ["generator", "pcbnew"], ["layer", Quoted("F.Cu")]]
    else:
        where = _at(place.millimetres(place.PLACES[name]))
        found += [["layer", Quoted("F.Cu")], identity(name), ["at", *where]]
        found += [["path", Quoted(f"/{symbol_identity(name)}")]]
    found += [["attr", "through_hole"]]
    reference, value = ("REF**", element.kind) if library else (name, element.value)
    found += _named(shape, element.kind, reference, value, owner)
    found += _outlines(shape, owner)
    numbers = net_numbers()
    for pad in shape.pads:
        entry: Node = ["pad", Quoted(pad.name), "thru_hole", "roundrect" if pad.square else "circle"]
        entry += [["at", _mm(pad.at[0]), _mm(pad.at[1])], ["size", f"{pad.across:g}", f"{pad.across:g}"]]
        entry += [["drill", f"{pad.drill:g}"], ["layers", Quoted("*.Cu"), Quoted("*.Mask")]]
        entry += [["roundrect_rratio", "0.25"]] if pad.square else []
        net = element.pins.get(pad.name) or _free(element, pad.name)
        if net is not None and not library:
            entry.append(["net", str(numbers[net]), Quoted(net)])
        entry.append(identity(f"pad {owner} {pad.name}"))
        found.append(entry)
    return found


def _named(shape: Shape, kind: str, reference: str, value: str, owner: str) -> Iterator[Node]:
    """Yield the part's name and value in the middle of its body."""
    (left, top), (right, low) = shape.body
    x, y = (left + right) / 2, (top + low) / 2
    spots, size, wide = {
        "RES": ([(x - 1.1, y), (x + 0.9, y)], 0.85, 0.85),
        "CAP5": ([(x, y - 0.45), (x, y + 0.45)], 0.8, 0.6),
        "DIP14": ([(x, y - 0.7), (x, y + 0.7)], 0.9, 0.9),
        "DIP16": ([(x, y - 0.7), (x, y + 0.7)], 0.9, 0.9),
    }.get(kind, ([(x, y), (x, y)], 0.8, 0.8))
    shown = kind in ("RES", "CAP5", "DIP14", "DIP16")
    for what, text, spot in (("reference", reference, spots[0]), ("value", value, spots[1])):
        layer = "F.SilkS" if shown or (what == "reference" and kind == "LINK") else "F.Fab"
        entry: Node = ["fp_text", what, Quoted(text), ["at", _mm(spot[0]), _mm(spot[1])], ["layer", Quoted(layer)]]
        yield [*entry, font(size, wide), identity(f"{what} {owner}")]


def font(high: float, wide: float, mirrored: bool = False) -> Node:
    """Return a font of this height and width in millimetres."""
    thick = f"{max(high * 0.15, 0.13):.3g}"
    look: Node = ["effects", ["font", ["size", f"{high:g}", f"{wide:g}"], ["thickness", thick]]]
    return [*look, ["justify", "mirror"]] if mirrored else look


def _outlines(shape: Shape, owner: str) -> Iterator[Node]:
    """Yield the outline of the body in white, and the courtyard of the part."""
    for number, (start, end) in enumerate(outline(shape)):
        yield _line("fp_line", "F.SilkS", start, end, 0.15, f"body {owner} {number}")
    (left, top), (right, low) = shape.room
    ring = [(left, top), (right, top), (right, low), (left, low), (left, top)]
    for number, (start, end) in enumerate(pairwise(ring)):
        yield _line("fp_line", "F.CrtYd", start, end, 0.05, f"room {owner} {number}")


def _line(
    what: str, layer: str, start: tuple[float, float], end: tuple[float, float], width: float, owner: str
) -> Node:
    return [
        what, ["start", _mm(start[0]), _mm(start[1])], ["end", _mm(end[0]), _mm(end[1])],
        ["layer", Quoted(layer)], ["width", f"{width:g}"], identity(owner),
    ]  # fmt: skip


def screw(number: int = 0, spot: tuple[float, float] | None = None) -> Node:
    """Return a hole without copper within its screw's reach; without `spot`, only its shape for the library."""
    drill, name = f"{place.SCREW_DRILL:g}", f"M{number}" if spot is not None else "REF**"
    clear = f"{place.SCREW_ROOM - place.SCREW_DRILL / 2:g}"
    head: Node = ["footprint", Quoted("SCREW"), ["version", "20211014"], ["generator", "pcbnew"]]
    head.append(["layer", Quoted("F.Cu")])
    if spot is not None:
        head = ["footprint", Quoted("chipboard:SCREW"), ["layer", Quoted("F.Cu")], identity(name), ["at", *_at(spot)]]
    return [
        *head,
        ["attr", "exclude_from_pos_files", "exclude_from_bom", "board_only"],
        ["fp_text", "reference", Quoted(name), ["at", "0", "0"], ["layer", Quoted("F.Fab")], font(0.8, 0.8),
         identity(f"reference {name}")],
        ["fp_text", "value", Quoted("M3"), ["at", "0", "1.2"], ["layer", Quoted("F.Fab")], font(0.8, 0.8),
         identity(f"value {name}")],
        ["fp_circle", ["center", "0", "0"], ["end", f"{place.SCREW_ROOM:g}", "0"], ["layer", Quoted("F.CrtYd")],
         ["width", "0.05"], ["fill", "none"], identity(f"room {name}")],
        ["pad", Quoted(""), "np_thru_hole", "circle", ["at", "0", "0"], ["size", drill, drill], ["drill", drill],
         ["layers", Quoted("*.Cu"), Quoted("*.Mask")], ["clearance", clear], identity(f"pad {name}")],
    ]  # fmt: skip


# --- the board itself -------------------------------------------------------------------------------------------


def _edges() -> Iterator[Node]:
    wide, high = place.SIZE
    ring = [(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high), (0.0, 0.0)]
    for number, (start, end) in enumerate(pairwise(ring)):
        yield [
            "gr_line", ["start", *_at(start)], ["end", *_at(end)], ["layer", Quoted("Edge.Cuts")], ["width", "0.1"],
            identity(f"edge {number}"),
        ]  # fmt: skip


def _silk() -> Iterator[Node]:
    for number, word in enumerate(place.texts()):
        where = _at(place.millimetres(word.at))
        layer = "B.SilkS" if word.back else "F.SilkS"
        entry: Node = ["gr_text", Quoted(word.text), ["at", *where], ["layer", Quoted(layer)]]
        yield [*entry, identity(f"word {number}"), font(word.size, word.size, word.back)]


def _tracks(routes: Routes) -> Iterator[Node]:
    numbers = net_numbers()
    for number, (net, layer, start, end) in enumerate(mitred(routes)):
        yield [
            "segment", ["start", *_at(start)], ["end", *_at(end)], ["width", f"{TRACK:g}"],
            ["layer", Quoted(FRONT_BACK[layer])], ["net", str(numbers[net])], identity(f"track {number}"),
        ]  # fmt: skip


def mitred(routes: Routes) -> Iterator[tuple[str, int, Spot, Spot]]:
    """Yield the tracks in millimetres, with each corner of two tracks cut off."""
    pieces = [[place.millimetres(start), place.millimetres(end)] for _, _, start, end in routes.tracks]
    meeting: dict[tuple[str, int, place.Node], list[tuple[int, int]]] = {}
    for number, (net, layer, *both) in enumerate(routes.tracks):
        for side, node in enumerate(both):
            meeting.setdefault((net, layer, node), []).append((number, side))
    fixed = {*place.pads().values(), *(node for _, node in routes.vias)}
    cuts = []
    for (net, layer, node), met in meeting.items():
        passing = sum(_passes(track, net, layer, node) for track in routes.tracks)
        if len(met) != 2 or node in fixed or passing != 2:
            continue
        start, end = (_towards(pieces[number][side], pieces[number][1 - side]) for number, side in met)
        if start[0] != end[0] and start[1] != end[1]:
            for (number, side), spot in zip(met, (start, end), strict=True):
                pieces[number][side] = spot
            cuts.append((net, layer, start, end))
    for (net, layer, _, _), (start, end) in zip(routes.tracks, pieces, strict=True):
        if start != end:
            yield net, layer, start, end
    yield from cuts


def _towards(corner: Spot, other: Spot) -> Spot:
    """Return a point near a corner, in the direction of the other end."""
    share = CHAMFER / max(dist(corner, other), CHAMFER)
    return (round(corner[0] + (other[0] - corner[0]) * share, 4), round(corner[1] + (other[1] - corner[1]) * share, 4))


def _passes(track: Track, net: str, layer: int, node: place.Node) -> bool:
    """Return whether a track of that net touches the node."""
    other, at, (ax, ay), (bx, by) = track
    inside = min(ax, bx) <= node[0] <= max(ax, bx) and min(ay, by) <= node[1] <= max(ay, by)
    return other == net and at == layer and inside


def _vias(routes: Routes) -> Iterator[Node]:
    numbers = net_numbers()
    for number, (net, node) in enumerate(routes.vias):
        yield [
            "via", ["at", *_at(place.millimetres(node))], ["size", f"{VIA:g}"], ["drill", f"{VIA_DRILL:g}"],
            ["layers", *map(Quoted, FRONT_BACK)], ["net", str(numbers[net])], identity(f"via {number}"),
        ]  # fmt: skip


def _pour(layer: str) -> Node:
    """Return the ground area of one side."""
    wide, high = place.SIZE
    ring = [(EDGE_ROOM, EDGE_ROOM), (wide - EDGE_ROOM, EDGE_ROOM), (wide - EDGE_ROOM, high - EDGE_ROOM)]
    ring.append((EDGE_ROOM, high - EDGE_ROOM))
    return [
        "zone", ["net", str(net_numbers()[POURED])], ["net_name", Quoted(POURED)], ["layer", Quoted(layer)],
        identity(f"pour {layer}"), ["hatch", "edge", "0.5"], ["connect_pads", ["clearance", "0.25"]],
        ["min_thickness", "0.25"],
        ["fill", "yes", ["thermal_gap", "0.25"], ["thermal_bridge_width", "0.5"]],
        ["polygon", ["pts", *(["xy", *_at(spot)] for spot in ring)]],
    ]  # fmt: skip
