"""Push buttons from GPIO pins to ground, through gpiozero: confirm, undo, next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.text import Text
from hardware.drivers import DriverKind, DriverOption, OpenedParts, _gpio
from hardware.ports import BUTTONS, HardwareFault

NOT_WIRED = -1


class PushButtons:
    """Buttons (`ports.Buttons`) with pull-ups. A press counts if the contact was steady for `bounce_ms` before it."""

    def __init__(self, options: Mapping[str, Any], clock: Callable[[], float]) -> None:
        """Raises `HardwareFault`."""
        self._wired = {name: options[name] for name in BUTTONS if options[name] != NOT_WIRED}
        self.names = tuple(self._wired)
        self._steady = options["bounce_ms"] / 1000
        self._clock = clock
        self._open: list[Any] = []
        self._acquire()

    def _acquire(self) -> None:
        pins = _gpio.pin_factory()
        from gpiozero import DigitalInputDevice

        try:
            with _gpio.library_errors(Text("The buttons")):
                for number in self._wired.values():
                    self._open.append(DigitalInputDevice(number, pull_up=True, pin_factory=pins))
        except HardwareFault:
            # Release the pins that are open already.
            self.stop()
            raise

    def start(self, report: Callable[[str, float], None]) -> None:
        if not self._open:
            self._acquire()
        for name, device in zip(self.names, self._open, strict=True):
            stirred = _Debounced(name, self._steady, self._clock, report)
            device.when_activated = stirred.pressed
            device.when_deactivated = stirred.released

    def stop(self) -> None:
        for device in self._open:
            device.close()
        self._open = []


class _Debounced:
    """One button's contact. Ignores a press that follows another change too soon, because that is bounce."""

    def __init__(
        self, name: str, steady: float, clock: Callable[[], float], report: Callable[[str, float], None]
    ) -> None:
        self._name, self._steady, self._clock, self._report = name, steady, clock, report
        self._stirred = float("-inf")

    def pressed(self) -> None:
        """Handle a closing contact: report a press if the contact was steady before."""
        # Every change restarts the wait, even one that is too early to count.
        before, self._stirred = self._stirred, self._clock()
        if self._stirred - before >= self._steady:
            self._report(self._name, self._stirred)

    def released(self) -> None:
        # Opening bounces too, so it must not be followed by a press at once.
        self._stirred = self._clock()


KIND = DriverKind(
    parts=("buttons",),
    options=(
        _gpio.pin_option("confirm", 5, "The GPIO of the button Confirm; -1 for none.", NOT_WIRED),
        _gpio.pin_option("undo", 6, "The GPIO of the button Undo; -1 for none.", NOT_WIRED),
        _gpio.pin_option("next", 13, "The GPIO of the button Next; -1 for none.", NOT_WIRED),
        DriverOption("bounce_ms", 30, "How long a contact must have been steady before a press counts, in ms.", 0, 500),
    ),
    open=lambda options, context: OpenedParts(buttons=PushButtons(options, context.clock)),
    pins=lambda options: frozenset({options[name] for name in BUTTONS} - {NOT_WIRED}),
    needs=_gpio.pin_needs("This machine has no pins: use a Raspberry Pi, or leave `controls` empty."),
)
