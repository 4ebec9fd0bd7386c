"""The bench of the buzzer: a piezo on the pin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpiozero import Device

from hardware.model.piezo import Piezo
from hardware.model.pins import PinHeader
from tests.hardware.benches import Blank, make_context, opened
from tests.hardware.states import Told


class Bench(Blank):
    """A buzzer that needs a tone."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.states = Told()
        self.piezo = Piezo(12)
        Device.pin_factory = self.header = PinHeader(self.piezo)
        self.parts = opened("buzzer", make_context(folder, self.states), **options)
        self._heard = 0

    def heard(self) -> int:
        """The next sound."""
        self._heard += 1
        return self.piezo.listen(self._heard)[-1]

    def is_silent(self) -> bool:
        """Whether it falls silent."""
        return self.piezo.wait_for_silence()

    def close(self) -> None:
        """Unplug."""
        super().close()
        self.header.reset()
        Device.pin_factory = None
