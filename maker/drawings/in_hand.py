"""Drawings of single things as a builder holds them: two pieces of the strip, and the sockets of a Raspberry Pi."""

from __future__ import annotations

from functools import cache

from firmware_host.core import maps
from maker.drawings.canvas import INK, PAPER, SOFT, Canvas
from maker.kit import folder
from maker.kit.choices import Choices
from maker.kit.holes import drill_holes
from maker.kit.plates import STRIP_WIDE
from maker.mapping.drawings import wiring_of

MAP = "launch-facility"
PIECE_SCALE, PI_SCALE = 9.0, 8.0
"""Units of a drawing for a millimetre."""
PADS = (("5 V", "5V"), ("data", "data"), ("GND", "ground"))
LAMP = 5.0
"""The case of a WS2812B, in millimetres."""

PI_SIZE, PI_HOLE_IN = (65.0, 30.0), 3.5
SOCKETS = (
    (12.4, 11.2, "mini HDMI", "stays free", "usb"),
    (41.4, 8.0, "USB", "OTG cable to the board's Pico", "data"),
    (54.0, 8.0, "PWR IN", "its own supply", "5V"),
)
"""Middle from the left edge and width in millimetres (Raspberry Pi Zero 2 W, mechanical drawing), name, use, net."""
CARD = (2.0, 11.0, 12.0)
"""The microSD slot: out of the left edge, height of its upper end, width."""


@cache
def _pieces() -> list[tuple[str, ...]]:
    board = maps.load(MAP)
    return folder.strip_pieces(drill_holes(board, wiring_of(MAP, board), Choices()), Choices())


def draw_pieces() -> Canvas:
    """Draw the first two pieces of the strip with the wires between them."""
    sheet = Canvas("Two pieces of the strip", 310)
    sheet.legend(24, 62, ("5V", "data", "ground"))
    long = PIECE_SCALE * Choices().pitch
    for (net_name, net), row in zip(PADS, (-1, 0, 1), strict=True):
        y = 170 + row * PIECE_SCALE * STRIP_WIDE / 3
        sheet.wire(net, (90 + long, y), (610, y))
        sheet.wire(net, (30, y), (90, y))
        sheet.wire(net, (610 + long, y), (970, y))
        sheet.say(500, y - 11, f"{net_name}, {_pieces()[0][5]} mm" if row == -1 else net_name, "middle", 13)
    for left, (lamp, space, *_) in zip((90.0, 610.0), _pieces(), strict=False):
        _draw_piece(sheet, left, long, f"lamp {lamp}, {space}")
    sheet.stroke(f"M 90 258 h {long:g} M 90 252 v 12 M {90 + long:g} 252 v 12", SOFT, 1.3)
    sheet.say(90 + long / 2, 274, f"{Choices().pitch:.1f} mm", "middle", 13, bold=True)
    words = [
        "Cut through the middle of the pads. The arrows point away from the Pico.",
        "Makers print the three lines in different orders: read the words at the pads.",
    ]
    sheet.lines(460, 274, words)
    return sheet


def _draw_piece(sheet: Canvas, left: float, long: float, text: str) -> None:
    high, middle = PIECE_SCALE * STRIP_WIDE, 170.0
    sheet.box(left, middle - high / 2, long, high, PAPER, rx=2)
    for row, word in ((-1, "5V"), (0, "DI"), (1, "GND")):
        y = middle + row * high / 3
        for x, name in ((left, word), (left + long - 16, "DO" if word == "DI" else word)):
            sheet.box(x, y - 9, 16, 18, "#d9b45a", rx=2)
            inside = x == left
            sheet.say(x + (21 if inside else -5), y, name, "start" if inside else "end", 10, SOFT)
    side = PIECE_SCALE * LAMP
    sheet.box(left + long / 2 - side / 2, middle - side / 2, side, side, "#f4f4ee", rx=3)
    sheet.disc(left + long / 2, middle, side / 2.6, "#f4c95d")
    sheet.stroke(f"M {left + long / 2 + 40:g} {middle:g} h 34 m -9 -7 l 9 7 l -9 7", INK, 2)
    sheet.say(left + long / 2, middle - high / 2 - 14, text, "middle", 13, bold=True)


def draw_pi_zero() -> Canvas:
    """Draw a Raspberry Pi Zero 2 W from above, with what goes into its sockets."""
    sheet = Canvas("The Raspberry Pi Zero 2 W, from above", 460)
    left, top = 260.0, 80.0
    wide, high = (PI_SCALE * side for side in PI_SIZE)
    slot, slot_top, slot_wide = (PI_SCALE * value for value in CARD)
    sheet.box(left, top, wide, high, "#e4efe4", rx=24)
    for x in (PI_HOLE_IN, PI_SIZE[0] - PI_HOLE_IN):
        for y in (PI_HOLE_IN, PI_SIZE[1] - PI_HOLE_IN):
            sheet.disc(left + PI_SCALE * x, top + PI_SCALE * y, 11, PAPER)
    for pin in range(40):
        x = PI_SIZE[0] / 2 + 2.54 * (pin // 2 - 9.5)
        sheet.disc(left + PI_SCALE * x, top + PI_SCALE * (PI_HOLE_IN + 1.27 - 2.54 * (pin % 2)), 4, "#d9b45a")
    sheet.say(left + wide / 2, top + 90, "40 pins: stay free with a Pico", "middle", 13, SOFT)
    sheet.box(left - slot, top + slot_top, 100, slot_wide, "#d5d9dd", rx=3)
    sheet.say(left - slot + 50, top + slot_top + slot_wide / 2, "microSD", "middle", 13)
    sheet.lines(24, top + slot_top + slot_wide / 2 - 9, ["the prepared card,", "with its contacts down"], fill=INK)
    for number, (middle, across, name, use, net) in enumerate(SOCKETS):
        x, y = left + PI_SCALE * middle, top + high
        sheet.box(x - PI_SCALE * across / 2, y - 34, PI_SCALE * across, 40, "#d5d9dd", rx=3)
        sheet.say(x, y - 46, name, "middle", 13, bold=True)
        if number:
            sheet.wire(net, (x, y + 6), (x, y + 24 + 34 * (3 - number)))
            sheet.tag(x, y + 24 + 34 * (3 - number), net, use, "left" if number == 1 else "right")
        else:
            sheet.say(x, y + 24, use, "middle", 13, SOFT)
    sheet.lines(24, 444, ["The two micro USB sockets look the same. PWR IN, the outer one, has no data lines."])
    return sheet
