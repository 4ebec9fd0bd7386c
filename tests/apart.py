"""Keep tests that measure delays apart from tests that drive browsers, across all xdist workers."""

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
"""The identifier that all workers of one run share."""

T = TypeVar("T")


@contextmanager
def _locked(name: str, kind: int) -> Iterator[None]:
    with (Path(tempfile.gettempdir()) / f"tests-{RUN}-{name}").open("w") as file:
        fcntl.flock(file, kind)  # closing the file releases the lock
        yield


@contextmanager
def beside_others() -> Iterator[None]:
    """Run alongside other tests of this kind, but wait while something runs `alone` or waits to."""
    with _locked("gate", fcntl.LOCK_SH):
        pass
    with _locked("room", fcntl.LOCK_SH):
        yield


@contextmanager
def alone() -> Iterator[None]:
    """Run once everything in `beside_others` has ended, and keep more of it from starting meanwhile."""
    with _locked("gate", fcntl.LOCK_EX), _locked("room", fcntl.LOCK_EX):
        yield


def in_own_thread(work: Callable[[], T]) -> T:
    """Run `work` in a thread and return or raise what it does.

    The thread may start an event loop: the main thread may already run a browser's.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
