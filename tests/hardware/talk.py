"""Both ends of board-link/1 in simulated time: the firmware's board, the host's session, and a wire between them."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable

from hardware.link.messages import Tuning
from hardware.link.session import BoardCheck, Session
from hardware.ports import DARK, Edge, Frame, UnsettledContact
from tests.hardware.firmware import Board

IDENTITY = bytes.fromhex("0102030405060708")
Harm = Callable[[bytes], bytes]


class Talk:
    """A board and a host; `step` lets a millisecond pass. Records everything sent, reported and shown."""

    def __init__(self, sensors: int = 16, lamps: int = 16, check_board: BoardCheck = lambda _: None) -> None:
        self.ms = 0
        self.truth = 0
        self.lamps = lamps
        self.harm: Harm = bytes
        self.frames = 0
        self.told: list[int] = []
        self.shown: list[bytes] = [bytes(3 * lamps)]
        self.edges: list[Edge] = []
        self.restless: list[UnsettledContact] = []
        self.sent: list[tuple[int, bytes]] = []
        """What the host sent, and when (ms)."""
        self.plugged = True
        self.busy = False
        self._sensors = sensors
        self._to_host = b""
        self.session = Session(sensors, lamps, Tuning(limit_ma=60000), check_board, 0.0)
        self.power_on()

    @property
    def now(self) -> float:
        """Return the host's time in seconds."""
        return self.ms / 1000

    def power_on(self) -> None:
        """Restart the board."""
        self.board = Board(self._sensors, self.lamps, IDENTITY, 60000, self._from_board, self._light)
        self._started = self.ms
        self.board.start(0)

    def reopen(self) -> None:
        """Let the host open its port again."""
        self.session.open(self.now)

    def _from_board(self, buffer: bytes, size: int) -> bool:
        data = bytes(buffer[:size])
        self.frames += 1
        self._to_host += self.harm(data) if self.plugged else b""
        return True

    def _light(self, picture: bytearray, _: int) -> bool:
        if self.busy:
            return False
        if bytes(picture) != self.shown[-1]:
            self.shown.append(bytes(picture))
        return True

    def show(self, frame: Frame) -> None:
        """Let the host show this frame."""
        self.session.show(frame, self.now)

    def step(self, milliseconds: int = 1) -> None:
        """Let time pass."""
        for _ in range(milliseconds):
            self.ms += 1
            self._board_turns()
            self._host_turns()

    def _board_turns(self) -> None:
        own = self.ms - self._started
        self.board.feed(self.truth.to_bytes((self._sensors + 7) // 8, "little"), own)
        settled = int.from_bytes(self.board._debounce.settled, "little")
        if not self.told or self.told[-1] != settled:
            self.told.append(settled)
        self.board.tick(own)

    def _host_turns(self) -> None:
        data, self._to_host = self._to_host, b""
        if data:
            heard = self.session.receive(data, self.now)
            self.edges += (note for note in heard if isinstance(note, Edge))
            self.restless += (note for note in heard if isinstance(note, UnsettledContact))
        if self.session.next_due() <= self.now and (out := self.session.due(self.now)):
            self.sent.append((self.ms, out))
            self.frames += out.count(0)
            if self.plugged:
                self.write(self.harm(out))

    def write(self, data: bytes) -> None:
        """Send these bytes to the board."""
        self.board.receive(data, self.ms - self._started)


def wire_of(frame: Frame) -> bytes:
    """Return a picture as the board sees it."""
    return bytes(itertools.chain.from_iterable(frame))


class Noise:
    """One byte of a hundred is flipped, dropped or doubled."""

    def __init__(self, chance: random.Random, share: float = 0.01) -> None:
        self._chance = chance
        self._scale = 1 / math.log(1 - share)
        self._next = self._gap()

    def _gap(self) -> int:
        return int(math.log(1 - self._chance.random()) * self._scale)

    def __call__(self, data: bytes) -> bytes:
        if self._next >= len(data):
            self._next -= len(data)
            return data
        out = bytearray()
        for at, byte in enumerate(data):
            if at < self._next:
                out.append(byte)
                continue
            out += self._chance.choice((bytes((byte ^ 1 << self._chance.randrange(8),)), b"", bytes((byte, byte))))
            self._next = at + 1 + self._gap()
        self._next -= len(data)
        return bytes(out)


def picture(chance: random.Random, lamps: int) -> Frame:
    """Return a picture with some colours in it."""
    colours = [DARK, DARK, *((chance.randrange(256), chance.randrange(256), chance.randrange(256)) for _ in range(2))]
    return tuple(chance.choices(colours, k=lamps))


def folded(edges: Iterable[Edge]) -> int:
    """Return what is down after these edges; each has to change something."""
    down = 0
    for edge in edges:
        assert bool(down >> edge.sensor & 1) != edge.down, "an edge without a change"
        down ^= 1 << edge.sensor
    return down
