"""What answers where a broker should be, and is none, or a bad one: each ends in a sentence, and nothing grows."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from msgspec.structs import replace

from firmware_host.mqtt import line as lines
from firmware_host.mqtt.line import LARGEST, UNCONFIRMED, Line, reached
from firmware_host.mqtt.options import MqttOptions
from firmware_host.mqtt.outbox import MOST_PASSING, Outbox
from tests.firmware_host.mqtt.broker import HOME

CONNACK = bytes((0x20, 3, 0, 0, 0))
"""MQTT 5: welcome, without properties."""
Answers = Callable[[socket.socket], None]


def options(port: int) -> MqttOptions:
    return MqttOptions(HOME, port, None, "", "", "sniperboard", "den", "The den", "", False)


def granting(*codes: int) -> Answers:
    """A broker that grants the topics of a subscription, or refuses them, with these reason codes."""

    def answer(client: socket.socket) -> None:
        with client.makefile("rb") as stream:
            while head := stream.read(1):
                length = shift = 0
                while (digit := stream.read(1)[0]) >= 128:
                    length, shift = length + ((digit & 127) << shift), shift + 7
                body = stream.read(length + (digit << shift))
                if head[0] == 0x10:
                    client.sendall(CONNACK)
                elif head[0] == 0x82:
                    client.sendall(bytes((0x90, 3 + len(codes), *body[:2], 0, *codes)))
                elif head[0] & 0xF6 == 0x32:
                    end = 2 + int.from_bytes(body[:2], "big")
                    client.sendall(b"\x40\x02" + body[end : end + 2])

    return answer


@contextmanager
def answering(answer: Answers) -> Iterator[int]:
    """A port where a stranger answers the first client; what it does with the line it does in a thread."""
    with socket.create_server((HOME, 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                client, _ = server.accept()
                with client:
                    answer(client)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.close()
            thread.join(30)
            assert not thread.is_alive()


def until_closed(client: socket.socket) -> None:
    with suppress(OSError):
        while client.recv(65536):
            pass


class Hurried:
    """A clock that goes a second further each time it is looked at: patience ends soon, whatever the machine does."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def said(answer: Answers, outbox: Outbox | None = None, clock: Callable[[], float] | None = None) -> str:
    """How a connection ends."""
    with answering(answer) as port:
        found = Line(options(port), "den", outbox or Outbox(), clock=clock or Hurried()).run()
    assert found is not None
    assert f"{HOME}:{port}" in found
    return str(found)


def test_nobody_there() -> None:
    with socket.create_server((HOME, 0)) as server:
        port = server.getsockname()[1]
    found = Line(options(port), "den", Outbox()).run()
    assert found is not None
    assert f"The MQTT broker at {HOME}:{port} cannot be reached (Connection refused)" in found


@pytest.mark.parametrize("host", ["no such host", "homeassistant..local", ".local", f"{'a' * 64}.local"])
def test_a_host_that_does_not_exist(host: str) -> None:
    found = Line(MqttOptions(host, 1, None, "", "", "p", "den", "d", "", False), "den", Outbox()).run()
    assert found is not None
    assert "cannot be reached" in found


def test_somebody_who_says_nothing() -> None:
    assert "does not answer" in said(until_closed)


def test_somebody_who_hangs_up() -> None:
    assert "has gone" in said(lambda client: client.close())


@pytest.mark.parametrize(
    "garbage",
    [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 64, bytes((0x20, 2, 0, 5)), b"\x20\x00", b"\x30\x02\xff\xff"],
)
def test_what_is_no_broker(garbage: bytes) -> None:
    def answer(client: socket.socket) -> None:
        client.sendall(garbage)
        client.shutdown(socket.SHUT_WR)
        until_closed(client)

    found = said(answer)
    assert "speaks no MQTT 5" in found or "refuses the table" in found or "has gone" in found


def test_a_packet_that_is_too_large_is_not_read() -> None:
    taken = []

    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK + b"\x30\xff\xff\xff\x7f")  # a message of 256 MB
        with suppress(OSError):
            while True:
                taken.append(client.send(b"x" * 65536))

    assert "too large" in said(answer)
    assert sum(taken) < 64 * LARGEST * 64  # what the system itself takes in, and no more


def test_a_broker_that_confirms_nothing_gets_a_few_messages_and_is_left() -> None:
    outbox = Outbox()
    for number in range(1000):
        outbox.keep(f"topic/{number}", b"fact")
        outbox.tell("event", str(number).encode())
    got: list[bytes] = []

    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK)
        with suppress(OSError):
            while found := client.recv(65536):
                got.append(found)

    assert "does not answer" in said(answer, outbox)
    assert b"".join(got).count(b"topic/") <= UNCONFIRMED


def test_a_flood_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "RATE", 0.001)
    monkeypatch.setattr(lines, "BURST", 5.0)

    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK)
        with suppress(OSError):
            while True:
                client.sendall(b"\x30\x06\x00\x01a\x00hi" * 50)

    assert "sends more than can be listened to" in said(answer, clock=time.monotonic)


@pytest.mark.parametrize(
    ("codes", "topics"),
    [
        ((1, 1, 0x87), "sniperboard/den/command"),
        ((0x87, 0x87, 1), "sniperboard/+/state, sniperboard/+/availability"),
        ((1, 1, 1), ""),
    ],
)
def test_the_doctor_tells_what_a_broker_does_not_let_the_table_listen_to(codes: tuple[int, ...], topics: str) -> None:
    with answering(granting(*codes)) as port:
        found = reached(replace(options(port), commands=True))
    if topics:
        assert f"{HOME}:{port} does not let the table listen to {topics} (Not authorized)" in str(found)
    else:
        assert found is None


def test_a_broker_that_does_not_answer_a_subscription_is_left() -> None:
    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK)
        until_closed(client)

    with answering(answer) as port:
        found = Line(options(port), "den", Outbox(), topics=["a"], clock=Hurried()).run()
    assert "does not answer" in str(found)


def test_of_what_passes_the_newest_wait_and_of_what_stays_the_latest() -> None:
    woken = []
    outbox = Outbox(lambda: woken.append(1))
    for number in range(100):
        outbox.keep("state", str(number).encode())
        outbox.tell("event", str(number).encode())
    outbox.keep("state", b"99")
    assert len(woken) == 200
    found = list(iter(outbox.next, None))
    assert [it.payload for it in found if it.retained] == [b"99"]
    assert [int(it.payload) for it in found if not it.retained] == [*range(100 - MOST_PASSING, 100)]
    assert outbox.empty
    outbox.tell("event", b"past")
    outbox.again()
    assert [it.payload for it in iter(outbox.next, None)] == [b"99"]
