"""A board without a game: open drivers, edges one at a time, lamps by number.

A bench first prints what it is connected to. Faults of the hardware are printed at once, and stop the time of the job.

How time passes is in `Waiting` for a real board, and in the maker of `maker.py` for the simulated one.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from engine.graph import Map
from firmware_host.board.cues.scene import limited
from firmware_host.board.drivers import OpenedDrivers, open_drivers
from firmware_host.core.settings import Settings
from firmware_host.workshop.job import JobRunner
from hardware.ports import DARK, Colour, DriverStatus, Edge, HardwareFault, Note

FIRST_WORD = 3.0
"""Seconds within which a board has to identify itself."""
GLANCE, AWHILE = 0.05, 3600.0

Say = Callable[[str], None]


class Typed(Struct, frozen=True):
    """A line that the maker typed."""

    text: str


class Waiting:
    """Real time at the bench. Drivers and keyboard share one inbox."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.now = clock
        """Returns monotonic seconds."""
        self._inbox: queue.SimpleQueue[Note | Typed] = queue.SimpleQueue()

    def tell(self, note: Note) -> None:
        """Take a note from a driver. Called from any thread."""
        self._inbox.put(note)

    def listen(self, keyboard: TextIO = sys.stdin) -> None:
        """Read typed lines from now on."""
        # A daemon thread, because a read of the keyboard cannot be interrupted at the end.
        threading.Thread(target=self._read, args=(keyboard,), name="keyboard", daemon=True).start()

    def _read(self, keyboard: TextIO) -> None:
        for line in keyboard:
            self._inbox.put(Typed(line.strip()))

    def wait(self, until: float) -> Note | Typed | None:
        """Return the next note or typed line, or None at `until` (seconds)."""
        try:
            return self._inbox.get(timeout=max(0.0, until - self.now()))
        except queue.Empty:
            return None


class Workbench:
    """An open board with the runner of its job. `faults` is driver -> sentence; changes are also passed to `say`."""

    def __init__(self, board: Map, fitted: OpenedDrivers, settings: Settings, patience: Waiting, say: Say) -> None:
        """Raises `HardwareFault` for a board that cannot be opened."""
        self.board, self.wiring, self.sensors = board, fitted.wiring, fitted.sensors
        self.faults = dict(fitted.faults)
        self.runner = JobRunner(patience.now, settings)
        self._fitted, self._patience, self._say = fitted, patience, say
        # Edges that arrive during the greeting are kept for the job.
        self._early: deque[Note | Typed] = deque()
        self._limit_ma = settings.current_limit_ma
        self._check_faults()
        fitted.sensors.start(patience.tell)
        self.light({})

    @property
    def down(self) -> frozenset[int]:
        """The sensors that are settled down, by number."""
        return self.runner.settle.down

    @property
    def now(self) -> float:
        """Seconds of the job."""
        return self.runner.now

    @property
    def connection_messages(self) -> list[str]:
        """A line for each driver: what it is connected to, or its fault."""
        return [f"{name}: {self.faults.get(name) or about()}" for name, about in self._fitted.about.items()]

    def greet(self) -> None:
        """Print what the drivers are connected to. Raises `HardwareFault` if one is missing or has a fault."""
        until = self._patience.now() + FIRST_WORD
        while not self.faults and self._unidentified_drivers() and self._patience.now() < until:
            self._keep(self._patience.wait(self._patience.now() + GLANCE))
        # What has arrived meanwhile may be a fault, so it is read before the greeting.
        while (note := self._patience.wait(self._patience.now())) is not None:
            self._keep(note)
        self._check_faults()
        if missing := self._unidentified_drivers():
            message = f"{missing[0]}: the board does not identify itself. Unplug it and plug it in again."
            raise HardwareFault(message)
        for line in self.connection_messages:
            self._say(line)

    def _unidentified_drivers(self) -> list[str]:
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

    def light(self, colours: Mapping[int, Colour]) -> None:
        """Light only these lamps, by number. The current limit applies."""
        frame = tuple(colours.get(number, DARK) for number in range(self._fitted.lamps.count))
        self._fitted.lamps.show(limited(frame, self._limit_ma))

    def step(self, seconds: float | None = None) -> Edge | Typed | DriverStatus | None:
        """Wait for the next note and let the job have it. Return it, or None if the time was up.

        Without `seconds`, wait until the job is due.
        """
        due = self.runner.due()
        heard = self.next(self._patience.now() + (seconds or AWHILE) if due is None else due)
        if isinstance(heard, Edge):
            self.runner.feed(heard)
        if not isinstance(heard, Typed):
            self.runner.tick()
        return heard

    def next(self, until: float) -> Edge | Typed | DriverStatus | None:
        """Return the next raw edge, typed line or state of a driver, which is printed; None at `until` (seconds)."""
        while True:
            note = self._early.popleft() if self._early else self._patience.wait(until)
            if isinstance(note, DriverStatus):
                self._note(note)
                self._say(f"{note.driver}: {note.sentence or 'Working again.'}")
            if note is None or isinstance(note, Edge | Typed | DriverStatus):
                return note

    def _note(self, status: DriverStatus) -> None:
        self.faults.pop(status.driver, None)
        if status.sentence is not None:
            self.faults[status.driver] = status.sentence
        self.runner.note_fault(bool(self.faults))


def open_workbench(settings: Settings, board: Map, state: Path, patience: Waiting, say: Say = print) -> Workbench:
    """Open the board that the settings name and print what it is connected to.

    Raises `HardwareFault` and `WiringError`.
    """
    # Before the calibration, it is unknown which inputs lie under spaces.
    fitted = open_drivers(settings, board, state, patience.now, patience.tell, spares=True)
    bench = Workbench(board, fitted, settings, patience, say)
    try:
        bench.greet()
    except HardwareFault:
        bench.close()
        raise
    return bench
