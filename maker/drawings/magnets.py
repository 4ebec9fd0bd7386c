"""How far a magnet is felt: the field of a disc that is magnetised along its axis, as the maker of a board needs it.

The disc's two faces are taken as layers of magnetic charge (the usual model of a hard magnet); lengths are millimetres,
fields millitesla. Only the part of the field that is upright counts, for that is what a Hall switch lying flat feels.
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
    """A magnet."""

    across: float
    high: float


@cache
def upright(disc: Disc, gap: float, off: float) -> float:
    """The upright field at `gap` below the disc's face, `off` beside its axis; it turns round not far outside."""
    total = 0.0
    width = disc.across / 2 / RINGS
    for ring in range(RINGS):
        radius = (ring + 0.5) * width
        for spoke in range(SPOKES):
            square = off * off + radius * radius - 2 * off * radius * cos(2 * pi * (spoke + 0.5) / SPOKES)
            near, far = hypot(gap, square**0.5), hypot(gap + disc.high, square**0.5)
            total += (gap / near**3 - (gap + disc.high) / far**3) * radius
    return REMANENCE / (4 * pi) * total * width * 2 * pi / SPOKES


def felt_within(disc: Disc, gap: float, threshold: float) -> float:
    """How far beside the sensor the magnet may stand and be felt, in steps of half a millimetre; 0 if nowhere."""
    off = 0.0
    while upright(disc, gap, off) >= threshold:
        off += STEP
    return max(0.0, off - STEP)
