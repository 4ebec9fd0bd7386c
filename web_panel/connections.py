"""Keep one client from taking the server's connections, bytes or time from the others.

Each lane (`firmware_host/table/lanes.py`) has its own limits of connections and bytes. So no client can use up the
connections of another lane, or infer from a lost connection what others do. When a lane is full, the member with the
most connections loses the one that has been idle longest. A connection with a request in progress or a stream stays,
unless the new connection is its member's first.

Accepted sockets wait here, not in the operating system's queue, which all addresses share: an address that connects in
a loop would keep that queue full, and the connections of others would be dropped. Here, only the address with the most
waiting sockets loses one.

Short header lines and short chunks cost as much processing time as long ones. Tornado reads hundreds of them before the
next connection gets its turn, so there are limits on their number, too.

Only the server's thread calls this.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Iterator
from enum import Enum
from itertools import count
from typing import Any, NamedTuple, cast

from tornado.httputil import HTTPInputError
from tornado.iostream import IOStream

from firmware_host.api.interface import MACHINE, Lane
from web_panel.origin import Origin

MOST_WAITING = 256
"""Maximum number of waiting sockets. More than a proxy opens at once for all its clients."""
A_SECOND, AT_ONCE = 200.0, 128.0
"""Sockets that the server starts to serve per second, and at once: two devices that load a page through a proxy.

Each costs milliseconds of the thread that reads all requests.
"""


class Arrivals:
    """The accepted sockets that wait, each with its peer's address and the index of its listener."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most, self._count = most, 0
        self._left, self._at = AT_ONCE, 0.0
        self._waiting: dict[str, deque[tuple[socket.socket, int]]] = {}

    def __iter__(self) -> Iterator[socket.socket]:
        return (client_socket for queue in self._waiting.values() for client_socket, _ in queue)

    def add(self, address: str, client_socket: socket.socket, listener: int) -> None:
        """Add a socket. If too many wait, the oldest one of the address with most is closed."""
        self._waiting.setdefault(address, deque()).append((client_socket, listener))
        self._count += 1
        if self._count > self._most:
            self._pop(max(self._waiting, key=lambda other: len(self._waiting[other])))[0].close()

    def next(self, now: float) -> tuple[str, socket.socket, int] | None:
        """Remove and return the next socket: one of the address that has waited longest for a turn.

        None if no socket is due.
        """
        # Token bucket: it grows by A_SECOND per second, up to AT_ONCE.
        self._left, self._at = min(AT_ONCE, self._left + (now - self._at) * A_SECOND), now
        if not self._waiting or self._left < 1:
            return None
        self._left -= 1
        address = next(iter(self._waiting))
        client_socket, listener = self._pop(address)
        if address in self._waiting:  # the address goes behind all others
            self._waiting[address] = self._waiting.pop(address)
        return address, client_socket, listener

    def seconds_to_wait(self) -> float | None:
        """Return the seconds until the next socket is due; None if none waits."""
        return max(0.0, 1 - self._left) / A_SECOND if self._waiting else None

    def _pop(self, address: str) -> tuple[socket.socket, int]:
        queue = self._waiting[address]
        connection = queue.popleft()
        self._count -= 1
        if not queue:
            del self._waiting[address]
        return connection


class Limit(NamedTuple):
    """The limit of a lane: at most `total` bytes, and at most `each` bytes for one member."""

    total: int
    each: int


class Limits(NamedTuple):
    """The limit of all strangers together, and that of every other lane."""

    strangers: Limit
    others: Limit

    def of(self, lane: Lane) -> Limit:
        """Return the limit of a lane."""
        return self.others if lane.trusted else self.strangers


