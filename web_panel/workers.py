"""The worker threads: four per lane (`firmware_host/table/lanes.py`), for actions, reads, imports, and what takes long.

Actions may wait for the table, for a PIN hash, or for a delayed answer. A past game may take seconds to read or to
import. Lessons and puzzles call games, which may hang, and they wait for lessons and puzzles of other lanes. Each lane
processes one request of each kind at a time. So a queued request holds no thread, no read ever waits for an action, and
neither waits for a past game or a lesson. Other threads process the requests of other lanes. Only the server's thread
calls this.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from typing import Generic, TypeVar

from firmware_host.api.interface import ADMIN, MACHINE, STRANGERS, Lane

T = TypeVar("T")

MOST_WAITING = 8
"""Maximum actions of one member of a lane that wait for their turn."""
READS_WAITING = 96
"""Maximum reads of one member that wait for their turn: as many as it has connections.

A read keeps waiting after its connection is closed, so the limit of connections alone would not limit reads.
"""


class RequestKind(Enum):
    """The kind of a request; the value is the name of its threads."""

    ACT = "acts"
    READ = "reads"
    LONG = "long work"
    IMPORT = "imports"


class Crowded(Exception):
    """Too many requests wait in that lane, or the server is stopping."""


class Worker(Generic[T]):
    """A thread that processes one request at a time. Members with waiting requests take turns."""

    def __init__(self, name: str, waiting: float = math.inf) -> None:
        """`waiting` is the maximum number of waiting requests per member."""
        self._most = waiting
        # One thread, so that requests of a lane run strictly in turn.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._thread.submit(int)  # start the thread now, because its start must not reveal the first request
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._busy = self._ended = False

    @property
    def busy(self) -> bool:
        """Whether a request is processed or waits."""
        return self._busy

    async def run(self, member: str, work: Callable[[], T]) -> T:
        """Run a member's work when its turn comes. Raises `Crowded` if too much waits, or at the end."""
        if self._ended:
            raise Crowded
        # Only the server's thread runs this, so no lock is needed.
        if self._busy:
            await self._turn(member)
        self._busy = True
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            # Needed after an error, too, or the lane would wait forever.
            self._next()

    def end(self) -> None:
        """Stop accepting work."""
        self._ended = True
        for turn in (turn for queue in self._waiting.values() for turn in queue):
            turn.cancel()
        self._waiting.clear()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _turn(self, member: str) -> None:
        queue = self._waiting.setdefault(member, deque())
        if len(queue) >= self._most:
            raise Crowded
        # A future per waiting request instead of a blocked thread.
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        await turn

    def _next(self) -> None:
        """Give the turn to the member that has waited longest for one."""
        self._busy = bool(self._waiting)
        if self._busy:
            member = next(iter(self._waiting))
            queue = self._waiting.pop(member)
            queue.popleft().set_result(None)
            # The member goes to the end of the dict, behind all others that wait.
            if queue:
                self._waiting[member] = queue


class Workers(Generic[T]):
    """The workers of all lanes.

    The workers of all seats start together, so that the list of threads does not reveal which seats have been used.
    """

    def __init__(self, seats: Callable[[], Iterable[str]]) -> None:
        """`seats` returns the current seat names."""
        self._seats = seats
        self._lanes: dict[str, dict[RequestKind, Worker[T]]] = {}
        self._begin(STRANGERS, MACHINE, ADMIN, *seats())

    async def run(self, lane: Lane, kind: RequestKind, work: Callable[[], T]) -> T:
        """Process a request. Raises `Crowded`."""
        return await self._workers(lane.name)[kind].run(lane.member, work)

    def end(self) -> None:
        """Stop accepting work."""
        for lane in self._lanes.values():
            for worker in lane.values():
                worker.end()

    def _workers(self, name: str) -> dict[RequestKind, Worker[T]]:
        if name not in self._lanes:  # another game has other seats
            self._end_others()
            self._begin(name, *self._seats())
        return self._lanes[name]

    def _end_others(self) -> None:
        """End the idle workers of seats that no longer exist, so that threads don't accumulate with each new game."""
        valid_names = {STRANGERS, MACHINE, ADMIN, *self._seats()}
        for name in [name for name, lane in self._lanes.items() if name not in valid_names]:
            if not any(worker.busy for worker in self._lanes[name].values()):
                for worker in self._lanes.pop(name).values():
                    worker.end()

    def _begin(self, *names: str) -> None:
        most = {
            RequestKind.ACT: MOST_WAITING,
            RequestKind.READ: READS_WAITING,
            RequestKind.LONG: READS_WAITING,
            RequestKind.IMPORT: MOST_WAITING,
        }
        for name in names:
            if name not in self._lanes:
                self._lanes[name] = {kind: Worker(f"{kind.value} {name}", most[kind]) for kind in RequestKind}
