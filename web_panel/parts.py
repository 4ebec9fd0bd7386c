"""Keep a request of very many small parts from occupying the server's thread, which reads the requests of all.

A line of the head or a chunk of the body has a few bytes, but costs as much as a long one. Tornado reads hundreds of
them before the next connection gets its turn, and there can be hundreds of such connections.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable
from typing import Any

from tornado.httputil import HTTPInputError
from tornado.iostream import IOStream

from web_panel.connections import Connection

MOST_LINES = 64
"""Lines of a head. Browsers send about 20, and each proxy adds a few."""
CHUNKS = 32
"""Chunks of a connection that are read without waiting for a turn: more than a proxy makes of the largest body."""


class Turns:
    """Lets one connection of each lane go on at a time, for one round of the server's loop."""

    def __init__(self) -> None:
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def take(self, lane: str) -> None:
        """Wait for a turn."""
        async with self._locks[lane]:
            # One round of the loop, in which connections of other lanes are served.
            await asyncio.sleep(0)


class InParts:
    """A connection's `stream` for Tornado. It has all of its methods."""

    def __init__(self, stream: IOStream, client: Connection, turns: Turns) -> None:
        self._stream, self._client, self._turns = stream, client, turns
        self._chunks = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def read_until_regex(self, regex: bytes, max_bytes: int | None = None) -> bytes:
        """Read the head of a request. Raises `HTTPInputError` for too many lines, whose parsing takes too long."""
        head = await self._stream.read_until_regex(regex, max_bytes)
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
