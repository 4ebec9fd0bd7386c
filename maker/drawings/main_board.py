"""The strip board of Pico and level shifter on the main plate, seen from the parts.

Strips are horizontal. The Pico's USB socket points down, to the cable hole. A test traces strips, cuts and wires, and
compares the resulting connections with config.py and the chips' description.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from maker.drawings.canvas import BODY, INK, PAPER, Canvas
from maker.drawings.hardware_facts import PICO_PINS
from maker.kit import parts
from maker.kit.chipboard import GATE_PINS

Hole = tuple[int, int]
"""Strip and column, both from 1."""

PICO: dict[int, Hole] = {pin: (25 - pin, 23) if pin <= 20 else (pin - 16, 16) for pin in range(1, 41)}
SHIFTER: dict[int, Hole] = {pin: (11 + pin, 31) if pin <= 7 else (26 - pin, 34) for pin in range(1, 15)}
CUTS: tuple[Hole, ...] = (
    *((strip, 19) for strip in range(5, 25)),
    *((strip, column) for strip in range(12, 19) for column in (25, 32)),
)
SUPPLY, GROUND, OUTPUT = 26, 25, 27
"""Strips for the lamps' 5 V, for ground, and for the lamps' data: clear of the nuts at the corners."""


class Link(NamedTuple):
    """A wire, or a part with two legs."""

    net: str
    start: Hole
    end: Hole
    part: str = ""


SIZE = (31, 39)
"""Strips, and holes of each: 100 by 80 mm."""
CASES = {"Pico": PICO, "74AHCT125": SHIFTER}


def links() -> list[Link]:
    """Return all wires and parts with two legs on the board."""
    return [*_shifter_links(), *_divider_links()]


def _shifter_links() -> Iterator[Link]:
    strip = PICO[PICO_PINS[parts.firmware_config()["STRIP_PIN"]]][0]
    at = {name: SHIFTER[pin][0] for name, pin in GATE_PINS.items()}
    yield Link("ground", (GROUND, 24), (PICO[3][0], 24))
    for column, start, end in (
        (26, at["GND"], GROUND), (27, at["2A"], at["GND"]), (26, at["2OE"], at["2A"]), (27, at["1OE"], at["2OE"]),
        (38, at["3A"], GROUND), (37, at["3OE"], at["3A"]), (38, at["4A"], at["3OE"]), (37, at["4OE"], at["4A"]),
    ):  # fmt: skip
        yield Link("ground", (start, column), (end, column))
    yield Link("data", (at["1A"], 28), (strip, 28))
    yield Link("5V", (SUPPLY, 36), (at["VCC"], 36))
    yield Link("data", (OUTPUT, 30), (at["1Y"], 30), "470 Ω")
    yield Link("ground", (at["VCC"], 35), (at["4A"], 35), "100 nF")
    yield Link("ground", (strip, 34), (GROUND, 34), "100 kΩ")


def _divider_links() -> Iterator[Link]:
    measured = PICO[PICO_PINS[parts.firmware_config()["LAMP_SUPPLY_PIN"]]][0]
    ohms = f"{parts.DIVIDER_KOHM} kΩ"
    yield Link("data", (SUPPLY, 13), (measured, 13), ohms)
    yield Link("ground", (PICO[23][0], 10), (measured, 10), ohms)
    yield Link("ground", (measured, 8), (PICO[33][0], 8), "100 nF")


def loose_wires() -> dict[str, tuple[str, Hole]]:
    """Return the wires that leave the board: name -> net and hole."""
    config = parts.firmware_config()
    names = {"DATA": "CHAIN_DATA", "LOAD": "CHAIN_LOAD", "CLK": "CHAIN_CLOCK", "RET": "CHAIN_UNUSED"}
    nets = {"DATA": "data", "LOAD": "load", "CLK": "clock", "RET": "data"}
    ribbon = {name: (nets[name], (PICO[PICO_PINS[config[pin]]][0], 4)) for name, pin in names.items()}
    return {
        **ribbon,
        "GND": ("ground", (PICO[23][0], 4)),
        "3V3": ("3V3", (PICO[36][0], 4)),
        "5 V from the fuse": ("5V", (SUPPLY, 33)),
        "GND of supply and lamps": ("ground", (GROUND, 33)),
        "DATA to lamp 0": ("data", (OUTPUT, 33)),
    }


# --- drawing ----------------------------------------------------------------------------------------------------

LEFT, TOP, PITCH = 104.0, 70.0, 18.4


def _at(hole: Hole) -> tuple[float, float]:
    return (LEFT + PITCH * hole[1], TOP + PITCH * hole[0])


def draw_main_board() -> Canvas:
    """Draw the strip board with everything on it."""
    strips, columns = SIZE
    low = TOP + PITCH * (strips + 1)
    sheet = Canvas("The strip board of Pico and level shifter", low + 60)
    sheet.draw_legend(24, 60, ("3V3", "5V", "ground", "data", "clock", "load"))
    for strip in range(1, strips + 1):
        (left, y), (right, _) = _at((strip, 1)), _at((strip, columns))
        sheet.box(left - 7, y - 6, right - left + 14, 12, "#f2dcc4", "#f2dcc4", 2)
        sheet.stroke("".join(f"M{_at((strip, it))[0]:.1f} {y:.1f}h.1" for it in range(1, columns + 1)), PAPER, 5)
    for name, pins in CASES.items():
        _draw_case(sheet, name, pins)
    for hole in CUTS:
        sheet.write_line(*_at(hole), "×", "middle", 17, "#b3261e", bold=True)
    for name, (net, hole) in loose_wires().items():
        x, y = _at(hole)
        is_left = hole[1] < columns / 2
        edge = _at((1, 1 if is_left else columns))[0] + (-36.8 if is_left else 18.4)
        sheet.draw_wire(net, (x, y), (edge, y))
        sheet.joint(net, (x, y))
        anchor = "end" if is_left else "start"
        sheet.write_line(edge + (-6 if is_left else 4), y, name, anchor, 12 if is_left else 11, bold=True)
    for it in links():
        _draw_link(sheet, it)
    words = (
        "× cut the strip at this hole, on the copper's side, where left and right are exchanged.",
        "Ribbon at the left, its two strands of a line together. The Pico's USB socket points to the cables' hole.",
    )
    sheet.write_lines(24, low + 18, words)
    return sheet


def _draw_case(sheet: Canvas, name: str, pins: Mapping[int, Hole]) -> None:
    spots = {pin: _at(hole) for pin, hole in pins.items()}
    left, right = min(x for x, _ in spots.values()), max(x for x, _ in spots.values())
    top, low = min(y for _, y in spots.values()), max(y for _, y in spots.values())
    sheet.box(left - 9, top - 9, right - left + 18, low - top + 18, "#e4efe4" if name == "Pico" else BODY, rx=3)
    for pin, (x, y) in spots.items():
        sheet.disc(x, y, 4, PAPER if pin == 1 else INK)
        if name == "Pico":
            sheet.write_line(x + (9 if x == left else -9), y, str(pin), "start" if x == left else "end", 9)
    if name == "Pico":
        sheet.box((left + right) / 2 - 18, low - 6, 36, 24, "#d5d9dd", rx=3)
        sheet.write_line((left + right) / 2, low + 6, "USB", "middle", 10)
        sheet.write_line((left + right) / 2 + 26, (top + low) / 2, name, "middle", 14, bold=True)
    else:
        sheet.write_line((left + right) / 2, low + 20, name, "middle", 12, bold=True)


def _draw_link(sheet: Canvas, it: Link) -> None:
    start, end = _at(it.start), _at(it.end)
    sheet.draw_wire(it.net, start, end)
    sheet.joint(it.net, start, end)
    if it.part:
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        wide = 8 + 6.2 * len(it.part)
        sheet.box(x - wide / 2, y - 8, wide, 16, PAPER, INK, 3)
        sheet.write_line(x, y, it.part, "middle", 10, bold=True)
