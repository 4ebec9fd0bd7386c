"""The copper of a board saved by KiCad, as shapes: what is connected, and the distances between the rest.

Lengths are in millimetres.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from msgspec import Struct
from shapely import STRtree
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from maker.drawings.canvas import BODY, INK, NETS
from maker.drawings.chipboard.expressions import Node, lists, numbers, one, words
from maker.drawings.kit_boards import drawn_by_hand
from maker.kit.chipboard import ELEMENTS, INPUTS

STRIPS = 18
Hole = tuple[int, int]
"""Strip and column, both from 0."""
SIDES = ("F.Cu", "B.Cu")
Thing = TypeVar("Thing")


class Copper(Struct, frozen=True):
    """A piece of copper on one side. `through` names its hole through the board, if it has one."""

    side: str
    net: str
    shape: BaseGeometry
    what: str
    through: str = ""


def pads(board: Node) -> dict[tuple[str, str], str]:
    """Return part and pin -> net, for all pads with copper."""
    return {
        (name, str(pad[1])): words(one(pad, "net"))[1]
        for part in lists(board, "footprint")
        for name in [reference(part)]
        for pad in lists(part, "pad")
        if pad[2] == "thru_hole"
    }


def reference(part: Node) -> str:
    """Return a part's name."""
    return next(str(text[2]) for text in lists(part, "fp_text") if text[1] == "reference")


def copper(board: Node) -> Iterator[Copper]:
    """Yield all copper: pads, tracks, vias, poured ground."""
    nets = {str(net[1]): str(net[2]) for net in lists(board, "net")}
    for part in lists(board, "footprint"):
        x, y = numbers(one(part, "at"))[:2]
        for pad in lists(part, "pad"):
            if pad[2] == "thru_hole":
                dx, dy = numbers(one(pad, "at"))[:2]
                name, half = f"{reference(part)}.{pad[1]}", numbers(one(pad, "size"))[0] / 2
                shape = Point(x + dx, y + dy).buffer(half, quad_segs=32)
                if pad[3] == "roundrect":
                    inner = half - 2 * half * numbers(one(pad, "roundrect_rratio"))[0]
                    square = box(x + dx - inner, y + dy - inner, x + dx + inner, y + dy + inner)
                    shape = square.buffer(half - inner, quad_segs=32)
                yield from (Copper(side, words(one(pad, "net"))[1], shape, name, name) for side in SIDES)
    for number, via in enumerate(lists(board, "via")):
        shape = Point(numbers(one(via, "at"))).buffer(numbers(one(via, "size"))[0] / 2, quad_segs=32)
        net = nets[words(one(via, "net"))[0]]
        yield from (Copper(side, net, shape, f"via {number}", f"via {number}") for side in SIDES)
    for track in lists(board, "segment"):
        line = LineString([numbers(one(track, "start")), numbers(one(track, "end"))])
        shape = line.buffer(numbers(one(track, "width"))[0] / 2, quad_segs=32)
        yield Copper(
            words(one(track, "layer"))[0], nets[words(one(track, "net"))[0]], shape, f"track at {line.coords[0]}"
        )
    for zone in lists(board, "zone"):
        for filled in lists(zone, "filled_polygon"):
            shape = Polygon([numbers(point) for point in lists(one(filled, "pts"), "xy")])
            yield Copper(words(one(filled, "layer"))[0], words(one(zone, "net_name"))[0], shape, "poured ground")


def joined_by(pairs: Iterable[tuple[Thing, Thing]]) -> Callable[[Thing], Thing]:
    """Return a function from a thing to the one that stands for everything joined with it by these pairs."""
    stands: dict[Thing, Thing] = {}

    def root(thing: Thing) -> Thing:
        while stands.get(thing, thing) != thing:
            thing = stands[thing]
        return thing

    for thing, other in pairs:
        stands[root(thing)] = root(other)
    return root


def joined(pieces: list[Copper]) -> list[set[str]]:
    """Return the pads that copper connects, in sets."""
    through: dict[str, int] = {}
    holed = [number for number, piece in enumerate(pieces) if piece.through]
    pairs = [(number, through.setdefault(pieces[number].through, number)) for number in holed]
    for side in SIDES:
        here = [number for number, piece in enumerate(pieces) if piece.side == side]
        tree = STRtree([pieces[number].shape for number in here])
        for number in here:
            pairs += [(number, here[it]) for it in tree.query(pieces[number].shape, predicate="intersects")]
    root = joined_by(pairs)
    found: dict[int, set[str]] = {}
    for number, piece in enumerate(pieces):
        found.setdefault(root(number), set()).add(piece.what)
    return [{what for what in whats if "." in what and " " not in what} for whats in found.values()]


