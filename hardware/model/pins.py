"""The header pins of a Raspberry Pi, as gpiozero's mock pins, joined to modelled circuits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Protocol

from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin


class Circuit(Protocol):
    """What is soldered to the pins."""

    def join(self, header: PinHeader) -> None:
        """These are the pins; called once, before anything else."""

    def changed(self, number: int) -> None:
        """The program has driven this pin, or made it an input or an output: levels follow."""


class ModelPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin that tells its circuits of each change, and keeps no history (the mock's grows without bound)."""

    _state: Any

    def __init__(self, factory: PinHeader, info: Any) -> None:
        super().__init__(factory, info)
        self.line = int(info.name.removeprefix("GPIO"))

    def _set_function(self, value: str) -> None:
        with self.factory.lock:
            super()._set_function(value)
            self.factory.changed(self)

    def _set_frequency(self, value: float | None) -> None:
        with self.factory.lock:
            super()._set_frequency(value)
            self.factory.changed(self)

    def _change_state(self, value: Any) -> bool:
        with self.factory.lock:
            if self._state == value:
                return False
            self._state = value
            self._last_change = monotonic()
            if self._function == "output":
                self.factory.changed(self)
            return True

    def follow(self, level: bool) -> None:
        """An outside voltage, which an output of the program does not feel."""
        with self.factory.lock:
            if self._function == "input":
                (self.drive_high if level else self.drive_low)()


class PinHeader(MockFactory):  # type: ignore[misc]
    """A Raspberry Pi's 40 pins with circuits soldered to them; a pin factory for gpiozero.

    Whatever happens on the pins happens under `lock`: electricity knows no threads.
    """

    def __init__(self, *circuits: Circuit, revision: str = "c03111") -> None:
        super().__init__(revision=revision, pin_class=ModelPin)
        self.lock = threading.RLock()
        self.circuits = circuits
        for circuit in circuits:
            circuit.join(self)

    def changed(self, pin: ModelPin) -> None:
        """Let the circuits follow."""
        for circuit in self.circuits:
            circuit.changed(pin.line)

    def is_driven(self, number: int) -> bool:
        """Whether the program drives a pin."""
        return bool(self.pin(number).function == "output")

    def level(self, number: int) -> bool:
        """The level at a pin."""
        return bool(self.pin(number).state)

    def follow(self, number: int, level: bool) -> None:
        """Put a voltage on a pin."""
        self.pin(number).follow(level)


@contextmanager
def plugged(header: PinHeader) -> Iterator[PinHeader]:
    """Let every driver use this header in here."""
    before, Device.pin_factory = Device.pin_factory, header
    try:
        yield header
    finally:
        header.reset()
        Device.pin_factory = before
