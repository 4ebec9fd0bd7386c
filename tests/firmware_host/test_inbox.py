"""The inbox is bounded whatever a board does, screens go on, and no sensor ends in a wrong state."""

from __future__ import annotations

import json
import queue
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import TABLE
from firmware_host.core import maps
from firmware_host.table.inbox import BATCH, MOST_EDGES, BoundedInbox, Flooded
from firmware_host.table.loop import Call
from firmware_host.table.table import Table
from hardware.ports import BoardEnded, DriverStatus, Edge, Note, Press, UnsettledContact
from hardware.settle import Settle
from hardware.simulated import SimulatedBoard
from hardware.token_bucket import CALM_AFTER, REPORT_AFTER
from tests.firmware_host.test_loop import RunningTable
from tests.patience import PATIENCE

SENSORS = 4
EDGES = st.lists(st.tuples(st.integers(0, SENSORS - 1), st.booleans(), st.integers(0, 40)), max_size=300)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def drained(inbox: BoundedInbox) -> list[object]:
    """Return everything in the inbox."""
    found = []
    while not inbox.empty():
        found.append(inbox.get(timeout=0))
    return found


def settled(notes: list[object]) -> frozenset[int]:
    """Return the sensors that are down at the end, after debouncing."""
    state = Settle()
    for note in notes:
        if isinstance(note, Edge):
            state, _ = state.feed(note)
    return state.due(10_000.0)[0].down


def changed(notes: list[object]) -> dict[int, float]:
    """Return since when each sensor has had its final state."""
    down, since = dict[int, bool](), dict[int, float]()
    for note in notes:
        if isinstance(note, Edge) and down.get(note.sensor) != note.down:
            down[note.sensor], since[note.sensor] = note.down, note.at
    return since


@given(EDGES, st.lists(st.integers(0, 40), max_size=20))
def test_final_state_of_sensors_is_same_as_without_bound(said: list[tuple[int, bool, int]], taken: list[int]) -> None:
    inbox, now, every, got = BoundedInbox(Clock()), 0.0, list[object](), list[object]()
    for place, (sensor, down, wait) in enumerate(said):
        now += wait / 1000
        every.append(Edge(sensor, down, now))
        inbox.put(every[-1])
        assert len(inbox) <= MOST_EDGES * SENSORS
        if place < len(taken):
            got += [inbox.get(timeout=0) for _ in range(min(taken[place], len(inbox)))]
    got += drained(inbox)
    edges = [note for note in got if isinstance(note, Edge)]
    assert settled(got) == settled(every)
    assert changed(got) == changed(every)
    assert [edge.at for edge in edges] == sorted(edge.at for edge in edges)


def test_few_edges_stay_unchanged_and_last_one_always_stays() -> None:
    inbox = BoundedInbox(Clock())
    said = [Edge(3, number % 2 == 0, number / 100) for number in range(MOST_EDGES)]
    for edge in said:
        inbox.put(edge)
    assert drained(inbox) == said
    for number in range(10_001):
        inbox.put(Edge(3, number % 2 == 0, number / 100))
    kept = drained(inbox)
    assert len(kept) <= MOST_EDGES
    assert kept[-1] == Edge(3, True, 100.0)


def test_notes_that_change_no_sensor_are_bounded_too() -> None:
    inbox = BoundedInbox(Clock())
    for number in range(1000):
        inbox.put(UnsettledContact(3, number / 100))
        inbox.put(Press("confirm", number / 100))
        inbox.put(DriverStatus("board_link", None if number % 2 else "ill"))
        inbox.put(Edge(3, True, number / 100))
    found = drained(inbox)
    assert [note for note in found if isinstance(note, Press)] == [Press("confirm", n / 100) for n in range(MOST_EDGES)]
    assert [note for note in found if isinstance(note, DriverStatus)] == [DriverStatus("board_link", None)]
    assert len(found) <= 3 * MOST_EDGES + 1


def test_notes_and_calls_are_taken_in_turn() -> None:
    inbox = BoundedInbox(Clock())
    for sensor in range(10 * BATCH):
        inbox.put(Edge(sensor, True, 0.0))
    for call in ("one", "two", None):
        inbox.put(call)
    found = drained(inbox)
    assert [place for place, item in enumerate(found) if not isinstance(item, Edge)] == [
        BATCH,
        2 * BATCH + 1,
        3 * BATCH + 2,
    ]
    with pytest.raises(queue.Empty):
        inbox.get(timeout=0)


