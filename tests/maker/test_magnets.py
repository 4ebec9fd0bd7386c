"""The table of magnets in docs/hardware.md: the field of a disc at a sensor below it.

A disc that is magnetized along its axis acts like two layers of magnetic charge, at its lower and its upper face.
Lengths are millimetres, fields millitesla.
"""

from __future__ import annotations

import re
from math import pi

import numpy as np
import pytest

from maker.page_parts import DOCS

REMANENCE, SENSITIVE, LESS = 1200.0, 4.8, 9.5
"""N35 has 1170 to 1220 mT; the highest thresholds of the Hall switches DRV5032FC and AJ (TI SLVSDC7)."""
FINE, STEP, NEIGHBOUR = 60, 0.5, 36.0
"""Rings and sectors of a layer, the step of a radius, and less than the distance of two spaces on our maps."""
ROW = re.compile(r"^\| (\d+) × (\d) \| (\d+) mm \| (\d+) mT \| (.*) \| (.*) \| ([\d.]+) mT \|$", re.MULTILINE)
ROWS = ROW.findall((DOCS / "hardware.md").read_text("utf-8"))


def vertical_field(across: float, thick: float, gap: float, aside: float) -> float:
    """Return the vertical field at `gap` below a magnet's lower face, so far `aside` of its axis."""
    ring = (np.arange(FINE) + 0.5) * across / 2 / FINE
    radius, angle = np.meshgrid(ring, (np.arange(FINE) + 0.5) * 2 * pi / FINE)
    flat = (aside - radius * np.cos(angle)) ** 2 + (radius * np.sin(angle)) ** 2
    area = radius * (across / 2 / FINE) * (2 * pi / FINE)
    lower, upper = (float((area * z / (flat + z * z) ** 1.5).sum()) for z in (gap, gap + thick))
    return REMANENCE / (4 * pi) * (lower - upper)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row[:3]))
def test_magnet_is_detected_as_the_page_says(row: tuple[str, ...]) -> None:
    magnet = across, thick, gap = (*map(float, row[:3]),)
    for threshold, told in ((SENSITIVE, row[4]), (LESS, row[5])):
        steps = 0
        while abs(vertical_field(across, thick, gap, steps * STEP)) >= threshold:
            steps += 1
        radius = max(0.0, (steps - 1) * STEP)
        assert told == (f"{radius} mm" if radius else "no")
    middle, far = (abs(vertical_field(*magnet, aside)) for aside in (0.0, NEIGHBOUR))
    assert (row[3], row[6]) == (f"{middle:.0f}", f"{far:.1f}")


def test_table_has_every_magnet() -> None:
    assert len(ROWS) == 12
