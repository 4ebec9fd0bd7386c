"""Spread work over processes of this computer."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context, parent_process, resource_tracker
from threading import Thread
from typing import Any, TypeVar

from firmware_host.core import ctrl_c
from firmware_host.core.children import safe_path

Item = TypeVar("Item")
Shared = TypeVar("Shared")
Done = TypeVar("Done")


class Unavailable(Exception):
    """A package, the processes or a cluster are not available; the message says what to do."""


def side_by_side(
    do: Callable[[Item], Done], items: Iterable[Item], jobs: int, prepare: Callable[[], None] | None = None
) -> Iterator[tuple[int, Future[Done]]]:
    """Yield the index and the future of each item, in the order in which they end.

    Each of `jobs` processes calls `prepare` first. Raises `Unavailable` if the system cannot start a process, or if a
    process was killed, after all finished results.
    """
    coming = iter(items)
    first = [item for _, item in zip(range(jobs), coming, strict=False)]
    jobs = max(1, len(first))  # no more processes than items
    todo, running, lost = enumerate(chain(first, coming)), dict[Future[Done], int](), False
    with _processes(jobs, prepare) as executor:
        while not lost:
            try:
                for index, item in islice(todo, 2 * jobs - len(running)):
                    with _starting(), deaf_to_ctrl_c():
                        running[executor.submit(do, item)] = index
            except (BrokenProcessPool, BrokenPipeError):
                lost = True
            if not running and not lost:
                return
            for future in wait(running, return_when=ALL_COMPLETED if lost else FIRST_COMPLETED).done:
                index = running.pop(future)
                if isinstance(future.exception(), BrokenProcessPool):
                    lost = True
                else:
                    yield index, future
    raise Unavailable("A process that played was killed: is there enough memory? Try fewer --jobs.")


def in_order(do: Callable[[Shared, Item], Done], shared: Shared, items: Iterable[Item], jobs: int) -> Iterator[Done]:
    """Yield `do(shared, item)` for each item, in order. Raises what `do` raises, and `Unavailable`.

    Each process receives `shared` once, because it may be large.
    """
    due, early = 0, dict[int, Future[Done]]()
    for index, future in side_by_side(partial(_do_with_shared, do), items, jobs, partial(_share, shared)):
        early[index] = future
        while due in early:
            yield early.pop(due).result()
            due += 1


_shared: list[Any] = []
"""What `in_order` sent to this worker process."""


def _share(shared: Any) -> None:
    ctrl_c.listen()
    _shared[:] = [shared]


def _do_with_shared(do: Callable[[Any, Item], Done], item: Item) -> Done:
    return do(_shared[0], item)


@contextmanager
def _starting() -> Iterator[None]:
    """Raise `Unavailable` if the system cannot start a process."""
    try:
        yield
    except BrokenPipeError:
        raise  # a process was started, and is lost
    except OSError as error:
        raise Unavailable(
            f"This computer cannot start so many processes: {error.strerror or error}. Try fewer --jobs."
        ) from error


@contextmanager
def _processes(jobs: int, prepare: Callable[[], None] | None) -> Iterator[ProcessPoolExecutor]:
    """Provide processes that end with the context: at once if it is left early, because a game may take an hour."""
    fresh = get_context("spawn")  # a fork of a process with threads can hang
    with _starting(), safe_path():  # its queues start the first process
        executor = ProcessPoolExecutor(jobs, fresh, _begin, (prepare,))
    try:
        yield executor
    except BaseException:
        for process in executor._processes.values():
            process.kill()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _begin(prepare: Callable[[], None] | None) -> None:
    """Prepare a new process."""
    Thread(target=_end_with_parent, daemon=True).start()
    if prepare:
        prepare()


def _end_with_parent() -> None:
    """Exit when the parent ends; otherwise the processes of a killed parent would wait for ever."""
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Block SIGINT for all threads and processes started in the context; this thread receives it afterwards.

    So Ctrl-C gets one answer, not one from each worker. The processes import from the same folders as this one.
    """
    with safe_path():
        # Started later, it would unblock the signal in the thread that starts it.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
