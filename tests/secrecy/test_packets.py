"""A secret act sends nothing to any other client: no byte, no empty packet and no untimely heartbeat."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_host.core import maps
from tests.patience import PATIENCE
from tests.secrecy.stack import HOME, Line, Stack
from tests.secrecy.wire import Packet, Tap, segments
from web_panel.streams import BEAT, Part, Stream

CHUNK = f"{len(BEAT):x}\r\n{BEAT}\r\n".encode()


def table_with_streams(folder: Path, heartbeat: float) -> Stack:
    """Return a table at which the sniper is to enter, with a stream open for each stranger."""
    stack = Stack(folder, maps.load("launch-facility"), heartbeat)
    stack.begin()
    stack.follow()
    stack.streamed()
    return stack


@pytest.fixture
def silent_stack(tmp_path: Path) -> Iterator[Stack]:
    stack = table_with_streams(tmp_path, 3600)
    yield stack
    stack.stop()


@pytest.fixture
def heartbeat_stack(tmp_path: Path) -> Iterator[Stack]:
    stack = table_with_streams(tmp_path, 0.05)
    yield stack
    stack.stop()


def act_secretly(stack: Stack) -> None:
    """Let the sniper enter by an arrow, walk a space, step back and walk another way."""
    stack.acts("sniper", stack.legal("sniper", "choose-entry")[0])
    for number in range(3):
        steps = [act for act in stack.legal("sniper", "move") if len(act["path"]) == 1]
        stack.acts("sniper", steps[number % len(steps)])
        if number < 2:
            stack.acts("sniper", {"type": "take-back"})
    assert stack.picture("sniper")["view"]["sniper"]["space"]


def packets(stack: Stack, tap: Tap) -> list[Packet]:
    """Return all packets on the strangers' connections so far."""
    last = socket.create_connection((HOME, stack.server.port), timeout=PATIENCE)
    return tap.until(last, ports(stack))


def ports(stack: Stack) -> list[int]:
    return [line.socket.getsockname()[1] for line in stack.lines.values()]


def beats(line: Line, number: int) -> bytes:
    """Return the data up to this number of heartbeats."""
    found = b""
    while found.count(CHUNK) < number:
        more = line.socket.recv(65536)
        assert more, "the stream has ended"
        found += more
    return found


def test_secret_act_sends_no_packet_to_others(silent_stack: Stack, tap: Tap) -> None:
    tap.on(silent_stack.server.port)

    act_secretly(silent_stack)

    assert packets(silent_stack, tap) == []


@pytest.mark.skipif(sys.platform != "linux", reason="Linux counts the packets of a connection")
def test_secret_act_adds_nothing_to_packet_counts_of_others(silent_stack: Stack) -> None:
    before = [segments(line.socket) for line in silent_stack.lines.values()]

    act_secretly(silent_stack)

    assert [segments(line.socket) for line in silent_stack.lines.values()] == before


def test_public_event_then_comes_once_and_first(silent_stack: Stack, tap: Tap) -> None:
    tap.on(silent_stack.server.port)

    act_secretly(silent_stack)
    silent_stack.acts("sniper", {"type": "end-turn"})

    seen = packets(silent_stack, tap)

    for line in (silent_stack.lines["defenders"], silent_stack.lines["table"]):
        port = line.socket.getsockname()[1]
        assert b"".join(packet.content for packet in seen if packet.to == port).count(b"data: {") == 1


def test_secret_act_adds_nothing_between_heartbeats(heartbeat_stack: Stack, tap: Tap) -> None:
    tap.on(heartbeat_stack.server.port)
    for line in heartbeat_stack.lines.values():
        beats(line, 1)
    act_secretly(heartbeat_stack)
    heard = [beats(line, 2) for line in heartbeat_stack.lines.values()]
    seen = packets(heartbeat_stack, tap)

    assert all(not found.replace(CHUNK, b"") for found in heard)
    for port in ports(heartbeat_stack):
        sent = b"".join(packet.content for packet in seen if packet.to == port)
        assert sent.replace(CHUNK, b"") in CHUNK
        assert sent.count(CHUNK) >= 2
        assert not [packet for packet in seen if packet.start == port and packet.content]


class Quiet:
    """A screen's slot with its own clock: pictures at given moments, and nothing else."""

    def __init__(self, *moments: float) -> None:
        self.now, self._moments = 0.0, list(moments)

    def clock(self) -> float:
        return self.now

    def next(self, timeout: float) -> str | None:
        """See `Follower`."""
        if self._moments and self._moments[0] <= self.now:
            self._moments.pop(0)
            return "{}"
        return None

    def on_news(self, call: Callable[[], None]) -> None:
        """See `Follower`."""

    def piece(self, stream: Stream) -> str:
        """Return the stream's next piece; the clock goes on to the moment at which there is one."""
        while (piece := stream.next_piece()) is None:
            self.now = min([self.now + stream.seconds_to_beat(), *self._moments[:1]])
        return piece

    def close(self) -> None:
        """See `Follower`."""


@pytest.mark.parametrize("moments", [(), (0.3,), (1.9, 1.95, 2.0, 2.1), (0.5, 3.7, 3.9, 4.4, 7.99)])
def test_heartbeats_keep_their_times_whatever_happens(moments: tuple[float, ...]) -> None:
    screen = Quiet(*moments)
    stream = Stream([Part(screen, lambda: True)], 2.0, lambda: None, screen.clock)
    screen.piece(stream)

    felt = []
    while len(felt) < 4:
        if screen.piece(stream) == BEAT:
            felt.append(screen.now)

    assert felt == pytest.approx([2.0, 4.0, 6.0, 8.0])


def test_delayed_stream_skips_heartbeats_and_keeps_time() -> None:
    screen = Quiet()
    stream = Stream([Part(screen, lambda: True)], 2.0, lambda: None, screen.clock)
    screen.piece(stream)
    screen.now = 5.1

    assert screen.piece(stream) == BEAT
    assert screen.piece(stream) == BEAT
    assert screen.now == pytest.approx(6.0)
