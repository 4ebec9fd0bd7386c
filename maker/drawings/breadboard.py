"""The first bench on a breadboard: the Pico, one shift register with a sensor, the level shifter with a lamp.

The board has 63 columns, the rows a to e below its middle and f to j above it, and a pair of rails along both edges.
The five holes of a column on one side of the middle are joined, and so is each rail. A test follows holes, rails and
wires, and compares what they join with the firmware's config.py and `maker/kit/chipboard.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from maker.drawings.canvas import BODY, INK, NET_NAMES, PAPER, SOFT, Canvas, Point
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
    """A wire, or a part with two legs. `way` are its bends: height, column, height, …"""

    net: str
    start: Hole
    end: Hole
    way: tuple[float, ...] = ()
    part: str = ""
    label: tuple[float, float] = (0.0, 0.0)
    """Column and height at which the part's name is written."""


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
    """Return all wires and parts with two legs."""
    return [*_pico_wires(), *_chip_wires(), *_input_wires(), *_shifter_wires()]


def _pico_wires() -> Iterator[Wire]:
    pins = {name: _column("Pico", PICO_PINS[gpio]) for name, gpio in parts.firmware_config().items() if name in _USED}
    data, load, clock = (_column("74HC165", CHIP_PINS[name]) for name in ("QH", "SH/LD", "CLK"))
    for net, pin, row, rail in (("3V3", 36, "j", "T+"), ("ground", 23, "j", "T-"), ("ground", 3, "a", "B-")):
        yield Wire(net, (row, _column("Pico", pin)), (rail, _column("Pico", pin)))
    yield Wire("data", ("j", pins["CHAIN_DATA"]), ("j", data), (11.7,))
    yield Wire("load", ("j", pins["CHAIN_LOAD"]), ("a", load), (12.3, 21.3, -1.2))
    yield Wire("clock", ("j", pins["CHAIN_CLOCK"]), ("a", clock), (12.9, 22.1, -1.9))
    strip = pins["STRIP_PIN"]
    yield Wire("data", ("a", strip), ("a", _column("74AHCT125", GATE_PINS["1A"])), (-2.6,))
    yield Wire("ground", ("b", strip), ("B-", strip + 4), (0.5,), "100 kΩ", (strip + 4, -3.7))


def _chip_wires() -> Iterator[Wire]:
    for name, rail in (("VCC", "T+"), ("CLK INH", "T-"), ("SER", "T+")):
        column = _column("74HC165", CHIP_PINS[name])
        yield Wire(SUPPLIES[rail], ("j", column), (rail, column))
    column = _column("74HC165", CHIP_PINS["GND"])
    yield Wire("ground", ("a", column), ("B-", column))
    yield Wire("3V3", ("j", _column("8 × 10 kΩ", 1)), ("T+", _column("8 × 10 kΩ", 1)))
    yield Wire("ground", ("T+", 27), ("T-", 29), (16.2,), "100 nF", (28, 16.3))
    reed = _column("74HC165", CHIP_PINS["A"])
    yield Wire("sensor", ("j", reed), ("T-", reed + 5), (20.0,), "reed", (reed - 2.2, 17.5))


def _input_wires() -> Iterator[Wire]:
    """Yield the wire from each input to its resistor."""
    ways = {"A": ("i", "i", 10.5), "B": ("i", "i", 9.5), "C": ("g", "g", 8.5), "D": ("g", "g", 7.5)}
    ways |= {"E": ("d", "f", 2.5), "F": ("c", "f", 1.5), "G": ("b", "f", 0.5), "H": ("a", "f", -0.5)}
    for letter, (start, end, high) in ways.items():
        here, there = _column("74HC165", CHIP_PINS[letter]), _column("8 × 10 kΩ", PULLED[letter])
        yield Wire("sensor", (start, here), (end, there), (high,))


def _shifter_wires() -> Iterator[Wire]:
    # Inputs that are not used must not float.
    for name in ("1OE", "2OE", "2A", "GND", "3OE", "3A", "4OE", "4A"):
        side, column = PARTS["74AHCT125"][GATE_PINS[name]]
        yield Wire("ground", ("a" if side == "e" else "j", column), ("B-" if side == "e" else "T-", column))
    supply, out = (_column("74AHCT125", GATE_PINS[name]) for name in ("VCC", "1Y"))
    yield Wire("5V", ("i", supply), ("B+", supply - 2), (10.5,))
    yield Wire("ground", ("j", supply), ("T-", supply - 2), (12.2,), "100 nF", (supply - 3.5, 12.2))
    yield Wire("data", ("d", out), ("d", OUTSIDE["lamp"]["data"][1]), (2.5,), "470 Ω", (out + 4, 2.5))
    yield Wire("ground", ("B+", 43), ("B-", 45), (-7.6,), "1000 µF, + at 5 V", (44, -8.2))
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


# --- drawing ----------------------------------------------------------------------------------------------------

PITCH, LEFT, BASE = 14.2, 44.0, 390.0


