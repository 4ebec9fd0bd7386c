"""Keeps what measures delays apart from tests that drive browsers, whichever workers they run in."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
"""What all workers of one run have alike."""

T = TypeVar("T")


@contextmanager
def _locked(name: str, kind: int) -> Iterator[None]:
    with (Path(tempfile.gettempdir()) / f"tests-{RUN}-{name}").open("w") as file:
        fcntl.flock(file, kind)  # let go of as the file is closed
        yield


@contextmanager
def beside_others() -> Iterator[None]:
    """As many at a time as there are workers, but not while something runs `alone`, or waits to."""
    with _locked("gate", fcntl.LOCK_SH):
        pass
    with _locked("room", fcntl.LOCK_SH):
        yield


@contextmanager
def alone() -> Iterator[None]:
    """Once all that run `beside_others` have ended; no more of them begin meanwhile."""
    with _locked("gate", fcntl.LOCK_EX), _locked("room", fcntl.LOCK_EX):
        yield


def in_own_thread(work: Callable[[], T]) -> T:
    """What `work` returns or raises. It may have an event loop: the main thread may be that of a browser already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
