"""The wiring of the board: chips in the middle of their eight sensors, and the wires to cut for them.

Lengths are millimetres. Wires run in right angles, so a wire's length is the distance across plus the distance down,
plus SLACK for stripping and detours, rounded up to whole centimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil

from msgspec import Struct

from engine.graph.model import Map
from maker.kit.chipboard import RIBBON
from maker.kit.choices import Choices
from maker.kit.holes import Holes, Place

SLACK = 60.0
RIBBON_STRANDS = 2 * len(RIBBON)
STRANDS = ("5 V", "GND", "DATA")
BUS = ("3.3 V", "GND", "SDA", "SCL", "INTA")
"""The wires from module to module."""
CHIP_PLATE = (70.0, 50.0)
"""The chip board, or a stripboard of 24 by 18 holes with room at its edges."""
NEAR = (
    (-80.0, 0.0),
    (80.0, 0.0),
    (0.0, -60.0),
    (0.0, 60.0),
    (-80.0, -60.0),
    (80.0, 60.0),
    (-80.0, 60.0),
    (80.0, -60.0),
)
"""Offsets in millimetres from a chip's stripboard to that of its gates. The first free position is used."""
CHIPS_A_GATE = 8
"""Chips that one gate drives."""
LAMPS_A_FEED = 30
"""Lamps between two places where the supply is connected."""
CORNER = 60.0
"""Distance of the Pico or the Pi from the board's left and lower edges. The chain begins there."""


class Chip(Struct, frozen=True):
    """A shift register or module: its sensors' holes by input, and where its board lies."""

    number: int
    inputs: tuple[Holes | None, ...]
    at: Place


class Cut(Struct, frozen=True):
    """One piece of wire."""

    what: str
    start: str
    end: str
    colour: str
    length: int


def place_chips(board: Map, holes: Sequence[Holes], sensors: int, choices: Choices) -> list[Chip]:
    """Return the shift registers or modules for that many sensors, each in the middle of its sensors and inside the
    board.
    """
    each = len(choices.inputs)
    wide, high = board.size[0] / 10, board.size[1] / 10
    by_number = {hole.sensor: hole for hole in holes if hole.sensor is not None}
    found = []
    for number in range(ceil(sensors / each)):
        inputs = tuple(by_number.get(each * number + bit) for bit in range(each))
        spots = [hole.spot for hole in inputs if hole is not None]
        if spots:
            middle = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
            place = (_clamped(middle[0], CHIP_PLATE[0], wide), _clamped(middle[1], CHIP_PLATE[1], high))
            found.append(Chip(number, inputs, place))
    return found


def _clamped(middle: float, plate: float, board: float) -> float:
    return round(min(max(middle, plate / 2), max(board - plate / 2, plate / 2)), 1)


def electronics_place(board: Map) -> Place:
    """Return the position of the Pico or the Pi, seen from above."""
    return (CORNER, board.size[1] / 10 - CORNER)


def place_gates(board: Map, found: Sequence[Chip], choices: Choices) -> list[Place]:
    """Return the positions of the gates' stripboards, next to the first chip of each group. Chip boards need none."""
    if choices.chips != "stripboard":
        return []
    wide, high = board.size[0] / 10, board.size[1] / 10
    # A gates board takes the first free place near its first chip, or any place on the board, or overlaps the chip.
    places: list[Place] = []
    for chip in found[::CHIPS_A_GATE]:
        spots = [(chip.at[0] + x, chip.at[1] + y) for x, y in NEAR]
        taken = [*(other.at for other in found), *places, electronics_place(board)]
        inside = [
            (x, y)
            for x, y in spots
            if CHIP_PLATE[0] / 2 <= x <= wide - CHIP_PLATE[0] / 2 and CHIP_PLATE[1] / 2 <= y <= high - CHIP_PLATE[1] / 2
        ]
        free = [spot for spot in inside if not any(_overlap(spot, other) for other in taken)]
        places.append((free or inside or [chip.at])[0])
    return places


