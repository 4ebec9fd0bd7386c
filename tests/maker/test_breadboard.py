"""The first bench: its holes, rails and wires join what config.py and the chips' description join."""

from __future__ import annotations

import re
from collections import Counter

from maker.drawings import breadboard
from maker.drawings.breadboard import COLUMNS, OUTSIDE, PARTS, RAILS, ROWS, Hole
from maker.drawings.canvas import NETS
from maker.drawings.hardware_facts import PICO_PINS
from maker.kit import parts
from maker.kit.chipboard import CHIP_PINS, GATE_PINS, INPUTS
from maker.page_parts import DOCS

Joined = tuple[str, int]
"""Holes that are one piece of metal: a rail, or half a column by its highest row."""


def metal(hole: Hole) -> Joined:
    """Return the piece of metal of a hole."""
    row, column = hole
    return (row, 0) if row in RAILS else ("j" if row >= "f" else "e", column)


def nets() -> dict[Joined, Joined]:
    """Return metal -> a piece that stands for everything joined with it by wires."""
    stands: dict[Joined, Joined] = {}

    def root(piece: Joined) -> Joined:
        while stands.get(piece, piece) != piece:
            piece = stands[piece]
        return piece

    for it in breadboard.wires():
        if not it.part:
            stands[root(metal(it.start))] = root(metal(it.end))
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
        **{letter: {(chip, CHIP_PINS[letter]), ("8 × 10 kΩ", breadboard.PULLED[letter])} for letter in INPUTS},
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

    found = Counter(
        (it.part.split(",")[0], *sorted((net(it.start), net(it.end)))) for it in breadboard.wires() if it.part
    )
    assert found == {
        ("100 kΩ", "GND", "strip"): 1,
        ("100 nF", "3V3", "GND"): 1,
        ("100 nF", "5V", "GND"): 1,
        ("1000 µF", "5V", "GND"): 1,
        ("470 Ω", "free", "free"): 1,
        ("reed", "A", "GND"): 1,
    }
    resistor = next(it for it in breadboard.wires() if it.part == "470 Ω")
    assert metal(resistor.start) == metal(PARTS["74AHCT125"][GATE_PINS["1Y"]])
    assert metal(resistor.end) == metal(OUTSIDE["lamp"]["data"]) not in joined
    assert {net(ends["5V"]) for ends in OUTSIDE.values()} == {"5V"}
    assert {net(ends["ground"]) for ends in OUTSIDE.values()} == {"GND"}


def test_no_hole_is_used_twice_and_none_lies_under_a_part() -> None:
    holes = [hole for pins in PARTS.values() for hole in pins.values()]
    holes += [hole for it in breadboard.wires() for hole in (it.start, it.end)]
    holes += [hole for ends in OUTSIDE.values() for hole in ends.values()]
    assert [hole for hole, count in Counter(holes).items() if count > 1] == []
    assert all(row in {*ROWS, *RAILS} and 1 <= column <= COLUMNS for row, column in holes)
    covered = {(row, column) for row in "cdefgh" for column in range(1, 21)}
    assert not covered & {hole for it in breadboard.wires() for hole in (it.start, it.end)}


def test_drawing_has_every_wire_and_pin_in_its_hole() -> None:
    drawn = (DOCS / "hardware" / "bench.svg").read_text("utf-8")
    high = ROWS | RAILS

    def hole(x: str, y: str) -> Hole:
        up = (390 - float(y)) / 14.2
        return min(high, key=lambda row: abs(high[row] - up)), round((float(x) - 44) / 14.2) + 1

    found = re.findall(
        r'points="([\d.]+),([\d.]+) (?:[^"]* )?([\d.]+),([\d.]+)" [^>]*stroke="(#\w+)" [^>]*="2.4"', drawn
    )
    ends = [(colour, hole(*end[:2]), hole(*end[2:])) for *end, colour in found]
    wires = breadboard.wires()
    assert ends[: len(wires)] == [(NETS[it.net], it.start, it.end) for it in wires]
    outside = [(NETS[net], hole) for leads in OUTSIDE.values() for net, hole in leads.items()]
    assert [end[:2] for end in ends[len(wires) :]] == outside
    pins = [hole(*at) for at in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="3.2"', drawn)]
    assert pins == [hole for pins in PARTS.values() for hole in pins.values()]


def test_table_names_every_wire_and_the_pin_at_its_end() -> None:
    rows = breadboard.wire_rows()
    assert len(rows) == len(breadboard.wires()) + sum(map(len, OUTSIDE.values()))
    data = f"GP{parts.firmware_config()['CHAIN_DATA']}"
    assert [row for row in rows if re.search(rf"Pico pin \d+, {data}\)", row[2]) and "74HC165 pin 9, QH" in row[3]]
