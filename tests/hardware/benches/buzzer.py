"""The bench of the buzzer: a piezo on the pin."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from gpiozero import Device

from tests.hardware.benches import Blank, make_context, opened
from tests.hardware.model.pins import ModelPin, PinHeader
from tests.hardware.states import Told
from tests.patience import PATIENCE


class Piezo:
    """A buzzer that records the pitch of each sound in `pitches`, in Hz.

    The pitch 0 is the single tone of a buzzer that is only switched on.
    """

    def __init__(self, pin: int) -> None:
        self._pin = pin
        self._now: int | None = None
        self.pitches: list[int] = []

    def join(self, header: PinHeader) -> None:
        """Store the pins."""
        self._header = header
        self._news = threading.Condition(header.lock)

    def changed(self, number: int) -> None:
        """Follow a changed pin, and record a new sound."""
        if number != self._pin:
            return
        before, self._now = self._now, self._pitch(self._header.pin(number))
        if self._now is not None and self._now != before:
            self.pitches.append(self._now)
        self._news.notify_all()

    def _pitch(self, pin: ModelPin) -> int | None:
        """Return the current pitch, or None for silence. A tone needs an alternating level."""
        if pin.function != "output" or not pin.state or (pin.frequency and pin.state == 1):
            return None
        return round(pin.frequency or 0)

    def listen(self, sounds: int) -> list[int]:
        """Wait until `sounds` sounds have started. Return them."""
        with self._news:
            self._news.wait_for(lambda: len(self.pitches) >= sounds, PATIENCE)
            return self.pitches[:sounds]

    def wait_for_silence(self) -> bool:
        """Wait for silence. Return whether it is silent."""
        with self._news:
            return self._news.wait_for(lambda: self._now is None, PATIENCE)


class Bench(Blank):
    """A buzzer that needs a tone."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.states = Told()
        self.piezo = Piezo(12)
        Device.pin_factory = self.header = PinHeader(self.piezo)
        self.parts = opened("buzzer", make_context(folder, self.states), **options)
        self._heard = 0

    def pitch(self) -> int:
        """Return the next sound."""
        self._heard += 1
        return self.piezo.listen(self._heard)[-1]

    def is_silent(self) -> bool:
        """Wait for silence; return whether it came."""
        return self.piezo.wait_for_silence()

    def close(self) -> None:
        """Close the header."""
        super().close()
        self.header.reset()
        Device.pin_factory = None
