"""A hostile broker: whatever it sends, the connection stores little and ends with a message, and the table plays on."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_host.api.interface import TableInterface
from firmware_host.mqtt import connection as connections
from firmware_host.mqtt.bridge import MqttBridge
from firmware_host.mqtt.client import BYTES_PER_TOKEN, LARGEST_PACKET, MOST_UNSENT
from firmware_host.mqtt.club import MOST_TABLES, Club
from firmware_host.mqtt.connection import BURST, MOST_UNCONFIRMED, Connection
from firmware_host.mqtt.messages import MqttMessage, Outbox
from hardware import token_bucket
from tests.firmware_host.mqtt.broker import HOME
from tests.firmware_host.mqtt.test_broker import settings, table
from tests.firmware_host.mqtt.test_connection import (  # noqa: F401  # a fixture for every test
    CONNACK,
    Hurried,
    answering,
    options,
    quick_checks,
    twenty,
    until_closed,
)
from tests.patience import PATIENCE, until

MOST_HELD = 2 * MOST_UNCONFIRMED + MOST_UNSENT
"""Messages and packets that the library may hold for one connection."""


def length(size: int) -> bytes:
    """Return a remaining length as MQTT writes it."""
    found = bytearray()
    while True:
        size, digit = size >> 7, size & 127
        found.append(digit | (128 if size else 0))
        if not size:
            return bytes(found)


def packet(first: int, body: bytes) -> bytes:
    """Return a whole packet."""
    return bytes((first,)) + length(len(body)) + body


def message(
    number: int = 0, *, qos: int = 0, topic: bytes = b"sniperboard/x/state", properties: bytes = b"", size: int = 2
) -> bytes:
    """Return a PUBLISH; `number` is its packet identifier if it has one."""
    named = len(topic).to_bytes(2, "big") + topic + (number.to_bytes(2, "big") if qos else b"")
    return packet(0x30 | qos << 1, named + length(len(properties)) + properties + b"x" * size)


USER_PROPERTIES = b"\x26\x00\x00\x00\x00" * 3000
"""Many empty pairs that fit into one packet."""


class Flood:
    """A broker that accepts the table and sends packets until the connection closes; `sent` counts the bytes."""

    def __init__(self, make: Callable[[int], bytes]) -> None:
        self._make = make
        self.sent = 0

    def __call__(self, client: socket.socket) -> None:
        reading = threading.Thread(target=until_closed, args=(client,))
        reading.start()
        number = 0
        with suppress(OSError):
            client.sendall(CONNACK)
            while True:
                batch = b"".join(self._make(number + one) for one in range(64))
                client.sendall(batch)
                self.sent, number = self.sent + len(batch), number + 64
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
        reading.join(PATIENCE)


class Watched:
    """A connection whose stored objects are counted after each message."""

    def __init__(self, port: int, clock: Callable[[], float] | None = None, topics: tuple[str, ...] = ()) -> None:
        self.received = self.most = 0
        calls = {"on_message": self._hears, "on_round": self._looks}
        self.line = Connection(options(port), "den", Outbox(), None, topics, clock=clock or Hurried(), **calls)  # type: ignore[arg-type]

    def _hears(self, _: MqttMessage) -> None:
        self.received += 1
        self._looks()

    def _looks(self) -> None:
        client = self.line._client
        self.most = max(self.most, len(client._in_messages) + len(client._out_messages) + len(client._out_packet))

    def ends(self) -> str:
        found = self.line.run()
        self._looks()
        assert found is not None
        return str(found)


NEVER_ASKED_FOR = {
    "a message with QoS 2": (lambda n: message(n % 65535 + 1, qos=2, size=8000), "PUBLISH QoS 2"),
    "a message with QoS 3": (lambda n: message(n % 65535 + 1, qos=3), "PUBLISH QoS 3"),
    "PUBREL": (lambda n: packet(0x62, (n % 65535 + 1).to_bytes(2, "big")), "PUBREL"),
    "PUBREC": (lambda n: packet(0x50, (n % 65535 + 1).to_bytes(2, "big")), "PUBREC"),
    "PUBCOMP": (lambda n: packet(0x70, (n % 65535 + 1).to_bytes(2, "big")), "PUBCOMP"),
    "PUBACK of nothing": (lambda n: packet(0x40, (40000 + n % 20000).to_bytes(2, "big")), "PUBACK"),
    "SUBACK of nothing": (lambda n: packet(0x90, (40000 + n % 20000).to_bytes(2, "big") + b"\0\0"), "SUBACK"),
    "UNSUBACK": (lambda n: packet(0xB0, (n % 65536).to_bytes(2, "big") + b"\0\0"), "UNSUBACK"),
    "a second CONNACK": (lambda _: CONNACK, "CONNACK"),
    "PINGREQ": (lambda _: packet(0xC0, b""), "PINGREQ"),
    "CONNECT": (lambda _: packet(0x10, b""), "CONNECT"),
    "SUBSCRIBE": (lambda _: packet(0x82, b"\0\1"), "SUBSCRIBE"),
    "AUTH": (lambda _: packet(0xF0, b""), "AUTH"),
    "a packet of no type": (lambda _: b"\0", "RESERVED"),
}


@pytest.mark.parametrize("kind", NEVER_ASKED_FOR)
def test_unsolicited_packet_ends_connection(kind: str) -> None:
    make, name = NEVER_ASKED_FOR[kind]
    with answering(Flood(make)) as port:
        watched = Watched(port, lambda: 0.0, ("a",))  # no time-out: only the packet ends the connection
        assert watched.ends() == str(connections.BREAKS.with_(where=f"{HOME}:{port}", packet=name))
    assert watched.received == 0
    assert watched.most <= 2, "the subscription, and nothing that the broker has sent"


FLOODS = {
    "small messages": lambda _: message(),
    "retained messages": lambda n: b"\x31" + message(topic=b"sniperboard/t%d/state" % n)[1:],
    "messages to confirm": lambda n: message(n % 65535 + 1, qos=1),
    "huge topics": lambda _: message(topic=b"t" * 15000),
    "huge contents": lambda _: message(size=16000),
    "many properties": lambda _: message(properties=USER_PROPERTIES),
    "answers to no ping": lambda _: packet(0xD0, b""),
}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the connection report floods soon, and read almost nothing more once it has read enough."""
    monkeypatch.setattr(connections, "RATE", 0.001)
    monkeypatch.setattr(connections, "CHECK_EVERY", 0.01)
    monkeypatch.setattr(token_bucket, "REPORT_AFTER", 0.05)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("kind", FLOODS)
