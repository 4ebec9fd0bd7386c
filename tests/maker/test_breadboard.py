"""The first bench: the holes, rails and wires of its drawing join what config.py and the chips' description join.

The board has 63 columns, the rows a to e below its middle and f to j above it, and a pair of rails along both edges.
The five holes of a column on one side of the middle are joined, and so is each rail.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from maker.drawings.canvas import NET_NAMES, NETS
from maker.drawings.hardware_facts import PICO_PINS, PICO_SPARE
from maker.kit import parts
from maker.kit.chipboard import CHIP_PINS, GATE_PINS, INPUTS
from maker.page_parts import DOCS
from tests.maker.copper import joined_by

COLUMNS = 63
ROWS = {letter: at + 2.0 * (at > 4) for at, letter in enumerate("abcdefghij")}
RAILS = {"T+": 14.6, "T-": 13.6, "B+": -4.8, "B-": -5.8}
"""The upper (T) and lower (B) rails, like the rows by their height above row a, in pitches."""
SUPPLIES = {"T+": "3V3", "T-": "ground", "B+": "5V", "B-": "ground"}
PITCH, LEFT, BASE = 14.2, 44.0, 390.0
"""Units of the drawing."""

Hole = tuple[str, int]
"""Row or rail, and column."""


class Wire(NamedTuple):
    """A wire, or a part with two legs, as drawn. `what` is its name in the table."""

    what: str
    net: str
    start: Hole
    end: Hole


def pins_across(pins: int, column: int, low: str = "e", high: str = "f") -> dict[int, Hole]:
    """Return pin -> hole of a part across the middle, with pin 1 at its lower left."""
    half = pins // 2
    return {pin: (low, column + pin - 1) if pin <= half else (high, column + pins - pin) for pin in range(1, pins + 1)}


PARTS: dict[str, dict[int, Hole]] = {
    "Pico": pins_across(40, 1, "c", "h"),
    "8 × 10 kΩ": {pin: ("h", 22 + pin) for pin in range(1, 10)},
    "74HC165": pins_across(16, 35),
    "74AHCT125": pins_across(14, 48),
}
NAMES = {
    "Pico": {**PICO_SPARE, **{pin: f"GP{gpio}" for gpio, pin in PICO_PINS.items()}},
    "8 × 10 kΩ": {},
    "74HC165": {pin: name for name, pin in CHIP_PINS.items()},
    "74AHCT125": {pin: name for name, pin in GATE_PINS.items()},
}
PULLED = dict(zip("HGFEABCD", range(2, 10), strict=True))
"""Input -> pin of the network of resistors."""
DRAWN = (DOCS / "hardware" / "bench.svg").read_text("utf-8")
TABLE = (DOCS / "hardware.md").read_text("utf-8").partition("| what | line | from | to |")[2].partition("\n\n")[0]
TOLD = [tuple(line.strip("| ").split(" | ")) for line in TABLE.splitlines()[2:]]


def hole(x: str, y: str) -> Hole:
    """Return the hole at a place of the drawing."""
    high, up = ROWS | RAILS, (BASE - float(y)) / PITCH
    return min(high, key=lambda row: abs(high[row] - up)), round((float(x) - LEFT) / PITCH) + 1


LINE = re.compile(r'points="([\d.]+),([\d.]+) (?:[^"]* )?([\d.]+),([\d.]+)" [^>]*stroke="(#\w+)" [^>]*="2.4"')
COLOURED = {colour: net for net, colour in NETS.items()}
ALL = [
    Wire(told[0], COLOURED[colour], hole(*ends[:2]), hole(*ends[2:]))
    for (*ends, colour), told in zip(LINE.findall(DRAWN), TOLD, strict=True)
]
WIRES, LEADS = ALL[:-5], ALL[-5:]
"""Those with both ends in holes, and those that lead off the board."""


def place(at: Hole) -> str:
    """Return a hole as the table names it."""
    row, column = at
    if row in RAILS:
        return f"{'upper' if row[0] == 'T' else 'lower'} {NET_NAMES[SUPPLIES[row]]} rail"
    pins = [
        f" ({part} pin {pin}{f', {NAMES[part][pin]}' if pin in NAMES[part] else ''})"
        for part, holes in PARTS.items()
        for pin, (other, there) in holes.items()
        if there == column and (other >= "f") == (row >= "f")
    ]
    return f"{row}{column}{''.join(pins)}"


Joined = tuple[str, int]
"""Holes that are one piece of metal: a rail, or half a column by its highest row."""


def metal(hole: Hole) -> Joined:
    """Return the piece of metal of a hole."""
    row, column = hole
    return (row, 0) if row in RAILS else ("j" if row >= "f" else "e", column)


def nets() -> dict[Joined, Joined]:
    """Return metal -> a piece that stands for everything joined with it by wires."""
    root = joined_by((metal(it.start), metal(it.end)) for it in WIRES if it.what == "wire")
    pieces = {metal(hole) for pins in PARTS.values() for hole in pins.values()}
    return {piece: root(piece) for piece in pieces | {(rail, 0) for rail in RAILS}}


def pico(name: str) -> tuple[str, int]:
    return ("Pico", PICO_PINS[parts.firmware_config()[name]])


def wanted() -> dict[str, set[tuple[str, int]]]:
    """Return net -> the pins that it joins."""
    chip, shifter = "74HC165", "74AHCT125"
    idle = ("1OE", "2OE", "3OE", "4OE", "2A", "3A", "4A", "GND")
    return {
        "3V3": {("Pico", 36), ("8 × 10 kΩ", 1), *((chip, CHIP_PINS[name]) for name in ("VCC", "SER"))},
        "GND": {
            *(("Pico", pin) for pin in (3, 23)),
            *((chip, CHIP_PINS[name]) for name in ("GND", "CLK INH")),
            *((shifter, GATE_PINS[name]) for name in idle),
        },
        "5V": {(shifter, GATE_PINS["VCC"])},
        "data": {pico("CHAIN_DATA"), (chip, CHIP_PINS["QH"])},
        "load": {pico("CHAIN_LOAD"), (chip, CHIP_PINS["SH/LD"])},
        "clock": {pico("CHAIN_CLOCK"), (chip, CHIP_PINS["CLK"])},
        "strip": {pico("STRIP_PIN"), (shifter, GATE_PINS["1A"])},
        **{letter: {(chip, CHIP_PINS[letter]), ("8 × 10 kΩ", PULLED[letter])} for letter in INPUTS},
    }


def test_breadboard_joins_what_the_circuit_joins_and_nothing_else() -> None:
    joined = nets()
    found: dict[Joined, set[tuple[str, int]]] = {}
    for part, pins in PARTS.items():
        for pin, hole in pins.items():
            found.setdefault(joined[metal(hole)], set()).add((part, pin))
    circuit = list(wanted().values())
    all_pins = {pin for pins in circuit for pin in pins}
    assert sorted(map(sorted, circuit)) == sorted(sorted(pins) for pins in found.values() if pins & all_pins)
    assert all(len(pins) == 1 for pins in found.values() if not pins & all_pins)


def test_parts_with_two_legs_and_what_stands_outside_meet_their_nets() -> None:
    joined = nets()
    names = {joined[metal(PARTS[part][pin])]: net for net, pins in wanted().items() for part, pin in pins}

    def net(hole: Hole) -> str:
        return names.get(joined.get(metal(hole), metal(hole)), "free")

    found = Counter((it.what.split(",")[0], *sorted((net(it.start), net(it.end)))) for it in WIRES if it.what != "wire")
    assert found == {
        ("100 kΩ", "GND", "strip"): 1,
        ("100 nF", "3V3", "GND"): 1,
        ("100 nF", "5V", "GND"): 1,
        ("1000 µF", "5V", "GND"): 1,
        ("470 Ω", "free", "free"): 1,
        ("reed", "A", "GND"): 1,
    }
    resistor = next(it for it in WIRES if it.what == "470 Ω")
    assert metal(resistor.start) == metal(PARTS["74AHCT125"][GATE_PINS["1Y"]])
    lamp = LEADS[0].start
    assert metal(resistor.end) == metal(lamp) not in joined
    assert [net(it.start) for it in LEADS] == ["free", "5V", "GND", "5V", "GND"]


def test_no_hole_is_used_twice_and_none_lies_under_a_part() -> None:
    ends = [hole for it in WIRES for hole in (it.start, it.end)]
    holes = [*ends, *(it.start for it in LEADS), *(hole for pins in PARTS.values() for hole in pins.values())]
    assert [hole for hole, count in Counter(holes).items() if count > 1] == []
    assert all(row in {*ROWS, *RAILS} and 1 <= column <= COLUMNS for row, column in holes)
    assert not {(row, column) for row in "cdefgh" for column in range(1, 21)} & {*ends}


def test_every_pin_is_drawn_in_its_hole() -> None:
    pins = [hole(*at) for at in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="3.2"', DRAWN)]
    assert pins == [hole for pins in PARTS.values() for hole in pins.values()]


def test_table_names_every_wire_and_the_pin_at_its_end() -> None:
    wanted = [(it.what, NET_NAMES[it.net], place(it.start), place(it.end)) for it in WIRES]
    things = ("lamp", "lamp", "lamp", "fuse and supply", "fuse and supply")
    wanted += [(it.what, NET_NAMES[it.net], thing, place(it.start)) for it, thing in zip(LEADS, things, strict=True)]
    assert wanted == TOLD
