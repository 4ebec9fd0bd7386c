"""The choices that determine a kit's parts, with the dimensions that depend on them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Sensor = Literal["reed", "hall"]
Brain = Literal["pico", "pi"]
Lamps = Literal["strip", "wled", "none"]
Chips = Literal["pcb", "stripboard", "modules"]

SENSORS: tuple[Sensor, ...] = ("reed", "hall")
BRAINS: tuple[Brain, ...] = ("pico", "pi")
LAMPS: tuple[Lamps, ...] = ("strip", "wled", "none")
CHIPS: tuple[Chips, ...] = ("pcb", "stripboard", "modules")
"""The board under each chip: that of hardware/chipboard, ordered from a factory, or stripboard; or ready-made modules
with an MCP23017 instead.
"""
CHIP_INPUTS = tuple("ABCDEFGH")
MODULE_INPUTS = tuple(f"{half}{bit}" for half in "AB" for bit in range(8))
"""A module's inputs GPA0 to GPB7, in the order of the driver `mcp23017`."""
PITCHES = (30, 60, 144)
"""Lamps per metre of strip, as sold."""

SENSOR_HOLE: dict[Sensor, float] = {"reed": 3.0, "hall": 1.0}
"""Diameters in millimetres: the hole for an upright reed (2.5 mm at most), and the mark over which a Hall switch is
glued flat."""
LAMP_HOLE = 8.0
"""Diameter in millimetres: the hole for a 5 mm lamp, with tolerance for misalignment."""

BASE, RING = 25.0, (26.0, 34.0)
"""Millimetres: a miniature's base, and the ring for it, inside and outside."""
MAGNET = 10.0
"""Millimetres across the magnet in a base."""


class Choices(Struct, frozen=True):
    """`strip` is in lamps per metre. `windows`: leave the paper white above each lamp."""

    sensor: Sensor = "reed"
    brain: Brain = "pico"
    lamps: Lamps = "strip"
    strip: int = 30
    windows: bool = True
    chips: Chips = "pcb"

    @property
    def ready_made(self) -> bool:
        """Whether modules read the sensors."""
        return self.chips == "modules"

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the names of a chip's or module's inputs."""
        return MODULE_INPUTS if self.ready_made else CHIP_INPUTS

    @property
    def chip(self) -> str:
        """Return the name of the part that reads the sensors."""
        return "module" if self.ready_made else "chip"

    @property
    def shifter_alone(self) -> bool:
        """Whether the lamps' level shifter has a separate board, because there is no board for a Pico."""
        return self.brain == "pi" and self.lamps == "strip"

    @property
    def on_pi_5(self) -> bool:
        """Whether only a Pi 5 can drive the lamps: next to shift registers, other models need root for that."""
        return self.brain == "pi" and self.lamps == "strip" and not self.ready_made

    def fault(self) -> str | None:
        """Return why these choices can't be combined, and what to do; None if they can."""
        if self.ready_made and self.brain == "pico":
            return "Modules are read by a Raspberry Pi, not by a Pico: add --brain pi."
        return None

    @property
    def pitch(self) -> float:
        """Return the distance from lamp to lamp in millimetres, which is the length of one piece of strip."""
        return 1000 / self.strip