def test_flood_is_read_slowly_and_then_left(kind: str) -> None:
    with answering(Flood(FLOODS[kind])) as port:
        watched = Watched(port, time.monotonic)
        assert "sends too many messages" in watched.ends()
    spent = (
        watched.line._client.packets if len(FLOODS[kind](1)) < BYTES_PER_TOKEN else watched.line._client.packets * 16
    )
    assert spent >= BURST / 2
    assert watched.received <= BURST + 1000, "each look at the flood reads at most a few packets"
    assert watched.most <= MOST_HELD
    if kind == "many properties":
        assert watched.received < BURST / 5, "decoding all of them would leave a core no time for the table"


def test_broker_that_does_not_read_is_left_early() -> None:
    """The messages need a confirmation, but the system accepts nothing more to send."""

    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK + b"".join(message(number + 1, qos=1) for number in range(2 * MOST_UNSENT)))
        until_closed(client)

    def full(_: bytes) -> int:
        raise BlockingIOError

    with answering(answer) as port:
        watched = Watched(port, lambda: 0.0)
        client = watched.line._client
        watched.line._on_open = lambda: setattr(client, "_sock_send", full)
        assert "does not answer" in watched.ends()
    assert MOST_UNSENT < watched.most <= MOST_HELD


@pytest.mark.parametrize("beginning", [b"\x30", b"\x30\xff", b"\x30\xff\x7f", b"\x30\x20\x00\x01a"])
def test_unfinished_packet_is_not_waited_for(beginning: bytes) -> None:
    """On a fast clock: the broker has the same time for it as for a confirmation."""

    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK + beginning)
        until_closed(client)

    with answering(answer) as port:
        watched = Watched(port)
        assert "does not answer" in watched.ends()
    assert watched.received == 0


