"""The parts of a board: each with its order name, spares, an estimated price, solder joints and hours.

Counts follow from the map and the maker's choices. Prices are estimates for one day and one country, and every list
says so.
"""

from __future__ import annotations

import runpy
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from msgspec import Struct

import hardware
from engine.graph.model import Map
from firmware_host.core import maps
from maker.kit import chipboard, heights
from maker.kit.chain import BUS, CHIPS_A_GATE, LAMPS_A_FEED, RIBBON_STRANDS, Cut, Layout, list_wires
from maker.kit.chipboard import INPUTS
from maker.kit.choices import RING, Choices
from maker.kit.holes import Holes
from maker.kit.plates import plates_sheet

CONFIG = Path(hardware.__file__).with_name("pico") / "config.py"
PRICED = "November 2026"
"""The month of the price estimates. Prices are in euros, with tax and without postage, for small quantities bought in
Europe."""

FUSES_A = (1, 2, 3, 4, 5, 7.5, 10, 15, 20)
"""Blade fuses as sold."""
SUPPLIES_A = (3, 4, 5, 6, 8, 10, 15, 20)
NAMED_SUPPLIES = {5: "Mean Well GST40A05-P1J"}
"""Enclosed desktop supplies, so that no one has to wire mains. They have a C14 inlet and come without a cable."""
TERMINAL_WIRES = 5
"""Wires in one lever terminal."""
DIVIDER_KOHM = 47
"""Each of the two resistors that halve the lamps' 5 V. Smaller ones would feed a Pico that has no USB power."""
ORDERED = {
    "74HC165": ("shift register", "SN74HC165N (DIP-16)", 0.7, 16),
    "74HC125": ("clock and load", "SN74HC125N (DIP-14), at 3.3 V", 0.6, 14),
    "8 x 10k": ("pull-ups", "resistor network 8 x 10 kOhm, SIL-9 (4609X-101-103LF)", 0.5, 9),
    "100n": ("at each chip", "100 nF ceramic, 5.08 mm, X7R 50 V", 0.1, 2),
    "100k": ("from SER to ground", "100 kOhm, 0.25 W", 0.03, 2),
    "47": ("behind each gate", "47 Ohm, 0.25 W", 0.03, 2),
    "100": ("at the end of a line", "100 Ohm, 0.25 W", 0.03, 2),
    "47p": ("behind it", "47 pF ceramic, 5.08 mm, C0G 50 V", 0.1, 2),
}
"""Value on the chip board -> part, what to order, price, joints. Links are cut-off legs."""
ON_STRIPS = {"8 x 10k": ("pull-ups", "resistor network 4 x 10 kOhm, SIL-5 (4605X-101-103LF)", 0.4, 5)}
SHIFTER_HOLES = (9, 14)
"""Strips, and holes of each, of the strip board of a level shifter alone."""
POSTS = 4
"""Spacers at the corners of the board."""
BOARDS_AT_ONCE = 5
"""Factories sell boards in multiples of this."""
WIRES_ON_STRIPS = 11
"""Wires on one stripboard."""
SPARE = 10
"""One spare for each this many parts, because parts break or get lost."""
SECONDS_A_JOINT = 25
SECONDS_A_WIRE = 60
"""Time to cut, strip and label one wire."""
SECONDS_A_HOLE = 30
SECONDS_A_RING = 45
OTHER_HOURS = 4.0
"""Time to print, glue, flash and calibrate. All of these times are estimates."""


class Part(Struct, frozen=True):
    """A line of the list. `price` is an estimate for one piece, in euros; `joints` are its solder joints."""

    name: str
    order: str
    count: int
    spare: int = 0
    price: float = 0.0
    joints: int = 0
    unit: str = ""

    @property
    def cost(self) -> float:
        """Return the price of all, spares included."""
        return (self.count + self.spare) * self.price


class Work(Struct, frozen=True):
    """The work to do by hand. `hours` is an estimate."""

    joints: int
    wires: int
    holes: int
    hours: float


class BoardQuantities(Struct, frozen=True):
    """The quantities of a board. `size` is in millimetres; `cuts` are its wires, `pieces` its miniatures."""

    sensors: int
    lamps: int
    spaces: int
    pieces: int
    size: tuple[float, float]
    cuts: tuple[Cut, ...]


