"""The field of a magnet at a sensor below it, for the table of magnets in docs/hardware.md.

A disc that is magnetized along its axis acts like two layers of magnetic charge, at its lower and its upper face.
Lengths are millimetres, fields millitesla.
"""

from __future__ import annotations

from math import pi

import numpy as np

REMANENCE = 1200.0
"""N35: 1170 to 1220 mT."""
MOST_SENSITIVE, LESS_SENSITIVE = 4.8, 9.5
"""Highest thresholds of the Hall switches DRV5032FC and AJ (TI SLVSDC7)."""
FINE = 60
"""Rings and sectors into which a layer is divided."""
STEP = 0.5
"""To which a radius is rounded down."""


def vertical_field(across: float, thick: float, gap: float, aside: float) -> float:
    """Return the vertical field at `gap` below a magnet's lower face, so far `aside` of its axis."""
    ring = (np.arange(FINE) + 0.5) * across / 2 / FINE
    radius, angle = np.meshgrid(ring, (np.arange(FINE) + 0.5) * 2 * pi / FINE)
    flat = (aside - radius * np.cos(angle)) ** 2 + (radius * np.sin(angle)) ** 2
    area = radius * (across / 2 / FINE) * (2 * pi / FINE)
    lower, upper = (float((area * z / (flat + z * z) ** 1.5).sum()) for z in (gap, gap + thick))
    return REMANENCE / (4 * pi) * (lower - upper)


def detection_radius(across: float, thick: float, gap: float, threshold: float) -> float:
    """Return the radius within which a flat Hall switch with this threshold detects the magnet."""
    steps = 0
    while abs(vertical_field(across, thick, gap, steps * STEP)) >= threshold:
        steps += 1
    return max(0.0, (steps - 1) * STEP)
