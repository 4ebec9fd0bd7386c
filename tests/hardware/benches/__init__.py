"""A bench for each driver: how a test touches its sensors and reads its lamps. Found by the driver's name."""

from __future__ import annotations

from typing import Protocol

from hardware.ports import Frame, Lamps, Sensors


class Bench(Protocol):
    """What a test needs of a driver. A driver without sensors or without lamps leaves that half None."""

    sensors: Sensors | None
    lamps: Lamps | None

    def touch(self, sensor: int, down: bool) -> None:
        """Put something on a sensor, or take it away."""

    def seen(self) -> Frame:
        """What the lamps show."""