def too_near(pieces: list[Copper], gap: float) -> list[str]:
    """Return pieces of different nets on one side that are closer than `gap`."""
    found = []
    for side in SIDES:
        here = [piece for piece in pieces if piece.side == side]
        tree = STRtree([piece.shape for piece in here])
        for number, piece in enumerate(here):
            for other in tree.query(piece.shape, predicate="dwithin", distance=gap):
                if other > number and here[other].net != piece.net:
                    found.append(f"{piece.what} ({piece.net}) and {here[other].what} ({here[other].net}), {side}")
    return found


def pins_by_net() -> dict[str, frozenset[tuple[str, str]]]:
    """Return net -> its pins, each as element and pin."""
    found: dict[str, set[tuple[str, str]]] = {}
    for element in ELEMENTS:
        for pin, net in element.pins.items():
            found.setdefault(net, set()).add((element.name, pin))
    return {net: frozenset(pins) for net, pins in found.items()}


class Strips(Struct, frozen=True):
    """A drawn strip board: part -> pin -> hole, the parts on some boards only, and the wires by net, start and end."""

    parts: dict[str, dict[str, Hole]]
    sometimes: frozenset[str]
    cuts: tuple[Hole, ...]
    wires: tuple[tuple[str, Hole, Hole], ...]


SHAPE = re.compile(r"<(circle|text|path|polyline)\b([^>]*)>(?:([^<]*)</text>)?")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
COLOURED = {colour: net for net, colour in NETS.items()}


def read_strips(name: str) -> Strips:
    """Return what a drawing of a strip board shows."""
    shapes = [(kind, dict(ATTRIBUTE.findall(rest)), text) for kind, rest, text in SHAPE.findall(drawn_by_hand(name))]

    def discs(radius: str, fill: str = "") -> list[Hole]:
        found = (it for kind, it, _ in shapes if kind == "circle" and it["r"] == radius)
        return [_hole(it["cx"], it["cy"]) for it in found if fill in it["fill"]]

    def texts(size: str, weight: str | None = "bold", fill: str = INK) -> list[tuple[Hole, str]]:
        return [
            (_hole(it["x"], float(it["y"]) - 0.35 * float(size)), text)
            for kind, it, text in shapes
            if kind == "text" and it["font-size"] == size and it.get("font-weight") == weight and it["fill"] == fill
        ]

    (chip,) = (text for _, text in texts("13") if text.startswith("U"))
    numbers = {hole: text for hole, text in texts("10", None) if text.isdigit()}
    parts = {chip: {numbers[hole]: hole for hole in discs("8", BODY)}}
    legs = iter(discs("6"))
    many = {"J1": 14, "J2": 14, **({"RNa": 5, "RNb": 5} if ("RN" in (text for _, text in texts("12"))) else {})}
    named = [text.split()[0] for _, text in texts("11")]
    for part, count in {**many, **dict.fromkeys(named, 2)}.items():
        parts[part] = {str(pin): hole for pin, hole in zip(range(1, count + 1), legs, strict=False)}
    assert next(legs, None) is None, "each leg belongs to a part"
    letters = [text for _, text in texts("11", fill=NETS["sensor"])]
    for number, holes in enumerate(batched(discs("9"), 3)):
        assert letters[3 * number : 3 * number + 3] == [INPUTS[number], "−", "+"]
        parts[f"S{number}"] = dict(zip("123", holes, strict=True))
    dashed = ["stroke-dasharray" in it for kind, it, _ in shapes if kind == "path" and it["stroke-width"] == "2.5"]
    wires = [it for kind, it, _ in shapes if kind == "polyline" and it["stroke-width"] == "4"]
    ends = [(it["stroke"], [_hole(*point.split(",")) for point in it["points"].split()]) for it in wires]
    return Strips(
        parts,
        frozenset(name for name, some in zip(named, dashed, strict=True) if some),
        tuple(hole for hole, text in texts("20", fill="#b3261e") if text == "×"),
        tuple((COLOURED[colour], *points) for colour, points in ends),
    )


def batched(holes: list[Hole], size: int) -> list[list[Hole]]:
    return [holes[start : start + size] for start in range(0, len(holes), size)]


def _hole(x: str, y: str | float) -> Hole:
    """Return the hole at a place of the drawing."""
    return round((float(y) - 92) / 34), round((float(x) - 112) / 34)


def joined_pins(board: Strips) -> list[frozenset[tuple[str, str]]]:
    """Return the pins that strips and wires connect: for each net, a set of part and pin."""
    found: dict[Hole, set[tuple[str, str]]] = {}
    root = joined_by((_piece(board, start), _piece(board, end)) for _, start, end in board.wires)
    for part, pins in board.parts.items():
        for pin, hole in pins.items():
            found.setdefault(root(_piece(board, hole)), set()).add((part, pin))
    return [frozenset(pins) for pins in found.values()]


def _piece(board: Strips, hole: Hole) -> Hole:
    """Return the left end of the strip segment that a hole is on."""
    strip, column = hole
    while column and (strip, column - 1) not in board.cuts:
        column -= 1
    return (strip, column)