class Budget:
    """The bytes held for all lanes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held: Counter[Lane] = Counter()

    def reserve(self, lane: Lane, size: int) -> bool:
        """Reserve `size` more bytes for a lane; return False, without reserving any, if that exceeds a limit."""
        limit = self._limits.of(lane)
        # The total of a lane includes all of its members.
        together = sum(count for other, count in self._held.items() if other.name == lane.name)
        mine, left = self._held[lane] + size, limit.total - together - size
        # A member with more than one item holds at most half of what the others leave, so that others always have room.
        if left < 0 or mine > limit.each or (mine > size and mine > left):
            return False
        self._held[lane] += size
        return True

    def release(self, lane: Lane, size: int) -> None:
        """Release `size` bytes of a lane."""
        self._held[lane] -= size
        self._held += Counter()  # this drops lanes that hold no bytes


class Stage(Enum):
    """What a connection is doing."""

    IDLE = "idle"
    """It waits for a request, or for the rest of one."""
    WORKING = "working"
    """A worker handles its request."""
    ANSWERING = "answering"
    """Its answer is being sent."""
    STREAMING = "streaming"
    """It streams pictures."""


LOCAL = Limit(64, 64)
"""The table's own machine: a kiosk, the board page, and maintenance."""
SEATED = Limit(128, 64)
"""The devices of one seat: two that load a page at the same time through a proxy.

A browser opens six connections. But a proxy opens one for each request, and with HTTP/2 a browser requests all files of
a page at once (at most 50). Devices with the admin key have the same limit.
"""
ARRIVING = Limit(64, 64)
"""Connections that have not sent the head of a request yet, so that their lane is unknown.

Here, a proxy counts as one member, with the connections of all its clients.
"""
STRANGERS = Limit(384, 96)
"""Everyone else: enough tabs for a family behind one address, too few to lock others out."""


ARRIVALS = "@arriving"
"""The lane of every connection until the head of its first request determines its lane.

Its connections can always be closed. So there is always a place for a new connection, whatever strangers do.
"""


class Connection:
    """A client's connection. Tornado passes it to each of its requests (`HTTP1Connection.context`)."""

    def __init__(self, address: str, here: bool, protocol: str, close: Callable[[], object]) -> None:
        """`here` marks a client on the table's own machine; `close` ends the connection, and does not raise."""
        self.peer = self.origin = Origin(address, here, protocol)
        """The connected client, and the client that makes the current request."""
        self.close = close
        self.lane = Lane(ARRIVALS, address)
        self.current_lane: Callable[[], Lane] | None = None
        """Function that returns the current lane of the connection's request; None between requests.

        It is a function because keys move between seats and expire.
        """
        self.stage = Stage.IDLE
        self.idle_since = 0


