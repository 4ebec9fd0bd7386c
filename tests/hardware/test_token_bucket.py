"""A board that reports more than people can do is read at a limited rate and reported, until it is calm."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import threading
import time
import tty
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import token_bucket
from hardware.health import FEW
from hardware.link.frames import frame
from hardware.link.line import BURST, MOST_WAIT, PIECE, RATE, SerialLine
from hardware.link.messages import Tuning
from hardware.link.session import AWAY_AFTER, Session
from hardware.ports import Edge, UnsettledContact
from hardware.token_bucket import CALM_AFTER, REPORT_AFTER, Excess, TokenBucket
from tests.patience import PATIENCE

SENSORS = 96
HELLO = b"H\0" + bytes((1, SENSORS, 0, SENSORS, 0)) + bytes(8) + b"wild"


def sense(bitmap: int) -> bytes:
    """Return a frame with what is down."""
    bits = bitmap.to_bytes(SENSORS // 8, "little")
    return frame(b"S\0" + bytes(4) + bits + bits)


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0, 300)), max_size=60))
def test_waiting_as_requested_keeps_rate_and_burst(said: list[tuple[float, float]]) -> None:
    bucket, now, heard = TokenBucket(100.0, 50.0, 10.0), 7.0, 0.0
    for pause, things in said:
        now += pause + bucket.seconds_to_wait(now + pause)
        bucket.spend(things, now)
        heard += things
        assert heard - things <= 50.0 + 100.0 * (now - 7.0) + 300.0 + 1e-6


def test_debt_is_limited_to_longest_wait() -> None:
    bucket = TokenBucket(100.0, 50.0, 0.5)
    bucket.spend(1e9, 1.0)
    assert bucket.seconds_to_wait(1.0) == pytest.approx(0.5)
    assert bucket.seconds_to_wait(1.4) == pytest.approx(0.1)
    assert bucket.seconds_to_wait(2.0) == 0.0
    assert MOST_WAIT < AWAY_AFTER


def test_excess_lasts_from_long_activity_until_calm() -> None:
    excess = Excess()
    assert not excess.lasting(0.0)
    for tenth in range(int(REPORT_AFTER * 10)):
        excess.happens(50 + tenth / 10)
        assert not excess.lasting(50 + tenth / 10)
    excess.happens(50 + REPORT_AFTER)
    assert excess.lasting(50 + REPORT_AFTER)
    assert excess.lasting(50 + REPORT_AFTER + CALM_AFTER - 0.01)
    assert not excess.lasting(excess.over())
    excess.happens(excess.over())
    assert not excess.lasting(excess.over() - 0.01)


class Wild:
    """A board on a pseudo-terminal that sends given data as fast as it is read."""

    def __init__(self) -> None:
        self._mine, self._port = os.openpty()
        tty.setraw(self._mine)
        tty.setraw(self._port)
        self.name = os.ttyname(self._port)
        self.wild = True
        self._over = False
        threading.Thread(target=self._hear, daemon=True).start()
        threading.Thread(target=self._say, daemon=True).start()

    def _hear(self) -> None:
        with contextlib.suppress(OSError):
            while os.read(self._mine, 4096):
                pass

    def _say(self) -> None:
        with contextlib.suppress(OSError):
            for number in itertools.count():
                if self._over:
                    return
                if number % 50 == 0:
                    os.write(self._mine, frame(HELLO))
                os.write(self._mine, sense((1 << FEW) - 1 if self.wild and number % 2 else 1))
                if not self.wild:
                    time.sleep(0.02)

    def close(self) -> None:
        """Pull the cable."""
        self._over = True
        os.close(self._port)
        os.close(self._mine)


@pytest.fixture
def wild() -> Iterator[Wild]:
    board = Wild()
    yield board
    board.close()


def test_flooding_board_is_read_slowly_and_reported_until_calm(wild: Wild, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_bucket, "REPORT_AFTER", 1.0)
    monkeypatch.setattr(token_bucket, "CALM_AFTER", 1.0)
    said: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    felt: list[Edge | UnsettledContact] = []
    began = time.monotonic()
    session = Session(SENSORS, SENSORS, Tuning(), lambda _: None, began)
    reader = SerialLine(session, lambda: wild.name, time.monotonic, said.put)
    reader.listen(felt.append)
    state = said.get(timeout=PATIENCE)
    assert state is not None
    assert wild.name in state
    assert "more changes than people can cause" in state
    assert "sniperboard hw scan" in state
    most_at_once = PIECE / len(sense(0)) * SENSORS
    assert len(felt) <= BURST + (RATE + most_at_once / MOST_WAIT) * (time.monotonic() - began) + most_at_once
    # The system's buffer holds thousands of edges of the flood: at this rate, reading them takes a quarter of a minute.
    reader._bucket._rate = 20 * RATE
    wild.wild = False
    assert said.get(timeout=PATIENCE) is None
    assert reader.wait(lambda session: session.down == 1, PATIENCE)
    reader.close()
    last = {edge.sensor: edge.down for edge in felt if isinstance(edge, Edge)}
    assert {sensor for sensor, down in last.items() if down} == {0}