def test_report_of_former_board_does_not_reach_next_one(tmp_path: Path) -> None:
    """Otherwise, the next board would report a sensor as up without having reported it as down."""
    running, felt = RunningTable(tmp_path), list[Edge]()

    def change_board(table: Table) -> None:
        sensors = table.board.io.sensors
        assert isinstance(sensors, SimulatedBoard)
        sensors.report_spurious_edge(5, True)
        table.board.change_map(maps.load("submarine-pens"))
        table.board.io.on_raw_edge = felt.append

    running.loop.call(change_board)
    running.loop.call(lambda _: None)
    running.loop.stop()
    assert felt == []


def test_overactive_board_is_reported_once_and_again_when_calm() -> None:
    clock = Clock()
    inbox, told = BoundedInbox(clock), []
    while clock.now < 100 + 2 * REPORT_AFTER:
        clock.now += 0.05
        for number in range(4 * MOST_EDGES):
            inbox.put(Edge(3, number % 2 == 0, clock.now))
        told += [(clock.now, item.on) for item in drained(inbox) if isinstance(item, Flooded)]
    ((at, on),) = told
    assert on
    assert 100 + REPORT_AFTER <= at < 100 + REPORT_AFTER + 0.2
    clock.now += CALM_AFTER
    assert inbox.get(timeout=0) == Flooded(False)
    with pytest.raises(queue.Empty):
        inbox.get(timeout=0)


def test_next_board_is_reported_too_if_it_is_overactive() -> None:
    """The board changes when a game starts on another map, or when the workshop opens."""
    clock, told = Clock(), list[list[bool]]()
    inbox = BoundedInbox(clock)
    for _ in ("a board", "the next one"):
        told.append([])
        for _ in range(int(2 * REPORT_AFTER / 0.1)):
            for number in range(4 * MOST_EDGES):
                inbox.put(Edge(3, number % 2 == 0, clock.now))
            told[-1] += [item.on for item in drained(inbox) if isinstance(item, Flooded)]
            clock.now += 0.1
        inbox.put(BoardEnded())
    assert told == [[True], [True]]


def test_briefly_overactive_board_is_not_reported() -> None:
    clock = Clock()
    inbox = BoundedInbox(clock)
    for _ in range(5):
        for number in range(4 * MOST_EDGES):
            inbox.put(Edge(3, number % 2 == 0, clock.now))
        assert not any(isinstance(item, Flooded) for item in drained(inbox))
        clock.now += CALM_AFTER


# --- a whole table ----------------------------------------------------------------------------------------------


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    running = RunningTable(tmp_path)
    yield running
    running.loop.stop()


def test_call_is_answered_during_flood(running: RunningTable) -> None:
    felt: list[Note] = []
    running.loop.call(lambda table: setattr(table, "feed", felt.append))
    for _ in running.busy():
        for number in range(1000):
            for sensor in range(60):
                running.loop._inbox.put(Edge(sensor, number % 2 == 0, running.now))
        assert isinstance(running.loop._inbox, BoundedInbox)
        assert len(running.loop._inbox) <= 60 * MOST_EDGES
        call = Call(lambda _: len(felt))
        running.loop._inbox.put(call)
    assert call.answer.result(PATIENCE) <= BATCH


def test_flooding_board_is_reported_until_calm_and_then_correct(
    running: RunningTable,
) -> None:
    running.begin()
    running.loop.call(lambda table: table.board.use_sensors(True))

    def board() -> dict[str, object]:
        for _ in range(3):
            running.loop.call(lambda _: None)
        found: dict[str, object] = json.loads(running.interface.picture(TABLE, str))["board"]
        return found

    spaces = running.loop.call(lambda table: table.board.io.wiring.sensors)
    for _ in range(int(2 * REPORT_AFTER / 0.1)):
        for _ in running.busy():
            for number in range(4 * MOST_EDGES + 1):
                for sensor in range(20):
                    running.loop._inbox.put(Edge(sensor, (number + sensor) % 2 == 0, running.now + number / 1000))
            running.now += 0.1
        running.loop.call(lambda _: None)
    assert board()["state"] == "away"
    assert "sniperboard hw scan" in str(board()["sentence"])
    assert board()["ills"] == [board()["sentence"]]
    running.now += CALM_AFTER
    assert board()["state"] != "away"
    assert board()["ills"] == []

    def down(table: Table) -> list[str]:
        return table.board.io._sensing.occupied

    stands = set(running.loop.call(down))
    assert {spaces[sensor] for sensor in range(20) if sensor % 2 == 0} <= stands
    assert not {spaces[sensor] for sensor in range(20) if sensor % 2 == 1} & stands
