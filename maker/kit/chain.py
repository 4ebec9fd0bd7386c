"""The wiring of the board: chips in the middle of their eight sensors, and the wires to cut for them.

Lengths are millimetres. Wires run in right angles, so a wire's length is the distance across plus the distance down,
plus SLACK for stripping and detours, rounded up to whole centimetres. Wires from floor to carrier are longer by LOOP.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from math import ceil
from statistics import fmean

from msgspec import Struct

from engine.graph.model import Map
from maker.kit.chipboard import RIBBON
from maker.kit.choices import Choices
from maker.kit.holes import Holes, Place
from maker.kit.plates import CHIP_PLATE, MAIN_PLATE, POST, Plate, free_place, free_places

SLACK = 60.0
SERVICE_LOOP = 150.0
"""The service loop: the floor can be lifted this far from the carrier with all wires connected."""
RIBBON_STRANDS = 2 * len(RIBBON)
STRANDS = ("5 V", "GND", "DATA")
BUS = ("3.3 V", "GND", "SDA", "SCL", "INTA")
"""The wires from module to module."""
CHIPS_A_GATE = 8
"""Chips that one gate drives."""
LAMPS_A_FEED = 30
"""Lamps between two places where the supply is connected."""
CORNER = (60.0, 66.0)
"""Target distance of the Pico or the Pi from the board's left and lower edges, where the chain begins."""
CABLE_HOLE = 16.0
"""Diameter of the hole in the floor for the supply's cable and a USB plug."""
CONTROLLER = (100.0, 45.0)
"""The room on the floor for a WLED controller, next to the main plate."""
CABLES_IN = 12.0
"""Distance from the lower edge of the main plate to the middle of that hole."""
POST_IN = 12.0
"""Target distance of a post from both edges of the board's corner."""
GATES_OFF = 55.0
"""Distance from the first chip's plate down to the target position of its gates' plate."""


class Chip(Struct, frozen=True):
    """A shift register or module: its sensors' holes by input, and the position of its board."""

    number: int
    inputs: tuple[Holes | None, ...]
    at: Place


class Layout(Struct, frozen=True):
    """The positions of everything on the floor, seen from above: Pico or Pi, the chips, their gates' boards, posts.

    `lamps_from` is the middle of the source of the lamps' data: the main plate, or a WLED controller on the floor.
    """

    main: Place
    chips: tuple[Chip, ...]
    gates: tuple[Place, ...] = ()
    posts: tuple[Place, ...] = ()
    chip: str = "chip"
    lamps_from: Place | None = None

    @property
    def plates(self) -> list[Plate]:
        """Return all plates: the main one, those of the chips, those of the gates, the posts."""
        chips = [Plate(f"{self.chip} {chip.number}", chip.at) for chip in self.chips]
        gates = [Plate(f"gates {number}", at) for number, at in enumerate(self.gates)]
        posts = [Plate(f"post {number}", at, POST) for number, at in enumerate(self.posts)]
        return [Plate("main", self.main, MAIN_PLATE), *chips, *gates, *posts]

    @property
    def cables(self) -> Place:
        """Return the middle of the hole in the floor for the supply's cable and the USB cable."""
        return (self.main[0], self.main[1] + MAIN_PLATE[1] / 2 + CABLES_IN)


class Cut(Struct, frozen=True):
    what: str
    start: str
    end: str
    colour: str
    length: int


def place_plates(board: Map, holes: Sequence[Holes], sensors: int, choices: Choices) -> Layout:
    """Return the places of all plates for that many sensors: each chip is as near as possible to the middle of its
    sensors, without collisions if possible.
    """
    size = (board.size[0] / 10, board.size[1] / 10)
    # The lower edge is kept free for the cable hole.
    above = (size[0], size[1] - CABLES_IN - CABLE_HOLE / 2)
    placed = [free_place(Plate("main", (CORNER[0], size[1] - CORNER[1]), MAIN_PLATE), above, [], holes, choices)]

    main = placed[0].at
    placed.append(Plate("cables", Layout(main, ()).cables, (CABLE_HOLE, CABLE_HOLE)))
    lamps_from = main
    if choices.lamps == "wled":
        lamps_from = (main[0], main[1] - (MAIN_PLATE[1] + CONTROLLER[1]) / 2)
        placed.append(Plate("controller", lamps_from, CONTROLLER))

    def place(what: str, targets: Mapping[int, Place], plate: Place = CHIP_PLATE) -> list[Place]:
        wanted = [Plate(f"{what} {number}", _place_inside(at, plate, size), plate) for number, at in targets.items()]
        found = free_places(wanted, size, placed, holes, choices)
        placed.extend(found)
        return [it.at for it in found]

    by_chip = {number: inputs for number, inputs in enumerate(_inputs_by_chip(holes, sensors, choices)) if any(inputs)}
    spots = {number: [hole.spot for hole in inputs if hole is not None] for number, inputs in by_chip.items()}
    middles = {number: (fmean(x for x, _ in at), fmean(y for _, y in at)) for number, at in spots.items()}
    at_chip = zip(by_chip.items(), place(choices.chip, middles), strict=True)
    chips = [Chip(number, inputs, at) for (number, inputs), at in at_chip]
    groups = chips[::CHIPS_A_GATE] if choices.chips == "stripboard" else []
    gates = place("gates", {number: (chip.at[0], chip.at[1] + GATES_OFF) for number, chip in enumerate(groups)})
    corners = [(x, y) for y in (POST_IN, size[1] - POST_IN) for x in (POST_IN, size[0] - POST_IN)]
    posts = place("post", dict(enumerate(corners)), POST)
    return Layout(main, tuple(chips), tuple(gates), tuple(posts), choices.chip, lamps_from)


