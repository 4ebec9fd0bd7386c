"""The board in memory, as a driver: `hardware/simulated.py` with buttons that a program presses and sounds that it
remembers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hardware.drivers import DriverContext, DriverKind, OpenedParts
from hardware.ports import BUTTONS, Sentence, Tune
from hardware.simulated import Clock, SimulatedBoard

WORLD = "simulated-board.json"
"""Where the miniatures stand, so that they stay there while the power is off."""


class SimulatedButtons:
    """Buttons (`ports.Buttons`) that are pressed by a call."""

    names: tuple[str, ...] = BUTTONS

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._report: Callable[[str, float], None] | None = None

    def start(self, report: Callable[[str, float], None]) -> None:
        """See `ports.Buttons`."""
        self._report = report

    def press(self, name: str) -> None:
        """Press a button. Raises `ValueError` for one that does not exist."""
        if name not in self.names:
            raise ValueError(f"There is no button {name!r}; there are {', '.join(self.names)}.")
        if self._report is not None:
            self._report(name, self._clock())

    def stop(self) -> None:
        """See `ports.Buttons`."""
        self._report = None


class SimulatedBuzzer:
    """A buzzer (`ports.Buzzer`) that is seen rather than heard."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._listeners: list[Callable[[Tune, float], None]] = []

    def listen(self, listener: Callable[[Tune, float], None]) -> None:
        """Tell `listener` each tune and its time."""
        self._listeners.append(listener)

    def play(self, tune: Tune) -> None:
        """See `ports.Buzzer`."""
        for listener in self._listeners:
            listener(tune, self._clock())

    def stop(self) -> None:
        """See `ports.Buzzer`."""


def open_simulated(_: Mapping[str, Any], context: DriverContext) -> OpenedParts:
    """A board of memory. Raises `HardwareFault` for a world that cannot be read."""
    board = SimulatedBoard(context.count, context.miniatures, context.clock, context.state / WORLD)
    return OpenedParts(
        board,
        board,
        SimulatedButtons(context.clock),
        SimulatedBuzzer(context.clock),
        board,
        lambda: Sentence("a board in memory, no hardware"),
    )


KIND = DriverKind(parts=("sensors", "lamps", "buttons", "buzzer", "miniatures"), options=(), open=open_simulated)
