"""Requests of very many small parts take turns, or are refused before they are parsed."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from tornado.iostream import IOStream

from tests.patience import PATIENCE, until
from tests.web_panel.conftest import Panel
from tests.web_panel.test_serve import HOME, POST, asks, read_to_end, reads, status
from web_panel.connections import MOST_LINES, READS, Connection, InParts, LaneTurns
from web_panel.serve import Server, serve

SENDERS = 4
PER_CHUNK = 3
"""Reads of a chunk: its length, its content and its end."""
CHUNKS = READS // PER_CHUNK - 2
MORE = 20 * READS


@pytest.fixture
def server(panel: Panel) -> Iterator[Server]:
    running = serve(panel.app, HOME, 0)
    running.start()
    yield running
    running.stop()


def test_a_head_of_too_many_lines_is_not_parsed(server: Server) -> None:
    lines = [f"a{number}:\r\n" for number in range(MOST_LINES)]
    with socket.create_connection((HOME, server.port), timeout=PATIENCE) as line:
        assert asks(line, "/api/lobby", "".join(lines[4:])).startswith(b"HTTP/1.1 200"), "it has as many as allowed"
        line.sendall(f"GET /api/lobby HTTP/1.1\r\n{''.join(lines)}\r\n".encode())
        assert read_to_end(line).startswith(b"HTTP/1.1 400")
    assert status(server, "/api/lobby") == 200


class Counts:
    """Counts the reads of all connections in each round of a server's loop, once it has `begun`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rounds = [0]
        for name in ("read_until", "read_bytes"):
            monkeypatch.setattr(IOStream, name, self._counting(getattr(IOStream, name)))

    def _counting(self, real: Any) -> Any:
        def counting(stream: IOStream, *arguments: Any, **more: Any) -> Any:
            self.rounds[-1] += 1
            return real(stream, *arguments, **more)

        return counting

    def begin(self, server: Server) -> None:
        assert server._loop is not None
        server._loop.call_soon_threadsafe(self._tick, server)

    def _tick(self, server: Server) -> None:
        assert server._loop is not None
        self.rounds.append(0)
        server._loop.call_soon(self._tick, server)


def test_connections_with_many_small_chunks_take_turns(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, a round of the server's loop reads the chunks of one of them."""
    counts = Counts(monkeypatch)
    with ExitStack() as held:
        lines = [
            held.enter_context(socket.create_connection((HOME, server.port), timeout=PATIENCE)) for _ in range(SENDERS)
        ]
        for line in lines:
            line.sendall(POST.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * CHUNKS)
        until(lambda: sum(counts.rounds) == SENDERS * (PER_CHUNK * CHUNKS + 1))  # each waits for its next chunk
        counts.begin(server)
        for line in lines:
            line.sendall(b"1\r\nx\r\n" * MORE + b"0\r\n\r\n")
        for line in lines:
            assert reads(line, lambda seen: b"\r\n\r\n" in seen).startswith(b"HTTP/1.1 400")
    assert sum(counts.rounds) == SENDERS * (PER_CHUNK * (CHUNKS + MORE) + 2)
    assert max(counts.rounds[1:]) < 2 * READS


def test_body_in_many_small_reads_takes_turns() -> None:
    """A body in TLS records of one byte was read without a pause, and no one else was served meanwhile."""

    async def read() -> int:
        near, far = socket.socketpair()
        stream, others = IOStream(near), 0
        parts = InParts(stream, Connection(HOME, True, "https", stream.close), LaneTurns())

        def tick() -> None:
            nonlocal others
            others += 1
            asyncio.get_running_loop().call_soon(tick)

        tick()
        far.sendall(b" " * MORE)
        await parts.read_bytes(1)
        before, most = others, 0
        for _ in range(MORE - 1):
            await parts.read_bytes(1)
            most, before = (most + 1, before) if others == before else (0, others)
            assert most <= READS
        stream.close()
        far.close()
        return others

    with ThreadPoolExecutor(1) as thread:  # a browser of other tests can run a loop in this one
        assert thread.submit(asyncio.run, read()).result() >= MORE // READS - 1
