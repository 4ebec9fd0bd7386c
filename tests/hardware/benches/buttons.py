"""The bench of the buttons: three contacts to ground, and a clock for slow presses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpiozero import Device

from tests.hardware.benches import Blank, Ticking, make_context, opened
from tests.hardware.model.pins import PinHeader

PINS = {"confirm": 5, "undo": 6, "next": 13}


class Bench(Blank):
    """Each reading of the clock is a tenth of a second later."""

    def __init__(self, folder: Path, step: float = 0.1, **options: Any) -> None:
        self.clock = Ticking(step)
        Device.pin_factory = self.header = PinHeader()
        self.parts = opened("buttons", make_context(folder, [], clock=self.clock), **options)

    def press(self, button: str) -> None:
        """Press and release."""
        for level in (False, True):
            self.header.follow(PINS[button], level)

    def close(self) -> None:
        """Close the header."""
        super().close()
        self.header.reset()
        Device.pin_factory = None
