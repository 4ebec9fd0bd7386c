"""A piezo buzzer on a pin, as `pins.Circuit`: what it sounds like."""

from __future__ import annotations

import threading

from hardware.model.pins import ModelPin, PinHeader

PATIENCE = 10.0
"""Seconds that somebody listens for a sound."""


class Piezo:
    """`pitches` are all the sounds that were begun, in Hz; 0 is the one tone of a buzzer that is just switched on."""

    def __init__(self, pin: int) -> None:
        self._pin = pin
        self._now: int | None = None
        self.pitches: list[int] = []

    def join(self, header: PinHeader) -> None:
        """See `pins.Circuit`."""
        self._header = header
        self._news = threading.Condition(header.lock)

    def changed(self, number: int) -> None:
        """See `pins.Circuit`."""
        if number != self._pin:
            return
        before, self._now = self._now, self._pitch(self._header.pin(number))
        if self._now is not None and self._now != before:
            self.pitches.append(self._now)
        self._news.notify_all()

    def _pitch(self, pin: ModelPin) -> int | None:
        """What it sounds now, None for nothing: a tone needs a level that comes and goes."""
        if pin.function != "output" or not pin.state or (pin.frequency and pin.state == 1):
            return None
        return round(pin.frequency or 0)

    def listen(self, sounds: int) -> list[int]:
        """Wait until so many sounds were begun; those that were."""
        with self._news:
            self._news.wait_for(lambda: len(self.pitches) >= sounds, PATIENCE)
            return self.pitches[:sounds]

    def wait_for_silence(self) -> bool:
        """Wait until it is silent; whether it is."""
        with self._news:
            return self._news.wait_for(lambda: self._now is None, PATIENCE)
