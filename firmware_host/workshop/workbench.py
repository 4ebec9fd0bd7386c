"""A board without a game: open drivers, edges one at a time, lamps by number.

A workbench first prints what it is connected to. Faults of the hardware are printed at once, and stop the job's time.

`RealMaker` lets time pass for a real board. `SimulatedMaker` is a simulated person at the simulated board, who sets a
magnet where the lamps lead. There, time passes only by waiting, so a job of minutes is done at once with the same code.
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
from firmware_host.board.drivers import open_drivers
from firmware_host.core.settings import Settings
from firmware_host.workshop.job import GREEN, JobRunner
from hardware.ports import DARK, Colour, DriverStatus, Edge, HardwareFault, Note
from hardware.simulated import SimulatedBoard

GREETING_S = 3.0
"""Seconds within which a board has to identify itself."""
POLL_S = 0.05
LONGEST_S = 3600.0
"""The longest wait for a note, and the longest a job may be asked to last."""

Say = Callable[[str], None]


class Typed(Struct, frozen=True):
    """A line that the maker typed."""

    text: str


class RealMaker:
    """Real time. Drivers and keyboard share one inbox."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        """Returns monotonic seconds."""
        self._inbox: queue.SimpleQueue[Note | Typed] = queue.SimpleQueue()

    def add_note(self, note: Note) -> None:
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
            return self._inbox.get(timeout=max(0.0, until - self.clock()))
        except queue.Empty:
            return None


class Workbench:
    """An open board with the runner of its job. `faults` is driver -> sentence; changes are also passed to `say`."""

    def __init__(self, settings: Settings, board: Map, state: Path, patience: RealMaker, say: Say = print) -> None:
        """Open the board that the settings name and print what it is connected to. Raises `HardwareFault` and
        `WiringError`.
        """
        # Before the calibration, it is unknown which inputs lie under spaces.
        fitted = open_drivers(settings, board, state, patience.clock, patience.add_note, spares=True)
        self.board, self.wiring, self.sensors = board, fitted.wiring, fitted.sensors
        self.faults = dict(fitted.faults)
        self.runner = JobRunner(patience.clock, settings)
        self._fitted, self._patience, self._say = fitted, patience, say
        # Edges that arrive during the greeting are kept for the job.
        self._early: deque[Note | Typed] = deque()
        self._limit_ma = settings.current_limit_ma
        self._check_faults()
        fitted.sensors.start(patience.add_note)
        self.light({})
        try:
            self._greet()
        except HardwareFault:
            self.close()
            raise

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

    def _greet(self) -> None:
        """Print what the drivers are connected to. Raises `HardwareFault` if one is missing or has a fault."""
        until = self._patience.clock() + GREETING_S
        while not self.faults and self._unidentified_drivers() and self._patience.clock() < until:
            self._keep(self._patience.wait(self._patience.clock() + POLL_S))
        # What has arrived meanwhile may be a fault, so it is read before the greeting.
        while (note := self._patience.wait(self._patience.clock())) is not None:
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
        note = self.next(self._patience.clock() + (seconds or LONGEST_S) if due is None else due)
        if isinstance(note, Edge):
            self.runner.feed(note)
        if not isinstance(note, Typed):
            self.runner.tick()
        return note

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


REACTION = 0.4
"""Seconds from a lamp's lighting to the magnet on it."""


class SimulatedMaker(RealMaker):
    """The maker at the simulated board, where each lamp has the number of the sensor under it."""

    def __init__(self) -> None:
        super().__init__(lambda: self._now)
        self._now = 0.0
        self._notes: deque[Note | Typed] = deque()
        self._at: int | None = None
        self._board: SimulatedBoard | None = None
        self._before: dict[str, int | None] = {}

    @property
    def board(self) -> SimulatedBoard:
        assert self._board is not None, "the maker works on a board"
        return self._board

    def clear(self, board: SimulatedBoard) -> None:
        """Take everything off a board and use it from now on."""
        self._board, self._before = board, board.places
        for miniature in self._before:
            board.carry(miniature, None)

    def put_back(self) -> None:
        """Put everything back where it stood."""
        for miniature, sensor in self._before.items():
            self.board.carry(miniature, sensor)

    def add_note(self, note: Note) -> None:
        self._notes.append(note)

    def wait(self, until: float) -> Note | Typed | None:
        """Return the next note. Without one, the maker follows the lamps, or time passes."""
        if not self._notes and until >= self._now + REACTION:
            self._follow()
        if self._notes:
            return self._notes.popleft()
        self._now = max(self._now, until)
        return None

    def _follow(self) -> None:
        """Carry the magnet to the brightest lamp, or off the board if all lamps are dark or that one is green."""
        lit = self._brightest()
        self._carry(None if lit is None or self.board.frame[lit] == GREEN else lit)

    def _carry(self, lit: int | None) -> None:
        if lit != self._at:
            self._at = lit
            self._set_down(None)
            # The magnet was lifted before, so each half of a carry takes half of the time.
            self._set_down(lit)

    def _set_down(self, sensor: int | None) -> None:
        self._now += REACTION / 2
        # Any miniature of the simulated board serves as the magnet.
        self.board.carry(next(iter(self.board.places)), sensor)

    def _brightest(self) -> int | None:
        # Of equally bright lamps, take the one with the lowest number, hence the minus.
        brightness, lamp = max((sum(colour), -number) for number, colour in enumerate(self.board.frame))
        return None if brightness == sum(DARK) else -lamp
