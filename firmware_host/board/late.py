"""A board whose hardware is opened later: a thread tries again until someone has switched it on or plugged it in.

After a power cut, for example, the table can be ready before the Wi-Fi with a controller of lamps.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from hardware.drivers import OpenedParts
from hardware.ports import DARK, Edge, Frame, HardwareFault, UnsettledContact, check_length

RETRY_SECONDS = 5.0
"""Seconds between two attempts."""


class LateBoard:
    """`count` sensors and lamps (`ports.Sensors` and `ports.Lamps`), which do nothing until `open_driver` succeeds.

    `fault` is why the first attempt failed; without a `fault`, the first attempt is made when the board is first used.
    `report_state` is called with each new fault, and with None after the last one.
    """

    def __init__(
        self,
        count: int,
        open_driver: Callable[[], OpenedParts],
        report_state: Callable[[str | None], None],
        fault: str = "",
    ) -> None:
        self.count = count
        self._open_driver, self._report_state, self._fault = open_driver, report_state, fault
        self._guard = threading.Lock()
        self._parts: OpenedParts | None = None
        self._report: Callable[[Edge | UnsettledContact], None] | None = None
        self._frame: Frame = (DARK,) * count
        self._ended: threading.Event | None = None

    def start(self, report: Callable[[Edge | UnsettledContact], None]) -> None:
        with self._guard:
            self._report = report
            if self._parts is None:
                self._begin()
            elif self._parts.sensors is not None:
                self._parts.sensors.start(report)

    def show(self, frame: Frame) -> None:
        check_length(frame, self.count)
        with self._guard:
            self._frame = frame
            if self._parts is None:
                self._begin()
            else:
                self._light(self._parts)

    def stop(self) -> None:
        with self._guard:
            if self._ended is not None:
                self._ended.set()
            self._report, self._ended = None, None
            if self._parts is not None:
                _stop(self._parts)

    def about(self) -> str:
        """Return what the driver is connected to, or an empty text (`drivers.OpenedParts`)."""
        parts = self._parts
        return "" if parts is None or parts.about is None else parts.about()

    def _begin(self) -> None:
        if self._ended is None:
            # A new event for each start, so that a thread of an earlier one stays ended.
            self._ended = threading.Event()
            threading.Thread(target=self._try_again, args=(self._ended,), name="late board", daemon=True).start()

    def _try_again(self, ended: threading.Event) -> None:
        while not ended.wait(RETRY_SECONDS if self._fault else 0):
            try:
                self._open(ended)
                return
            except HardwareFault as fault:
                with self._guard:
                    # The same fault is reported only once. After the end, only the next board may report.
                    if fault.sentence != self._fault and not ended.is_set():
                        self._fault = fault.sentence
                        self._report_state(self._fault)

    def _open(self, ended: threading.Event) -> None:
        """Open the driver, and bring its parts into the state of these. Raises `HardwareFault`."""
        parts = self._open_driver()
        with self._guard:
            if ended.is_set():  # `stop` was called while the driver was opened
                _stop(parts)
                return
            self._parts = parts
            self._report_state(None)
            try:
                self._light(parts)
                if parts.sensors is not None and self._report is not None:
                    parts.sensors.start(self._report)
            except HardwareFault:
                self._parts, self._fault = None, ""
                _stop(parts)
                raise

    def _light(self, parts: OpenedParts) -> None:
        """Show the picture on the driver's lamps; their number may be different."""
        if parts.lamps is not None:
            dark = (DARK,) * (parts.lamps.count - self.count)
            parts.lamps.show((*self._frame, *dark)[: parts.lamps.count])


def _stop(parts: OpenedParts) -> None:
    for part in (parts.sensors, parts.lamps):
        if part is not None:
            part.stop()
