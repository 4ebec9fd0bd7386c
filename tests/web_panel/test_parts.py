"""Requests of very many small parts take turns, or are refused before they are parsed."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import Any

import pytest
from tornado.iostream import IOStream

from tests.patience import PATIENCE, until
from tests.web_panel.test_serve import HOME, POST, asks, read_to_end, reads, status
from web_panel.connections import CHUNKS, MOST_LINES
from web_panel.serve import Server

SENDERS = 4
MORE = 20 * CHUNKS


def test_a_head_of_too_many_lines_is_not_parsed(server: Server) -> None:
    lines = [f"a{number}:\r\n" for number in range(MOST_LINES)]
    with socket.create_connection((HOME, server.port), timeout=PATIENCE) as line:
        assert asks(line, "/api/lobby", "".join(lines[4:])).startswith(b"HTTP/1.1 200"), "it has as many as allowed"
        line.sendall(f"GET /api/lobby HTTP/1.1\r\n{''.join(lines)}\r\n".encode())
        assert read_to_end(line).startswith(b"HTTP/1.1 400")
    assert status(server, "/api/lobby") == 200


def test_connections_with_many_small_chunks_take_turns(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, a round of the server's loop reads the chunks of one of them."""
    counts, real = [0], IOStream.read_until

    def counting(stream: IOStream, *arguments: Any, **more: Any) -> Any:
        counts[-1] += 1
        return real(stream, *arguments, **more)

    def tick() -> None:
        """Begin to count the next round."""
        assert server._loop is not None
        counts.append(0)
        server._loop.call_soon(tick)

    monkeypatch.setattr(IOStream, "read_until", counting)
    with ExitStack() as held:
        lines = [
            held.enter_context(socket.create_connection((HOME, server.port), timeout=PATIENCE)) for _ in range(SENDERS)
        ]
        for line in lines:
            line.sendall(POST.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * (CHUNKS - 2))
        until(lambda: sum(counts) == SENDERS * (CHUNKS - 1))  # each waits for its next chunk
        assert server._loop is not None
        server._loop.call_soon_threadsafe(tick)
        for line in lines:
            line.sendall(b"1\r\nx\r\n" * MORE + b"0\r\n\r\n")
        for line in lines:
            assert reads(line, lambda seen: b"\r\n\r\n" in seen).startswith(b"HTTP/1.1 400")
    assert sum(counts) == SENDERS * (CHUNKS - 1 + MORE)
    assert max(counts[1:]) <= CHUNKS
