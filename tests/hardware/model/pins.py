"""A Raspberry Pi's header pins: gpiozero's mock pins, connected to modelled circuits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Protocol

from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin


class Circuit(Protocol):
    """A circuit connected to the pins."""

    def join(self, header: PinHeader) -> None:
        """Receive the pins. Called once, before any other method."""

    def changed(self, number: int) -> None:
        """Update the levels after the program has driven this pin or changed its direction."""


class ModelPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin that notifies its circuits of each change.

    It keeps no history, because the mock's history grows without limit.
    """

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
        """Apply an external voltage. It doesn't affect an output of the program."""
        with self.factory.lock:
            if self._function == "input":
                (self.drive_high if level else self.drive_low)()


class PinHeader(MockFactory):  # type: ignore[misc]
    """A Raspberry Pi's 40 pins with connected circuits, as a pin factory for gpiozero.

    Everything on the pins happens under `lock`, because several threads use them.
    """

    def __init__(self, *circuits: Circuit, revision: str = "c03111") -> None:
        super().__init__(revision=revision, pin_class=ModelPin)
        self.lock = threading.RLock()
        self._by_number: dict[int, ModelPin] = {}
        self.circuits = circuits
        for circuit in circuits:
            circuit.join(self)

    def reset(self) -> None:
        """Forget all pins."""
        super().reset()
        self._by_number.clear()

    def at(self, number: int) -> ModelPin:
        """Return a pin. Circuits ask at each change, and gpiozero searches the whole header each time."""
        if number not in self._by_number:
            self._by_number[number] = self.pin(number)
        return self._by_number[number]

    def changed(self, pin: ModelPin) -> None:
        """Notify the circuits of a changed pin."""
        for circuit in self.circuits:
            circuit.changed(pin.line)

    def is_driven(self, number: int) -> bool:
        """Return whether the program drives a pin."""
        return bool(self.at(number).function == "output")

    def level(self, number: int) -> bool:
        """Return the level at a pin."""
        return bool(self.at(number).state)

    def follow(self, number: int, level: bool) -> None:
        """Apply a voltage to a pin."""
        self.at(number).follow(level)


@contextmanager
def plugged(header: PinHeader) -> Iterator[PinHeader]:
    """Make all drivers use this header inside the block."""
    before, Device.pin_factory = Device.pin_factory, header
    try:
        yield header
    finally:
        header.reset()
        Device.pin_factory = before
