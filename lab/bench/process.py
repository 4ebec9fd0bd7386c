"""Watch a running table from outside: memory, threads, open files, CPU time, beats of its loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from firmware_host.core.children import PYTHON, environment
from lab.bench.lines import TIMEOUT, Stalled

ADDRESS = re.compile(rb"http://127\.0\.0\.1:(\d+)/")
BEAT_US = 200_000
"""Watchdog interval as set by systemd; the loop beats twice as often."""
SIZE = os.sysconf("SC_PAGE_SIZE")


class Sample(NamedTuple):
    """Seconds since the start, bytes of memory, threads, open files, and CPU seconds so far."""

    at: float
    memory: int
    threads: int
    files: int
    busy: float


class TableProcess:
    """`sniperboard run` on a free port, watched as by systemd. `slow_down` gets the number of the new process."""

    def __init__(self, state: Path, *options: str, slow_down: Callable[[int], None] = lambda _: None) -> None:
        self._slow_down = slow_down
        self._words = ["run", "--host", "127.0.0.1", "--port", "0", "--state", str(state), *options]
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        # For an empty address, Linux chooses a free abstract one.
        self._ear.bind("")
        self.port = 0
        self.process: asyncio.subprocess.Process | None = None
        self.longest_pause = 0.0
        """Longest time between two beats of the loop, in seconds."""
        self.samples: list[Sample] = []
        self._beat_at = self._began = monotonic()

    async def start(self) -> None:
        """Start the table, and wait for its port. Raises `Stalled` if it does not open; then call `stop` too."""
        address = self._ear.getsockname().decode().replace("\0", "@", 1)
        # An installed table has compiled modules, whatever the shell says.
        compiled = {"PYTHONDONTWRITEBYTECODE": ""}
        watched = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": str(BEAT_US), **compiled}
        command = [*PYTHON, "-m", "firmware_host", *self._words]
        self.process = await asyncio.create_subprocess_exec(
            *command, env=environment(**watched), stdout=asyncio.subprocess.PIPE
        )
        assert self.process.stdout is not None
        self._slow_down(self.process.pid)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TIMEOUT):
                while not self.port and (line := await self.process.stdout.readline()):
                    match = ADDRESS.search(line)
                    self.port = int(match[1]) if match else 0
        if not self.port:
            raise Stalled("The table did not open its port.")
        asyncio.get_running_loop().add_reader(self._ear, self._hear)

    def _hear(self) -> None:
        now = monotonic()
        if b"WATCHDOG=1" in self._ear.recv(4096):
            self.longest_pause, self._beat_at = max(self.longest_pause, now - self._beat_at), now

    def begin(self) -> None:
        self.longest_pause, self.samples = 0.0, []
        self._beat_at = self._began = monotonic()

    def take_sample(self) -> Sample:
        """Record and return a sample. Raises `ProcessLookupError` or `FileNotFoundError` if the table has ended."""
        assert self.process is not None, "it was started"
        place = Path("/proc", str(self.process.pid))
        # The name of the program stands in brackets and may contain blanks, so split after it.
        stat = (place / "stat").read_text("ascii").rpartition(")")[2].split()
        memory = int((place / "statm").read_text("ascii").split()[1]) * SIZE
        # Fields 14 and 15 of proc(5): the ticks in user and in kernel mode.
        busy = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
        files = len(list((place / "fd").iterdir()))
        self.samples.append(Sample(monotonic() - self._began, memory, int(stat[17]), files, busy))
        return self.samples[-1]

    async def stop(self) -> int:
        """End the table, and return its exit code. Raises `Stalled` if it had to be killed."""
        asyncio.get_running_loop().remove_reader(self._ear)
        self._ear.close()
        if self.process is None:
            return 0
        if self.process.returncode is None:
            self.process.terminate()
        try:
            async with asyncio.timeout(TIMEOUT):
                await self.process.communicate()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
            raise Stalled("The table did not end when it was asked to.") from None
        return self.process.returncode or 0
