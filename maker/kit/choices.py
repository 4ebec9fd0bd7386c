"""What a maker chooses before the parts are counted, and what follows from each choice."""

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
"""What carries each chip: the board of hardware/chipboard, ordered from a factory, or strip board cut at home."""
PITCHES = (30, 60, 144)
"""Lamps on a metre of strip, as strips are sold."""

SENSOR_HOLE: dict[Sensor, float] = {"reed": 3.0, "hall": 5.0}
"""Millimetres: a reed's glass standing upright (2.5 mm at most), a Hall switch in its TO-92 case (4 mm wide)."""
LAMP_HOLE = 8.0
"""Millimetres: the light of a lamp of 5 mm, a little off its place too."""

RING = (26.0, 34.0)
"""Millimetres inside and outside: a ring for a miniature's base of 25 mm."""


class Choices(Struct, frozen=True):
    """`strip` is in lamps a metre. `windows`: leave the paper white above each lamp."""

    sensor: Sensor = "reed"
    brain: Brain = "pico"
    lamps: Lamps = "strip"
    strip: int = 30
    windows: bool = True
    chips: Chips = "pcb"

    @property
    def pitch(self) -> float:
        """Millimetres from lamp to lamp on the strip, and so the length of a piece that is cut off."""
        return 1000 / self.strip
