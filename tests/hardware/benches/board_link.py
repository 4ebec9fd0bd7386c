"""The bench of the board link: a Pico with its firmware on a real MicroPython interpreter, on a pseudo-terminal."""

from __future__ import annotations

import time
from pathlib import Path

from hardware.drivers.board_link import LinkSensors
from hardware.ports import Frame
from tests.hardware.benches import COUNT, Blank, make_context, opened
from tests.hardware.pico import Pico, need_micropython
from tests.patience import PATIENCE


class Bench(Blank):
    """Six sensors and six lamps."""

    def __init__(self, folder: Path) -> None:
        need_micropython()
        self.pico = Pico(folder / "pico", COUNT, COUNT)
        self.states: list[str | None] = []
        context = make_context(folder, self.states, clock=time.monotonic)
        self.parts = opened("board_link", context, port=self.pico.name)
        assert isinstance(self.parts.sensors, LinkSensors)
        self._link = self.parts.sensors.link

    def touch(self, sensor: int, down: bool) -> None:
        """Touch the sensor and wait until the host has the change."""
        self.pico.touch(sensor, down)
        if self._link.line is None:
            self.pico.believes(sensor, down)
        else:
            assert self._link.line.wait(lambda session: bool(session.down >> sensor & 1) == down, PATIENCE), self.states

    def seen(self) -> Frame:
        """Return what the lamps show, once the board has the picture."""
        if self._link.line is not None:
            assert self._link.line.wait(lambda session: session.agreed, PATIENCE), self.states
        return self.pico.seen()

    def close(self) -> None:
        """Stop the parts and pull the cable."""
        super().close()
        self.pico.unplug()
