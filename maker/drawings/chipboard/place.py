"""Positions on the chip board: 70 x 50 mm, like the plate of the kit that it is screwed to.

Positions are in steps of 1.27 mm from the grid's first node, x to the right, y down, seen from the front.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from maker.drawings.chipboard.shapes import SHAPES, STEP, Spot
from maker.kit.chain import CHIP_PLATE
from maker.kit.chipboard import ELEMENTS, INPUTS, RIBBON, SENSOR
from maker.kit.sheets import SCREW, SCREW_IN

SIZE = CHIP_PLATE
COLUMNS, ROWS = 55, 39
"""Nodes of the grid. The middle node is the board's middle."""
SCREWS = [(x, y) for x in (SCREW_IN, SIZE[0] - SCREW_IN) for y in (SCREW_IN, SIZE[1] - SCREW_IN)]
"""Millimetres from the board's upper left corner."""
SCREW_DRILL = SCREW
SCREW_ROOM = 3.5
"""Millimetres around a screw's middle without copper: the head and the nut."""

Node = tuple[int, int]

PLACES: dict[str, Node] = {
    "J1": (4, 13),
    "J2": (48, 13),
    "U2": (23, 16),
    "U1": (42, 16),
    "W2": (11, 8),
    "W1": (19, 8),
    "R2": (10, 12),
    "R1": (19, 12),
    "R3": (29, 12),
    "C3": (38, 12),
    "R4": (29, 8),
    "C4": (38, 8),
    "C2": (19, 26),
    "R5": (29, 26),
    "C1": (38, 26),
    "RN1": (17, 30),
    "W3": (38, 30),
    **{f"S{number}": (13 + 8 * (number % 4), 3 if number >= 4 else 35) for number in range(8)},
}
"""Pin 1 of each element."""


def millimetres(node: tuple[float, float]) -> tuple[float, float]:
    """Return the position of a grid node, from the board's upper left corner."""
    middle = (COLUMNS // 2, ROWS // 2)
    return (
        round(SIZE[0] / 2 + STEP * (node[0] - middle[0]), 4),
        round(SIZE[1] / 2 + STEP * (node[1] - middle[1]), 4),
    )


def pads() -> dict[tuple[str, str], Node]:
    """Return element and pin -> node."""
    found = {}
    for element in ELEMENTS:
        x, y = PLACES[element.name]
        for pad in SHAPES[element.kind].pads:
            found[element.name, pad.name] = (x + pad.at[0], y + pad.at[1])
    return found


class Label(Struct, frozen=True):
    """A text, centred on `at`. `size` is the height of its letters in millimetres."""

    text: str
    at: Spot
    size: float
    back: bool = False


TEXTS = (
    Label("sniperboard chip board 1", (27, 24.0), 1.0),
    Label("W1 W2: without U2", (17, 6.3), 0.8),
    Label("last of eight: R3 C3 R4 C4", (35.5, 6.3), 0.8),
    Label("W3: last chip", (40, 31.5), 0.8),
    Label("RN1", (14.4, 29.5), 0.9),
    Label("8x10k", (14.0, 30.7), 0.9),
    Label("IN", (7, 7.6), 1.2),
    Label("OUT", (48.6, 27.6 + 2.6), 1.2),
    Label("CHIP", (45.9, 5.2), 0.9),
    Label("____", (45.9, 7.2), 1.0),
)


def texts() -> Iterator[Label]:
    """Yield all texts of the silk screen that belong to no part."""
    yield from TEXTS
    for at, letter in enumerate(INPUTS):
        x, y = PLACES[f"S{at}"]
        upper = y < 19
        yield Label(letter, (x - 2.1, y), 1.5)
        for number, name in enumerate(SENSOR):
            yield Label(name, (x + 2 * number, y + (1.7 if upper else -1.7)), 0.8)
        yield Label(letter, (x - 2.1, y), 1.5, back=True)
    for name, side in (("J1", 1), ("J2", -1)):
        x, y = PLACES[name]
        for row, line in enumerate(RIBBON):
            yield Label(line, (x + (4.6 if side > 0 else -2.6), y + 2 * row), 0.9, back=True)
    yield Label("sniperboard chip board 1", (27, 19), 1.2, back=True)
