"""The contract of sensors and lamps, over every driver there is. A driver without a bench in `benches/` fails here."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

from hardware import drivers
from hardware.ports import DARK, Edge, Lamps, Sensors
from tests.hardware import benches
from tests.hardware.benches import Bench

DRIVERS = ("simulated", *(module.name for module in pkgutil.iter_modules(drivers.__path__)))
LIT = (10, 20, 30)


def bench_of(driver: str) -> Bench:
    """The driver on its bench."""
    try:
        module: Any = importlib.import_module(f"{benches.__name__}.{driver}")
    except ModuleNotFoundError as error:
        raise AssertionError(f"the driver {driver} needs a bench: add tests/hardware/benches/{driver}.py") from error
    found: Bench = module.Bench()
    return found


@pytest.fixture(params=DRIVERS)
def bench(request: pytest.FixtureRequest) -> Bench:
    return bench_of(request.param)


@pytest.fixture
def sensors(bench: Bench) -> Sensors:
    if bench.sensors is None:
        pytest.skip("this driver has lamps only")
    return bench.sensors


@pytest.fixture
def lamps(bench: Bench) -> Lamps:
    if bench.lamps is None:
        pytest.skip("this driver has sensors only")
    return bench.lamps


def test_what_is_down_at_the_start_is_told_first(bench: Bench, sensors: Sensors) -> None:
    bench.touch(2, True)
    bench.touch(4, True)
    felt: list[Edge] = []
    sensors.start(felt.append)
    assert [(edge.sensor, edge.down) for edge in felt] == [(2, True), (4, True)]


def test_every_change_is_told_once_and_in_order(bench: Bench, sensors: Sensors) -> None:
    felt: list[Edge] = []
    sensors.start(felt.append)
    for sensor, down in [(1, True), (5, True), (1, False), (0, True)]:
        bench.touch(sensor, down)
    assert [(edge.sensor, edge.down) for edge in felt] == [(1, True), (5, True), (1, False), (0, True)]


def test_time_never_runs_backwards(bench: Bench, sensors: Sensors) -> None:
    felt: list[Edge] = []
    sensors.start(felt.append)
    for sensor in range(sensors.count):
        bench.touch(sensor, True)
    times = [edge.at for edge in felt]
    assert times == sorted(times)


def test_sensors_are_numbered_from_nought(bench: Bench, sensors: Sensors) -> None:
    felt: list[Edge] = []
    sensors.start(felt.append)
    for sensor in range(sensors.count):
        bench.touch(sensor, True)
    assert [edge.sensor for edge in felt] == list(range(sensors.count))


def test_a_stopped_board_reports_nothing_and_may_be_stopped_again(bench: Bench, sensors: Sensors) -> None:
    felt: list[Edge] = []
    sensors.start(felt.append)
    sensors.stop()
    bench.touch(3, True)
    sensors.stop()
    assert felt == []


def test_a_board_that_starts_again_tells_what_is_down_by_then(bench: Bench, sensors: Sensors) -> None:
    felt: list[Edge] = []
    sensors.start(felt.append)
    bench.touch(3, True)
    sensors.stop()
    bench.touch(3, False)
    bench.touch(1, True)
    felt.clear()
    sensors.start(felt.append)
    assert [(edge.sensor, edge.down) for edge in felt] == [(1, True)]


def test_lamps_show_the_whole_picture(bench: Bench, lamps: Lamps) -> None:
    picture = tuple(LIT if lamp % 2 else DARK for lamp in range(lamps.count))
    lamps.show(picture)
    assert bench.seen() == picture
    lamps.show((DARK,) * lamps.count)
    assert bench.seen() == (DARK,) * lamps.count


@pytest.mark.parametrize("more", [-1, 1])
def test_a_picture_of_another_length_is_refused_and_changes_nothing(bench: Bench, lamps: Lamps, more: int) -> None:
    lamps.show((LIT,) * lamps.count)
    with pytest.raises(ValueError, match=str(lamps.count)):
        lamps.show((DARK,) * (lamps.count + more))
    assert bench.seen() == (LIT,) * lamps.count


def test_stopped_lamps_are_dark_and_may_be_stopped_again(bench: Bench, lamps: Lamps) -> None:
    lamps.show((LIT,) * lamps.count)
    lamps.stop()
    lamps.stop()
    assert bench.seen() == (DARK,) * lamps.count


def test_a_driver_without_a_bench_would_be_noticed() -> None:
    with pytest.raises(AssertionError, match=r"benches/teapot\.py"):
        bench_of("teapot")