class Connections:
    """All open connections."""

    def __init__(
        self,
        local: Limit = LOCAL,
        seated: Limit = SEATED,
        strangers: Limit = STRANGERS,
        arriving: Limit = ARRIVING,
    ) -> None:
        self._local, self._seated, self._strangers, self._arriving = local, seated, strangers, arriving
        self._open: set[Connection] = set()
        self._moments = count()

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._open))

    def add(self, connection: Connection) -> bool:
        """Add a new connection. Return False if there is no room; the caller must then close it."""
        if not self._make_room(connection, connection.lane):
            return False
        self._open.add(connection)
        self.mark_idle(connection)
        return True

    def remove(self, connection: Connection) -> None:
        """Remove a closed connection. Removing it twice is harmless."""
        self._open.discard(connection)

    def mark_idle(self, connection: Connection) -> None:
        """Mark a connection as waiting for its next request."""
        connection.stage = Stage.IDLE
        connection.current_lane = None
        connection.idle_since = next(self._moments)

    def move_to_lane(self, connection: Connection, lane: Lane) -> bool:
        """Move a connection to the lane of its next request.

        Return False if all other connections of that lane are busy. The caller must then refuse the request, so that no
        client uses the places of another lane.
        """
        if connection.lane != lane and not self._make_room(connection, lane):
            return False
        connection.lane = lane
        return True

    def leave_lost_lanes(self) -> None:
        """Close the connections that stream or receive in a lane to which their key no longer belongs.

        Otherwise they would occupy the places of the seat's next holder. Answers already being sent are completed.
        """
        for connection in self:
            if connection.current_lane is None or (lane := connection.current_lane()) == connection.lane:
                continue
            connection.lane = lane
            if connection.stage in (Stage.IDLE, Stage.STREAMING):
                self.remove(connection)
                connection.close()

    def _limit(self, lane: Lane) -> Limit:
        if lane.name == ARRIVALS:
            return self._arriving
        if lane.name == MACHINE:
            return self._local
        return self._seated if lane.trusted else self._strangers

    def _make_room(self, connection: Connection, lane: Lane) -> bool:
        if self._has_room(connection, lane):
            return True
        # Connections that have lost their key may have occupied the room.
        self.leave_lost_lanes()
        return self._has_room(connection, lane)

    def _has_room(self, connection: Connection, lane: Lane) -> bool:
        """Return whether a lane has room for a connection; closes an idle one if necessary."""
        limit = self._limit(lane)
        # Every connection of the lane competes for its places.
        others = [other for other in self._open if other is not connection and other.lane.name == lane.name]
        count_by_member = Counter(other.lane.member for other in others)
        if count_by_member[lane.member] >= limit.each:
            # The member is at its own limit, so only its own connections may be closed.
            others = [other for other in others if other.lane.member == lane.member]
        elif len(others) < limit.total:
            return True
        # A member can only replace a connection of a member that has more: its body may be arriving.
        others = [
            other
            for other in others
            if other.lane == lane or count_by_member[other.lane.member] > count_by_member[lane.member]
        ]
        # Closing an idle connection loses nothing: browsers open a new one. Connections without a request can always be
        # closed.
        idle = [other for other in others if other.stage is Stage.IDLE or lane.name == ARRIVALS]
        if (
            not idle and not count_by_member[lane.member]
        ):  # no member may keep several connections while another has none
            idle = [other for other in others if count_by_member[other.lane.member] > 1]
        if not idle:
            return False
        # The member with the most connections loses one, so that opening more of them gives no advantage. Among its
        # connections, the one idle longest goes.
        out = max(idle, key=lambda other: (count_by_member[other.lane.member], -other.idle_since))
        self.remove(out)
        out.close()
        return True


MOST_LINES = 64
"""Lines of a head. Browsers send about 20, and each proxy adds a few."""
CHUNKS = 32
"""Chunks of a connection that are read without waiting for a turn: more than a proxy makes of the largest body."""


class LaneTurns:
    """Makes the connections of a lane take turns: one of them continues in each round of the server's loop."""

    def __init__(self) -> None:
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def take(self, lane: str) -> None:
        """Wait for a turn."""
        async with self._locks[lane]:
            # Wait for one round of the loop, in which connections of other lanes are served.
            await asyncio.sleep(0)


class InParts:
    """A connection's `stream` for Tornado. It has all of its methods."""

    def __init__(self, stream: IOStream, client: Connection, turns: LaneTurns, timeout: float) -> None:
        """The connection closes if the head of a request takes longer than `timeout` seconds."""
        self._stream, self._client, self._turns, self._timeout = stream, client, turns, timeout
        self._chunks = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def read_until_regex(self, regex: bytes, max_bytes: int | None = None) -> bytes:
        """Read the head of a request. Raises `HTTPInputError` for too many lines, whose parsing takes too long."""
        # Tornado's own limit would run each read as another task, which takes several rounds of the loop.
        reading = cast("asyncio.Future[bytes]", self._stream.read_until_regex(regex, max_bytes))

        def close() -> None:
            if not reading.done():  # otherwise a request that has just arrived would be carried out, but never answered
                self._stream.close()

        timer = asyncio.get_running_loop().call_later(self._timeout, close)
        try:
            head = await reading
        finally:
            timer.cancel()
        if head.count(b"\n") > MOST_LINES:
            raise HTTPInputError("too many lines")
        return head

    def read_until(self, delimiter: bytes, max_bytes: int | None = None) -> Awaitable[bytes]:
        """Read the length of the next chunk."""
        self._chunks += 1
        if self._chunks % CHUNKS:
            return self._stream.read_until(delimiter, max_bytes)
        return self._read_in_turn(delimiter, max_bytes)

    async def _read_in_turn(self, delimiter: bytes, max_bytes: int | None) -> bytes:
        await self._turns.take(self._client.lane.name)
        return await self._stream.read_until(delimiter, max_bytes)
