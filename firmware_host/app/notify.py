"""Tells systemd that the table is ready, alive or stopping (man 3 sd_notify).

The turns of the loop reset the watchdog, instead of a timer, so that systemd notices if the loop hangs. A long start
asks for more time only while it works, so that systemd also notices a start that hangs.
"""

from __future__ import annotations

import contextlib
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping

LONG, EVERY = 90, 10.0
"""Seconds that each request during a start asks for, and seconds between two such requests."""
TIMEOUT = 0.5
"""Maximum seconds to wait until systemd accepts a message. After that, the message is dropped."""
LEAST_WORK = 0.05
"""Seconds of processor time since the last request that count as work."""


class Work:
    """Tells whether this process has worked since the last call, by its use of the processor and the disk."""

    def __init__(self) -> None:
        self._cpu, self._read = _resources_used()

    def __call__(self) -> bool:
        before = self._cpu, self._read
        self._cpu, self._read = _resources_used()
        return self._cpu - before[0] >= LEAST_WORK or self._read > before[1]


def _resources_used() -> tuple[float, int]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime, used.ru_inblock


class Notify:
    """Sends messages to systemd, to the address in the environment (`NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`).

    `clock` returns monotonic seconds. Messages that cannot be sent are dropped: the table runs without systemd, too.
    """

    def __init__(self, environment: Mapping[str, str], pid: int, clock: Callable[[], float]) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self._every = _watchdog_seconds(environment, pid)
        self._clock = clock
        self._last_beat = clock()

    @contextlib.contextmanager
    def report_starting(self, works: Callable[[], bool] | None = None, every: float = EVERY) -> Iterator[None]:
        """Ask for more time while the table starts, as long as `works` returns True (default: `Work`)."""
        started, works = threading.Event(), works or Work()

        def extend() -> None:
            while not started.wait(every):
                if works():
                    self._say(f"EXTEND_TIMEOUT_USEC={LONG * 1_000_000}")

        thread = threading.Thread(target=extend, name="start", daemon=True)
        thread.start()
        try:
            yield
        finally:
            started.set()
            thread.join()

    def report_ready(self, status: str) -> None:
        """Report that the table is open. `systemctl status` shows `status`, which must be public."""
        # Each field is a line, so a line break would end the status.
        self._say(f"READY=1\nSTATUS={' '.join(status.split())}")

    def set_status(self, status: str) -> None:
        """Set what `systemctl status` shows, which must be public."""
        self._say(f"STATUS={' '.join(status.split())}")

    def report_reloading(self) -> None:
        """Report that the settings are being reloaded, until `ready` is called."""
        # systemd needs the time to tell this reload from an earlier one.
        self._say(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def report_stopping(self) -> None:
        """Report that the table is closing."""
        self._say("STOPPING=1")

    def beat(self) -> None:
        """Reset the watchdog after a turn of the loop, four times as often as necessary."""
        if self._every is not None and self._clock() - self._last_beat >= self._every / 4:
            self._last_beat = self._clock()
            self._say("WATCHDOG=1")

    def _say(self, word: str) -> None:
        if not self._address:
            return
        kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, kind) as line:
            line.settimeout(TIMEOUT)
            line.sendto(word.encode(), self._address)


def _address(name: str) -> str:
    """Return the socket address. systemd writes abstract addresses with an @."""
    return "\0" + name[1:] if name.startswith("@") else name


def _watchdog_seconds(environment: Mapping[str, str], pid: int) -> float | None:
    """Return the watchdog's interval; None if it is off, or for another process."""
    micros, whose = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", str(pid))
    if not micros.isdigit() or int(micros) == 0 or whose != str(pid):
        return None
    return int(micros) / 1e6
