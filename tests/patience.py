"""How long tests wait for a condition, a process or a socket; and ports that no other program takes meanwhile."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

PATIENCE = 120.0
"""Seconds that anything may take on a busy machine. A test that passes never waits so long."""

Found = TypeVar("Found")


def until(fact: Callable[[], Found]) -> Found:
    """Wait until `fact` returns something true, and return it."""
    end = time.monotonic() + PATIENCE
    while not (found := fact()):
        assert time.monotonic() < end, "the condition never became true"
        time.sleep(0.005)
    return found


@contextmanager
def reserved_port() -> Iterator[int]:
    """Yield a port of this machine for a server that cannot choose one, or that has to return to it.

    The port stays bound, so that the system gives it to no one else. A server can still listen on it.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])
