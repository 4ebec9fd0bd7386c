"""A board at the other end of a pseudo-terminal, which speaks board-link/1 like the firmware, and records times.

Its sensors and lamps are in memory, and its reports are already debounced.
"""

from __future__ import annotations

import asyncio
import os
import pty
import struct
import tty
from time import monotonic

from hardware.link.frames import FrameReader, frame
from hardware.link.messages import PROTOCOL

IDENTITY = b"benchmrk"
VERSION = b"bench"
READ = 4096
BEAT = 0.4
"""Seconds between two reports while nothing changes; the host expects one within a second."""


class SerialBoard:
    """A board on the port `path`.

    `came` is set whenever a frame arrives that differs from the last; `shown_at` is its arrival in monotonic seconds.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._ours, self._theirs = pty.openpty()
        # The terminal must not echo or change any byte.
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self.path = os.ttyname(self._theirs)
        self.down = 0
        self.came = asyncio.Event()
        self.shown_at = 0.0
        self._picture = b""
        self._reader = FrameReader()
        self._seq = 0

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._ours, self._hear)
        self._beats = self._loop.create_task(self._beat())

    def stop(self) -> None:
        self._loop.remove_reader(self._ours)
        self._beats.cancel()
        os.close(self._ours)
        os.close(self._theirs)

    def touch(self, sensor: int, down: bool) -> float:
        """Report that a sensor settled; return the time in monotonic seconds."""
        bit = 1 << sensor
        self.down = self.down | bit if down else self.down & ~bit
        self.came.clear()
        now = monotonic()
        self._report()
        return now

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            self._report()

    def _hear(self) -> None:
        for body in self._reader.feed(os.read(self._ours, READ)):
            kind = body[:1]
            if kind == b"h":
                hello = struct.pack("<BHH8s", PROTOCOL, self._count, self._count, IDENTITY)
                self._say(b"H", hello + VERSION)
                self._report()
            elif kind in (b"C", b"F"):
                self._say(b"A", body[1:2])
            if kind == b"F" and body[2:] != self._picture:
                self._picture, self.shown_at = body[2:], monotonic()
                self.came.set()

    def _report(self) -> None:
        bits = self.down.to_bytes((self._count + 7) // 8, "little")
        # The second bitmap is that of the raw contacts, which never bounce here.
        self._say(b"S", struct.pack("<I", int(1000 * monotonic()) & 0xFFFFFFFF) + bits + bits)

    def _say(self, kind: bytes, data: bytes) -> None:
        self._seq = (self._seq + 1) & 0xFF
        os.write(self._ours, frame(kind + bytes((self._seq,)) + data))
