"""The footprints of the parts on the chip board: pads, silk screen and courtyard.

Lengths are steps of 1.27 mm from pin 1, as in `place.py`, until a file is written; y points down. Parts are seen from
the front.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

STEP = 1.27
"""Millimetres: every pad lies on this grid, and a track passes between any two pads of a case."""

Spot = tuple[float, float]


class Pad(Struct, frozen=True):
    """A plated hole. `at` is in steps, `drill` and `across` are millimetres."""

    name: str
    at: tuple[int, int]
    drill: float
    across: float
    square: bool = False


class Shape(Struct, frozen=True):
    """A part's pads, its printed outline, and its courtyard: corners in steps."""

    pads: tuple[Pad, ...]
    body: tuple[Spot, Spot]
    room: tuple[Spot, Spot]
    notch: str = ""
    """Where it is marked: a case's notch or a header's key. One of "right", "left" and ""."""


def _case(pins: int) -> Shape:
    """Return a chip in its socket with its notch to the right: pin 1 at the upper right, the last pin below it."""
    half = pins // 2
    pads = [
        Pad(str(pin), (-2 * (pin - 1), 0) if pin <= half else (-2 * (pins - pin), 6), 0.8, 1.6, pin == 1)
        for pin in range(1, pins + 1)
    ]
    left = -2.0 * (half - 1)
    return Shape(tuple(pads), ((left - 1, 1.0), (1.0, 5.0)), ((left - 1.2, -1.0), (1.2, 7.0)), "right")


def _header(rows: int) -> Shape:
    """Return a box header with its key to the left: pin 1 at the upper left, pin 2 to the right of it."""
    pads = [
        Pad(str(2 * row + column + 1), (2 * column, 2 * row), 1.0, 1.7, row == column == 0)
        for row in range(rows)
        for column in (0, 1)
    ]
    low = 2.0 * (rows - 1)
    box = ((-2.6, -4.0), (4.6, low + 4.0))
    return Shape(tuple(pads), box, ((-2.8, -4.2), (4.8, low + 4.2)), "left")


def _lying(pads: int, pitch: int, drill: float, across: float, half: float, over: float) -> Shape:
    """Return pads in a row from left to right. The body reaches `half` to both sides and `over` beyond each end."""
    found = [Pad(str(pad + 1), (pitch * pad, 0), drill, across, pads > 2 and pad == 0) for pad in range(pads)]
    right = float(pitch * (pads - 1))
    body = ((-over, -half), (right + over, half))
    room = max(half, across / 2 / STEP) + 0.15
    reach = max(over, across / 2 / STEP) + 0.15
    return Shape(tuple(found), body, ((-reach, -room), (right + reach, room)))


SHAPES = {
    "DIP16": _case(16),
    "DIP14": _case(14),
    "IDC14": _header(7),
    "SIP9": _lying(9, 2, 0.8, 1.6, 1.0, 1.0),
    "CAP5": _lying(2, 4, 0.8, 1.6, 1.15, -0.8),
    "RES": _lying(2, 6, 0.8, 1.6, 1.0, -0.8),
    "LINK": _lying(2, 4, 0.8, 1.6, 0.0, -0.9),
    "WIRES3": _lying(3, 2, 1.0, 1.7, 0.95, 0.95),
}
"""Kind -> shape. IDC14 is 2x7 pins of 2.54 mm in a box of 9 x 25.4 mm; capacitors have legs 5.08 mm apart, resistors
7.62 mm."""


def outline(shape: Shape) -> Iterator[tuple[Spot, Spot]]:
    """Yield a part's outline with its mark. A link is a line with a gap for its name."""
    (left, top), (right, low) = shape.body
    if top == low:
        yield (left, top), (left + 0.35, top)
        yield (right - 0.35, low), (right, low)
        return
    ring = [(left, top), (right, top), (right, low), (left, low), (left, top)]
    if shape.notch == "right":
        middle = (top + low) / 2
        ring[2:2] = [(right, middle - 0.8), (right - 0.7, middle - 0.8), (right - 0.7, middle + 0.8)]
        ring[5:5] = [(right, middle + 0.8)]
    yield from pairwise(ring)
    if shape.notch == "left":
        middle = (top + low) / 2
        for y in (middle - 1.8, middle + 1.8):
            yield (left, y), (left + 0.9, y)
