"""The bench of the shift registers: gpiozero's SPI on plain pins, and a chain of one chip on them."""

from __future__ import annotations

from pathlib import Path

from gpiozero import Device

from tests.hardware.benches import Blank, is_scanned, make_context, opened
from tests.hardware.model.chain import Chain165, ChainOnPins
from tests.hardware.model.pins import PinHeader
from tests.hardware.states import Told


class Bench(Blank):
    """One chip with six inputs in use."""

    def __init__(self, folder: Path) -> None:
        self.states = Told()
        self.chain = Chain165(1)
        Device.pin_factory = self._header = PinHeader(ChainOnPins(self.chain))
        self.parts = opened("shift_register", make_context(folder, self.states), rate=2000)

    def touch(self, sensor: int, down: bool) -> None:
        """Move a contact and wait for two readings. The first may have begun before."""
        self.chain.touch(sensor, down)
        if is_scanned():
            # A change of the last input makes the driver load a second time.
            assert self.chain.wait_for_loads(3), "the chain is not read any more"

    def close(self) -> None:
        """Close the header."""
        super().close()
        self._header.reset()
        Device.pin_factory = None
