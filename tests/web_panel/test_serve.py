"""The server itself, over real sockets: no client can block it, and no disconnect harms it."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import re
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Response

from firmware_host.api.interface import lane_for_address
from firmware_host.board.side import BoardSide
from firmware_host.core.encoding import EncodedPicture, Fragment
from firmware_host.core.errors import UserError
from firmware_host.table import loop
from tests.apart import in_own_thread
from tests.patience import PATIENCE, reserved_port, until
from tests.web_panel.conftest import FEW_STREAMS, Panel
from web_panel import gateway, workers
from web_panel import serve as serve_module
from web_panel.connections import Connections, Limit, Limits, Stage
from web_panel.gateway import Bodies, Gateway, GatewayAnswer
from web_panel.seats import LANE
from web_panel.serve import PANEL_BODIES, Server, serve
from web_panel.settings import PanelSettings
from web_panel.target import REFUSED
from web_panel.workers import MOST_WAITING, Workers

HOME = "127.0.0.1"
STRANGER = "127.0.0.7"
"""Another loopback address, which the server counts as another machine."""


@pytest.fixture
def panel_settings() -> PanelSettings:
    """Few streams, with frequent heartbeats."""
    return FEW_STREAMS


POST = "POST /api/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
"""The beginning of a request whose body is to follow."""


@contextlib.contextmanager
def serving(panel: Panel, bodies: Bodies = PANEL_BODIES, **limits: Limit) -> Iterator[Server]:
    """A server with these limits of bodies and connections."""
    running = serve(panel.app, HOME, 0, connections=Connections(**limits), bodies=bodies)
    running.start()
    try:
        yield running
    finally:
        running.stop()


def reads(line: socket.socket, enough: Callable[[bytes], bool], seen: bytes = b"") -> bytes:
    """Return what arrives, after `found`, until it is enough. The connection must last that long."""
    end = time.monotonic() + PATIENCE
    while not enough(seen):
        part = line.recv(1 << 16)
        assert part, f"the connection has ended after {seen[-200:]!r}"
        assert time.monotonic() < end, f"the expected data never arrives, but {seen[-200:]!r}"
        seen += part
    return seen


def asks(line: socket.socket, path: str, headers: str = "") -> bytes:
    """Return a whole answer; of a stream, which has no length, the beginning."""
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n".encode())
    return reads(line, is_whole)


def is_whole(answer: bytes) -> bool:
    """Return whether the head is here, and as much of a body as it announces."""
    head, found, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"\r\nContent-Length: (\d+)", head, re.IGNORECASE)
    return bool(found) and (length is None or len(body) >= int(length[1]))


def read_to_end(line: socket.socket) -> bytes:
    """Return what arrives until the connection ends."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while part := line.recv(1 << 16):
            found += part
    return found


def status(server: Server, path: str) -> int:
    """Return the status of an address."""
    with contextlib.closing(http.client.HTTPConnection(HOME, server.port, timeout=PATIENCE)) as asking:
        asking.request("GET", path)
        return asking.getresponse().status


