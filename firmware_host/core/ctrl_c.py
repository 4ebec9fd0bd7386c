"""Distinguishes Ctrl-C from a `KeyboardInterrupt` that a game raises."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Final

_PRESSED: Final = threading.Event()


def record_ctrl_c() -> None:
    """Record from now on that Ctrl-C was pressed; it still raises `KeyboardInterrupt`. Call this in the main thread.

    If the process already has its own handler for SIGINT, or ignores it, nothing changes.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def is_ctrl_c(error: BaseException) -> bool:
    """Return whether an error comes from Ctrl-C.

    If Ctrl-C is not recorded, every `KeyboardInterrupt` in the main thread counts as one.
    """
    if not isinstance(error, KeyboardInterrupt) or threading.current_thread() is not threading.main_thread():
        return False
    return _PRESSED.is_set() or signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _interrupt(number: int, frame: FrameType | None) -> None:
    _PRESSED.set()
    signal.default_int_handler(number, frame)
