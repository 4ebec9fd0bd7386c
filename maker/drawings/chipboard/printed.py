"""The silk screen of the chip board, in steps of its grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from maker.drawings.chipboard.place import PLACES
from maker.drawings.chipboard.shapes import Shape, Spot
from maker.kit.chipboard import INPUTS, RIBBON, SENSOR


class Word(Struct, frozen=True):
    """A text, centred on `at`. `size` is the height of its letters in millimetres."""

    text: str
    at: Spot
    size: float
    back: bool = False


def words() -> Iterator[Word]:
    """Yield all texts that belong to no part."""
    yield Word("sniperboard chip board 1", (27, 24.0), 1.0)
    yield Word("W1 W2: without U2", (17, 6.3), 0.8)
    yield Word("last of eight: R3 C3 R4 C4", (35.5, 6.3), 0.8)
    yield Word("W3: last chip", (40, 31.5), 0.8)
    yield Word("RN1", (14.4, 29.5), 0.9)
    yield Word("8x10k", (14.0, 30.7), 0.9)
    yield Word("IN", (7, 7.6), 1.2)
    yield Word("OUT", (48.6, 27.6 + 2.6), 1.2)
    yield Word("CHIP", (45.9, 5.2), 0.9)
    yield Word("____", (45.9, 7.2), 1.0)
    for at, letter in enumerate(INPUTS):
        x, y = PLACES[f"S{at}"]
        upper = y < 19
        yield Word(letter, (x - 2.1, y), 1.5)
        for number, name in enumerate(SENSOR):
            yield Word(name, (x + 2 * number, y + (1.7 if upper else -1.7)), 0.8)
        yield Word(letter, (x - 2.1, y), 1.5, back=True)
    for name, side in (("J1", 1), ("J2", -1)):
        x, y = PLACES[name]
        for row, line in enumerate(RIBBON):
            yield Word(line, (x + (4.6 if side > 0 else -2.6), y + 2 * row), 0.9, back=True)
    yield Word("sniperboard chip board 1", (27, 19), 1.2, back=True)


def lines(shape: Shape) -> Iterator[tuple[Spot, Spot]]:
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
