"""A bench for each driver: how a test touches its sensors and buttons, sees its lamps, hears it. Found by its name.

Files that begin with an underscore are no benches. Each bench offers `Bench(folder)`, a class that follows the contract
of `Blank` here, and opens its driver as the daemon does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from hardware import drivers
from hardware.drivers import DriverContext, DriverKind, OpenedParts
from hardware.ports import Buttons, Buzzer, Frame, Lamps, Sensors

COUNT = 6
"""Sensors and lamps on every bench."""


class Blank:
    """Test access to a driver, without any parts. A bench replaces the methods for the parts that its driver has.

    `parts` is the opened driver.
    """

    parts: OpenedParts

    def touch(self, sensor: int, down: bool) -> None:
        """Put something on a sensor, or take it away, and wait until the driver has had time to notice."""
        raise NotImplementedError

    def seen(self) -> Frame:
        """Return what the lamps show."""
        raise NotImplementedError

    def press(self, button: str) -> None:
        """Press and release a button."""
        raise NotImplementedError

    def pitch(self) -> int:
        """Wait for a sound and return its pitch in Hz; 0 for a buzzer that has only one."""
        raise NotImplementedError

    def is_silent(self) -> bool:
        """Return whether the buzzer is silent now."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop every part, and close the bench."""
        parts = self.parts
        for part in (parts.sensors, parts.lamps, parts.buttons, parts.buzzer):
            if part is not None:
                part.stop()

    @property
    def sensors(self) -> Sensors:
        return there(self.parts.sensors)

    @property
    def lamps(self) -> Lamps:
        return there(self.parts.lamps)

    @property
    def buttons(self) -> Buttons:
        return there(self.parts.buttons)

    @property
    def buzzer(self) -> Buzzer:
        return there(self.parts.buzzer)


Part = TypeVar("Part")


def there(part: Part | None) -> Part:
    """Return a part that the driver has."""
    assert part is not None
    return part


Clock = Callable[[], float]


class Ticking:
    """A clock that goes on a little with every reading."""

    def __init__(self, step: float = 0.001) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def is_scanned() -> bool:
    """Return whether a thread is scanning sensors, so that waiting for it makes sense."""
    return any(thread.name == "sensors" for thread in threading.enumerate())


def settings_of(kind: DriverKind, **given: Any) -> dict[str, Any]:
    """Return a value for each option of a driver."""
    return {option.name: option.default for option in kind.options} | given


def opened(name: str, context: DriverContext, **given: Any) -> OpenedParts:
    """Open a driver as the daemon does."""
    kind = drivers.find(name)
    return kind.open(settings_of(kind, **given), context)


def make_context(
    folder: Path, states: list[str | None], count: int = COUNT, clock: Clock | None = None
) -> DriverContext:
    """Return the context of a driver, with a list for its states."""
    return DriverContext(
        count, clock or Ticking(), states.append, folder, tuple(f"m{number}" for number in range(count))
    )
