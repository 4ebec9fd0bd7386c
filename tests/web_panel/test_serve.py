"""The server itself, over real sockets: nobody can hold it up, and nobody's leaving costs it anything."""

from __future__ import annotations

import contextlib
import http.client
import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from firmware_host.board.wellness import Line
from firmware_host.board_side import BoardSide
from tests.web_panel.conftest import QUICK, Panel
from web_panel import serve as serving
from web_panel.serve import Server, serve

HOME = "127.0.0.1"
STRANGER = "127.0.0.7"
"""Another address of this machine, which the server takes for another machine."""


@pytest.fixture
def server(panel: Panel) -> Iterator[Server]:
    running = serve(panel.app, HOME, 0)
    running.start()
    yield running
    running.stop()


def status(server: Server, path: str) -> int:
    """The status that an address answers with."""
    with contextlib.closing(http.client.HTTPConnection(HOME, server.port, timeout=10)) as asking:
        asking.request("GET", path)
        return asking.getresponse().status


def open_stream(server: Server) -> socket.socket:
    """A stream that has begun to speak."""
    line = socket.create_connection((HOME, server.port), timeout=10)
    line.sendall(b"GET /api/stream/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert line.recv(64).startswith(b"HTTP/1.1 200")
    return line


def test_it_answers(server: Server) -> None:
    assert status(server, "/") == 200


def test_a_taken_port_is_said_in_words(panel: Panel, server: Server) -> None:
    with pytest.raises(OSError, match=f"another program uses port {server.port}"):
        serve(panel.app, HOME, server.port)


def test_an_address_that_is_not_ours_is_said_in_words(panel: Panel) -> None:
    with pytest.raises(OSError, match=r"no address 192\.0\.2\.1"):
        serve(panel.app, "192.0.2.1", 0)


def test_silent_connections_hold_nobody_up(server: Server) -> None:
    with contextlib.ExitStack() as idle:
        for _ in range(20):
            idle.enter_context(socket.create_connection((HOME, server.port)))

        assert status(server, "/api/lobby") == 200


def test_a_client_that_says_nothing_is_dropped(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving._Handler, "timeout", 0.05)
    with socket.create_connection((HOME, server.port), timeout=10) as silent:
        assert silent.recv(1) == b""


def test_a_client_that_stops_in_the_middle_is_dropped(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving._Handler, "timeout", 0.05)
    with socket.create_connection((HOME, server.port), timeout=10) as slow:
        slow.sendall(b"POST /api/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n")
        slow.sendall(b"Content-Length: 50\r\n\r\n{")
        while slow.recv(4096):
            pass

        assert status(server, "/api/lobby") == 200


@pytest.mark.parametrize("rudely", [False, True], ids=["politely", "rudely"])
def test_a_screen_that_leaves_frees_its_stream(server: Server, rudely: bool) -> None:
    for _ in range(3 * QUICK.max_streams):
        line = _patiently(server)
        if rudely:  # a reset instead of a farewell
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()


def _patiently(server: Server) -> socket.socket:
    """A stream, as soon as a place for it is free."""
    for _ in range(500):
        line = socket.create_connection((HOME, server.port), timeout=10)
        line.sendall(b"GET /api/stream/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        if line.recv(64).startswith(b"HTTP/1.1 200"):
            return line
        line.close()
    raise AssertionError("a stream's place was never freed")


def test_too_many_connections_are_turned_away_and_the_rest_lives(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "CONNECTIONS", 2)
    small = serve(panel.app, HOME, 0)
    small.start()
    try:
        with open_stream(small), open_stream(small), socket.create_connection((HOME, small.port), timeout=10) as third:
            assert third.recv(1) == b""
    finally:
        small.stop()


def test_one_machine_cannot_take_every_connection(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "EACH", 2)
    small = serve(panel.app, HOME, 0)
    small.start()
    there = (HOME, small.port)
    try:
        with contextlib.ExitStack() as held:
            eve = [held.enter_context(line_from(STRANGER, there)) for _ in range(3)]
            assert eve[2].recv(1) == b""
            assert status(small, "/api/lobby") == 200
            with line_from("127.0.0.8", there) as ada:
                ada.sendall(b"GET /api/lobby HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                assert ada.recv(64).startswith(b"HTTP/1.1 200")
        assert status(small, "/api/lobby") == 200
    finally:
        small.stop()


def line_from(address: str, there: tuple[str, int]) -> socket.socket:
    """A connection from another machine, as far as the server can tell."""
    return socket.create_connection(there, timeout=10, source_address=(address, 0))


@pytest.mark.parametrize(("path", "length"), [("/api/claim", 50), ("/api/games", 1 << 20)])
def test_whoever_sends_slowly_takes_no_worker_from_the_others(
    panel: Panel, monkeypatch: pytest.MonkeyPatch, path: str, length: int
) -> None:
    monkeypatch.setattr(serving, "WORKERS", 1)
    small = serve(panel.app, HOME, 0)
    small.start()
    try:
        with socket.create_connection((HOME, small.port), timeout=10) as slow:
            slow.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n".encode())
            slow.sendall(f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{".encode())
            assert status(small, "/api/lobby") == 200
    finally:
        small.stop()


def test_who_waits_for_the_table_takes_no_worker_from_the_others(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, may_answer = threading.Event(), threading.Event()

    def health(_: BoardSide) -> list[Line]:
        asked.set()
        assert may_answer.wait(30)
        return []

    monkeypatch.setattr(serving, "WORKERS", 1)
    monkeypatch.setattr(BoardSide, "health", health)
    small = serve(panel.app, HOME, 0)
    small.start()
    try:
        with socket.create_connection((HOME, small.port), timeout=10) as waiting:
            waiting.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert asked.wait(30)
            assert status(small, "/api/lobby") == 200
            may_answer.set()
            assert waiting.recv(64).startswith(b"HTTP/1.1 200")
    finally:
        may_answer.set()
        small.stop()


def test_a_stream_that_nobody_reads_holds_up_no_other(
    panel: Panel, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More is sent than fits into a connection that is not read; whoever reads has the news."""
    with open_stream(server), open_stream(server) as reading:
        for number in range(30):
            big = {"viewer": "table", "filler": str(number) * 200_000}
            panel.loop.ask(lambda table, big=big: table.followers.publish("table", big))
        panel.browser().claims("sniper", "Ada's phone")
        seen = b""
        while b"Ada's phone" not in seen:
            seen = seen[-100:] + reading.recv(1 << 16)
        assert status(server, "/api/lobby") == 200


def test_a_piece_of_an_answer_is_sent_as_one() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        whole = serving._Whole(ours)
        for part in (b"c\r\n", b"data: {}\n\n", b"\r\n"):
            whole.write(part)
        whole.flush()
        whole.flush()
        whole.write(b"the next")
        whole.close()
        assert [theirs.recv(100) for _ in range(2)] == [b"c\r\ndata: {}\n\n\r\n", b"the next"]


def test_who_asks_whether_to_send_a_body_is_told_before_it_is_waited_for(server: Server) -> None:
    with socket.create_connection((HOME, server.port), timeout=10) as line:
        head = f"POST /api/claim HTTP/1.1\r\nHost: {HOME}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        line.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 100 Continue")
        line.sendall(b"{}")
        assert line.recv(100).startswith(b"HTTP/1.1 400")


def test_its_port_is_free_again_after_the_stop(panel: Panel) -> None:
    first = serve(panel.app, HOME, 0)
    first.start()
    first.stop()
    first.stop()

    again = serve(panel.app, HOME, first.port)
    again.stop()


def test_it_prints_nothing_about_anybody(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    status(server, "/api/picture/sniper?key=secret")
    status(server, "/nothing")

    assert capfd.readouterr() == ("", "")