def open_stream(server: Server) -> socket.socket:
    """Return a stream that has started to send."""
    line = socket.create_connection((HOME, server.port), timeout=PATIENCE)
    line.sendall(b"GET /api/stream/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert line.recv(64).startswith(b"HTTP/1.1 200")
    return line


def test_taken_port_is_reported_in_words(panel: Panel, server: Server) -> None:
    with pytest.raises(OSError, match=f"another program uses port {server.port}"):
        serve(panel.app, HOME, server.port)


def test_foreign_address_is_reported_in_words(panel: Panel) -> None:
    with pytest.raises(OSError, match=r"no address 192\.0\.2\.1"):
        serve(panel.app, "192.0.2.1", 0)


def test_silent_connections_block_no_one(server: Server) -> None:
    with contextlib.ExitStack() as idle:
        for _ in range(20):
            idle.enter_context(socket.create_connection((HOME, server.port)))

        assert status(server, "/api/lobby") == 200


def test_silent_client_is_dropped(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve_module, "TIMEOUT", 0.05)
    with socket.create_connection((HOME, server.port), timeout=PATIENCE) as silent:
        assert silent.recv(1) == b""


@pytest.mark.parametrize("framing", ["Content-Length: 50\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"])
def test_client_that_stops_in_the_middle_is_dropped(
    server: Server, monkeypatch: pytest.MonkeyPatch, framing: str
) -> None:
    monkeypatch.setattr(gateway, "BODY_SECONDS", 0.05)
    with socket.create_connection((HOME, server.port), timeout=PATIENCE) as slow:
        slow.sendall(POST.encode() + framing.encode())
        while slow.recv(4096):
            pass

        assert status(server, "/api/lobby") == 200


@pytest.mark.parametrize("rudely", [False, True], ids=["politely", "rudely"])
def test_disconnected_screen_frees_its_stream(server: Server, rudely: bool) -> None:
    for _ in range(3 * FEW_STREAMS.max_streams):
        line = _patiently(server)
        if rudely:  # a reset instead of a regular close
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()


def test_stream_passes_to_an_address_that_has_none(panel: Panel, server: Server) -> None:
    with contextlib.ExitStack() as held:

        def follows(address: str) -> tuple[socket.socket, bytes]:
            line = held.enter_context(line_from(address, (HOME, server.port)))
            begin = asks(line, "/api/stream/table")
            assert begin.startswith(b"HTTP/1.1 200")
            return line, begin

        eve = [follows(STRANGER) for _ in range(FEW_STREAMS.max_streams)]
        follows("127.0.0.8")
        (first, _), (last, begin) = eve[0], eve[-1]
        reads(last, lambda seen: seen.endswith(b"\r\n0\r\n\r\n"), begin)
        assert asks(last, "/api/lobby").startswith(b"HTTP/1.1 200"), "the connection must stay open"
        reads(first, lambda seen: b"beat" in seen)


def _patiently(server: Server) -> socket.socket:
    """Open a stream as soon as there is a place for it."""
    for _ in range(500):
        line = socket.create_connection((HOME, server.port), timeout=PATIENCE)
        line.sendall(b"GET /api/stream/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        if line.recv(64).startswith(b"HTTP/1.1 200"):
            return line
        line.close()
    raise AssertionError("a stream's place was never freed")


def test_new_request_is_refused_when_all_workers_are_busy(panel: Panel) -> None:
    with (
        serving(panel, local=Limit(2, 2)) as small,
        open_stream(small),
        open_stream(small),
        socket.create_connection((HOME, small.port), timeout=PATIENCE) as third,
    ):
        assert asks(third, "/api/lobby").startswith(b"HTTP/1.1 503")


def test_one_machine_cannot_take_every_connection(panel: Panel) -> None:
    with serving(panel, arriving=Limit(10, 2)) as small, contextlib.ExitStack() as held:
        there = (HOME, small.port)
        eve = [held.enter_context(line_from(STRANGER, there)) for _ in range(3)]
        assert eve[0].recv(1) == b"", "its oldest connection must close"
        assert status(small, "/api/lobby") == 200
        with line_from("127.0.0.8", there) as ada:
            assert asks(ada, "/api/lobby").startswith(b"HTTP/1.1 200")


def test_slow_strangers_take_no_place_from_seat_or_own_machine(panel: Panel) -> None:
    """Four addresses fill all places with requests that never end. A player's device still gets in."""
    key = panel.interface.claim("sniper", "2468", "Ada's phone")
    with serving(panel, strangers=Limit(8, 4)) as small, contextlib.ExitStack() as held:
        there = (HOME, small.port)
        for number in range(8):
            line = held.enter_context(line_from(f"127.0.1.{number % 4}", there))
            line.sendall(POST.encode() + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
        assert status(small, "/api/lobby") == 200
        with line_from("127.0.2.1", there) as ada:
            cookie = f"Cookie: sniperboard-sniper={key}\r\n"
            assert asks(ada, "/api/draft/sniper", cookie).startswith(b"HTTP/1.1 200")
            for number in range(20):
                held.enter_context(line_from(f"127.0.3.{number}", there))
            assert asks(ada, "/api/draft/sniper", cookie).startswith(b"HTTP/1.1 200"), (
                "the connection now counts for a seat"
            )


def line_from(address: str, there: tuple[str, int]) -> socket.socket:
    """Return a connection from another machine, as far as the server can tell."""
    return socket.create_connection(there, timeout=PATIENCE, source_address=(address, 0))


@pytest.mark.parametrize("path", ["/api/claim", "/api/games"])
@pytest.mark.parametrize("framing", ["Content-Length: 50\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"])
def test_slow_sender_takes_no_worker_from_others(panel: Panel, path: str, framing: str) -> None:
    with serving(panel) as small, contextlib.ExitStack() as held:
        for _ in range(3):
            slow = held.enter_context(socket.create_connection((HOME, small.port), timeout=PATIENCE))
            slow.sendall(POST.replace("/api/claim", path).encode() + framing.encode())
        assert status(small, "/api/lobby") == 200


@pytest.mark.parametrize(
    "framing",
    [
        "Content-Length: 70000\r\n\r\n",
        "Content-Length: 99999999999999999999999\r\n\r\n",
        f"Transfer-Encoding: chunked\r\n\r\n11170\r\n{'1' * 70000}",
    ],
)
def test_oversized_body_is_refused_before_it_has_arrived(
    server: Server, framing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "REST_SECONDS", 0.05)
    with socket.create_connection((HOME, server.port), timeout=PATIENCE) as line:
        line.sendall(POST.encode() + framing.encode())
        answer = read_to_end(line)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b'"code":"too-large"' in answer
    assert status(server, "/api/lobby") == 200


def test_total_size_of_waiting_bodies_is_limited(panel: Panel) -> None:
    """A sender that exceeds the buffer is refused. A player's device has its own buffer."""
    key = panel.interface.claim("sniper", "2468", "Ada's phone")
    limits = Bodies(held=Limits(Limit(240_000, 150_000), Limit(130_000, 100_000)))
    part = f"Content-Length: 60001\r\n\r\n{' ' * 60000}".encode()
    with serving(panel, limits) as small, contextlib.ExitStack() as held:
        there = (HOME, small.port)
        lines = [held.enter_context(line_from(f"127.0.1.{number}", there)) for number in range(4)]
        for line in lines[:3]:
            line.sendall(POST.encode() + part)
        until(lambda: small._gateway.bodies._held.total() == 180_000)
        lines[3].sendall(POST.encode() + part)
        assert b'"code":"busy"' in read_to_end(lines[3])
        seat = f"Cookie: sniperboard-sniper={key}\r\n"
        with line_from("127.0.2.1", there) as ada:
            ada.sendall((POST + seat).encode() + part + b" ")
            assert ada.recv(100).startswith(b"HTTP/1.1 400"), "it was read"
        for line in lines:
            line.close()
        until(lambda: small._gateway.bodies._held.total() == 0)


def test_total_size_of_unread_answers_is_limited(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    @panel.app.get("/large")
    def large() -> bytes:
        return b"x" * (8 << 20)

    monkeypatch.setattr(gateway, "ANSWERS", Limits(Limit(33 << 20, 33 << 20), Limit(4 << 20, 4 << 20)))
    with serving(panel) as small, contextlib.ExitStack() as held:
        lines = [held.enter_context(line_from(STRANGER, (HOME, small.port))) for _ in range(3)]
        for line in lines[:2]:
            line.sendall(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        until(lambda: small._gateway.answers._held.total() == 16 << 20)
        lines[2].sendall(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer = reads(lines[2], is_whole)
        assert answer.startswith(b"HTTP/1.1 503")
        assert b"Retry-After: " in answer
        assert asks(lines[2], "/api/lobby").startswith(b"HTTP/1.1 200"), "the connection must stay open"
        assert status(small, "/api/lobby") == 200
        lines.append(held.enter_context(line_from("127.0.2.1", (HOME, small.port))))
        lines[3].sendall(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        until(lambda: small._gateway.answers._held.total() == 24 << 20)
        lines[2].sendall(b"GET /api/stream/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer = reads(lines[2], is_whole)
        assert answer.startswith(b"HTTP/1.1 503")
        assert b"event-stream" not in answer
        for line in lines:
            line.close()
        until(lambda: small._gateway.answers._held.total() == 0)


def test_request_waiting_for_the_table_takes_no_worker_from_others(
    panel: Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_answer = threading.Event(), threading.Event()

    def use_sensors(_: BoardSide, use: bool) -> None:
        asked.set()
        assert may_answer.wait(PATIENCE)

    monkeypatch.setattr(BoardSide, "use_sensors", use_sensors)
    try:
        with (
            serving(panel) as small,
            socket.create_connection((HOME, small.port), timeout=PATIENCE) as waiting,
        ):
            body = b'{"heeding":false}'
            waiting.sendall(POST.replace("claim", "heed").encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            assert asked.wait(PATIENCE)
            assert status(small, "/api/lobby") == 200
            may_answer.set()
            assert waiting.recv(64).startswith(b"HTTP/1.1 200")
    finally:
        may_answer.set()


def test_unread_stream_delays_no_other(panel: Panel, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Send more than fits into an unread connection; clients that read get the news."""
    with open_stream(server), open_stream(server) as reading:
        for number in range(30):
            big = EncodedPicture(Fragment({"viewer": "table", "filler": str(number) * 200_000}))
            panel.loop.call(lambda table, big=big: table.followers.publish("table", big))
        panel.browser().claims("sniper", "Ada's phone")
        reads(reading, lambda seen: b"Ada's phone" in seen)
        assert status(server, "/api/lobby") == 200


def test_expect_continue_is_answered_before_the_body_arrives(server: Server) -> None:
    with socket.create_connection((HOME, server.port), timeout=PATIENCE) as line:
        head = f"POST /api/claim HTTP/1.1\r\nHost: {HOME}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        line.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 100")
        line.sendall(b"{}")
        assert line.recv(100).startswith(b"HTTP/1.1 400")


def test_port_is_free_again_after_the_stop(panel: Panel) -> None:
    with reserved_port() as port:
        first = serve(panel.app, HOME, port)
        first.start()
        first.stop()
        first.stop()

        again = serve(panel.app, HOME, port)
        again.stop()


def test_connection_accepted_during_the_stop_is_closed(panel: Panel) -> None:
    running, lines = serve(panel.app, HOME, 0), list[socket.socket]()
    running.start()

    def accept_and_end() -> None:
        lines.append(socket.create_connection((HOME, running.port), timeout=PATIENCE))
        running._ended.set()
        running._accept(0)

    assert running._loop is not None
    running._loop.call_soon_threadsafe(accept_and_end)
    until(lambda: bool(lines))
    running.stop()
    with lines[0]:
        assert lines[0].recv(1) == b""


def test_server_logs_nothing_about_clients(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    status(server, "/api/picture/sniper?key=secret")
    status(server, "/nothing")

    assert capfd.readouterr() == ("", "")


@contextlib.contextmanager
def loop_held(panel: Panel) -> Iterator[None]:
    """Keep the table's loop busy within the block."""
    started, may_end = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        started.set()
        assert may_end.wait(PATIENCE)

    def ask() -> None:
        with contextlib.suppress(UserError):  # its timeout may expire first
            panel.loop.call(hold)

    thread = threading.Thread(target=ask)
    thread.start()
    assert started.wait(PATIENCE)
    try:
        yield
    finally:
        may_end.set()
        thread.join(PATIENCE)


def test_waiting_acts_take_no_thread_from_reads_or_others(panel: Panel) -> None:
    keys = {seat: panel.interface.claim(seat, "2468", "a phone") for seat in ("sniper", "defenders")}
    cookies = {seat: f"Cookie: sniperboard-{seat}={key}\r\n" for seat, key in keys.items()}
    body = b'{"squad":"red","number":0}'
    act = (POST + cookies["defenders"]).replace("claim", "lead") + f"Content-Length: {len(body)}\r\n\r\n"
    with serving(panel) as small, contextlib.ExitStack() as held:
        there = (HOME, small.port)
        for seat in cookies:
            with line_from(STRANGER, there) as line:
                assert asks(line, f"/api/picture/{seat}", cookies[seat]).startswith(b"HTTP/1.1 200")
        before = set(threading.enumerate())
        with loop_held(panel):
            lines = [held.enter_context(line_from(STRANGER, there)) for _ in range(11)]
            for line in lines:
                line.sendall(act.encode() + body)
            until(lambda: sum(one.stage is Stage.WORKING for one in small._connections) == 1 + MOST_WAITING)
            more = set(threading.enumerate()) - before
            assert len(more) <= 1, "only the thread that blocks the loop"
            for path, cookie in (
                ("/api/picture/defenders", cookies["defenders"]),
                ("/api/picture/sniper", cookies["sniper"]),
                ("/api/lobby", ""),
            ):
                with line_from(STRANGER, there) as line:
                    assert asks(line, path, cookie).startswith(b"HTTP/1.1 200"), path
        answers = [reads(line, is_whole) for line in lines]
        assert sum(b'"code":"busy"' in answer for answer in answers) == 11 - 1 - MOST_WAITING
        assert sum(answer.startswith(b"HTTP/1.1 200") for answer in answers) == 1 + MOST_WAITING


@pytest.mark.parametrize("moved", [False, True])
def test_queued_request_that_lost_its_seat_is_refused(moved: bool) -> None:
    """Otherwise acts that a former holder has sent early would delay the next holder of that seat."""
    asked: list[bool] = []

    def app(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        asked.append(REFUSED in environ)
        start("200 OK", [])
        return [b""]

    async def work() -> None:
        workers = Workers[GatewayAnswer](tuple)
        lanes = lane_for_address("a", False), lane_for_address("a", True)
        found = Gateway(app, Connections(), lambda *_: lambda: lanes[0], workers, Bodies())
        await found.work({"REQUEST_METHOD": "POST", "PATH_INFO": "/", LANE: lanes[0]}, lambda: lanes[moved])
        workers.end()

    in_own_thread(lambda: asyncio.run(work()))
    assert asked == [moved]


def test_answer_of_an_application_that_fails_says_nothing_of_its_error() -> None:
    def app(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        raise MemoryError("the sniper is on A1")

    async def work() -> GatewayAnswer:
        workers, lane = Workers[GatewayAnswer](tuple), lane_for_address("a", False)
        found = Gateway(app, Connections(), lambda *_: lambda: lane, workers, Bodies())
        answer = await found.work({"REQUEST_METHOD": "GET", "PATH_INFO": "/", LANE: lane}, lambda: lane)
        workers.end()
        return answer

    answers: list[GatewayAnswer] = []
    in_own_thread(lambda: answers.append(asyncio.run(work())))
    assert [(it.status, json.loads(it.body)["error"]["code"], b"A1" in it.body) for it in answers] == [
        (500, "broken", False)
    ]


def test_only_reads_that_count_as_acts_wait_for_the_table(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every address is read while the loop is blocked: a read that waited would block the others of its lane."""
    browser = panel.keeper_browser()
    browser.client.set_cookie("sniperboard-sniper", panel.interface.claim("sniper", "2468", "Ada's phone"))
    values = {"viewer": "sniper", "seat": "sniper", "number": "1", "game": "sniper-elite", "name": "sniper"}
    rules = [rule.rule for rule in panel.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    paths = [re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values.get(found[1], "x"), rule) for rule in rules]
    waited = set()
    monkeypatch.setattr(loop, "TIMEOUT", 0.3)
    with loop_held(panel):
        for path in paths:
            answer = browser.get(path, buffered=False)
            if answer.mimetype != "text/event-stream" and b'"code":"busy"' in answer.get_data():
                waited.add(path)
            answer.close()
    assert len(paths) > 30
    assert waited == gateway.PACED


def test_refusals_of_strangers_are_made_by_the_worker_of_strangers(panel: Panel) -> None:
    """In the server's own thread, they would keep everyone waiting."""
    made: list[str] = []

    @panel.app.after_request
    def note(response: Response) -> Response:
        made.append(threading.current_thread().name)
        return response

    with serving(panel) as small, line_from(STRANGER, (HOME, small.port)) as line:
        line.sendall(b"GET /api/lobby HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        assert read_to_end(line).startswith(b"HTTP/1.1 400")
    assert [name.rstrip("_0") for name in made] == ["reads @strangers"]


def test_a_client_that_asks_too_often_is_told_so_later(server: Server) -> None:
    """So it takes less of the time of the thread that reads everyone's requests."""
    with line_from(STRANGER, (HOME, server.port)) as line:
        started = time.monotonic()
        line.sendall((POST + "Content-Length: 2\r\n\r\n{}").encode() * 80)
        reads(line, lambda seen: b"HTTP/1.1 429" in seen)
        assert time.monotonic() - started >= gateway.PUT_OFF_SECONDS


def test_a_client_with_too_many_reads_is_told_so_later(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "READS_WAITING", 1)
    go_on = threading.Event()

    @panel.app.before_request
    def wait() -> None:
        go_on.wait(PATIENCE)

    with serving(panel) as small, contextlib.ExitStack() as held:
        held.callback(go_on.set)
        started = time.monotonic()
        lines = [held.enter_context(line_from(STRANGER, (HOME, small.port))) for _ in range(3)]
        for line in lines:  # one is read, one waits
            line.sendall(b"GET /api/lobby HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answered = select.select(lines, [], [], PATIENCE)[0]
        assert time.monotonic() - started >= gateway.PUT_OFF_SECONDS
        assert answered[0].recv(12).endswith(b"503")
