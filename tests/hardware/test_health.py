"""Statistics of a sensor from its edges: bounce, dwell, silence among busy neighbours, chatter."""

from __future__ import annotations

from hardware.health import CHATTER_AFTER, CHATTERING_FOR, SILENT_AFTER, Health, SensorRecord
from hardware.ports import Edge

ROW = Health({0: (1,), 1: (0, 2), 2: (1,)})


def with_piece(health: Health, sensor: int, came: float, left: float) -> Health:
    """Put something on a sensor for a while."""
    return health.settled(Edge(sensor, True, came), came).settled(Edge(sensor, False, left), left)


def test_unused_sensor_is_good_and_unknown() -> None:
    assert ROW.of(1) == SensorRecord()
    assert ROW.state(1, 5.0) == "good"
    assert list(ROW.suspects(5.0)) == []


def test_changes_bounce_and_dwell_are_counted() -> None:
    health = ROW.settled(Edge(1, True, 10.004), began=10.0).settled(Edge(1, False, 13.0), began=12.998)
    pulse = health.of(1)
    assert pulse.settled == 2
    assert round(pulse.bounce_ms, 6) == 4.0
    assert round(pulse.dwell, 6) == 2.996


def test_long_bounce_is_reported_but_trusted() -> None:
    health = ROW.settled(Edge(1, True, 10.020), began=10.0)
    assert health.state(1, 11.0) == "bouncing"
    assert list(health.suspects(11.0)) == []


def test_silent_sensor_among_busy_neighbours_is_suspected_until_it_changes() -> None:
    health = ROW
    for number in range(SILENT_AFTER):
        assert health.state(1, 999.0) == "good"
        health = with_piece(health, 0, number, number + 0.5)
    assert list(health.suspects(999.0)) == [(1, "silent")]
    assert health.of(2).around == 0, "only neighbours count"
    assert health.settled(Edge(1, True, 1000.0), 1000.0).state(1, 1000.0) == "good"


def rattle(seconds: float, gap: float = 0.02) -> tuple[Health, float]:
    """Let a sensor change all the time; return the health and the last moment."""
    health, now, down = ROW, 100.0, False
    while now <= 100.0 + seconds:
        down = not down
        health = health.apply_edge(Edge(1, down, now))
        now += gap
    return health, now - gap


def test_continuous_changes_are_chatter_for_a_while() -> None:
    health, last = rattle(CHATTER_AFTER + 0.1)
    assert list(health.suspects(last)) == [(1, "chattering")]
    assert health.state(1, last + CHATTERING_FOR) == "good"


def test_bouncing_sensor_makes_no_neighbour_suspect() -> None:
    health, now = rattle(CHATTER_AFTER + 0.1, gap=0.05)
    for _ in range(SILENT_AFTER):
        now += 0.05
        health = health.apply_edge(Edge(1, True, now)).settled(Edge(1, True, now), now)
    assert list(health.suspects(now)) == [(1, "chattering")]


def test_bounce_and_quick_touches_are_no_chatter() -> None:
    assert rattle(0.015, 0.001)[0].state(1, 100.02) == "good"
    assert rattle(2 * CHATTER_AFTER, 0.11)[0].state(1, 100.0 + 2 * CHATTER_AFTER) == "good"


def test_stored_statistics_have_no_clock_times() -> None:
    health, _ = rattle(2.0)
    health = health.settled(Edge(1, True, 103.0), 103.0)
    kept = health.to_save()[1]
    assert (kept.last, kept.restless_since, kept.down_since) == (None, None, None)
    assert kept.settled == 1
    assert kept.raw > 50
