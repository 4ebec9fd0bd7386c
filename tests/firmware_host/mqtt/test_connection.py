"""Something other than a working broker at the broker's address: each fault ends in a message, and memory stays
bounded.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.mqtt import connection as connections
from firmware_host.mqtt.connection import LARGEST_PACKET, MOST_UNCONFIRMED, Connection, connection_fault
from firmware_host.mqtt.messages import MOST_UNRETAINED, MqttMessage, Outbox
from firmware_host.mqtt.options import MqttOptions
from hardware import token_bucket
from tests.firmware_host.mqtt.broker import HOME
from tests.patience import PATIENCE

CONNACK = bytes((0x20, 3, 0, 0, 0))
"""MQTT 5: accepted, without properties."""
Answers = Callable[[socket.socket], None]


def options(port: int) -> MqttOptions:
    return MqttOptions(HOME, port, None, "", "", "sniperboard", "den", "The den", "", False)


def granting(*codes: int, connack: bytes = CONNACK, packets: list[bytes] | None = None) -> Answers:
    """Return a broker that answers the topics of a subscription with these reason codes and confirms everything
    published. It appends what it gets to `packets`, without the lengths.
    """

    def answer(client: socket.socket) -> None:
        with client.makefile("rb") as stream:
            while head := stream.read(1):
                length = shift = 0
                while (digit := stream.read(1)[0]) >= 128:
                    length, shift = length + ((digit & 127) << shift), shift + 7
                body = stream.read(length + (digit << shift))
                if packets is not None:
                    packets.append(head + body)
                if head[0] == 0x10:
                    client.sendall(connack)
                elif head[0] == 0x82:
                    client.sendall(bytes((0x90, 3 + len(codes), *body[:2], 0, *codes)))
                elif head[0] & 0xF6 == 0x32:
                    end = 2 + int.from_bytes(body[:2], "big")
                    client.sendall(b"\x40\x02" + body[end : end + 2])

    return answer


@contextmanager
def answering(answer: Answers, clients: int = 1) -> Iterator[int]:
    """Open a port where a stranger answers the first `clients`, one after another; each connection is handled in a
    thread.
    """
    with socket.create_server((HOME, 0)) as server:

        def serve() -> None:
            for _number in range(clients):
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client, suppress(OSError):
                    answer(client)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)  # wakes a thread that waits for a client
            server.close()
            thread.join(PATIENCE)
            assert not thread.is_alive()


def until_closed(client: socket.socket) -> None:
    with suppress(OSError):
        while client.recv(65536):
            pass


@pytest.fixture(autouse=True)
def quick_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a connection look at its clock often, so that no test waits a second for each look at a silent broker."""
    monkeypatch.setattr(connections, "CHECK_EVERY", connections.CHECK_EVERY / 20)


