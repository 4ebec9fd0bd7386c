"""A piezo buzzer on a GPIO pin, through gpiozero.

It is either passive (needs a tone) or active (has its own).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from engine.text import Text
from hardware.drivers import DriverContext, DriverKind, DriverOption, OpenedParts, _gpio
from hardware.ports import Tune

MIDDLE, OCTAVES = 880.0, 2
"""The range of tones for a passive buzzer: two octaves above and below this pitch, in Hz."""
LOWEST, HIGHEST = MIDDLE / 2**OCTAVES, MIDDLE * 2**OCTAVES


class Passive:
    """A buzzer that needs a tone."""

    def __init__(self, pin: int, pins: Any) -> None:
        from gpiozero import TonalBuzzer
        from gpiozero.tones import Tone

        self._tone = Tone
        self._device = TonalBuzzer(pin, mid_tone=Tone(frequency=MIDDLE), octaves=OCTAVES, pin_factory=pins)
        self.hush, self.close = self._device.stop, self._device.close

    def sound(self, pitch: int) -> None:
        """Sound at this pitch, limited to LOWEST..HIGHEST Hz."""
        self._device.play(self._tone(frequency=min(HIGHEST, max(LOWEST, pitch))))


class Active:
    """A buzzer that has its own tone."""

    def __init__(self, pin: int, pins: Any) -> None:
        from gpiozero import Buzzer

        self._device = Buzzer(pin, pin_factory=pins)
        self.hush, self.close = self._device.off, self._device.close

    def sound(self, _: int) -> None:
        """Sound. The pitch has no effect."""
        self._device.on()


class ThreadedBuzzer:
    """A buzzer (`ports.Buzzer`) with a thread that plays. A new tune cuts off the current one."""

    def __init__(self, options: Mapping[str, Any], context: DriverContext) -> None:
        """Raises `HardwareFault`."""
        self._options = options
        self._report_state = context.report_state
        self._news = threading.Condition()
        self._wanted: Tune | None = None
        self._ended = False
        self._thread: threading.Thread | None = None
        self._acquire()

    def _acquire(self) -> None:
        pins = _gpio.pin_factory()
        with _gpio.library_errors(Text("The buzzer")):
            device = (Passive if self._options["passive"] else Active)(self._options["pin"], pins)
        self._ended = False
        self._thread = threading.Thread(target=self._run, args=(device,), name="buzzer", daemon=True)
        self._thread.start()

    def play(self, tune: Tune) -> None:
        if self._thread is None:
            self._acquire()
        with self._news:
            self._wanted = tune
            self._news.notify()

    def stop(self) -> None:
        with self._news:
            self._ended = True
            self._news.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self, device: Passive | Active) -> None:
        while (tune := self._next()) is not None:
            try:
                self._sound(tune, device)
                self._report_state(None)
            # Sound is not essential: the thread survives any fault and reports it.
            except Exception as fault:
                self._report_state(
                    Text(
                        "The buzzer cannot sound ({fault}). Check its pin; the game goes on without it.",
                        fault=str(fault),
                    )
                )
        # If it is closed while it sounds, a buzzer may stay on.
        device.hush()
        device.close()

    def _next(self) -> Tune | None:
        """Wait for the next tune. Return None at the end."""
        with self._news:
            self._news.wait_for(self._is_news)
            tune, self._wanted = self._wanted, None
            return None if self._ended else tune

    def _is_news(self) -> bool:
        return self._ended or self._wanted is not None

    def _sound(self, tune: Tune, device: Passive | Active) -> None:
        try:
            for pitch, length in tune.notes:
                if pitch:
                    device.sound(pitch)
                else:
                    device.hush()
                # Wait for the note's length, but break off for a new tune or the end.
                with self._news:
                    if self._news.wait_for(self._is_news, length / 1000):
                        break
        finally:
            device.hush()


KIND = DriverKind(
    parts=("buzzer",),
    options=(
        _gpio.pin_option("pin", 12, "The GPIO that is wired to the buzzer."),
        DriverOption("passive", True, "Whether it needs a tone; false for one that beeps by itself."),
    ),
    open=lambda options, context: OpenedParts(buzzer=ThreadedBuzzer(options, context)),
    pins=lambda options: frozenset({options["pin"]}),
    needs=_gpio.pin_needs("This machine has no pins: use a Raspberry Pi, or leave `controls` empty."),
)
