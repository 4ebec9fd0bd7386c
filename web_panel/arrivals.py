"""Accepted sockets that wait until the server begins to talk to them. The addresses take turns.

The system's own queue is one for all: an address that connects in a loop would keep it full, and the connections of
others would be dropped. So sockets are taken out of it at once, which costs little, and only an address that has most
of them waiting loses one. Only the server's thread calls this.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Iterator

WAITING = 256
"""Sockets that wait together. More than a proxy opens at once for all its clients."""
A_SECOND, AT_ONCE = 200.0, 128.0
"""Sockets with which the server begins in a second, and at once: two devices that load a page through a proxy.

Each costs milliseconds of the thread that reads the requests of all.
"""


class Arrivals:
    """The waiting sockets, each with its peer's address and the index of its listener."""

    def __init__(self, most: int = WAITING) -> None:
        self._most, self._count = most, 0
        self._left, self._at = AT_ONCE, 0.0
        self._waiting: dict[str, deque[tuple[socket.socket, int]]] = {}

    def __iter__(self) -> Iterator[socket.socket]:
        return (taken for queue in self._waiting.values() for taken, _ in queue)

    def add(self, address: str, taken: socket.socket, listener: int) -> None:
        """Add a socket. If too many wait, the oldest one of the address with most is closed."""
        self._waiting.setdefault(address, deque()).append((taken, listener))
        self._count += 1
        if self._count > self._most:
            self._pop(max(self._waiting, key=lambda other: len(self._waiting[other])))[0].close()

    def next(self, now: float) -> tuple[str, socket.socket, int] | None:
        """Remove and return the next socket: of the address that has waited longest for a turn. None if none is due."""
        # Token bucket: it grows by A_SECOND per second, up to AT_ONCE.
        self._left, self._at = min(AT_ONCE, self._left + (now - self._at) * A_SECOND), now
        if not self._waiting or self._left < 1:
            return None
        self._left -= 1
        address = next(iter(self._waiting))
        taken, listener = self._pop(address)
        if address in self._waiting:  # it goes behind all others
            self._waiting[address] = self._waiting.pop(address)
        return address, taken, listener

    def wait(self) -> float | None:
        """Return the seconds until the next socket is due; None if none waits."""
        return max(0.0, 1 - self._left) / A_SECOND if self._waiting else None

    def _pop(self, address: str) -> tuple[socket.socket, int]:
        queue = self._waiting[address]
        found = queue.popleft()
        self._count -= 1
        if not queue:
            del self._waiting[address]
        return found
