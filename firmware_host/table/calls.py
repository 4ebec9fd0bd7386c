"""The three kinds of calls that the panel makes of the table, as decorators, and what a waiting thread does meanwhile.

A method of the interface is decorated with one of them:

- `reads_snapshot`: reads what the table has laid out. It waits for nobody, and works also when the loop has ended.
- `runs_beside_loop`: works on the thread that calls, for as long as it takes; the loop does not wait for it.
- `goes_through_loop`: asks the loop's thread, and waits for its answer.

Threads wait for clients and for the table as they like, but only a few at a time work: Python runs one thread at a
time, and if all of them worked at once, an edge from the board would wait for all of them. So a thread that works on a
request holds a slot (`WorkSlots`), and gives it to others during calls of the second and third kind.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_mine = threading.local()


class CallKind(Enum):
    """What a call of the interface waits for."""

    SNAPSHOT = "reads what was laid out"
    BESIDE_LOOP = "works on its own thread"
    THROUGH_LOOP = "waits for the loop"


KINDS: dict[Callable[..., Any], CallKind] = {}
"""The kind of each decorated method."""


class WorkSlots:
    """At most `count` threads work on requests at the same time."""

    def __init__(self, count: int) -> None:
        self._free = threading.BoundedSemaphore(count)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Work, as soon as there is a free slot."""
        with self._free:
            _mine.slots = self._free
            try:
                yield
            finally:
                _mine.slots = None


def reads_snapshot(method: Callable[P, T]) -> Callable[P, T]:
    """A call that only reads what the table has laid out."""
    KINDS[method] = CallKind.SNAPSHOT
    return method


def runs_beside_loop(method: Callable[P, T]) -> Callable[P, T]:
    """A call that is worked on by the thread that makes it, beside the loop."""
    return _releasing_slot(method, CallKind.BESIDE_LOOP)


def goes_through_loop(method: Callable[P, T]) -> Callable[P, T]:
    """A call that the loop's thread answers."""
    return _releasing_slot(method, CallKind.THROUGH_LOOP)


def _releasing_slot(method: Callable[P, T], kind: CallKind) -> Callable[P, T]:
    """The method, which lets another thread work until it returns."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        slots: threading.BoundedSemaphore | None = getattr(_mine, "slots", None)
        if slots is None:
            return method(*args, **kwargs)
        _mine.slots = None  # one decorated method may call another
        slots.release()
        try:
            return method(*args, **kwargs)
        finally:
            slots.acquire()
            _mine.slots = slots

    KINDS[call] = kind
    return call
