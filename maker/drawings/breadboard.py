"""The first bench on a breadboard: the Pico, one shift register with a sensor, the level shifter with a lamp.

The board has 63 columns, the rows a to e below its middle and f to j above it, and a pair of rails along both edges.
The five holes of a column on one side of the middle are joined, and so is each rail. A test follows holes, rails and
wires, compares what they join with the firmware's config.py and `maker/kit/chipboard.py`, and finds each of them in
docs/hardware/bench.svg, which is drawn by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from maker.drawings.canvas import NET_NAMES
from maker.drawings.hardware_facts import PICO_PINS, PICO_SPARE
from maker.kit import parts
from maker.kit.chipboard import CHIP_PINS, GATE_PINS

COLUMNS = 63
ROWS = {letter: at + 2.0 * (at > 4) for at, letter in enumerate("abcdefghij")}
"""Row -> its height above row a, in pitches."""
RAILS = {"T+": 14.6, "T-": 13.6, "B+": -4.8, "B-": -5.8}
"""The upper (T) and lower (B) rails. A hole in a rail is named by rail and column."""
SUPPLIES = {"T+": "3V3", "T-": "ground", "B+": "5V", "B-": "ground"}

Hole = tuple[str, int]
"""Row or rail, and column."""


class Wire(NamedTuple):
    """A wire, or a part with two legs."""

    net: str
    start: Hole
    end: Hole
    part: str = ""


def _pins_across(pins: int, column: int, low: str = "e", high: str = "f") -> dict[int, Hole]:
    """Return pin -> hole of a part across the middle, with pin 1 at its lower left."""
    half = pins // 2
    return {pin: (low, column + pin - 1) if pin <= half else (high, column + pins - pin) for pin in range(1, pins + 1)}


PARTS: dict[str, dict[int, Hole]] = {
    "Pico": _pins_across(40, 1, "c", "h"),
    "8 × 10 kΩ": {pin: ("h", 22 + pin) for pin in range(1, 10)},
    "74HC165": _pins_across(16, 35),
    "74AHCT125": _pins_across(14, 48),
}
"""Part -> pin -> hole. The network of eight resistors has its common pin 1 on the left."""
PULLED = dict(zip("HGFEABCD", range(2, 10), strict=True))
"""Input -> pin of the network. Its resistors are all the same; in this order the wires don't cross."""
OUTSIDE: dict[str, dict[str, Hole]] = {
    "lamp": {"data": ("a", 58), "5V": ("B+", 57), "ground": ("B-", 56)},
    "fuse and supply": {"5V": ("B+", 33), "ground": ("B-", 31)},
}
"""What stands off the board -> net -> where its wire leads."""
_USED = ("CHAIN_DATA", "CHAIN_LOAD", "CHAIN_CLOCK", "STRIP_PIN")


def _column(part: str, pin: int) -> int:
    return PARTS[part][pin][1]


def wires() -> list[Wire]:
    return [*_pico_wires(), *_chip_wires(), *_input_wires(), *_shifter_wires()]


def _pico_wires() -> Iterator[Wire]:
    pins = {name: _column("Pico", PICO_PINS[gpio]) for name, gpio in parts.firmware_config().items() if name in _USED}
    data, load, clock = (_column("74HC165", CHIP_PINS[name]) for name in ("QH", "SH/LD", "CLK"))
    for net, pin, row, rail in (("3V3", 36, "j", "T+"), ("ground", 23, "j", "T-"), ("ground", 3, "a", "B-")):
        yield Wire(net, (row, _column("Pico", pin)), (rail, _column("Pico", pin)))
    yield Wire("data", ("j", pins["CHAIN_DATA"]), ("j", data))
    yield Wire("load", ("j", pins["CHAIN_LOAD"]), ("a", load))
    yield Wire("clock", ("j", pins["CHAIN_CLOCK"]), ("a", clock))
    strip = pins["STRIP_PIN"]
    yield Wire("data", ("a", strip), ("a", _column("74AHCT125", GATE_PINS["1A"])))
    yield Wire("ground", ("b", strip), ("B-", strip + 4), "100 kΩ")


def _chip_wires() -> Iterator[Wire]:
    for name, rail in (("VCC", "T+"), ("CLK INH", "T-"), ("SER", "T+")):
        column = _column("74HC165", CHIP_PINS[name])
        yield Wire(SUPPLIES[rail], ("j", column), (rail, column))
    column = _column("74HC165", CHIP_PINS["GND"])
    yield Wire("ground", ("a", column), ("B-", column))
    yield Wire("3V3", ("j", _column("8 × 10 kΩ", 1)), ("T+", _column("8 × 10 kΩ", 1)))
    yield Wire("ground", ("T+", 27), ("T-", 29), "100 nF")
    reed = _column("74HC165", CHIP_PINS["A"])
    yield Wire("sensor", ("j", reed), ("T-", reed + 5), "reed")


def _input_wires() -> Iterator[Wire]:
    """Yield the wire from each input to its resistor."""
    for letter, start, end in zip("ABCDEFGH", "iiggdcba", "iiggffff", strict=True):
        here, there = _column("74HC165", CHIP_PINS[letter]), _column("8 × 10 kΩ", PULLED[letter])
        yield Wire("sensor", (start, here), (end, there))


def _shifter_wires() -> Iterator[Wire]:
    # Inputs that are not used must not float.
    for name in ("1OE", "2OE", "2A", "GND", "3OE", "3A", "4OE", "4A"):
        side, column = PARTS["74AHCT125"][GATE_PINS[name]]
        yield Wire("ground", ("a" if side == "e" else "j", column), ("B-" if side == "e" else "T-", column))
    supply, out = (_column("74AHCT125", GATE_PINS[name]) for name in ("VCC", "1Y"))
    yield Wire("5V", ("i", supply), ("B+", supply - 2))
    yield Wire("ground", ("j", supply), ("T-", supply - 2), "100 nF")
    yield Wire("data", ("d", out), ("d", OUTSIDE["lamp"]["data"][1]), "470 Ω")
    yield Wire("ground", ("B+", 43), ("B-", 45), "1000 µF, + at 5 V")
    yield Wire("ground", ("T-", COLUMNS), ("B-", COLUMNS))


def pin_names() -> dict[Hole, str]:
    """Return what is in each hole that a part's pin is in."""
    pico = {**PICO_SPARE, **{pin: f"GP{gpio}" for gpio, pin in PICO_PINS.items()}}
    named = {
        "Pico": pico,
        "74HC165": {pin: name for name, pin in CHIP_PINS.items()},
        "74AHCT125": {pin: name for name, pin in GATE_PINS.items()},
    }
    return {
        hole: f"{part} pin {pin}" + (f", {named[part][pin]}" if pin in named.get(part, {}) else "")
        for part, pins in PARTS.items()
        for pin, hole in pins.items()
    }


def wire_rows() -> list[tuple[str, str, str, str]]:
    """Return the rows of the table of wires: what, its line, and its two ends."""
    found = [(it.part or "wire", NET_NAMES[it.net], _place(it.start), _place(it.end)) for it in wires()]
    for thing, ends in OUTSIDE.items():
        found += [("wire", NET_NAMES[net], thing, _place(hole)) for net, hole in ends.items()]
    return found


def _place(hole: Hole) -> str:
    row, column = hole
    if row in RAILS:
        return f"{'upper' if row[0] == 'T' else 'lower'} {NET_NAMES[SUPPLIES[row]]} rail"
    pins = [name for (other, at), name in pin_names().items() if at == column and (other >= "f") == (row >= "f")]
    return f"{row}{column}" + "".join(f" ({name})" for name in pins)
