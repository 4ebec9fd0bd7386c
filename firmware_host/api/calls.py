"""The three kinds of calls that the panel makes of the table, as decorators.

A method of the interface is decorated with one of them:

- `reads_snapshot`: reads what the table has laid out. It waits for nobody, and works also when the loop has ended.
- `runs_beside_loop`: works on the thread that calls, for as long as it takes; the loop does not wait for it.
- `goes_through_loop`: asks the loop's thread, and waits for its answer.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class CallKind(Enum):
    """What a call of the interface waits for."""

    SNAPSHOT = "reads what was laid out"
    BESIDE_LOOP = "works on its own thread"
    THROUGH_LOOP = "waits for the loop"


KINDS: dict[Callable[..., Any], CallKind] = {}
"""The kind of each decorated method."""


def reads_snapshot(method: Callable[P, T]) -> Callable[P, T]:
    """A call that only reads what the table has laid out."""
    KINDS[method] = CallKind.SNAPSHOT
    return method


def runs_beside_loop(method: Callable[P, T]) -> Callable[P, T]:
    """A call that is worked on by the thread that makes it, beside the loop."""
    KINDS[method] = CallKind.BESIDE_LOOP
    return method


def goes_through_loop(method: Callable[P, T]) -> Callable[P, T]:
    """A call that the loop's thread answers."""
    KINDS[method] = CallKind.THROUGH_LOOP
    return method
