"""Identify the device on a port, and detect a board whose program failed."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from hardware.link import messages
from hardware.link.frames import FrameReader, frame
from hardware.link.messages import Hello
from hardware.ports import HardwareFault

if TYPE_CHECKING:
    from serial import Serial

PATIENCE = 2.0
"""Seconds within which a running board sends its hello."""
ASK_EVERY = 0.5
KEPT = 8192
"""Characters of a failed program's output to keep."""
TRACEBACK = re.compile(r"Traceback \(most recent call last\):\s*\n(?:[ \t].*\n)+\w[^\n]*\n")


class BoardFailed(HardwareFault):
    """The board's program ended with an error. `traceback` is its output."""

    def __init__(self, name: str, traceback: str) -> None:
        super().__init__(f"{name}: the board's program ends with an error:\n{traceback}")
        self.traceback = traceback


def listen(port: Serial, until: float) -> Hello | None:
    """Return the board's hello, or None if none arrives before `until` (monotonic seconds).

    Raises `BoardFailed`, and the exceptions of pyserial.
    """
    reader, text, asked = FrameReader(), "", 0.0
    port.timeout = 0.02
    while (now := time.monotonic()) < until:
        if now - asked >= ASK_EVERY:
            asked = now
            port.write(frame(messages.question(0)))
        data = port.read(max(1, port.in_waiting))
        for body in reader.feed(data):
            if isinstance(said := messages.read(body, None), Hello):
                return said
        text = (text + data.decode("utf-8", "replace").replace("\r", ""))[-KEPT:]
        if (found := TRACEBACK.search(text)) is not None:
            raise BoardFailed(str(port.name), found[0].strip())
    return None
