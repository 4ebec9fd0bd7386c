"""Polled sensors: a thread reads them all repeatedly and reports the changes.

If reading fails, the thread reports a message and tries again. Until it succeeds, the board counts as faulty.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from typing import Protocol

from engine.text import Text
from hardware.drivers import DriverContext, DriverOption
from hardware.health import count_warning
from hardware.ports import Edge, HardwareFault, set_bits

RATE = DriverOption("rate", 250, "How often all sensors are read, per second.", 10, 2000)
RETRY = 1.0
"""Seconds between two attempts while the hardware is faulty."""


class Scanner(Protocol):
    """Opened hardware that can be read. `doubt` is a message about uncertain values in the last reading, or None."""

    doubt: str | None

    def read(self) -> int:
        """Read all sensors: bit n is set while something is on sensor n. Raises `HardwareFault`, `OSError`."""

    def close(self) -> None:
        """Close the hardware."""


class ScannedSensors:
    """Sensors (`ports.Sensors`) that a thread reads `rate` times a second.

    `acquire` opens the hardware and raises `HardwareFault`. The constructor calls it once, so that an error is raised
    immediately.
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
        reader = self._reader = self._reader or self._acquire()
        self._said = 0
        self._ended = threading.Event()
        pause = self._look(reader, report)
        run = (reader, report, self._ended, pause)
        self._thread = threading.Thread(target=self._run, args=run, name="sensors", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _run(self, reader: Scanner, report: Callable[[Edge], None], ended: threading.Event, pause: float) -> None:
        while not ended.wait(pause):
            pause = self._look(reader, report)

    def _look(self, reader: Scanner, report: Callable[[Edge], None]) -> float:
        """Read once, report the changes and the state. Return the seconds until the next reading."""
        at = self._context.clock()
        try:
            down = reader.read()
        except Exception as fault:
            self._tell(self._fault_text(fault))
            return RETRY
        doubt = count_warning(down, self.count)
        self._tell(doubt or reader.doubt)
        if doubt is None:
            self._report(down, at, report)
        # Subtract the time that this reading took, so that the rate stays constant.
        return min(self._period, max(0.0, at + self._period - self._context.clock()))

    def _report(self, down: int, at: float, report: Callable[[Edge], None]) -> None:
        """Report an edge for each changed sensor, dated when the reading started."""
        changed, self._said = down ^ self._said, down
        for sensor in set_bits(changed):
            report(Edge(sensor, bool(down >> sensor & 1), at))

    def _tell(self, state: str | None) -> None:
        if state != self._state:
            self._state = state
            self._context.report_state(state)

    def _fault_text(self, fault: Exception) -> str:
        if isinstance(fault, HardwareFault):
            return fault.sentence
        # A bug of the driver is printed once, not at every attempt.
        if self._state is None and not isinstance(fault, OSError):
            traceback.print_exception(fault, file=sys.stderr)
        return Text(
            "The sensors cannot be read ({kind}: {fault}). Check cables and power; it is tried again every second.",
            kind=type(fault).__name__,
            fault=str(fault),
        )