def count_parts(board: Map, holes: Sequence[Holes], layout: Layout, choices: Choices) -> BoardQuantities:
    """Return the quantities of parts for a board with these holes and wires."""
    return BoardQuantities(
        sensors=sum(hole.sensor is not None for hole in holes),
        lamps=sum(hole.window is not None for hole in holes),
        spaces=len(board.enterable),
        pieces=len(maps.map_facts(board)["starts"]),
        size=(board.size[0] / 10, board.size[1] / 10),
        cuts=tuple(list_wires(holes, layout, choices)),
    )


@cache
def firmware_config() -> Mapping[str, Any]:
    """Return the names in the firmware's config.py."""
    return {name: value for name, value in runpy.run_path(str(CONFIG)).items() if name.isupper()}


def chip_count(sensors: int) -> int:
    return ceil(sensors / len(INPUTS))


def gate_count(sensors: int) -> int:
    """Return the number of groups of chips, each with a gate chip for its clock and load."""
    return ceil(chip_count(sensors) / CHIPS_A_GATE)


def plate_count(sensors: int, choices: Choices) -> int:
    """Return the number of plates: for the Pico or Pi, for each chip or module, for the gates on stripboard."""
    gates = gate_count(sensors) if choices.chips == "stripboard" else 0
    return 1 + ceil(sensors / len(choices.inputs)) + gates


def feed_count(lamps: int) -> int:
    """Return the number of points where power enters the strip: its start, every few lamps, and its end."""
    return ceil(lamps / LAMPS_A_FEED) + ((lamps - 1) % LAMPS_A_FEED != 0)


def terminal_count(feeds: int) -> int:
    """Return the terminals that join the feeds with the supply and the lamps' electronics, for 5 V and for ground.

    The wire between two terminals takes up one place in each.
    """
    wires = feeds + 2
    return 2 * ceil((wires - 2) / (TERMINAL_WIRES - 2))


def fuse_a(limit_ma: int) -> float:
    """Return the smallest blade fuse rated a quarter above this current."""
    return next(fuse for fuse in FUSES_A if fuse * 1000 >= 1.25 * limit_ma)


def supply_a(limit_ma: int) -> int:
    """Return the smallest supply that carries this current and can blow the fuse."""
    return next(supply for supply in SUPPLIES_A if supply > fuse_a(limit_ma))


def list_parts(board: BoardQuantities, choices: Choices) -> list[Part]:
    around = _around(board, choices)
    return [
        *_brain(choices), *_sensors(board, choices), *_lamps(board, choices), *_crimped(board, choices), *_wire(board),
        *around,
    ]  # fmt: skip


def _brain(choices: Choices) -> Iterator[Part]:
    if choices.on_pi_5:
        yield Part("computer", "Raspberry Pi 5 2 GB with its cooler, microSD 32 GB A1", 1, 0, 75.0)
        yield Part("its supply", "Raspberry Pi 27 W USB-C", 1, 0, 13.0)
    else:
        yield Part("computer", "Raspberry Pi Zero 2 WH, microSD 32 GB A1", 1, 0, 32.0)
        yield Part("its supply", "Raspberry Pi 12.5 W micro USB", 1, 0, 10.0)
    if choices.brain == "pico":
        yield Part("scanner", "Raspberry Pi Pico H (SC0917)", 1, 0, 6.0, 7)
        yield Part("its cable", "micro USB OTG data cable to micro USB, 0.5 m, for the Pi Zero", 1, 0, 5.0)
        yield Part("for the bench with a laptop", "USB-A to micro USB data cable, 1 m", 1, 0, 4.0)
        yield Part("the Pico's socket", "socket strip 20-way, 2.54 mm", 2, 0, 0.8, 20)
        yield Part("for the first bench", "breadboard, 830 contacts, with jumper wires", 1, 0, 8.0)
        carried = "Pico and level shifter" if choices.lamps == "strip" else "the Pico"
        yield Part(f"carrier of {carried}", "strip board 100 x 80 mm, 2.54 mm", 1, 0, 2.5)
    elif choices.shifter_alone:
        # Only this many holes are needed; the rest of a standard board is cut off.
        strips, holes = SHIFTER_HOLES
        order = f"strip board, 2.54 mm, {strips} strips of {holes} holes or larger"
        yield Part("carrier of the level shifter", order, 1, 0, 1.2)
    lies = ["the Pi"] * (choices.brain == "pi") + ["its level shifter"] * choices.shifter_alone
    lies += ["the modules"] * choices.ready_made + ["the WLED controller"] * (choices.lamps == "wled")
    if lies:
        yield Part("foam tape", f"double-sided, {heights.FOAM:g} mm, under {', '.join(lies)}", 1, 0, 4.0)


