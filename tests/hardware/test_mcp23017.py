"""The driver of the sensor modules: Adafruit's library over a modelled bus, and each fault with its remedy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.drivers import find
from hardware.ports import Edge, HardwareFault, UnsettledContact
from tests.hardware.benches import settings_of
from tests.hardware.benches.mcp23017 import LINE, Bench

Bus = Callable[..., Bench]
Felt = list[Edge | UnsettledContact]


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[Bus]:
    """A function that makes a bench."""
    made: list[Bench] = []

    def make(count: int = 6, **options: Any) -> Bench:
        made.append(Bench(tmp_path, count, **options))
        return made[-1]

    yield make
    for bench in made:
        bench.close()


def started(bench: Bench) -> Felt:
    felt: Felt = []
    bench.sensors.start(felt.append)
    return felt


def pairs(felt: Felt) -> list[tuple[int, bool]]:
    return [(edge.sensor, edge.down) for edge in felt if isinstance(edge, Edge)]


def test_largest_map_takes_nine_modules_on_two_buses(bus: Bus) -> None:
    bench = bus(144, buses=(1, 3))
    felt = started(bench)
    wanted = [(0, True), (15, True), (16, True), (127, True), (128, True), (143, True), (143, False)]
    for sensor, down in wanted:
        bench.touch(sensor, down)
    assert pairs(felt) == wanted
    assert bench.parts.about is not None
    assert bench.parts.about() == "9 sensor modules on I²C bus 1, 3"


@pytest.mark.parametrize("buses", [(1,), (1, 1)])
def test_map_with_too_many_sensors_for_the_buses_is_refused(bus: Bus, buses: tuple[int, ...]) -> None:
    with pytest.raises(HardwareFault, match="8 sensor modules fit on the buses 1, and this map needs 9"):
        bus(144, buses=buses)


def test_module_that_does_not_answer_is_named_with_its_address(bus: Bus) -> None:
    bench = bus(40)
    felt = started(bench)
    bench.modules[1].away = True
    bench.states.wait_for_fault("Sensor module 2 (address 0x21 on I²C bus 1) does not answer")
    bench.modules[1].closed = 0b100
    bench.modules[1].away = False
    bench.states.wait_for_health()
    bench.touch(0, True)
    assert pairs(felt) == [(18, True), (0, True)]


def test_module_that_is_missing_at_the_start_is_named(tmp_path: Path, bus: Bus) -> None:
    bench = bus(40)
    bench.modules[2].away = True
    bench.sensors.stop()
    with pytest.raises(HardwareFault, match=r"Sensor module 3 \(address 0x22 on I²C bus 1\) does not answer"):
        bench.sensors.start(lambda _: None)


def test_broken_bus_is_told_apart_from_a_missing_module(bus: Bus) -> None:
    bench = bus(40)
    started(bench)
    bench.wires.broken = True
    bench.states.wait_for_fault("No sensor module answers on I²C bus 1. Check 3.3 V, ground, SDA")
    bench.wires.broken = False
    bench.states.wait_for_health()


def test_bus_that_is_held_low_is_tried_a_few_times_only(bus: Bus) -> None:
    """Each attempt takes a second, in which no one can act if a game on another map begins."""
    bench = bus(128)
    bench.sensors.stop()
    bench.wires.held_low = True
    with pytest.raises(HardwareFault, match="No sensor module answers on I²C bus 1"):
        bench.sensors.start(lambda _: None)
    assert bench.wires.timeouts <= 3


def test_module_whose_power_was_cut_is_named_and_set_up_again(bus: Bus) -> None:
    bench = bus(40)
    felt = started(bench)
    with bench.wires.guard:
        bench.modules[2].cut_power()
    bench.states.wait_for_fault("Sensor module 3 (address 0x22 on I²C bus 1) has lost its settings")
    bench.states.wait_for_health()
    bench.touch(39, True)
    assert pairs(felt)[-1] == (39, True)


def test_inputs_of_module_that_lost_its_settings_are_not_believed(bus: Bus) -> None:
    """Of these two, at most one is the module whose settings are checked at the next reading."""
    bench = bus(128, interrupt_pin=LINE)
    felt = started(bench)
    with bench.wires.guard:
        for number in (2, 5):
            bench.modules[number].floating = 0xFFFB
            bench.modules[number].cut_power()
    assert ["has lost its settings" in (state or "") for state in bench.states.wait_for(3)] == [True, True, False]
    bench.touch(0, True)
    assert pairs(felt) == [(0, True)]


def test_single_spoiled_reading_is_not_believed(bus: Bus) -> None:
    bench = bus(16)
    felt = started(bench)
    for _ in range(20):
        bench.modules[0].spoil = lambda word: word & 0x7F7F
        assert bench.wires.wait_for_readings(4)
    bench.touch(3, True)
    assert pairs(felt) == [(3, True)]


def test_with_interrupt_line_modules_rest_until_something_changes(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.drivers.mcp23017.RECHECK_AFTER", 3600.0)
    bench = bus(40, interrupt_pin=LINE)
    felt = started(bench)
    before = bench.wires.readings
    for number, down in enumerate((True, False)):
        bench.wires.touch(20, down)
        while len(felt) <= number:
            pass
    assert pairs(felt) == [(20, True), (20, False)]
    assert bench.wires.readings - before <= 2 * (3 + 1), "one sweep for each change, and a second reading of one module"


def test_without_change_modules_are_still_read_now_and_then(bus: Bus) -> None:
    bench = bus(40, interrupt_pin=LINE)
    started(bench)
    bench.modules[0].away = True
    bench.states.wait_for_fault("Sensor module 1")


def test_missing_library_is_named_with_the_extra(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "adafruit_mcp230xx", None)
    with pytest.raises(HardwareFault, match="--with gpio mcp23017"):
        bus()


def test_missing_bus_is_reported_with_the_way_to_switch_it_on(bus: Bus) -> None:
    with pytest.raises(HardwareFault, match=r"I²C bus 7 cannot be opened .* do_i2c 0"):
        bus(buses=(7,))


def test_used_pins_are_those_of_the_buses_and_the_interrupt_line() -> None:
    kind = find("mcp23017")
    assert kind.pins(settings_of(kind)) == {2, 3}
    assert kind.pins(settings_of(kind, buses=(0, 3), interrupt_pin=LINE)) == {0, 1, LINE}
