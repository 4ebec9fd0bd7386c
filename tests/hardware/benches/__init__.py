"""A bench for each driver: how a test touches its sensors and buttons, sees its lamps, hears it. Found by its name.

Files that begin with an underscore are no benches. Each bench offers `Bench(folder)`, a class that follows the contract
of `Bench` here, and opens its driver as the daemon does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from hardware import drivers
from hardware.drivers import DriverContext, DriverKind, OpenedParts
from hardware.ports import Frame

COUNT = 6
"""Sensors and lamps on every bench."""


class Bench(Protocol):
    """Test access to a driver. A test uses only the parts that the driver has (sensors, lamps, buttons, buzzer).

    `parts` is the opened driver.
    """

    parts: OpenedParts

    def touch(self, sensor: int, down: bool) -> None:
        """Put something on a sensor, or take it away, and wait until the driver has had time to notice."""

    def seen(self) -> Frame:
        """Return what the lamps show."""

    def press(self, button: str) -> None:
        """Press and release a button."""

    def pitch(self) -> int:
        """Wait for a sound and return its pitch in Hz; 0 for a buzzer that has only one."""

    def is_silent(self) -> bool:
        """Return whether the buzzer is silent now."""

    def close(self) -> None:
        """Close the bench."""


class Blank:
    """A bench without any parts."""

    parts: OpenedParts

    def touch(self, sensor: int, down: bool) -> None:
        """Fail: there are no sensors."""
        raise NotImplementedError

    def seen(self) -> Frame:
        """Fail: there are no lamps."""
        raise NotImplementedError

    def press(self, button: str) -> None:
        """Fail: there are no buttons."""
        raise NotImplementedError

    def pitch(self) -> int:
        """Fail: there is no buzzer."""
        raise NotImplementedError

    def is_silent(self) -> bool:
        """Fail: there is no buzzer."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop every part."""
        stop(self.parts)


Clock = Callable[[], float]


class Ticking:
    """A clock that goes on a little with every reading."""

    def __init__(self, step: float = 0.001) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def stop(parts: OpenedParts) -> None:
    """Stop every part."""
    for part in (parts.sensors, parts.lamps):
        if part is not None:
            part.stop()
    if parts.buttons is not None:
        parts.buttons.stop()
    if parts.buzzer is not None:
        parts.buzzer.stop()


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