def _inputs_by_chip(holes: Sequence[Holes], sensors: int, choices: Choices) -> Iterator[tuple[Holes | None, ...]]:
    each = len(choices.inputs)
    by_number = {hole.sensor: hole for hole in holes if hole.sensor is not None}
    for number in range(ceil(sensors / each)):
        yield tuple(by_number.get(each * number + bit) for bit in range(each))


def _place_inside(middle: Place, plate: Place, board: Place) -> Place:
    """Return the place of a plate nearest to `middle` that is inside the board."""
    x, y = (round(min(max(middle[i], plate[i] / 2), board[i] - plate[i] / 2), 1) for i in (0, 1))
    return (x, y)


def list_wires(holes: Sequence[Holes], layout: Layout, choices: Choices) -> list[Cut]:
    bus = _module_bus(layout) if choices.ready_made else _bus(layout, "Pico" if choices.brain == "pico" else "Pi")
    return [*_sensor_holes(layout.chips, choices), *bus, *_lamps(holes, layout, choices)]


def _sensor_holes(chips: Sequence[Chip], choices: Choices) -> Iterator[Cut]:
    extra = [("GND", "black")] + ([("3.3 V", "violet")] if choices.sensor == "hall" else [])
    for chip in chips:
        for letter, hole in zip(choices.inputs, chip.inputs, strict=True):
            if hole is None:
                continue
            name = f"sensor {hole.sensor} ({hole.space})"
            way = wire_length(hole.spot, chip.at, SERVICE_LOOP)
            yield Cut("sensor", name, f"{choices.chip} {chip.number} input {letter}", "white", way)
            for what, colour in extra:
                yield Cut("sensor", name, f"{choices.chip} {chip.number} {what}", colour, way)


def _bus(layout: Layout, brain: str) -> Iterator[Cut]:
    """Yield the ribbons from board to board. On stripboard, each group's gates have a separate board."""
    ends = [(brain, layout.main)]
    for at, chip in enumerate(layout.chips):
        if layout.gates and at % CHIPS_A_GATE == 0:
            ends.append((f"gates {at // CHIPS_A_GATE} J1", layout.gates[at // CHIPS_A_GATE]))
        ends.append((f"chip {chip.number} J1", chip.at))
    for (one, start), (other, end) in pairwise(ends):
        yield Cut("ribbon", one.replace("J1", "J2"), other, f"{RIBBON_STRANDS}-way ribbon", wire_length(start, end))


def _module_bus(layout: Layout) -> Iterator[Cut]:
    ends = [("Pi", layout.main), *((f"module {chip.number}", chip.at) for chip in layout.chips)]
    for (one, start), (other, end) in pairwise(ends):
        yield Cut("bus", one, other, f"{len(BUS)}-wire cable", wire_length(start, end))


def _lamps(holes: Sequence[Holes], layout: Layout, choices: Choices) -> Iterator[Cut]:
    chain = lamp_chain(holes)
    ends = [
        ("WLED controller" if choices.lamps == "wled" else "level shifter", layout.lamps_from),
        *((f"lamp {hole.lamp} ({hole.space})", hole.window) for hole in chain),
    ]
    for number, ((one, start), (other, end)) in enumerate(pairwise(ends)):
        if start is not None and end is not None:
            # The first one leads from the floor to the carrier.
            length = wire_length(start, end, 0.0 if number else SERVICE_LOOP)
            for strand, colour in zip(STRANDS, ("red", "black", "green"), strict=True):
                yield Cut("lamp", one, f"{other} {strand}", colour, length)
    for hole in feed_points(chain):
        if hole.window is not None:
            name = f"lamp {hole.lamp} ({hole.space}) 5 V and GND"
            yield Cut("feed", "fuse", name, "red and black pair", wire_length(layout.main, hole.window, SERVICE_LOOP))


def feed_points(strip: Sequence[Holes]) -> list[Holes]:
    """Return the lamps where power enters the strip: the first, one after each `LAMPS_A_FEED`, and the last."""
    feeds = list(strip[::LAMPS_A_FEED])
    return feeds if not strip or feeds[-1] is strip[-1] else [*feeds, strip[-1]]


def lamp_chain(holes: Sequence[Holes]) -> list[Holes]:
    """Return the spaces with lamps, in the order of the chain."""
    return sorted((hole for hole in holes if hole.lamp is not None), key=lambda hole: hole.lamp or 0)


def wire_length(start: Place, end: Place, loop: float = 0.0) -> int:
    """Return the length to cut a wire to, in millimetres, with its service loop."""
    return 10 * ceil((abs(start[0] - end[0]) + abs(start[1] - end[1]) + SLACK + loop) / 10)


def strip_pieces(holes: Sequence[Holes], choices: Choices) -> list[tuple[str, ...]]:
    """Return the pieces of the lamp strip along the chain.

    Each has number, space, position seen from above, length, and the length of the wire to the next piece.
    """
    chained = lamp_chain(holes)
    rows: list[tuple[str, ...]] = []
    for hole, after in zip_longest(chained, chained[1:]):
        x, y = hole.window or hole.spot
        to = "" if after is None else str(wire_length((x, y), after.window or after.spot))
        rows.append((str(hole.lamp), hole.space, f"{x:.1f}", f"{y:.1f}", f"{choices.pitch:.1f}", to))
    return rows