@pytest.mark.parametrize("digits", [b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff\x7f", length(LARGEST_PACKET + 1)])
def test_excessive_packet_length_is_refused(digits: bytes) -> None:
    with answering(Flood(lambda _: b"\x30" + digits)) as port:
        watched = Watched(port, lambda: 0.0)
        assert "too large" in watched.ends()


def test_broker_with_receive_maximum_zero_gets_one_message_at_once() -> None:
    got: list[bytes] = []

    def answer(client: socket.socket) -> None:
        client.sendall(bytes((0x20, 6, 0, 0, 3, 0x21, 0, 0)))  # Receive Maximum 0
        with suppress(OSError):
            while found := client.recv(65536):
                got.append(found)

    with answering(answer) as port:
        found = Connection(options(port), "den", twenty(), clock=Hurried()).run()
    assert found is not None
    assert b"".join(got).count(b"topic/") <= 1


def test_many_refusals_are_one_message(caplog: pytest.LogCaptureFixture) -> None:
    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK)
        reasons = (0x83, 0x87, 0x97)
        with client.makefile("rb") as stream:
            for index, body in enumerate(published(stream)):
                end = 2 + int.from_bytes(body[:2], "big")
                client.sendall(packet(0x40, body[end : end + 2] + bytes((reasons[index % 3],))))

    denials = set()
    with answering(answer) as port:
        outbox = twenty()

        def look() -> None:
            if line.denied is not None:
                denials.add(str(line.denied))
            if outbox.empty and line.settled:
                line.end()

        line = Connection(options(port), "den", outbox, on_round=look)
        assert line.run() is None
    assert len(denials) == 1


def published(stream: object) -> Iterator[bytes]:
    """Iterate over the bodies of the PUBLISH packets that arrive."""
    while head := stream.read(1):  # type: ignore[attr-defined]
        size = shift = 0
        while (digit := stream.read(1)[0]) >= 128:  # type: ignore[attr-defined]
            size, shift = size + ((digit & 127) << shift), shift + 7
        body = stream.read(size + (digit << shift))  # type: ignore[attr-defined]
        if head[0] & 0xF0 == 0x30:
            yield body


# --- the whole bridge -------------------------------------------------------------------------------------------


@pytest.fixture
def interface(tmp_path: Path) -> Iterator[TableInterface]:
    """A table without a broker."""
    with table(settings(tmp_path, 1, mqtt_broker="")) as daemon:
        yield TableInterface(daemon._loop, daemon.admin_access)


def test_table_retries_with_longer_pauses_and_reports_reason(
    interface: TableInterface, caplog: pytest.LogCaptureFixture
) -> None:
    make, name = NEVER_ASKED_FOR["a message with QoS 2"]
    with answering(Flood(make), 1000) as port:
        bridge = MqttBridge(options(port), interface, Club(), pauses=(0.01, 0.02, 1000.0))
        bridge.start()
        fault = until(lambda: len(said := broken(caplog)) == 3 and said[-1])
        bridge.stop()
    assert fault == str(connections.BREAKS.with_(where=f"{HOME}:{port}", packet=name))
    assert len(broken(caplog)) == 3, "the third pause is long"
    assert interface.lobby()["addresses"] is not None


def broken(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [found for found in caplog.messages if "breaks the rules of MQTT" in found]


def test_unsolicited_club_messages_and_commands_are_not_stored(interface: TableInterface) -> None:
    """A broker may send on topics that were never subscribed to."""
    facts = b'{"name":"x","game":"g","stage":"lobby","url":""}'
    topics = [b"sniperboard/den/command", b"other/t1/state", b"sniperboard/a/b/state", b"sniperboard/t/event"]
    topics += [b"sniperboard/t%d/availability" % number for number in range(4 * MOST_TABLES)]
    sent = threading.Event()

    def answer(client: socket.socket) -> None:
        client.sendall(CONNACK)
        for topic in topics:
            payload = b"online" if topic.endswith(b"availability") else facts
            client.sendall(packet(0x30, len(topic).to_bytes(2, "big") + topic + b"\0" + payload))
        sent.set()
        until_closed(client)

    club = Club()
    with answering(answer) as port:
        bridge = MqttBridge(replace(options(port), commands=False), interface, club)
        bridge.start()
        until(lambda: len(club._tables) == MOST_TABLES)
        assert set(club._tables) == {f"t{number}" for number in range(MOST_TABLES)}
        assert bridge._commands._waiting.empty()
        bridge.stop()
