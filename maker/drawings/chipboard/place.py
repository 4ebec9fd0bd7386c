"""Positions on the chip board: 70 x 50 mm, like the plate of the kit that it is screwed to.

Positions are in steps of 1.27 mm from the grid's first node, x to the right, y down, seen from the front.
"""

from __future__ import annotations

from maker.drawings.chipboard.shapes import SHAPES, STEP
from maker.kit.chain import CHIP_PLATE
from maker.kit.chipboard import ELEMENTS
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
