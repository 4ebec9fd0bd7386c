"""The bench of WLED: a modelled controller in this computer's own network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hardware.ports import Frame
from tests.hardware.benches import Blank, make_context, opened
from tests.hardware.model.wled import WledController
from tests.hardware.states import Told


class Bench(Blank):
    """A controller with two more LEDs than there are lamps."""

    def __init__(self, folder: Path, count: int = 6, **options: Any) -> None:
        self.states = Told()
        self.controller = WledController(count + 2)
        udp, pages = self.controller.ports
        options = {"host": "127.0.0.1", "port": udp, "http_port": pages} | options
        self.count = count
        self.parts = opened("wled", make_context(folder, self.states, count), **options)

    def seen(self) -> Frame:
        """Return what the lamps show once everything has arrived: a packet of no colours is the last in the queue."""
        self.controller.settle()
        return tuple((red, green, blue) for red, green, blue in self.controller.shown[: self.count])

    def close(self) -> None:
        """Switch the controller off."""
        super().close()
        self.controller.close()
