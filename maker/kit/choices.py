"""The choices that determine a kit's parts, with the dimensions that depend on them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Sensor = Literal["reed", "hall"]
Brain = Literal["pico", "pi"]
Lamps = Literal["strip", "none"]
Chips = Literal["pcb", "stripboard"]

SENSORS: tuple[Sensor, ...] = ("reed", "hall")
BRAINS: tuple[Brain, ...] = ("pico", "pi")
LAMPS: tuple[Lamps, ...] = ("strip", "none")
CHIPS: tuple[Chips, ...] = ("pcb", "stripboard")
"""The board under each chip: that of hardware/chipboard, ordered from a factory, or stripboard."""
PITCHES = (30, 60, 144)
"""Lamps per metre of strip, as sold."""

SENSOR_HOLE: dict[Sensor, float] = {"reed": 3.0, "hall": 5.0}
"""Millimetres: an upright reed (2.5 mm at most), a Hall switch in its TO-92 case (4 mm wide)."""
LAMP_HOLE = 8.0
"""Millimetres: a 5 mm lamp, with room for a small misalignment."""

RING = (26.0, 34.0)
"""Millimetres inside and outside: a ring for a miniature's base of 25 mm."""


class Choices(Struct, frozen=True):
    """`strip` is in lamps per metre. `windows`: leave the paper white above each lamp."""

    sensor: Sensor = "reed"
    brain: Brain = "pico"
    lamps: Lamps = "strip"
    strip: int = 30
    windows: bool = True
    chips: Chips = "pcb"

    @property
    def pitch(self) -> float:
        """Return the distance from lamp to lamp in millimetres, which is the length of one piece of strip."""
        return 1000 / self.strip
