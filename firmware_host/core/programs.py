"""Runs programs of the machine, such as `openssl`, with limits on their time and output.

A program may be a script that starts others. These can ignore SIGTERM, or keep its output open after it has ended. So
at the end of a call, the whole process group is killed, without waiting for the end of the output.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from firmware_host.core.children import kill

LARGEST_OUTPUT = 1 << 20
"""Bytes that a program may print."""
CHECK_EVERY = 0.05
"""Seconds between two checks whether a program has ended; its output can stay open after that."""
PIECE = 1 << 16


class ProgramError(Exception):
    """A program was killed because of a limit, or because the table stops."""


class ProgramRunner:
    """Runs one program at a time. `close` may be called from any thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False

    def run(
        self,
        command: Sequence[str],
        seconds: float,
        entered: str = "",
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run a program in a folder, with other environment `variables` if given; `entered` is its input, at most some
        kilobytes. Raises `OSError` if it cannot be started, and `ProgramError`.
        """
        pipe = subprocess.PIPE
        with self._guard:
            if self._closed:
                raise ProgramError("the table stops")
            self._child = child = subprocess.Popen(
                command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, process_group=0, cwd=folder, env=variables
            )
        with child:
            try:
                return _finish(child, entered.encode(), time.monotonic() + seconds)
            finally:
                with self._guard:
                    kill(child)
                    self._child = None

    def close(self) -> None:
        """End the running program. Every later call fails."""
        with self._guard:
            self._closed = True
            if self._child is not None:
                kill(self._child)


def _finish(child: subprocess.Popen[bytes], entered: bytes, end: float) -> subprocess.CompletedProcess[str]:
    assert child.stdin and child.stdout and child.stderr, "it was started with pipes"
    with suppress(BrokenPipeError), child.stdin:
        child.stdin.write(entered)
    output, errors = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ, output)
        selector.register(child.stderr, selectors.EVENT_READ, errors)
        running = True
        while running:
            # Once it has ended, read the rest of its output.
            running = child.poll() is None
            while _read_ready(selector, CHECK_EVERY if running else 0):
                if len(output) + len(errors) > LARGEST_OUTPUT:
                    raise ProgramError("it prints too much")
            if running and time.monotonic() > end:
                raise ProgramError("it takes too long")
    printed = (part.decode("utf-8", "replace") for part in (output, errors))
    return subprocess.CompletedProcess(child.args, child.returncode, *printed)


def _read_ready(selector: selectors.BaseSelector, seconds: float) -> bool:
    """Read what the program has printed, waiting for it this long. Return whether there was anything, or an end."""
    ready = selector.select(seconds)
    for key, _ in ready:
        if piece := os.read(key.fd, PIECE):
            key.data.extend(piece)
        else:
            selector.unregister(key.fileobj)
    return bool(ready)
