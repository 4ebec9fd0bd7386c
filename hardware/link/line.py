"""The thread that owns the serial port. It moves bytes between port and session, and reopens the port.

Other threads take the lock, change the session, and wake the thread. If a board sends more than people who play could
cause, the thread limits how fast it reads; the rest waits in the port.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import threading
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.text import Text
from hardware.link.port import FAILURES, WRITE_WITHIN, open_port
from hardware.link.session import Session
from hardware.ports import Edge, Frame, HardwareFault, UnsettledContact
from hardware.token_bucket import TokenBucket

if TYPE_CHECKING:
    from serial import Serial

log = logging.getLogger("hardware")

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0
"""Seconds before a failed port is opened again: initially, and at most."""

RATE, BURST, MOST_WAIT = 1000.0, 2000.0, 0.5
"""Read limit: events per second, burst size, and the longest pause in seconds.

Each frame, each edge and every 64 bytes count as one event. Five chattering contacts cause a third of the limit. The
port is never left unread for longer than `MOST_WAIT`, because the board would then be reported as missing.
"""
PIECE = 512
"""Bytes read at a time."""

Report = Callable[[Edge | UnsettledContact], None]

AWAY = Text("The board is away: it was unplugged, or its port failed. Plug it in again. The game then continues.")


class SerialLine:
    """A board on a serial port, with its own thread.

    `find` returns the port's name. `report_state` receives a message while the port cannot be used, then None. `find`
    and the session's board check may raise `HardwareFault`; its message is then the state.
    """

    def __init__(
        self,
        session: Session,
        find: Callable[[], str],
        clock: Callable[[], float],
        report_state: Callable[[str | None], None],
    ) -> None:
        self.session = session
        self.name = ""
        """The port that was opened last."""
        self._find, self._clock, self._report_state = find, clock, report_state
        self._report: Report | None = None
        session.feels = False
        self._turned = threading.Condition()
        self._state: str | None = None
        self._pause = FIRST_PAUSE
        self._over = False
        self._bucket = TokenBucket(RATE, BURST, MOST_WAIT)
        self._wake_read, self._wake_write = os.pipe()
        # A full pipe must not block the caller; it wakes the thread anyway.
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._run, name="board link", daemon=True)
        self._thread.start()

    def listen(self, report: Report | None) -> None:
        """Report edges to `report` from now on, starting with the sensors that are down."""
        with self._turned:
            self._report = report
            self.session.feels = report is not None
            if report is not None:
                # Pieces that already stand on the board cause no edge, so they are reported once here.
                for edge in self.session.standing(self._clock()):
                    report(edge)

    def show(self, frame: Frame) -> None:
        """Show this picture as soon as the board is ready."""
        with self._turned:
            self.session.show(frame, self._clock())
        self._wake()

    def wait(self, until: Callable[[Session], bool], seconds: float) -> bool:
        """Wait until `until` is true of the session. Return whether it is.

        Stops waiting after `seconds`, or when the board is reported as missing.
        """
        with self._turned:
            self._turned.wait_for(lambda: until(self.session) or self._state is not None, seconds)
            return until(self.session)

    def close(self) -> None:
        """Stop the thread and close the port."""
        self._over = True
        self._wake()
        self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):  # the pipe is already full of wake-up bytes
            os.write(self._wake_write, b"!")

    def _run(self) -> None:
        while not self._over:
            try:
                name = self._find()
                with open_port(name) as port:
                    self.name = name
                    self._serve(name, port)
                continue
            except HardwareFault as fault:
                state: str = fault.sentence
            except FAILURES:
                state = AWAY
            except Exception as error:  # a bug in this program must not end the thread
                place = traceback.extract_tb(error.__traceback__)[-1]
                log.error("The board link failed: %s at %s:%s", type(error).__name__, place.filename, place.lineno)
                state = (
                    f"The board's line has failed by a fault of the program ({type(error).__name__}). It is opened "
                    "again by itself."
                )
            self._set_state(state)
            self._wait_to_retry()

    def _wait_to_retry(self) -> None:
        # A wake-up, for example for a new picture, must not shorten the pause.
        until = time.monotonic() + self._pause
        while not self._over and (left := until - time.monotonic()) > 0:
            self._sleep(left)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def _serve(self, name: str, port: Serial) -> None:
        with self._turned:
            self.session.open(self._clock())
        while not self._over and not self._should_switch(name):
            self._turn(name, port)

    def _should_switch(self, name: str) -> bool:
        """Return whether this is the wrong board and another one is available now."""
        # Leave the wrong board only for another one, or the port would be opened in a loop.
        if self.session.wrong is not None:
            with contextlib.suppress(HardwareFault):
                return self._find() != name
        return False

    def _turn(self, name: str, port: Serial) -> None:
        data = self._read(port)
        with self._turned:
            now = self._clock()
            # Reports are made under the lock, so that they arrive in the order of the session.
            edges = self.session.receive(data, now)
            # Every frame ends with a zero byte.
            self._bucket.spend(data.count(0) + len(data) / 64 + len(edges), now)
            out = self.session.due(now)
            if self._report is not None:
                for edge in edges:
                    self._report(edge)
            away, fault, met = self.session.is_silent(now), self._fault(name, now), self.session.board is not None
            self._turned.notify_all()
        if away:
            raise HardwareFault(
                "The board at {name} does not answer. Unplug it and plug it in again. If it never answered, "
                "install the firmware with `sniperboard board flash`.",
                name=name,
            )
        # An opened port is not a success yet; only a board that answers resets the pause.
        if met or fault:
            self._pause = FIRST_PAUSE
            self._set_state(fault)
        if out:
            self._send(name, port, out)

    def _read(self, port: Serial) -> bytes:
        """Wait until the board sends data or the time is up. Return the data."""
        now = self._clock()
        until_due, unread = max(0.0, self.session.next_due() - now), self._bucket.seconds_to_wait(now)
        # Over the read limit: leave the data in the port for a moment.
        if unread > 0:
            self._sleep(min(until_due, unread))
            return b""
        excess = self._bucket.excess
        # Wake up when the excess ends, because the message then changes.
        wait = max(0.0, min(until_due, excess.over() - now)) if excess.lasting(now) else until_due
        return bytes(port.read(PIECE)) if self._sleep(wait, port) else b""

    def _fault(self, name: str, now: float) -> str | None:
        """Return a message about the fault of a board that answers, or None."""
        if (fault := self.session.fault) is not None or not self._bucket.excess.lasting(now):
            return fault
        return Text(
            "The board at {name} reports more changes than people can cause. Check its cable and sensors: the "
            "workshop's scan or `sniperboard hw scan` shows which of them change.",
            name=name,
        )

    def _send(self, name: str, port: Serial, out: bytes) -> None:
        from serial import SerialTimeoutException

        try:
            port.write(out)
        except SerialTimeoutException as error:
            raise HardwareFault(
                "The board at {name} has accepted no data for {seconds} s. Unplug it and plug it in again.",
                name=name,
                seconds=str(WRITE_WITHIN),
            ) from error

    def _sleep(self, seconds: float, port: Serial | None = None) -> bool:
        """Sleep until the port has data (return True), another thread wakes this one, or the time is up."""
        sources = [self._wake_read] if port is None else [self._wake_read, port.fileno()]
        ready, _, _ = select.select(sources, [], [], seconds)
        # Empty the pipe; several wake-ups count as one.
        if self._wake_read in ready:
            os.read(self._wake_read, 4096)
        return bool(set(ready) - {self._wake_read})

    def _set_state(self, state: str | None) -> None:
        with self._turned:
            news, self._state = state != self._state, state
            self._turned.notify_all()
        if news:
            self._report_state(state)
