"""Sensors that have to be looked at: a thread reads them all, over and over, and reports what has changed.

A thread that fails says so and tries again: while it does, the board is faulty, with a sentence.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from typing import Protocol

from hardware.drivers import DriverContext, DriverOption
from hardware.plausible import disbelief
from hardware.ports import Edge, HardwareFault, Sentence

RATE = DriverOption("rate", 250, "How often all sensors are looked at, in a second.", 10, 2000)
RETRY = 1.0
"""Seconds between two tries while the hardware is faulty."""


class Scanner(Protocol):
    """Opened hardware that can be read. `doubt` says what was not certain in the last reading, None if all was."""

    doubt: str | None

    def read(self) -> int:
        """All sensors at once: bit n is set while something is on sensor n. Raises `HardwareFault`, `OSError`."""

    def close(self) -> None:
        """Let go of the hardware."""


class ScannedSensors:
    """Sensors (`ports.Sensors`) that are read `rate` times a second by a thread.

    `acquire` opens the hardware and raises `HardwareFault`; it is called once here, so that a fault is known at once.
    """

    def __init__(self, acquire: Callable[[], Scanner], context: DriverContext, rate: int) -> None:
        self.count = context.count
        self._acquire = acquire
        self._context = context
        self._period = 1 / rate
        self._said = 0
        self._state: str | None = None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._reader: Scanner | None = acquire()

    def start(self, report: Callable[[Edge], None]) -> None:
        """See `ports.Sensors`."""
        reader = self._reader = self._reader or self._acquire()
        self._said = 0
        self._ended = threading.Event()
        pause = self._look(reader, report)
        run = (reader, report, self._ended, pause)
        self._thread = threading.Thread(target=self._run, args=run, name="sensors", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """See `ports.Sensors`."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _run(self, reader: Scanner, report: Callable[[Edge], None], ended: threading.Event, pause: float) -> None:
        """The thread: ends by `stop` alone."""
        while not ended.wait(pause):
            pause = self._look(reader, report)

    def _look(self, reader: Scanner, report: Callable[[Edge], None]) -> float:
        """Read once, report what has changed, and say how the hardware is; how long to wait before the next time."""
        at = self._context.clock()
        try:
            down = reader.read()
        except Exception as fault:
            self._tell(self._complaint(fault))
            return RETRY
        doubt = disbelief(down, self.count)
        self._tell(doubt or reader.doubt)
        if doubt is None:
            self._report(down, at, report)
        return min(self._period, max(0.0, at + self._period - self._context.clock()))

    def _report(self, down: int, at: float, report: Callable[[Edge], None]) -> None:
        """An edge for each sensor that has changed, all of the time when the reading began."""
        changed, self._said = down ^ self._said, down
        while changed:
            sensor = (changed & -changed).bit_length() - 1
            changed &= changed - 1
            report(Edge(sensor, bool(down >> sensor & 1), at))

    def _tell(self, state: str | None) -> None:
        if state != self._state:
            self._state = state
            self._context.report_state(state)

    def _complaint(self, fault: Exception) -> str:
        if isinstance(fault, HardwareFault):
            return fault.sentence
        if self._state is None and not isinstance(fault, OSError):
            traceback.print_exception(fault, file=sys.stderr)
        return Sentence(
            "The sensors cannot be read ({kind}: {fault}). Check cables and power; it is tried again every second.",
            kind=type(fault).__name__,
            fault=str(fault),
        )