def _at(hole: tuple[str, float]) -> Point:
    return _point(hole[1], (ROWS | RAILS)[hole[0]])


def _point(column: float, high: float) -> Point:
    return (LEFT + PITCH * (column - 1), BASE - PITCH * high)


def draw_bench() -> Canvas:
    """Draw the breadboard with everything on it."""
    sheet = Canvas("The first bench: one sensor, one lamp", 620)
    sheet.legend(24, 62, ("3V3", "5V", "ground", "data", "clock", "load", "sensor"))
    _draw_holes(sheet)
    for name in PARTS:
        _draw_case(sheet, name)
    for it in wires():
        _draw_wire(sheet, it)
    _draw_outside(sheet)
    words = ["Where a rail is interrupted in the middle of your board, bridge the gap.", "The Pico is powered by USB."]
    sheet.lines(24, 582, words)
    return sheet


def _draw_holes(sheet: Canvas) -> None:
    (left, top), (right, low) = _point(-0.6, RAILS["T+"] + 0.8), _point(COLUMNS + 1.6, RAILS["B-"] - 0.8)
    sheet.box(left, top, right - left, low - top, "#fbfaf5", "#c9c4b5")
    holes = [_at((row, column)) for row in (*ROWS, *RAILS) for column in range(1, COLUMNS + 1)]
    sheet.stroke("".join(f"M{x:.1f} {y:.1f}h.1" for x, y in holes), "#b9b4a6", 4)
    for column in (1, *range(5, COLUMNS, 5)):
        sheet.say(*_point(column, 5.5), str(column), "middle", 9, SOFT)
    for row in ROWS:
        for column in (0, COLUMNS + 1):
            sheet.say(*_at((row, column)), row, "middle", 10, SOFT)
    for rail, net in SUPPLIES.items():
        for column in (0, COLUMNS + 1):
            sheet.say(*_at((rail, column)), {"ground": "−"}.get(net, "+"), "middle", 12, bold=True)


def _draw_case(sheet: Canvas, name: str) -> None:
    spots = {pin: _at(hole) for pin, hole in PARTS[name].items()}
    (left, low), (right, top) = spots[1], (max(x for x, _ in spots.values()), min(y for _, y in spots.values()))
    fill = "#e4efe4" if name == "Pico" else BODY
    sheet.box(left - 7, top - 6, right - left + 14, low - top + 12, fill, rx=3)
    for pin, (x, y) in spots.items():
        sheet.disc(x, y, 3.2, INK if pin > 1 else PAPER)
    middle = (left + right) / 2, (top + low) / 2
    if name == "Pico":
        sheet.box(left - 16, middle[1] - 14, 30, 28, "#d5d9dd", rx=3)
        sheet.say(left - 1, middle[1], "USB", "middle", 10)
    elif name != "8 × 10 kΩ":
        sheet.disc(left - 7, middle[1], 4, PAPER)
    if name == "8 × 10 kΩ":
        sheet.say(left - 4, top - 12, name, size=10.5, bold=True)
    else:
        sheet.say(middle[0] + 4, middle[1], name, "middle", 13, bold=True)


def _draw_wire(sheet: Canvas, it: Wire) -> None:
    points = _bends(_at(it.start), _at(it.end), it.way)
    sheet.wire(it.net, *points, thick=2.4)
    for x, y in (points[0], points[-1]):
        sheet.disc(x, y, 2.6, PAPER)
    if not it.part:
        return
    x, y = _point(*it.label)
    if it.part == "reed":
        sheet.reed(points[0][0], y)
        sheet.say(x, y, it.part, "middle", 13, bold=True)
        return
    sheet.label(x, y, it.part, 10.5, 16)


def _bends(start: Point, end: Point, way: tuple[float, ...]) -> list[Point]:
    """Return the corners of a way that alternates between heights and columns."""
    points, x = [start], start[0]
    for number, value in enumerate(way):
        if number % 2:
            x = _point(value, 0)[0]
            points.append((x, points[-1][1]))
        else:
            points.append((x, _point(0, value)[1]))
    if way:
        points.append((end[0], points[-1][1]))
    return [*points, end]


def _draw_outside(sheet: Canvas) -> None:
    boxes = {"lamp": (54.0, 60.0, "lamp", "GND, 5 V, DIN"), "fuse and supply": (28.5, 35.5, "fuse", "and supply 5 V")}
    for thing, (first, last, word, more) in boxes.items():
        (left, top), (right, _) = _point(first, -9.2), _point(last, 0)
        for net, hole in OUTSIDE[thing].items():
            x, y = _at(hole)
            sheet.wire(net, (x, y), (x, top), thick=2.4)
            sheet.disc(x, y, 2.6, PAPER)
        sheet.box(left, top, right - left, 42, "#fff6da" if thing == "lamp" else BODY)
        sheet.say((left + right) / 2, top + 14, word, "middle", 13, bold=True)
        sheet.say((left + right) / 2, top + 31, more, "middle", 10.5)
