"""A secret act puts nothing on anybody else's wire: not a byte, not an empty packet, and no beat out of its time."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.core import maps
from tests.secrecy.stack import HOME, Line, Stack
from tests.secrecy.wire import Packet, Tap, segments
from web_panel.streams import BEAT, Stream

CHUNK = f"{len(BEAT):x}\r\n{BEAT}\r\n".encode()


def watched(folder: Path, heartbeat: float) -> Stack:
    """A table at which the sniper is to enter, and all strangers look on."""
    stack = Stack(folder, maps.load("launch-facility"), heartbeat)
    stack.begin()
    stack.follow()
    stack.streamed()
    return stack


@pytest.fixture
def still(tmp_path: Path) -> Iterator[Stack]:
    stack = watched(tmp_path, 3600)
    yield stack
    stack.stop()


@pytest.fixture
def beating(tmp_path: Path) -> Iterator[Stack]:
    stack = watched(tmp_path, 0.05)
    yield stack
    stack.stop()


def secretly(stack: Stack) -> None:
    """The sniper enters by an arrow, walks a space, steps back and walks another way."""
    stack.acts("sniper", stack.legal("sniper", "choose-entry")[0])
    for number in range(3):
        steps = [act for act in stack.legal("sniper", "move") if len(act["path"]) == 1]
        stack.acts("sniper", steps[number % len(steps)])
        if number < 2:
            stack.acts("sniper", {"type": "take-back"})
    assert stack.picture("sniper")["view"]["sniper"]["space"]


def packets(stack: Stack, tap: Tap) -> list[Packet]:
    """Whatever went over the strangers' lines so far."""
    last = socket.create_connection((HOME, stack.server.port), timeout=20)
    return tap.until(last, ports(stack))


def ports(stack: Stack) -> list[int]:
    return [line.socket.getsockname()[1] for line in stack.lines.values()]


def beats(line: Line, number: int) -> bytes:
    """So many beats, and whatever else comes."""
    found = b""
    while found.count(CHUNK) < number:
        more = line.socket.recv(65536)
        assert more, "the stream has ended"
        found += more
    return found


def test_a_secret_act_sends_no_packet_to_anybody_else(still: Stack, tap: Tap) -> None:
    tap.on(still.server.port)

    secretly(still)

    assert packets(still, tap) == []


@pytest.mark.skipif(sys.platform != "linux", reason="Linux counts the packets of a connection")
def test_a_secret_act_adds_nothing_to_what_the_system_counts_on_other_lines(still: Stack) -> None:
    before = [segments(line.socket) for line in still.lines.values()]

    secretly(still)

    assert [segments(line.socket) for line in still.lines.values()] == before


def test_what_everybody_hears_then_comes_once_and_first(still: Stack, tap: Tap) -> None:
    tap.on(still.server.port)

    secretly(still)
    still.acts("sniper", {"type": "end-turn"})

    seen = packets(still, tap)

    for line in (still.lines["defenders"], still.lines["table"]):
        port = line.socket.getsockname()[1]
        assert b"".join(packet.content for packet in seen if packet.to == port).count(b"data: {") == 1


def test_while_lines_beat_a_secret_act_adds_nothing_to_the_beats(beating: Stack, tap: Tap) -> None:
    tap.on(beating.server.port)
    for line in beating.lines.values():
        beats(line, 1)
    secretly(beating)
    heard = [beats(line, 2) for line in beating.lines.values()]
    seen = packets(beating, tap)

    assert all(not found.replace(CHUNK, b"") for found in heard)
    for port in ports(beating):
        sent = b"".join(packet.content for packet in seen if packet.to == port)
        assert sent.replace(CHUNK, b"") in CHUNK
        assert sent.count(CHUNK) >= 2
        assert not [packet for packet in seen if packet.start == port and packet.content]


class Quiet:
    """A screen's slot on a clock of its own: pictures at given moments, and nothing else."""

    def __init__(self, *moments: float) -> None:
        self.now, self._moments = 0.0, list(moments)

    def clock(self) -> float:
        return self.now

    def next(self, timeout: float) -> str | None:
        """See `Follower`."""
        if self._moments and self._moments[0] <= self.now + timeout:
            self.now = max(self.now, self._moments.pop(0))
            return "{}"
        self.now += timeout
        return None

    def close(self) -> None:
        """See `Follower`."""


@pytest.mark.parametrize("moments", [(), (0.3,), (1.9, 1.95, 2.0, 2.1), (0.5, 3.7, 3.9, 4.4, 7.99)])
def test_a_line_beats_at_the_same_moments_whatever_happens(moments: tuple[float, ...]) -> None:
    screen = Quiet(*moments)
    stream = Stream(screen, lambda: True, 2.0, lambda: None, screen.clock)
    next(stream)

    felt = []
    while len(felt) < 4:
        if next(stream) == BEAT:
            felt.append(screen.now)

    assert felt == pytest.approx([2.0, 4.0, 6.0, 8.0])


def test_a_line_that_was_held_up_skips_beats_and_keeps_time() -> None:
    screen = Quiet()
    stream = Stream(screen, lambda: True, 2.0, lambda: None, screen.clock)
    next(stream)
    screen.now = 5.1

    assert next(stream) == BEAT
    assert next(stream) == BEAT
    assert screen.now == pytest.approx(6.0)
