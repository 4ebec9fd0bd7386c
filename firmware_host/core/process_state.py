"""Restores the process state that an imported or played game can change: standard streams, timers, folder."""

from __future__ import annotations

import faulthandler
import os
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging import getLogger
from typing import Any, TextIO, cast

from firmware_host.core.logbook import LOGGERS


@contextmanager
def kept_process() -> Iterator[None]:
    """Restore the state of the process after the `with` block, and stop the timers that the block has started."""
    stack, timeout, interval = threading.stack_size(), socket.getdefaulttimeout(), sys.getswitchinterval()
    trace, profile = threading.gettrace(), threading.getprofile()
    loggers = [(vars(it), {**vars(it), "handlers": [*it.handlers], "_cache": {}}) for it in map(getLogger, LOGGERS)]
    folder, path, blocked = None, [*sys.path], signal.pthread_sigmask(signal.SIG_BLOCK, ())
    mask = os.umask(0o077)  # it can only be read by setting it
    os.umask(mask)
    with suppress(OSError):  # without permission for it, as after `sudo -u` in another person's folder
        folder = os.open(".", os.O_PATH)  # by descriptor, because the folder may have been removed
    with _kept_streams(), warnings.catch_warnings():
        try:
            yield
        finally:
            os.umask(mask)
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            faulthandler.cancel_dump_traceback_later()
            threading.stack_size(stack)
            threading.settrace(cast(Any, trace))  # None means no function, although the types don't allow it
            threading.setprofile(cast(Any, profile))
            socket.setdefaulttimeout(timeout)
            sys.setswitchinterval(interval)
            for now, before in loggers:
                now.update(before)
            # Entries that a game has put first would hide modules of the table and of the standard library.
            sys.path[:] = [*path, *(it for it in sys.path if it not in path)]
            if folder is not None:
                os.fchdir(folder)
                os.close(folder)


@contextmanager
def _kept_streams() -> Iterator[None]:
    """Restore standard output and error, and the three standard descriptors.

    A stream that the block has opened for a descriptor closes it later. Another file could have that number by then.
    """
    before, copies = (sys.stdout, sys.stderr), dict[int, int]()
    for number in range(3):
        with suppress(OSError):  # the descriptor is closed, as in a process without output
            copies[number] = os.dup(number)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before  # frees the streams of the block
        for number, copy in copies.items():
            os.dup2(copy, number)
            os.close(copy)
        repair_streams()


def repair_streams() -> None:
    """Open standard output and error again if they were closed."""
    sys.stdout, sys.stderr = _usable(sys.stdout, 1), _usable(sys.stderr, 2)


def _usable(stream: TextIO, number: int) -> TextIO:
    """Return a stream, or a new one for its descriptor if it was closed."""
    try:
        if stream is None or not stream.closed:  # the stream is None in a process without output
            return stream
    except (ValueError, AttributeError):  # its buffer was taken away, or it is not a stream
        pass
    try:
        return open(number, "w", 1, "utf-8", "backslashreplace", closefd=False)
    except OSError:  # the descriptor was closed, too
        return open(os.devnull, "w")
