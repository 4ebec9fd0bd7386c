"""A board without a game: open drivers, settled edges one at a time, lamps by number.

A bench first prints what it is connected to. Faults of the hardware are printed at once, and the time of the job stands
still until they are gone, so that a pulled cable is not taken for a dead sensor.

A `Patience` decides how time passes: `Waiting` for a real board, the maker of `maker.py` for the simulated one.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, TextIO

from msgspec import Struct

from engine.graph import Map
from firmware_host.board.cues.scene import limited
from firmware_host.board.drivers import OpenedDrivers, open_drivers
from firmware_host.core.settings import Settings
from hardware.ports import DARK, Colour, DriverStatus, Edge, Frame, HardwareFault, Note, Sensors
from hardware.settle import Settle

FIRST_WORD = 3.0
"""Seconds within which a board has to identify itself."""
GLANCE, AWHILE = 0.05, 3600.0

Say = Callable[[str], None]


class Typed(Struct, frozen=True):
    """A line that the maker typed."""

    text: str


class Patience(Protocol):
    """How time passes at the bench."""

    def now(self) -> float:
        """Monotonic seconds."""

    def tell(self, note: Note) -> None:
        """Take a note from a driver. Called from any thread."""

    def wait(self, until: float) -> Note | Typed | None:
        """Return the next note or typed line, or None at `until` (seconds)."""


class Waiting:
    """Real time. Drivers and keyboard share one inbox."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.now = clock
        self._inbox: queue.SimpleQueue[Note | Typed] = queue.SimpleQueue()

    def tell(self, note: Note) -> None:
        self._inbox.put(note)

    def listen(self, keyboard: TextIO = sys.stdin) -> None:
        """Read typed lines from now on."""
        threading.Thread(target=self._read, args=(keyboard,), name="keyboard", daemon=True).start()

    def _read(self, keyboard: TextIO) -> None:
        for line in keyboard:
            self._inbox.put(Typed(line.strip()))

    def wait(self, until: float) -> Note | Typed | None:
        try:
            return self._inbox.get(timeout=max(0.0, until - self.now()))
        except queue.Empty:
            return None


class Workbench:
    """An open board. `faults` is driver -> sentence; changes are also passed to `say`."""

    def __init__(self, board: Map, fitted: OpenedDrivers, settings: Settings, patience: Patience, say: Say) -> None:
        """Raises `HardwareFault` for a board that cannot be opened."""
        self.board = board
        self.wiring = fitted.wiring
        self.faults = dict(fitted.faults)
        self._fitted = fitted
        self._patience = patience
        self._say = say
        self._early: deque[Note | Typed] = deque()
        self._lost = self._fault_since = 0.0
        self._limit_ma = settings.current_limit_ma
        self._settle = Settle(settings.debounce_down_ms, settings.debounce_up_ms)
        self._settled: list[Edge] = []
        self._check_faults()
        fitted.sensors.start(patience.tell)
        self.dark()

    @property
    def down(self) -> frozenset[int]:
        """The sensors that are settled down, by number."""
        return self._settle.down

    @property
    def sensors(self) -> Sensors:
        """The sensor driver."""
        return self._fitted.sensors

    @property
    def now(self) -> float:
        """Seconds of the job. They stand still while the hardware has a fault."""
        return (self._fault_since if self.faults else self._patience.now()) - self._lost

    @property
    def connected(self) -> list[str]:
        """A line for each driver: what it is connected to, or its fault."""
        return [f"{name}: {self.faults.get(name) or about()}" for name, about in self._fitted.about.items()]

    def greet(self) -> None:
        """Print what the drivers are connected to. Raises `HardwareFault` if one is missing or has a fault."""
        until = self._patience.now() + FIRST_WORD
        while not self.faults and self._unidentified() and self._patience.now() < until:
            self._keep(self._patience.wait(self._patience.now() + GLANCE))
        while (note := self._patience.wait(self._patience.now())) is not None:
            self._keep(note)
        self._check_faults()
        if missing := self._unidentified():
            raise HardwareFault(f"{missing[0]}: the board does not say who it is. Unplug it and plug it in again.")
        for line in self.connected:
            self._say(line)

    def _unidentified(self) -> list[str]:
        return [name for name, about in self._fitted.about.items() if not about()]

    def _keep(self, note: Note | Typed | None) -> None:
        if isinstance(note, DriverStatus):
            self._note(note)
        elif note is not None:
            self._early.append(note)

    def _check_faults(self) -> None:
        if self.faults:
            raise HardwareFault("\n".join(f"{name}: {sentence}" for name, sentence in self.faults.items()))

    def close(self) -> None:
        """Stop the hardware."""
        self._fitted.sensors.stop()
        self._fitted.lamps.stop()

    # --- lamps --------------------------------------------------------------------------------------------------

    def light(self, colours: Mapping[int, Colour]) -> None:
        """Light only these lamps, by number. The current limit applies."""
        count = self._fitted.lamps.count
        frame: Frame = tuple(colours.get(number, DARK) for number in range(count))
        self._fitted.lamps.show(limited(frame, self._limit_ma))

    def dark(self) -> None:
        """Turn all lamps off."""
        self.light({})

    # --- sensors ------------------------------------------------------------------------------------------------

    def next_raw(self, until: float) -> Edge | Typed | None:
        """Return the next raw edge or typed line, or None at `until` (seconds of the job)."""
        return self._felt(until, None)

    def _felt(self, until: float, due: float | None) -> Edge | Typed | None:
        """Return the same, or None at `due` (monotonic seconds)."""
        while True:
            note = self._early.popleft() if self._early else self._patience.wait(self._limit(until, due))
            if isinstance(note, Edge | Typed):
                return note
            if isinstance(note, DriverStatus):
                self._report_status(note)
            elif note is None and (not self.faults or (due is not None and self._patience.now() >= due)):
                return None

    def _limit(self, until: float, due: float | None) -> float:
        limit = self._patience.now() + AWHILE if self.faults else until + self._lost
        return limit if due is None else min(limit, due)

    def next(self, until: float) -> Edge | Typed | None:
        """Return the next settled edge or typed line, or None at `until` (seconds of the job)."""
        while not self._settled:
            note = self._felt(until, self._settle.next_due())
            if isinstance(note, Typed):
                return note
            if isinstance(note, Edge):
                self._settle, settled = self._settle.feel(note)
            else:
                self._settle, settled = self._settle.due(self._patience.now())
                if not settled and self.now >= until:
                    return None
            self._settled += settled
        return self._settled.pop(0)

    def _report_status(self, status: DriverStatus) -> None:
        """Print the state of a driver, and stop or start the time of the job."""
        was_faulty = bool(self.faults)
        self._note(status)
        self._say(f"{status.driver}: {status.sentence or 'All is well again.'}")
        if self.faults and not was_faulty:
            self._fault_since = self._patience.now()
        elif was_faulty and not self.faults:
            self._lost += self._patience.now() - self._fault_since

    def _note(self, status: DriverStatus) -> None:
        self.faults.pop(status.driver, None)
        if status.sentence is not None:
            self.faults[status.driver] = status.sentence


def open_workbench(settings: Settings, board: Map, state: Path, patience: Patience, say: Say = print) -> Workbench:
    """Open the board that the settings name and print what it is connected to.

    Raises `HardwareFault` and `WiringError`.
    """
    fitted = open_drivers(settings, board, state, patience.now, patience.tell, spares=True)
    bench = Workbench(board, fitted, settings, patience, say)
    try:
        bench.greet()
    except HardwareFault:
        bench.close()
        raise
    return bench
