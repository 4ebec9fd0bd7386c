"""Word to systemd, over its datagram socket: ready, alive, stopping (man 3 sd_notify). Where nobody listens, silence.

The watchdog is fed from the loop's own turns, never from a timer of its own: a loop that hangs must starve it.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable, Mapping


class Notify:
    """What this process may say, by its environment (`NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`).

    `clock` gives monotonic seconds. A word that cannot be delivered is dropped: the table goes on without systemd.
    """

    def __init__(self, environment: Mapping[str, str], pid: int, clock: Callable[[], float]) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self._every = _watchdog_seconds(environment, pid)
        self._clock = clock
        self._last_beat = clock()

    def ready(self, status: str) -> None:
        """The table is open; `status` is shown by `systemctl status` and must be public."""
        self._say(f"READY=1\nSTATUS={' '.join(status.split())}")

    def status(self, status: str) -> None:
        """What `systemctl status` shows from now on; it must be public."""
        self._say(f"STATUS={' '.join(status.split())}")

    def reloading(self) -> None:
        """The settings are read again; `ready` tells that this is done."""
        self._say(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def stopping(self) -> None:
        """The table is closing."""
        self._say("STOPPING=1")

    def beat(self) -> None:
        """The loop has made a turn; the watchdog hears of it four times as often as it needs to."""
        if self._every is not None and self._clock() - self._last_beat >= self._every / 4:
            self._last_beat = self._clock()
            self._say("WATCHDOG=1")

    def _say(self, word: str) -> None:
        if not self._address:
            return
        kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, kind) as line:
            line.sendto(word.encode(), self._address)


def _address(name: str) -> str:
    """A path, or an abstract address, which systemd writes with an @."""
    return "\0" + name[1:] if name.startswith("@") else name


def _watchdog_seconds(environment: Mapping[str, str], pid: int) -> float | None:
    """How often systemd wants to hear of this process; None where it does not, or wants it of another process."""
    micros, whose = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", str(pid))
    if not micros.isdigit() or int(micros) == 0 or whose != str(pid):
        return None
    return int(micros) / 1e6
