"""The bench of the sensor modules: Adafruit's library and Blinka over a modelled I²C bus."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gpiozero import Device

from tests.hardware.benches import Blank, is_scanned, make_context, opened
from tests.hardware.model.expanders import I2cWires, Mcp23017
from tests.hardware.model.pins import PinHeader
from tests.hardware.states import Told

LINE = 17
"""The GPIO of the interrupt line, where there is one."""


def pure_io() -> Any:
    """Return the module that opens Linux' bus devices, on a computer without any."""
    os.environ["BLINKA_OS_AGNOSTIC"] = "1"
    from Adafruit_PureIO import smbus

    return smbus


class Bench(Blank):
    """As many modules as `count` sensors need, eight on a bus; buses 1 and 3."""

    def __init__(self, folder: Path, count: int = 6, **options: Any) -> None:
        self.states = Told()
        numbers = range((count + 15) // 16)
        modules = {((1, 3)[number // 8], 0x20 + number % 8): Mcp23017() for number in numbers}
        Device.pin_factory = self._header = PinHeader()
        self.wires = I2cWires(modules, self._line(options.get("interrupt_pin", -1)))
        self._smbus = pure_io()
        self._device, self._smbus.SMBus = self._smbus.SMBus, self.wires.port
        try:
            self.parts = opened("mcp23017", make_context(folder, self.states, count), rate=2000, **options)
        except BaseException:
            self._unplug()
            raise

    def _line(self, pin: int) -> Callable[[bool], None]:
        return (lambda _: None) if pin < 0 else lambda level: self._header.follow(pin, level)

    @property
    def modules(self) -> list[Mcp23017]:
        """The modules, in order."""
        return [*self.wires.modules.values()]

    def touch(self, sensor: int, down: bool) -> None:
        """Move a contact and wait until it was read twice, as each change is."""
        with self.wires.guard:
            self.wires.touch(sensor, down)
            before = self.wires.readings
        if is_scanned():
            wanted = before + 2 * len(self.modules) + 2
            assert self.wires.wait_for_readings(wanted - self.wires.readings), "the modules are not read any more"

    def close(self) -> None:
        """Close the bus."""
        super().close()
        self._unplug()

    def _unplug(self) -> None:
        self._smbus.SMBus = self._device
        self._header.reset()
        Device.pin_factory = None
