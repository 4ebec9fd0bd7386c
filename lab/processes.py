"""Spread work over processes of this computer."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process, resource_tracker
from threading import Thread
from typing import Any, TypeVar

from firmware_host.core import ctrl_c
from firmware_host.core.children import SAFE_PATH

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Done = TypeVar("Done")

ITEMS_AHEAD = 4
"""Items per process that are sent before the first of them is done, so that no process waits for a slow one."""


class Unavailable(Exception):
    """A package, the processes or a cluster are not available; the message says what to do."""


def in_order(do: Callable[[Shared, Item], Done], shared: Shared, items: Sequence[Item], jobs: int) -> Iterator[Done]:
    """Yield `do(shared, item)` for each item, in order, computed by `jobs` processes; by this process if one is enough.

    Each process receives `shared` once, because it may be large. Raises what `do` raises. Raises `Unavailable` if the
    system cannot start a process, or if a process was killed.
    """
    jobs, waiting = min(jobs, len(items)), deque[Future[Done]]()
    if jobs <= 1:
        yield from (do(shared, item) for item in items)
        return
    with _processes(jobs, shared) as executor:
        for item in items:
            with _start_errors():
                waiting.append(executor.submit(_do_with_shared, do, item))
            if len(waiting) == ITEMS_AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _processes(jobs: int, shared: Any) -> Iterator[ProcessPoolExecutor]:
    """Provide processes that end with the context. If the context is left early, they are ended at once, because a game
    may take an hour."""
    with _start_errors():  # its queues start the first process
        # A fork of a process with threads can hang.
        executor = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (shared,))
    try:
        yield executor
    except BaseException as error:
        # The executor has no public way to end a task that is running.
        for process in executor._processes.values():
            process.kill()
        if isinstance(error, BrokenProcessPool | BrokenPipeError):
            raise Unavailable("A process that played was killed: is there enough memory? Try fewer --jobs.") from error
        raise
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def _start_errors() -> Iterator[None]:
    """Raise `Unavailable` if the system cannot start a process."""
    try:
        with ctrl_c_blocked():
            yield
    except BrokenPipeError:
        raise  # a process was started, and is lost
    except OSError as error:
        raise Unavailable(
            f"This computer cannot start so many processes: {error.strerror or error}. Try fewer --jobs."
        ) from error


@contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Block SIGINT for threads and processes started in the context, which import from the same folders as this one.

    So Ctrl-C gets one answer, not one from each process. This thread receives it afterwards.
    """
    with without_current_folder():
        # Started later, it would unblock the signal in the thread that starts it.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def without_current_folder() -> Iterator[None]:
    """Keep the current folder out of the path of processes that `multiprocessing` starts in the block."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(SAFE_PATH, None)
        else:
            os.environ[SAFE_PATH] = before


_shared: list[Any] = []
"""What `in_order` sent to this worker process."""


def _begin(shared: Any) -> None:
    Thread(target=_end_with_parent, daemon=True).start()
    ctrl_c.record_ctrl_c()
    sys.stdout = sys.stderr  # what a bot prints must not get between the results
    _shared[:] = [shared]


def _do_with_shared(do: Callable[[Any, Item], Done], item: Item) -> Done:
    return do(_shared[0], item)


def _end_with_parent() -> None:
    """Exit when the parent ends; otherwise the processes of a killed parent would wait for ever."""
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)
