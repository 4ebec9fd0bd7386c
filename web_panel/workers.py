"""The threads that work on requests: two for each lane (`firmware_host/table/lanes.py`), one for acts, one for reads.

Acts may wait: for the table, for the hash of a PIN, for the delay of an answer. They are worked on one at a time, so a
request that waits for its turn holds no thread, and no read ever waits for an act. What another lane asks is worked on
by other threads.

Only the server's thread comes here.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from firmware_host.api.interface import ADMIN, MACHINE, STRANGERS, Lane

T = TypeVar("T")

WAITING = 8
"""Acts of one member of a lane that wait for their turn."""
READS_WAITING = 64
"""Reads of one member that wait for their turn: as many as it has connections. A read goes on to wait when its
connection is closed, so connections alone would not limit them.
"""


class Crowded(Exception):
    """Too many requests wait in that lane, or the server ends."""


class Worker(Generic[T]):
    """A thread that works on one request at a time. The members whose requests wait take turns."""

    def __init__(self, name: str, waiting: float = math.inf) -> None:
        """`waiting` is how many requests of one member may wait."""
        self._most = waiting
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._thread.submit(_nothing)  # begin it now: when a thread begins must not tell what was asked first
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._busy = self._ended = False

    async def run(self, member: str, work: Callable[[], T]) -> T:
        """Do some work of a member when its turn comes. Raises `Crowded` where too much waits, or at the end."""
        if self._ended:
            raise Crowded
        if self._busy:
            await self._turn(member)
        self._busy = True
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._next()

    def end(self) -> None:
        """Work on nothing more."""
        self._ended = True
        for turn in (turn for line in self._waiting.values() for turn in line):
            turn.cancel()
        self._waiting.clear()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _turn(self, member: str) -> None:
        line = self._waiting.setdefault(member, deque())
        if len(line) >= self._most:
            raise Crowded
        turn = asyncio.get_running_loop().create_future()
        line.append(turn)
        await turn

    def _next(self) -> None:
        """Give the turn to the member that has waited longest for one."""
        self._busy = bool(self._waiting)
        if self._busy:
            member = next(iter(self._waiting))
            line = self._waiting.pop(member)
            line.popleft().set_result(None)
            if line:
                self._waiting[member] = line


class Workers(Generic[T]):
    """The workers of all lanes. Those of all seats begin together: threads must not tell who has asked."""

    def __init__(self, seats: Callable[[], Iterable[str]]) -> None:
        """`seats` gives the names of the seats as they are now."""
        self._seats = seats
        self._lanes: dict[str, tuple[Worker[T], Worker[T]]] = {}
        self._begin(STRANGERS, MACHINE, ADMIN, *seats())

    async def run(self, lane: Lane, waits: bool, work: Callable[[], T]) -> T:
        """Work on a request: on an act (`waits`), or on one that only reads. Raises `Crowded`."""
        return await self._workers(lane.name)[not waits].run(lane.member, work)

    def end(self) -> None:
        """Work on nothing more."""
        for pair in self._lanes.values():
            for worker in pair:
                worker.end()

    def _workers(self, name: str) -> tuple[Worker[T], Worker[T]]:
        if name not in self._lanes:  # another game has other seats
            self._begin(name, *self._seats())
        return self._lanes[name]

    def _begin(self, *names: str) -> None:
        for name in names:
            if name not in self._lanes:
                self._lanes[name] = Worker(f"acts {name}", WAITING), Worker(f"reads {name}", READS_WAITING)


def _nothing() -> None:
    """The first work of a thread."""
