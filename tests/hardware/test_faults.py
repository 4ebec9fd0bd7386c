"""A faulty board on purpose: each kind of fault, its time limits, and the same faults from the same seed."""

from __future__ import annotations

import pytest

from hardware.faults import DEFAULT_TIMES, Fault, FaultInjector, Script, script_errors
from hardware.ports import Edge

NEAR = {0: (1,), 1: (0, 2), 2: (1,)}


def reported(fault: Fault, *honest: tuple[int, bool, float], until: float = 10.0, seed: int = 1) -> list[Edge]:
    """Return everything that three sensors report until then."""
    lies = FaultInjector(Script((fault,), seed), 3, NEAR, 0.0)
    said = [edge for sensor, down, at in honest for edge in lies.apply_edge(Edge(sensor, down, at))]
    return said + lies.take_due(until)


def test_board_without_faults_reports_truth() -> None:
    lies = FaultInjector(Script(), 3, NEAR, 0.0)
    assert lies.apply_edge(Edge(1, True, 1.0)) == [Edge(1, True, 1.0)]
    assert lies.due() is None


def test_dead_sensor_reports_nothing_until_repaired() -> None:
    fault = Fault("dead", 1, at=1000, until=3000)
    assert reported(fault, (1, True, 2.0)) == [Edge(1, True, 3.0)]
    assert reported(fault, (1, True, 0.5)) == [Edge(1, True, 0.5), Edge(1, False, 1.0), Edge(1, True, 3.0)]


def test_stuck_sensor_is_always_down() -> None:
    fault = Fault("stuck", 2, at=1000, until=3000)
    assert reported(fault, (2, True, 1.5), (2, False, 2.0)) == [Edge(2, True, 1.0), Edge(2, False, 3.0)]


def test_seed_chooses_dead_sensor() -> None:
    found = {reported(Fault("stuck"), seed=seed)[0].sensor for seed in range(20)}
    assert found == {0, 1, 2}


def test_bouncing_contact_ends_in_true_state() -> None:
    found = [reported(Fault("bounce"), (0, True, 1.0), seed=seed) for seed in range(20)]
    assert max(map(len, found)) > 3
    for edges in found:
        assert edges[-1].down
        assert edges[-1].at <= 1.0151
        assert all(edge.down == (number % 2 == 0) for number, edge in enumerate(edges))


def test_weak_magnet_drops_out_only_on_its_own_sensor() -> None:
    edges = reported(Fault("weak"), (0, True, 1.0))
    assert {edge.sensor for edge in edges} == {0}
    assert len(edges) > 5
    gaps = [up.at - down.at for down, up in zip(edges[1::2], edges[2::2], strict=False)]
    assert all(0.003 <= gap <= 0.0901 for gap in gaps)


def test_ghost_appears_on_neighbouring_sensor() -> None:
    edges = reported(Fault("ghost", chance=1.0), (0, True, 1.0), (0, False, 2.0))
    assert [edge.down for edge in edges if edge.sensor == 1] == [True, False]
    assert reported(Fault("ghost", chance=0.0), (0, True, 1.0)) == [Edge(0, True, 1.0)]


def test_bouncing_sensor_is_calm_before_and_after() -> None:
    edges = reported(Fault("chatter", 1, at=1000, until=2000))
    assert len(edges) > 20
    assert edges[0].at >= 1.0
    assert edges[-1] == Edge(1, False, edges[-1].at)
    assert edges[-1].at <= 2.0


@pytest.mark.parametrize("kind", DEFAULT_TIMES)
def test_same_seed_gives_same_faults(kind: str) -> None:
    honest = ((0, True, 1.0), (0, False, 2.0), (2, True, 2.5))
    assert reported(Fault(kind), *honest, seed=3) == reported(Fault(kind), *honest, seed=3)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (Fault("gost"), "no kind"), (Fault("dead", 3), "0 to 2"), (Fault("dead", at=-1), "before 0"),
        (Fault("dead", at=5, until=5), "end after"), (Fault("weak", every=(5, 1)), "every"),
        (Fault("weak", length=(-1, 1)), "length"), (Fault("ghost", chance=2.0), "chance"),
    ],
)  # fmt: skip
def test_impossible_fault_is_reported(fault: Fault, says: str) -> None:
    (complaint,) = script_errors(fault, 3)
    assert says in complaint
