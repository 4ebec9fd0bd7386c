"""A bench for each driver: how a test touches its sensors and buttons, sees its lamps, hears it. Found by its name.

Files that begin with an underscore are no benches. Each bench offers `Bench(folder)`, a class that keeps the contract
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
    """What a test needs of a driver. A driver without sensors, lamps, buttons or buzzer is never asked for them.

    `parts` is the opened driver.
    """

    parts: OpenedParts

    def touch(self, sensor: int, down: bool) -> None:
        """Put something on a sensor, or take it away, and wait until the driver has had time to notice."""

    def seen(self) -> Frame:
        """What the lamps show."""

    def press(self, button: str) -> None:
        """Press a button and let it go."""

    def heard(self) -> int:
        """Wait for a sound, and tell its pitch in Hz; 0 for a buzzer that has only one."""

    def is_silent(self) -> bool:
        """Whether the buzzer is silent now."""

    def close(self) -> None:
        """Clear the bench."""


class Blank:
    """What a bench does not offer."""

    parts: OpenedParts

    def touch(self, sensor: int, down: bool) -> None:
        """No sensors here."""
        raise NotImplementedError

    def seen(self) -> Frame:
        """No lamps here."""
        raise NotImplementedError

    def press(self, button: str) -> None:
        """No buttons here."""
        raise NotImplementedError

    def heard(self) -> int:
        """No buzzer here."""
        raise NotImplementedError

    def is_silent(self) -> bool:
        """No buzzer here."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of every part."""
        stop(self.parts)


Clock = Callable[[], float]


class Ticking:
    """A clock that goes on by a little at every look."""

    def __init__(self, step: float = 0.001) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def stop(parts: OpenedParts) -> None:
    """Let go of every part."""
    for part in (parts.sensors, parts.lamps):
        if part is not None:
            part.stop()
    if parts.buttons is not None:
        parts.buttons.stop()
    if parts.buzzer is not None:
        parts.buzzer.stop()


def is_scanned() -> bool:
    """Whether a thread looks at sensors, so that it pays to wait for it."""
    return any(thread.name == "sensors" for thread in threading.enumerate())


def settings_of(kind: DriverKind, **given: Any) -> dict[str, Any]:
    """A value for each option of a driver."""
    return {option.name: option.default for option in kind.options} | given


def opened(name: str, context: DriverContext, **given: Any) -> OpenedParts:
    """A driver opened as the daemon opens it."""
    kind = drivers.find(name)
    return kind.open(settings_of(kind, **given), context)


def make_context(
    folder: Path, states: list[str | None], count: int = COUNT, clock: Clock | None = None
) -> DriverContext:
    """A place for a driver, with a list for what it says of itself."""
    return DriverContext(
        count, clock or Ticking(), states.append, folder, tuple(f"m{number}" for number in range(count))
    )