class Hurried:
    """A clock that goes on by a second with each reading, so that time-outs come soon on any machine."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def end_of_connection(answer: Answers, outbox: Outbox | None = None, clock: Callable[[], float] | None = None) -> str:
    """Return how a connection ends."""
    with answering(answer) as port:
        found = Connection(options(port), "den", outbox or Outbox(), clock=clock or Hurried()).run()
    assert found is not None
    assert f"{HOME}:{port}" in found
    return str(found)


def test_refused_connection_is_reported() -> None:
    with socket.create_server((HOME, 0)) as server:
        port = server.getsockname()[1]
    found = Connection(options(port), "den", Outbox()).run()
    assert found is not None
    assert f"The MQTT broker at {HOME}:{port} cannot be reached (Connection refused)" in found


@pytest.mark.parametrize("host", ["no such host", "homeassistant..local", ".local", f"{'a' * 64}.local"])
def test_unknown_host_is_reported(host: str) -> None:
    found = Connection(MqttOptions(host, 1, None, "", "", "p", "den", "d", "", False), "den", Outbox()).run()
    assert found is not None
    assert "cannot be reached" in found


def test_silent_server_is_reported() -> None:
    assert "does not answer" in end_of_connection(until_closed)


def test_closed_connection_is_reported() -> None:
    assert "was lost" in end_of_connection(lambda client: client.close())


@pytest.mark.parametrize(
    ("garbage", "words"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "was lost (Unspecified error)"),  # the beginning of a long packet
        (b"\xff" * 64, "does not speak MQTT 5"),
        (bytes((0x20, 2, 0, 5)), "does not speak MQTT 5"),  # a refusal in MQTT 3
        (b"\x20\x00", "does not speak MQTT 5"),
        (b"\x30\x02\xff\xff", "does not speak MQTT 5"),
    ],
)
def test_server_that_is_no_broker_is_reported(garbage: bytes, words: str) -> None:
    def answer(client: socket.socket) -> None:
        client.sendall(garbage)
        client.shutdown(socket.SHUT_WR)
        until_closed(client)

    assert words in end_of_connection(answer, clock=lambda: 0.0)  # no time-out: only the garbage ends the connection


def test_too_large_packet_is_not_read() -> None:
    taken = []

    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK + b"\x30\xff\xff\xff\x7f")  # a message of 256 MB
        with suppress(OSError):
            while True:
                taken.append(client.send(b"x" * 65536))

    assert "too large" in end_of_connection(answer)
    assert sum(taken) < 64 * LARGEST_PACKET * 64  # only what the system itself buffers


def swallowing(welcome: bytes, got: list[bytes]) -> Answers:
    """Return a broker that accepts the client and confirms nothing. It appends what it gets to `got`."""

    def answer(client: socket.socket) -> None:
        client.sendall(welcome)
        with suppress(OSError):
            while found := client.recv(65536):
                got.append(found)

    return answer


def test_broker_that_confirms_nothing_gets_few_messages_and_is_left() -> None:
    outbox = Outbox()
    for number in range(1000):
        outbox.publish_retained(f"topic/{number}", b"fact")
        outbox.publish("event", str(number).encode())
    got: list[bytes] = []
    assert "does not answer" in end_of_connection(swallowing(CONNACK, got), outbox)
    assert b"".join(got).count(b"topic/") <= MOST_UNCONFIRMED


@pytest.mark.parametrize("most", [1, 2])
def test_unconfirmed_messages_stay_below_receive_maximum(most: int) -> None:
    welcome = bytes((0x20, 6, 0, 0, 3, 0x21, 0, most))  # with the property Receive Maximum
    got: list[bytes] = []
    assert "does not answer" in end_of_connection(swallowing(welcome, got), twenty())
    assert b"".join(got).count(b"topic/") == most

    packets: list[bytes] = []
    outbox = twenty()
    with answering(granting(1, connack=welcome, packets=packets)) as port:
        line = Connection(
            options(port), "den", outbox, topics=["a"], on_round=lambda: line.end() if outbox.empty else None
        )
        assert line.run() is None
    assert [packet[3:11] for packet in packets if b"topic/" in packet] == [b"topic/%d" % it for it in range(10, 30)]


def twenty() -> Outbox:
    """Return twenty waiting messages."""
    outbox = Outbox()
    for number in range(10, 30):
        outbox.publish_retained(f"topic/{number}", b"fact")
    return outbox


@pytest.mark.parametrize("confirms", [True, False])
def test_last_will_is_discarded_only_if_everything_was_confirmed(confirms: bool) -> None:
    packets: list[bytes] = []
    granted = granting(packets=packets)
    now = 0.0

    def later() -> None:
        """Move the clock only while nothing is confirmed, in steps smaller than the time-out of the end."""
        nonlocal now
        if not confirms:
            now += connections.CHECK_EVERY * 0.6
            line.wake()

    def answer(client: socket.socket) -> None:
        if confirms:
            granted(client)
            return
        client.sendall(CONNACK)
        with suppress(OSError):
            while found := client.recv(65536):
                packets.append(found)

    will = MqttMessage("den/availability", b"offline", retained=True)
    with answering(answer) as port:
        line = Connection(options(port), "den", twenty(), will, (), lambda: line.end(), later, clock=lambda: now)
        assert line.run() is None
    got = b"".join(packets)
    if confirms:
        assert packets[-1] in (b"\xe0", b"\xe0\x00", b"\xe0\x00\x00")  # DISCONNECT with reason 0
    else:
        assert got.endswith((b"\xe0\x01\x04", b"\xe0\x02\x04\x00"))  # DISCONNECT with reason 4


@pytest.mark.parametrize("broken", ["on_open", "on_round", "on_message"])
def test_fault_of_table_does_not_count_as_fault_of_broker(broken: str) -> None:
    def fail(*_: Any) -> None:
        raise LookupError("our own fault")

    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK + b"\x30\x06\x00\x01a\x00hi")
        until_closed(client)

    with answering(answer) as port:
        calls: dict[str, Any] = {broken: fail}
        with pytest.raises(LookupError, match="our own fault"):
            Connection(options(port), "den", Outbox(), **calls).run()


def test_flood_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "RATE", 0.001)
    monkeypatch.setattr(connections, "BURST", 5.0)
    monkeypatch.setattr(token_bucket, "REPORT_AFTER", 0.2)

    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK)
        with suppress(OSError):
            while True:
                client.sendall(b"\x30\x06\x00\x01a\x00hi" * 50)

    assert "sends too many messages" in end_of_connection(answer, clock=time.monotonic)


@pytest.mark.parametrize(
    ("codes", "topics"),
    [
        ((1, 1, 0x87), "sniperboard/den/command"),
        ((0x87, 0x87, 1), "sniperboard/+/state, sniperboard/+/availability"),
        ((1, 1, 1), ""),
    ],
)
def test_doctor_reports_refused_subscriptions(codes: tuple[int, ...], topics: str) -> None:
    with answering(granting(*codes)) as port:
        found = connection_fault(replace(options(port), commands=True))
    if topics:
        assert f"{HOME}:{port} does not let the table subscribe to {topics} (Not authorized)" in str(found)
    else:
        assert found is None


def test_broker_that_does_not_answer_subscription_is_left() -> None:
    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK)
        until_closed(client)

    with answering(answer) as port:
        found = Connection(options(port), "den", Outbox(), topics=["a"], clock=Hurried()).run()
    assert "does not answer" in str(found)


def test_outbox_keeps_newest_events_and_latest_facts() -> None:
    woken = []
    outbox = Outbox(lambda: woken.append(1))
    for number in range(100):
        outbox.publish_retained("state", str(number).encode())
        outbox.publish("event", str(number).encode())
    outbox.publish_retained("state", b"99")
    assert len(woken) == 200
    found = list(iter(outbox.next, None))
    assert [it.payload for it in found if it.retained] == [b"99"]
    assert [int(it.payload) for it in found if not it.retained] == [*range(100 - MOST_UNRETAINED, 100)]
    assert outbox.empty
    outbox.publish("event", b"past")
    outbox.publish_again()
    assert [it.payload for it in iter(outbox.next, None)] == [b"99"]
