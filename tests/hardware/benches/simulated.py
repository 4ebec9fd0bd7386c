"""The bench of the simulated board: carrying a miniature for each sensor."""

from __future__ import annotations

from hardware.ports import Frame
from hardware.simulated import SimulatedBoard

COUNT = 6


class Bench:
    """Six sensors, six lamps, and a clock that ticks at every look."""

    def __init__(self) -> None:
        self.now = 0.0
        self._board = SimulatedBoard(COUNT, [f"m{number}" for number in range(COUNT)], self._tick)
        self.sensors = self.lamps = self._board

    def _tick(self) -> float:
        self.now += 0.001
        return self.now

    def touch(self, sensor: int, down: bool) -> None:
        """Each sensor has a miniature of its own."""
        self._board.carry(f"m{sensor}", sensor if down else None)

    def seen(self) -> Frame:
        """The last frame."""
        return self._board.frame
