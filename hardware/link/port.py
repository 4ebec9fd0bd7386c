"""The serial port: find it by a stable name, open it exclusively, identify its device, and explain each failure."""

from __future__ import annotations

import errno
import glob
import re
import termios
import time
from typing import TYPE_CHECKING

from engine.text import Text
from hardware.link import messages
from hardware.link.frames import FrameReader, frame
from hardware.link.messages import Hello
from hardware.ports import HardwareFault

if TYPE_CHECKING:
    from serial import Serial

PICO = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_*"
"""The names udev gives to a Pico with MicroPython. The end is its unique number."""
FAILURES = (OSError, termios.error)
"""The exceptions that pyserial raises or passes on when a port fails. Its own exceptions are `OSError`, but some of the
passed-on ones are not."""
WRITE_WITHIN = 0.5
"""Seconds within which written data must be accepted."""
TIMEOUT = 2.0
"""Seconds within which a running board sends its hello."""
ASK_EVERY = 0.5
KEPT_OUTPUT = 8192
"""Characters of a failed program's output to keep."""
TRACEBACK = re.compile(r"Traceback \(most recent call last\):\s*\n(?:[ \t].*\n)+\w[^\n]*\n")


def need_pyserial() -> None:
    """Check that pyserial is installed. Raises `HardwareFault`."""
    try:
        import serial  # noqa: F401
    except ImportError as error:
        raise HardwareFault(
            "The board needs pyserial, which is not installed. Install it with `pip install "
            "'pyserial>=3.5,<4'` (on Debian: sudo apt-get install -y python3-serial)."
        ) from error


def find_port(pattern: str, identity: str | None) -> str:
    """Return the name of the port. If several match the pattern, return that of the board `identity`.

    Raises `HardwareFault`.
    """
    names = sorted(glob.glob(pattern))
    if not names:
        raise HardwareFault(
            "There is no board at {pattern}. Plug it in. If its port has another name, set `port` in the table "
            "[board_link], or use --port.",
            pattern=pattern,
        )
    mine = [name for name in names if identity is not None and identity in name.lower()]
    # Prefer the known board if several are connected.
    if len(mine or names) > 1:
        raise HardwareFault(
            "There are several boards: {names}. Choose one with `port` in the table [board_link], or with --port.",
            names=", ".join(names),
        )
    return (mine or names)[0]


def open_port(name: str) -> Serial:
    """Open the port exclusively and discard old input. Reading doesn't block. Raises `HardwareFault`."""
    need_pyserial()
    from serial import Serial

    port = None
    try:
        # Without the lock, a second table or a terminal could take half of the bytes.
        port = Serial(name, timeout=0, write_timeout=WRITE_WITHIN, exclusive=True)
        port.reset_input_buffer()
        return port
    except FAILURES as error:
        if port is not None:
            port.close()
        raise HardwareFault("{name}: {why}", name=name, why=open_failure(error)) from error


def open_failure(error: BaseException) -> Text:
    """Return why a port cannot be opened, and what to do."""
    code = error.errno if isinstance(error, OSError) else None
    if code in (errno.EACCES, errno.EPERM):
        return Text(
            "you do not have permission to open this port. Run `sudo usermod -aG dialout $USER`, "
            "log out, and log in again."
        )
    if code in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        return Text("another program has this port. End it (a second table, a terminal, an editor for MicroPython).")
    if code in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return Text("there is nothing at this port. Plug the board in.")
    return Text("this port cannot be opened ({why}). Unplug the board and plug it in again.", why=str(error))


class BoardFailed(HardwareFault):
    """The board's program ended with an error. `traceback` is its output."""

    def __init__(self, name: str, traceback: str) -> None:
        super().__init__(f"{name}: the board's program ends with an error:\n{traceback}")
        self.traceback = traceback


def wait_for_hello(port: Serial, until: float) -> Hello | None:
    """Return the board's hello, or None if none arrives before `until` (monotonic seconds).

    Raises `BoardFailed`, and the exceptions of pyserial.
    """
    reader, text, asked_at = FrameReader(), "", 0.0
    port.timeout = 0.02
    while (now := time.monotonic()) < until:
        # A board that is still starting drops the question, so repeat it.
        if now - asked_at >= ASK_EVERY:
            asked_at = now
            port.write(frame(messages.hello_request(0)))
        data = port.read(max(1, port.in_waiting))
        for body in reader.feed(data):
            if isinstance(message := messages.parse_message(body, None), Hello):
                return message
        # A board whose program failed prints a traceback instead of frames.
        text = (text + data.decode("utf-8", "replace").replace("\r", ""))[-KEPT_OUTPUT:]
        if (traceback := TRACEBACK.search(text)) is not None:
            raise BoardFailed(str(port.name), traceback[0].strip())
    return None
