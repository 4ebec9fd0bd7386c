"""The WLED driver against a modelled controller, and each fault with its remedy."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

import pytest

from hardware.drivers import wled
from hardware.ports import Frame, HardwareFault
from tests.hardware.benches.wled import Bench
from tests.hardware.model.wled import EFFECT, WledController
from tests.patience import reserved_port

MANY = 1000
"""More lamps than two packets have room for."""
INFO = b'{"ver": "0.15.0", "leds": {"count": 8}, "live": true}'


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeat pictures quickly, and check the controller each time."""
    monkeypatch.setattr(wled, "REPEAT", 0.01)
    monkeypatch.setattr(wled, "CHECK_EVERY", 0.01)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    found = Bench(tmp_path)
    yield found
    found.close()


@contextmanager
def answering(parts: Callable[[], Iterator[bytes]]) -> Iterator[int]:
    """Answer each connection with these parts, until it ends. Yield the port."""

    class Answer(StreamRequestHandler):
        def handle(self) -> None:
            try:
                self.connection.recv(1 << 16)
                for part in parts():
                    self.connection.sendall(part)
            except OSError:
                return

    with ThreadingTCPServer(("127.0.0.1", 0), Answer) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def lit(count: int) -> Frame:
    return tuple((lamp % 256, lamp // 256, 7) for lamp in range(count))


def test_large_picture_takes_several_packets_and_is_shown_at_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path, MANY)
    try:
        sent = list(wled.packets(lit(MANY)))
        assert [packet[0] & wled.PUSH for packet in sent] == [0, 0, 1]
        assert max(map(len, sent)) <= 1450
        bench.lamps.show(lit(MANY))
        assert bench.seen() == lit(MANY)
    finally:
        bench.close()


def test_picture_is_repeated_before_the_controller_forgets_it(bench: Bench) -> None:
    bench.lamps.show(lit(6))
    bench.seen()
    bench.controller.time_out()
    assert bench.controller.shown[0] == EFFECT
    assert bench.controller.wait_for(bench.controller.packets + 1)
    assert bench.seen() == lit(6)


def test_controller_that_shows_its_own_effect_is_reported_until_it_listens(bench: Bench) -> None:
    bench.controller.receives = False
    bench.controller.time_out()
    bench.states.wait_for_fault("Receive UDP realtime")
    bench.controller.receives = True
    bench.states.wait_for_health()


def test_controller_that_goes_away_is_reported_and_resumes(bench: Bench) -> None:
    bench.controller.answer = b"<html>"
    bench.states.wait_for_fault("not a WLED controller")
    bench.controller.answer = None
    bench.states.wait_for_health()


def test_controller_that_gets_another_address_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known, look_up = ["127.0.0.1"], socket.getaddrinfo

    def found(host: str, *rest: Any, **more: Any) -> Any:
        return look_up(known[-1] if host == "wled.example" else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", found)
    bench = Bench(tmp_path, host="wled.example")
    bench.lamps.show(lit(6))
    before = bench.controller
    assert bench.seen() == lit(6)
    bench.controller = WledController(8, "127.0.0.2", before.ports)
    known.append("127.0.0.2")
    assert bench.controller.wait_for(3)
    assert bench.seen() == lit(6)
    before.close()
    bench.lamps.show(lit(6)[::-1])
    assert bench.seen() == lit(6)[::-1]
    assert not any(bench.states), "a controller that has moved is not a fault"
    bench.close()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html>",
        b"{}",
        b'{"ver": "0.15.0", "leds": {"count": "many"}}',
        b"\xff",
        b'{"deep": ' + b"[" * 30_000,
        b'{"ver": "%s", "leds": {"count": 9}}' % (b"9" * 41),
        rb'{"ver": "\u001b[2J", "leds": {"count": 9}}',
    ],
)
def test_other_device_at_the_address_is_named(bench: Bench, answer: bytes) -> None:
    bench.controller.answer = answer
    with pytest.raises(HardwareFault, match=r"is not a WLED controller\. Check the address in \[wled\]"):
        wled.fetch_info("127.0.0.1", bench.controller.ports[1])


def test_controller_with_too_few_leds_is_refused_with_both_numbers(tmp_path: Path, bench: Bench) -> None:
    udp, pages = bench.controller.ports
    with pytest.raises(HardwareFault, match="has 8 LEDs, and this map needs 127"):
        Bench(tmp_path, 127, port=udp, http_port=pages)


@pytest.mark.parametrize("host", ["127.0.0.1", "no such name", "", "[", "a\nb", "a" * 64])
def test_missing_controller_is_reported_with_address(host: str) -> None:
    fault = pytest.raises(HardwareFault, match="no WLED controller answers at")
    with reserved_port() as port, fault:
        wled.fetch_info(host, port)


@pytest.mark.parametrize("start", [b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n", b"\x1b" * 9000])
def test_answer_is_neither_followed_nor_quoted(start: bytes) -> None:
    fault = pytest.raises(HardwareFault, match="is not a WLED controller")
    with answering(lambda: iter((start,))) as port, fault as found:
        wled.fetch_info("127.0.0.1", port)
    assert len(found.value.sentence) < 120


def test_slow_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wled, "TIMEOUT", 0.2)
    refused, pieces = threading.Event(), list[bytes]()

    def drip() -> Iterator[bytes]:
        """Answer piece by piece for as long as anyone listens."""
        yield b"HTTP/1.1 200 OK\r\n\r\n"
        while not refused.wait(wled.TIMEOUT / 100):
            pieces.append(b" ")
            yield b" "

    with answering(drip) as port:
        # Which fault it is depends on where the answer was cut off.
        with pytest.raises(HardwareFault):
            wled.fetch_info("127.0.0.1", port)
        refused.set()
    assert len(pieces) < wled.LARGEST_ANSWER / 2, "it was cut off by time, not by size"


def test_picture_is_repeated_while_the_controller_is_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wled, "TIMEOUT", 60)
    asked, ended = threading.Event(), threading.Event()

    def once() -> Iterator[bytes]:
        if bench is not None:
            asked.set()
            ended.wait()
        yield b"HTTP/1.1 200 OK\r\n\r\n" + INFO

    bench: Bench | None = None
    with answering(once) as port:
        bench = Bench(tmp_path, http_port=port)
        assert asked.wait(10)
        assert bench.controller.wait_for(bench.controller.packets + 3)
        assert not ended.is_set()
        ended.set()
        bench.close()
