"""The simulated board as a driver, with simulated buttons and a simulated buzzer.

The board itself is `hardware/simulated.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.text import Text
from hardware.drivers import DriverContext, DriverKind, OpenedParts
from hardware.ports import BUTTONS, Tune
from hardware.simulated import Clock, SimulatedBoard

WORLD = "simulated-board.json"
"""The file with the miniatures' places, so that they stay there without power."""


class SimulatedButtons:
    """Buttons (`ports.Buttons`) that are pressed by a method call."""

    names: tuple[str, ...] = BUTTONS

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._report: Callable[[str, float], None] | None = None

    def start(self, report: Callable[[str, float], None]) -> None:
        self._report = report

    def press(self, name: str) -> None:
        """Press a button. Raises `ValueError` if it doesn't exist."""
        if name not in self.names:
            raise ValueError(f"There is no button {name!r}; there are {', '.join(self.names)}.")
        if self._report is not None:
            self._report(name, self._clock())

    def stop(self) -> None:
        self._report = None


class SimulatedBuzzer:
    """A buzzer (`ports.Buzzer`) that passes its tunes to listeners."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._listeners: list[Callable[[Tune, float], None]] = []

    def listen(self, listener: Callable[[Tune, float], None]) -> None:
        """Call `listener` with each tune and its time."""
        self._listeners.append(listener)

    def play(self, tune: Tune) -> None:
        for listener in self._listeners:
            listener(tune, self._clock())

    def stop(self) -> None:
        pass


def open_simulated(_: Mapping[str, Any], context: DriverContext) -> OpenedParts:
    """Open a simulated board. Raises `HardwareFault` if its file of places cannot be read."""
    board = SimulatedBoard(context.count, context.miniatures, context.clock, context.state / WORLD)
    return OpenedParts(
        board,
        board,
        SimulatedButtons(context.clock),
        SimulatedBuzzer(context.clock),
        board,
        lambda: Text("a board in memory, no hardware"),
    )


KIND = DriverKind(parts=("sensors", "lamps", "buttons", "buzzer", "miniatures"), options=(), open=open_simulated)
