"""The field of a disc magnet, to show how far away a sensor detects it.

The two faces of the disc, magnetised along its axis, are modelled as layers of magnetic charge. Lengths are
millimetres, fields millitesla. Only the vertical part of the field counts, because that is what a flat Hall switch
measures.
"""

from __future__ import annotations

from functools import cache
from math import cos, hypot, pi

from msgspec import Struct

REMANENCE = 1200.0
"""Of N35, in mT."""
RINGS, SPOKES = 16, 32
STEP = 0.5


class Disc(Struct, frozen=True):
    """A magnet: diameter and height."""

    across: float
    high: float


@cache
def vertical_field(disc: Disc, gap: float, off: float) -> float:
    """Return the vertical field at `gap` below the disc's face, `off` from its axis. It changes sign outside."""
    total = 0.0
    width = disc.across / 2 / RINGS
    for ring in range(RINGS):
        radius = (ring + 0.5) * width
        for spoke in range(SPOKES):
            square = off * off + radius * radius - 2 * off * radius * cos(2 * pi * (spoke + 0.5) / SPOKES)
            near, far = hypot(gap, square**0.5), hypot(gap + disc.high, square**0.5)
            total += (gap / near**3 - (gap + disc.high) / far**3) * radius
    return REMANENCE / (4 * pi) * total * width * 2 * pi / SPOKES


def switching_radius(disc: Disc, gap: float, threshold: float) -> float:
    """Return how far off the axis the sensor still switches, in steps of half a millimetre; 0 if nowhere."""
    off = 0.0
    while vertical_field(disc, gap, off) >= threshold:
        off += STEP
    return max(0.0, off - STEP)
