"""A board without a game: its drivers opened, what they feel one settled edge at a time, its lamps lit by number.

Who waits decides how time passes: `Waiting` on a real bench, the simulated maker of `maker.py` on the board in memory.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, TextIO

from msgspec import Struct

from engine.graph import Map
from firmware_host.app.settings import Settings
from firmware_host.board.cues.scene import limited
from firmware_host.board.drivers import OpenedDrivers, open_drivers
from hardware.ports import DARK, Colour, DriverStatus, Edge, Frame, HardwareFault, Note, Sensors
from hardware.settle import Settle

WHITE: Colour = (255, 255, 255)
AMBER: Colour = (255, 130, 0)
GREEN: Colour = (0, 255, 0)
"""What the leading lamp asks for: set the magnet down here; turn it around where it stands; lift it."""


class Typed(Struct, frozen=True):
    """A line that the maker typed."""

    text: str


class Patience(Protocol):
    """How the time at the bench passes."""

    def now(self) -> float:
        """Monotonic seconds."""

    def tell(self, note: Note) -> None:
        """Where the drivers leave what they feel; any thread."""

    def wait(self, until: float) -> Note | Typed | None:
        """The next thing that was felt or typed, or None when it is `until`."""


class Waiting:
    """Real time: sensors and keyboard leave notes in one inbox."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.now = clock
        self._inbox: queue.SimpleQueue[Note | Typed] = queue.SimpleQueue()

    def tell(self, note: Note) -> None:
        """See `Patience`."""
        self._inbox.put(note)

    def listen(self, keyboard: TextIO = sys.stdin) -> None:
        """Take what is typed from now on."""
        threading.Thread(target=self._read, args=(keyboard,), name="keyboard", daemon=True).start()

    def _read(self, keyboard: TextIO) -> None:
        for line in keyboard:
            self._inbox.put(Typed(line.strip()))

    def wait(self, until: float) -> Note | Typed | None:
        """See `Patience`."""
        try:
            return self._inbox.get(timeout=max(0.0, until - self.now()))
        except queue.Empty:
            return None


class Workbench:
    """An opened board. `down` are the sensors that are settled down, by number; `ills` what the drivers say of
    themselves.
    """

    def __init__(self, board: Map, fitted: OpenedDrivers, settings: Settings, patience: Patience) -> None:
        """Raises `HardwareFault` for a board that cannot be opened."""
        self.board = board
        self.wiring = fitted.wiring
        self.ills = dict(fitted.faults)
        self._fitted = fitted
        self._patience = patience
        self._limit_ma = settings.current_limit_ma
        self._settle = Settle(settings.debounce_down_ms, settings.debounce_up_ms)
        self._settled: list[Edge] = []
        if self.ills:
            raise HardwareFault("\n".join(f"{name}: {sentence}" for name, sentence in self.ills.items()))
        fitted.sensors.start(patience.tell)
        self.dark()

    @property
    def down(self) -> frozenset[int]:
        """The sensors that are settled down."""
        return self._settle.down

    @property
    def sensors(self) -> Sensors:
        """The opened sensors."""
        return self._fitted.sensors

    @property
    def now(self) -> float:
        """Monotonic seconds."""
        return self._patience.now()

    def close(self) -> None:
        """All dark; let go of the hardware."""
        self._fitted.sensors.stop()
        self._fitted.lamps.stop()

    # --- lamps --------------------------------------------------------------------------------------------------

    def light(self, colours: Mapping[int, Colour]) -> None:
        """Light these lamps, by number, and no others; the current limit holds here too."""
        count = self._fitted.lamps.count
        frame: Frame = tuple(colours.get(number, DARK) for number in range(count))
        self._fitted.lamps.show(limited(frame, self._limit_ma))

    def dark(self) -> None:
        """Light nothing."""
        self.light({})

    # --- sensors ------------------------------------------------------------------------------------------------

    def raw(self, until: float) -> Edge | Typed | None:
        """The next raw edge or typed line, or None when it is `until` (monotonic seconds)."""
        while (note := self._patience.wait(until)) is not None:
            if isinstance(note, Edge | Typed):
                return note
            if isinstance(note, DriverStatus):
                self._hear(note)
        return None

    def next(self, until: float) -> Edge | Typed | None:
        """The next settled edge or typed line, or None when it is `until` (monotonic seconds)."""
        while not self._settled:
            due = self._settle.next_due()
            note = self.raw(until if due is None else min(until, due))
            if isinstance(note, Typed):
                return note
            if isinstance(note, Edge):
                self._settle, settled = self._settle.feel(note)
            else:
                self._settle, settled = self._settle.due(self.now)
                if not settled and self.now >= until:
                    return None
            self._settled += settled
        return self._settled.pop(0)

    def _hear(self, ailment: DriverStatus) -> None:
        self.ills.pop(ailment.driver, None)
        if ailment.sentence is not None:
            self.ills[ailment.driver] = ailment.sentence


def open_workbench(settings: Settings, board: Map, state: Path, patience: Patience) -> Workbench:
    """The board that the settings name. Raises `HardwareFault` and `WiringError`."""
    return Workbench(board, open_drivers(settings, board, state, patience.now, patience.tell), settings, patience)