def _overlap(one: Place, other: Place) -> bool:
    return abs(one[0] - other[0]) < CHIP_PLATE[0] and abs(one[1] - other[1]) < CHIP_PLATE[1]


def list_wires(board: Map, holes: Sequence[Holes], found: Sequence[Chip], choices: Choices) -> list[Cut]:
    """Return every wire to cut, in soldering order."""
    bus = _module_bus(board, found) if choices.ready_made else _bus(board, found, choices)
    return [*_sensors(found, choices), *bus, *_lamps(board, holes, choices)]


def _sensors(found: Sequence[Chip], choices: Choices) -> Iterator[Cut]:
    extra = [("GND", "black")] + ([("3.3 V", "violet")] if choices.sensor == "hall" else [])
    for chip in found:
        for letter, hole in zip(choices.inputs, chip.inputs, strict=True):
            if hole is None:
                continue
            name = f"sensor {hole.sensor} ({hole.space})"
            way = wire_length(hole.spot, chip.at)
            yield Cut("sensor", name, f"{choices.chip} {chip.number} input {letter}", "white", way)
            for what, colour in extra:
                yield Cut("sensor", name, f"{choices.chip} {chip.number} {what}", colour, way)


def _bus(board: Map, found: Sequence[Chip], choices: Choices) -> Iterator[Cut]:
    """Yield the ribbons from board to board. On stripboard each group's gates have a board of their own."""
    ends = [("Pico or Pi", electronics_place(board))]
    places = place_gates(board, found, choices)
    for at, chip in enumerate(found):
        if places and at % CHIPS_A_GATE == 0:
            ends.append((f"gates {at // CHIPS_A_GATE} J1", places[at // CHIPS_A_GATE]))
        ends.append((f"chip {chip.number} J1", chip.at))
    for (one, start), (other, end) in pairwise(ends):
        yield Cut("ribbon", one.replace("J1", "J2"), other, f"{RIBBON_STRANDS}-way ribbon", wire_length(start, end))


def _module_bus(board: Map, found: Sequence[Chip]) -> Iterator[Cut]:
    """Yield the I²C cables from module to module."""
    ends = [("Pi", electronics_place(board)), *((f"module {chip.number}", chip.at) for chip in found)]
    for (one, start), (other, end) in pairwise(ends):
        yield Cut("bus", one, other, f"{len(BUS)}-wire cable", wire_length(start, end))


def _lamps(board: Map, holes: Sequence[Holes], choices: Choices) -> Iterator[Cut]:
    chain = lamp_chain(holes)
    ends = [
        ("WLED controller" if choices.lamps == "wled" else "level shifter", electronics_place(board)),
        *((f"lamp {hole.lamp} ({hole.space})", hole.window) for hole in chain),
    ]
    for (one, start), (other, end) in pairwise(ends):
        if start is not None and end is not None:
            for strand, colour in zip(STRANDS, ("red", "black", "green"), strict=True):
                yield Cut("lamp", one, f"{other} {strand}", colour, wire_length(start, end))
    for hole in feed_points(chain):
        if hole.window is not None:
            name = f"lamp {hole.lamp} ({hole.space}) 5 V and GND"
            yield Cut("feed", "fuse", name, "red and black pair", wire_length(electronics_place(board), hole.window))


def feed_points(strip: Sequence[Holes]) -> list[Holes]:
    """Return the lamps where power enters the strip: the first, one after each `LAMPS_A_FEED`, and the last."""
    found = list(strip[::LAMPS_A_FEED])
    return found if not strip or found[-1] is strip[-1] else [*found, strip[-1]]


def lamp_chain(holes: Sequence[Holes]) -> list[Holes]:
    """Return the spaces with lamps, in the order of the chain."""
    return sorted((hole for hole in holes if hole.lamp is not None), key=lambda hole: hole.lamp or 0)


def wire_length(start: Place, end: Place) -> int:
    """Return the length to cut a wire to, in millimetres."""
    return 10 * ceil((abs(start[0] - end[0]) + abs(start[1] - end[1]) + SLACK) / 10)