def _sensors(board: BoardQuantities, choices: Choices) -> Iterator[Part]:
    count = board.sensors
    if not count:
        return
    # Each wire has two ends; those at a module are crimped.
    ends = 1 if choices.ready_made else 2
    if choices.sensor == "reed":
        yield Part("sensor", "reed contact, 14 mm, NO, 15-20 AT (KSK-1A66-1520)", count, _spare(count), 0.9, 2 * ends)
    else:
        order = "DRV5032AJLPG or DRV5032FCLPG (TO-92 with legs, open drain)"
        yield Part("sensor", order, count, _spare(count), 0.8, 3 * ends)
        yield Part("at each Hall switch", "100 nF ceramic, 2.54 mm, X7R 50 V", count, _spare(count), 0.05, 2)
    yield from _modules(board, choices) if choices.ready_made else _chips(count, choices)
    yield Part("magnet", "neodymium disc 10 x 3 mm, N35", board.pieces + 1, 2, 0.4)


def _modules(board: BoardQuantities, choices: Choices) -> Iterator[Part]:
    count = ceil(board.sensors / len(choices.inputs))
    order = "MCP23017 board, 16 inputs, pin headers soldered in, address jumpers"
    yield Part("sensor module", order, count, 1, 7.0)


def _chips(sensors: int, choices: Choices) -> Iterator[Part]:
    """Yield the parts of the chips' boards, counted from the chip board's elements, and the ribbon's plugs."""
    chips, groups = chip_count(sensors), gate_count(sensors)
    fitted = {"always": chips, "gate": groups, "no gate": chips - groups, "far end": groups, "last": 1}
    carriers, kinds = chips, ORDERED
    if choices.chips == "pcb":
        # Fill up to the next multiple.
        spare = -chips % BOARDS_AT_ONCE
        yield Part("chip board", "made from chipboard-gerbers.zip: 2 layers, 1.6 mm", chips, spare, 1.5)
    else:
        carriers, kinds = chips + groups, {**ORDERED, **ON_STRIPS}
        joints = 2 * WIRES_ON_STRIPS
        yield Part("carrier of a chip or gates", "strip board 70 x 50 mm, 2.54 mm", carriers, 1, 1.2, joints)
    for value, (name, order, price, joints) in kinds.items():
        each = [fitted[it.fitted] for it in chipboard.ELEMENTS if it.value == value]
        count = sum(each)
        if choices.chips == "stripboard":
            count = {"8 x 10k": 2 * chips, "100": groups, "47p": groups}.get(value, count)
        if count:
            yield Part(name, order, count, 1 + ceil(count / 20), price, joints)
    sockets = chips + groups
    yield Part("their sockets", "DIP-16 for each 74HC165, DIP-14 for each 74HC125", sockets, 1, 0.2)
    pins = RIBBON_STRANDS
    yield Part("plugs of the boards", f"box header 2x{pins // 2}, 2.54 mm, straight", 2 * carriers, 1, 0.3, pins)
    order = f"IDC socket {pins}-way, 2.54 mm, used without strain relief"
    yield Part("plugs of the ribbon", order, 2 * carriers - 1, 2, 0.35)
    if choices.brain == "pico":
        yield Part("ribbon's end at the Pico", f"{pins} strands, soldered in pairs", 1, 0, 0.0, pins)


