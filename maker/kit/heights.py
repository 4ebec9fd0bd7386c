"""Heights between print and floor, and the spacers that follow from them. Lengths are millimetres.

From below: the floor; a plate on it; for soldered boards a nut at each screw and the board on the nuts; a spacer, up to
the carrier. Sensors and lamps hang from the carrier, and the parts of the boards stand below them; they must not touch.
"""

from __future__ import annotations

from maker.kit.choices import Choices, Sensor

CARRIER, PLATE, FLOOR = 3.0, 3.0, 4.0
BOARD = 1.6
"""A circuit board or stripboard."""
NUT = 2.4
"""An M3 nut, ISO 4032. It keeps a board's solder joints off the plate."""
WASHER = 0.5
"""An M3 washer, ISO 7089."""
SPACERS = (20, 25, 30, 35, 40)
"""Hexagonal M3 spacers as sold, 5.5 mm across flats."""
SCREWS = (10, 12, 16, 20)
"""M3 screws as sold."""
GRIP = 4.0
"""Minimum length of a screw inside a spacer or nut."""

GLASS = 14.0
"""The glass of an upright reed, KSK-1A66."""
BEND = 3.0
"""Minimum distance from a reed's glass to the bend of its leg (RMCIP, handling of reed switches)."""
LEG = 0.5
"""The thickness of a leg."""
GLASS_IN = BEND + LEG - CARRIER
"""From the carrier down to the glass: the upper leg is bent back inside the hole, below the print."""
HANGS: dict[Sensor, float] = {"reed": GLASS_IN + GLASS + BEND, "hall": 4.0}
"""How far sensors hang below the carrier.

A Hall switch lies flat: its case (TO-92, 4.0 x 1.52 mm, TI SLVSDC7) and the wires at its legs.
"""
LAMP = 5.0
"""Strip with its lamp and the wires soldered to it, below the carrier: an estimate on the safe side."""

DIP = 9.0
"""A chip in its socket: an estimate on the safe side."""
PLUG = 15.0
"""A box header with its IDC socket and the ribbon: an estimate on the safe side. A strain relief would stand above it;
the parts list says so.
"""
PICO = 8.5 + 2.5 + 1.0 + 3.0
"""A Pico H on socket strips: socket (Wuerth 613 series), the header's bar, the board (Pico data sheet), USB socket."""
FOAM = 1.0
"""Double-sided tape under a Pi or module, whose holes fit no plate."""
PI = MODULE = FOAM + BOARD + 2.5 + 14.0 + 2.0
"""A Pi or module: tape, board, its header's bar, a crimped plug, its wires' bend: an estimate on the safe side."""
CONTROLLER = 23.0
"""A WLED controller on the bare floor, with its tape, at most."""
CLEAR = 1.0
"""Minimum distance between hanging and standing parts."""


def spacer_base(choices: Choices) -> float:
    """Return the height above a plate at which spacers stand, in millimetres: on a soldered board, or on the plate."""
    return 0.0 if choices.ready_made else NUT + BOARD


def post_stack(choices: Choices) -> tuple[int, int]:
    """Return the nuts and washers under a spacer without a plate, which are as high as plate and board elsewhere."""
    return _stack(PLATE + spacer_base(choices))


def pi_stack(choices: Choices) -> tuple[int, int]:
    """Return the same for a spacer on the plate of a Pi, under which there is no board."""
    return _stack(spacer_base(choices))


def _stack(high: float) -> tuple[int, int]:
    nuts = int(high / NUT)
    return nuts, int((high - nuts * NUT) / WASHER)


def highest_part(choices: Choices) -> float:
    """Return the height of the highest part on a plate, in millimetres above the plate."""
    if choices.ready_made:
        return MODULE
    boards = spacer_base(choices) + max(DIP, PLUG)
    return max(boards, spacer_base(choices) + PICO if choices.brain == "pico" else PI)


def depth_below_carrier(choices: Choices) -> float:
    """Return how far sensors and lamps reach below the carrier, in millimetres."""
    return max(HANGS[choices.sensor], LAMP)


def spacer_length(choices: Choices) -> int:
    """Return the length of the spacers to order, in millimetres: a sensor or lamp can be above any part."""
    needed = highest_part(choices) - spacer_base(choices) + depth_below_carrier(choices) + CLEAR
    return next((length for length in SPACERS if length >= needed), SPACERS[-1])


def floor_gap(choices: Choices) -> float:
    """Return the distance between floor and carrier, in millimetres."""
    return PLATE + spacer_base(choices) + spacer_length(choices)


def clearance_above(choices: Choices) -> float:
    """Return the free height between the highest part on a plate and the carrier, in millimetres."""
    return floor_gap(choices) - PLATE - highest_part(choices)


def screw_length(choices: Choices) -> int:
    """Return the length of the screws through floor, plate and board into a spacer, in millimetres."""
    return next(length for length in SCREWS if length >= FLOOR + PLATE + spacer_base(choices) + GRIP)
