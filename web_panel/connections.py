"""The open connections: how many there are for whom, and which one goes when there are too many.

There are three groups, each with a limit of its own: the table's own machine, devices that hold a seat, and strangers.
So nobody of one group takes the places of another. Where a group is full, the connection goes that has been idle for
longest, of the address that holds most; one that is being worked for or that follows a picture stays.

Only the server's thread comes here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import count
from typing import NamedTuple

from web_panel.origin import Origin


class Stage(Enum):
    """What a connection is doing."""

    IDLE = "idle"
    """It is waiting for a request, or for the rest of one."""
    WORKING = "working"
    """Its request is being worked on."""
    ANSWERING = "answering"
    """Its answer is being sent."""
    STREAMING = "streaming"
    """It follows a picture."""


class Limit(NamedTuple):
    """Connections of a group at a time: `total`, and of them of one address at most `each`."""

    total: int
    each: int


LOCAL = Limit(64, 64)
"""The table's own machine: a kiosk, the board page, and whoever repairs something."""
SEATED = Limit(96, 12)
"""Devices that hold a seat: seven of them, each with the six connections that browsers open, twice."""
STRANGERS = Limit(160, 40)
"""Everybody else: tabs enough for a family behind one address, too few to shut others out."""


class Connection:
    """A client's connection. Tornado hands it to every request that comes over it (`HTTP1Connection.context`)."""

    def __init__(self, address: str, here: bool, protocol: str, close: Callable[[], object]) -> None:
        """`here` is a client on the table's own machine; `close` ends the connection, and does not raise."""
        self.peer = Origin(address, here, protocol)
        self.remote_ip, self.protocol, self.proxied = address, protocol, False
        self.here, self.close = here, close
        self.seated = False
        self.stage = Stage.IDLE
        self.idle_since = 0

    @property
    def trusted(self) -> bool:
        """Whether it belongs to the table's own machine or to a seat."""
        return self.here or self.seated


class Connections:
    """All open connections."""

    def __init__(self, local: Limit = LOCAL, seated: Limit = SEATED, strangers: Limit = STRANGERS) -> None:
        self._limits = {"local": local, "seated": seated, "strangers": strangers}
        self._open: set[Connection] = set()
        self._moments = count()

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._open))

    def add(self, connection: Connection) -> bool:
        """Take a new connection in. False where all others of its group are busy: then it has to go."""
        if not self._make_room(connection, _group(connection)):
            return False
        self._open.add(connection)
        self.idle(connection)
        return True

    def remove(self, connection: Connection) -> None:
        """It is closed. Twice is harmless."""
        self._open.discard(connection)

    def idle(self, connection: Connection) -> None:
        """It waits for its next request."""
        connection.stage = Stage.IDLE
        connection.idle_since = next(self._moments)

    def seat(self, connection: Connection) -> None:
        """It has shown the key of a seat: from now on it has a place among those, if one is free."""
        if not connection.trusted and self._make_room(connection, "seated"):
            connection.seated = True

    def identify(self, connection: Connection, asks: Origin) -> bool:
        """Its next request comes from there. False where all others of its group are busy."""
        same = (asks.address, asks.here) == (connection.remote_ip, connection.here)
        connection.remote_ip, connection.here, connection.protocol = asks.address, asks.here, asks.scheme
        connection.proxied = asks.proxied
        if asks.proxied:  # one connection of a proxy serves many clients
            connection.seated = False
        return same or self._make_room(connection, _group(connection))

    def _make_room(self, connection: Connection, group: str) -> bool:
        limit = self._limits[group]
        others = [other for other in self._open if other is not connection and _group(other) == group]
        held = Counter(other.remote_ip for other in others)
        if held[connection.remote_ip] >= limit.each:
            others = [other for other in others if other.remote_ip == connection.remote_ip]
        elif len(others) < limit.total:
            return True
        idle = [other for other in others if other.stage is Stage.IDLE]
        if not idle:
            return False
        out = max(idle, key=lambda other: (held[other.remote_ip], -other.idle_since))
        self.remove(out)
        out.close()
        return True


def _group(connection: Connection) -> str:
    if connection.here:
        return "local"
    return "seated" if connection.seated else "strangers"