def _lamps(board: BoardQuantities, choices: Choices) -> Iterator[Part]:
    count = board.lamps
    if not count:
        return
    limit = int(firmware_config()["LIMIT_MA"])
    per = choices.strip
    metres = ceil((count + _spare(count)) / per)
    price = {30: 7.0, 60: 9.0, 144: 16.0}[per]
    yield Part("lamps", f"WS2812B strip, 5 V, {per} lamps a metre, IP30", metres, 0, price, 0, "m")
    yield Part("pieces of it", f"cut to {choices.pitch:.1f} mm, one lamp each", count, _spare(count), 0.0, 6)
    if choices.lamps == "wled":
        order = "ESP32 with WLED, screw terminals, level shifter, for 5 V (QuinLED Dig-Uno, Gledopto GL-C-008)"
        yield Part("lamp controller", order, 1, 0, 25.0)
    else:
        yield Part("level shifter", "SN74AHCT125N (DIP-14), at 5 V", 1, 1, 0.8, 14)
        yield Part("at the level shifter", "100 nF ceramic, 5.08 mm, X7R 50 V", 1, 0, 0.1, 2)
        if choices.brain == "pico":
            yield Part("to measure the lamps' 5 V", f"{DIVIDER_KOHM} kOhm, 0.25 W", 2, 1, 0.03, 2)
            yield Part("at the pin that measures it", "100 nF ceramic, 5.08 mm, X7R 50 V", 1, 0, 0.1, 2)
        yield Part("from the lamps' data to ground", "100 kOhm, 0.25 W", 1, 1, 0.03, 2)
        yield Part("before the first lamp", "470 Ohm, 0.25 W", 1, 2, 0.03, 2)
    yield Part("at both ends", "1000 uF 10 V electrolytic, low ESR", 2, 0, 0.5, 2)
    supply = supply_a(limit)
    named = f" ({NAMED_SUPPLIES[supply]})" if supply in NAMED_SUPPLIES else ""
    own = "" if named else ", with its mains lead"
    yield Part("lamps' supply", f"5 V {supply} A, closed, plug 5.5 x 2.1 mm{named}{own}", 1, 0, 18.0)
    if named:
        yield Part("its mains lead", "IEC C13, with the plug of your country", 1, 0, 4.0)
    yield Part("the supply's socket", "DC socket 5.5 x 2.1 mm with screw terminals, 5 A", 1, 0, 1.5)
    yield Part("fuse", f"blade fuse {fuse_a(limit):g} A with holder", 1, 2, 1.5, 2)
    yield Part("places where it is fed", "two wires each, cut as wires.csv says", feed_count(count), 0, 0.0, 2)
    order = f"lever terminal {TERMINAL_WIRES}-way, 0.2 to 4 mm2 (WAGO 221-415)"
    yield Part("where the feeds meet", order, terminal_count(feed_count(count)), 0, 0.6)


def _crimped(board: BoardQuantities, choices: Choices) -> Iterator[Part]:
    """Yield the contacts for the pins of modules and of a Pi."""
    count = 2 if choices.shifter_alone and board.lamps else 0
    if choices.ready_made:
        modules = ceil(board.sensors / len(choices.inputs))
        count += sum(cut.what == "sensor" for cut in board.cuts) + 2 * len(BUS) * modules
    elif choices.brain == "pi" and board.sensors:
        count += RIBBON_STRANDS // 2
    if count:
        yield Part("crimp contacts", "2.54 mm crimp contact, female, with housings", count, _spare(count), 0.04)


WIRES = (
    ("white", "wire, sensor", "hook-up wire 0.14 mm2, white", 0.15),
    ("violet", "wire, sensor", "hook-up wire 0.14 mm2, violet", 0.15),
    ("black", "wire, sensor and lamp", "hook-up wire 0.25 mm2, black", 0.15),
    ("red", "wire, lamp", "hook-up wire 0.25 mm2, red", 0.15),
    ("green", "wire, lamp", "hook-up wire 0.25 mm2, green", 0.15),
    ("feed", "feeds", "pair of 0.75 mm2, red and black", 1.2),
    ("bus", "cable from module to module", f"cable of {len(BUS)} wires, 0.14 mm2 ({', '.join(BUS)})", 1.0),
    ("ribbon", "ribbon", f"ribbon cable, {RIBBON_STRANDS} wires, 1.27 mm", 1.4),
)
"""The colour or the kind of a wire, the part, what to order, and the price of a metre."""


