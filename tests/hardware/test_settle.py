"""Debouncing: bouncing is not reported, steady contacts are, and the time is always an argument."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import Edge
from hardware.settle import Settle


def settled(raw: list[tuple[int, bool, int]], until: int, state: Settle | None = None) -> list[tuple[int, bool, float]]:
    """Return the edges of (sensor, down, ms), debounced with 10 ms down and 25 ms up, waking up exactly when
    requested.
    """
    state = state or Settle(10, 25)
    found: list[Edge] = []
    for sensor, down, at in raw:
        state, edges = woken(state, at)
        found += edges
        state, edges = state.feed(Edge(sensor, down, at / 1000))
        found += edges
    state, edges = woken(state, until)
    return [(edge.sensor, edge.down, round(edge.at * 1000)) for edge in found + edges]


def woken(state: Settle, until: int) -> tuple[Settle, list[Edge]]:
    found: list[Edge] = []
    while (due := state.next_due()) is not None and due <= until / 1000:
        state, edges = state.due(due)
        assert edges, "woken for nothing"
        found += edges
    return state, found


def test_steady_contact_is_believed_after_its_time() -> None:
    state, before = Settle(10, 25).feed(Edge(3, True, 1.0))
    assert before == []
    assert state.next_due() == 1.0 + 0.01
    assert state.due(1.0099)[1] == []
    state, edges = state.due(1.01)
    assert edges == [Edge(3, True, 1.0)]
    assert state.down == {3}
    assert state.next_due() is None


def test_opening_takes_longer_to_believe_than_closing() -> None:
    down = Settle(10, 25, frozenset({3}))
    state, _ = down.feed(Edge(3, False, 1.0))
    assert state.due(1.024)[1] == []
    assert state.due(1.025)[1] == [Edge(3, False, 1.0)]


def test_bouncing_is_never_reported_and_last_contact_counts() -> None:
    chatter = [(3, True, 0), (3, False, 2), (3, True, 3), (3, False, 5), (3, True, 7)]
    assert settled(chatter, 100) == [(3, True, 7)]


def test_edge_due_before_another_is_reported_with_it() -> None:
    state, _ = Settle(10, 25).feed(Edge(3, True, 0.0))
    state, edges = state.feed(Edge(3, False, 0.05))
    assert edges == [Edge(3, True, 0.0)]
    assert state.due(1.0)[1] == [Edge(3, False, 0.05)]


def test_last_change_of_each_sensor_is_remembered() -> None:
    state, _ = Settle(10, 25, frozenset({3})).feed(Edge(3, False, 1.0))
    state, _ = state.feed(Edge(3, True, 1.02))
    assert state.stirred == {3: 1.02}
    assert state.down == {3}


def test_repeated_state_is_no_change() -> None:
    state, _ = Settle(10, 25, frozenset({3})).feed(Edge(3, True, 1.0))
    assert state == Settle(10, 25, frozenset({3}))


PULSES = st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 40)), max_size=60)


@given(PULSES)
def test_each_sensor_alternates_and_stays_for_its_time(pulses: list[tuple[int, bool, int]]) -> None:
    raw, now = [], 0
    for sensor, down, pause in pulses:
        now += pause
        raw.append((sensor, down, now))
    found = settled(raw, now + 100)
    for sensor in range(4):
        said = [(down, at) for name, down, at in found if name == sensor]
        assert [down for down, _ in said] == [index % 2 == 0 for index in range(len(said))]
        for down, at in said:
            patience = 10 if down else 25
            disturbed = [t for name, d, t in raw if name == sensor and d != down and at < t < at + patience]
            assert disturbed == []
    last = {sensor: down for sensor, down, _ in raw}
    end = {sensor: down for sensor, down, _ in found}
    assert {sensor for sensor, down in last.items() if down} == {sensor for sensor, down in end.items() if down}