def _wire(board: BoardQuantities) -> Iterator[Part]:
    for which, name, order, price in WIRES:
        if length := sum(cut.length for cut in board.cuts if which in (cut.colour, cut.what)):
            yield Part(name, order, ceil(1.1 * length / 1000), 0, price, 0, "m")


def _around(board: BoardQuantities, choices: Choices) -> Iterator[Part]:
    size = f"{board.size[0]:g} x {board.size[1]:g} mm"
    yield Part("print", f"map in its real size, {size}, matt, 160 to 200 g", 1, 0, 15.0)
    yield Part("carrier", f"acrylic or birch plywood {heights.CARRIER:g} mm, {size}: carrier.dxf", 1, 0, 25.0)
    yield Part("floor", f"plywood {heights.FLOOR:g} mm, {size}: floor.dxf", 1, 0, 12.0)
    ring = f"acrylic 3 mm, {RING[0]:g} mm inside, {RING[1]:g} mm outside: rings.dxf"
    yield Part("ring", ring, board.spaces, _spare(board.spaces), 0.25)
    plates = plate_count(board.sensors, choices)
    wide, high = plates_sheet(plates - 1)
    order = f"acrylic or plywood {heights.PLATE:g} mm, {wide:g} x {high:g} mm, for {plates} plates: plates.dxf"
    yield Part("plates", order, 1, 0, 9.0)
    spacers = 2 * plates + POSTS
    yield Part("spacers", f"M3 x {heights.spacer_length(choices)} mm hexagonal, female at both ends", spacers, 2, 0.25)
    yield Part("screws from below", f"M3 x {heights.screw_length(choices)} mm, pan head", 4 * plates + POSTS, 8, 0.05)
    yield Part("screws through the carrier", "M3 x 6 mm, countersunk", spacers, 4, 0.05)
    nuts, washers = _nuts_washers(plates, choices)
    yield Part("nuts", "M3, ISO 4032", nuts, 8, 0.03)
    yield Part("washers", "M3, ISO 7089", washers, 4, 0.02)


def _nuts_washers(plates: int, choices: Choices) -> tuple[int, int]:
    """Return the nuts and washers under boards and spacers, and the two nuts that hold each plate."""
    (post_nuts, post_washers), (pi_nuts, pi_washers) = heights.post_stack(choices), heights.pi_stack(choices)
    on_tape = 1 if choices.brain == "pi" else 0
    # A soldered board stands on a nut at each corner.
    under_boards = 0 if choices.ready_made else 4 * (plates - on_tape)
    nuts = 2 * plates + under_boards + POSTS * post_nuts + 2 * on_tape * pi_nuts
    return nuts, POSTS * post_washers + 2 * on_tape * pi_washers


def ring_count(spaces: int) -> int:
    return spaces + _spare(spaces)


def _spare(count: int) -> int:
    return ceil(count / SPARE)


def estimate_work(board: BoardQuantities, bought: Sequence[Part]) -> Work:
    """Return the joints, wires and holes, and the hours they take."""
    joints = sum(part.count * part.joints for part in bought)
    crimped = sum(part.count for part in bought if part.name == "crimp contacts")
    holes = board.sensors + board.lamps
    seconds = SECONDS_A_JOINT * (joints + crimped) + SECONDS_A_WIRE * len(board.cuts) + SECONDS_A_HOLE * holes
    seconds += SECONDS_A_RING * board.spaces
    return Work(joints, len(board.cuts), holes, round(seconds / 3600 + OTHER_HOURS, 1))


def part_rows(bought: Sequence[Part]) -> list[tuple[str, ...]]:
    """Return the list as a table: part, what to order, needed, spare, price of one, of all."""
    return [
        (
            part.name, part.order, f"{part.count} {part.unit}".strip(), str(part.spare or ""),
            f"{part.price:.2f}" if part.price else "", f"{part.cost:.2f}" if part.cost else "",
        )
        for part in bought
    ]  # fmt: skip


HEADS = ("part", "to order", "needed", "spare", "EUR each, estimated", "EUR, estimated")
