"""The contract of drivers and their parts, tested on every driver. One without a bench in `benches/` fails here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.board.cues.scene import limited
from firmware_host.core.settings import settle
from hardware import drivers
from hardware.drivers import NoSuchDriver
from hardware.ports import BUTTONS, DARK, Buttons, Buzzer, Edge, Lamps, Miniatures, Sensors, Tune, UnsettledContact
from tests.hardware import benches
from tests.hardware.benches import Blank, there

LIT = (10, 20, 30)
Reports = list[Edge | UnsettledContact]


def bench_of(driver: str, folder: Path) -> Blank:
    """Return the driver on its bench."""
    try:
        module: Any = importlib.import_module(f"{benches.__name__}.{driver}")
    except ModuleNotFoundError as error:
        raise AssertionError(f"the driver {driver} needs a bench: add tests/hardware/benches/{driver}.py") from error
    found: Blank = module.Bench(folder)
    return found


@pytest.fixture
def bench(driver: str, tmp_path: Path) -> Iterator[Blank]:
    found = bench_of(driver, tmp_path)
    yield found
    found.close()


def part_fixture(part: str) -> Any:
    """Return a fixture for one part of the driver on its bench."""

    @pytest.fixture(name=part)
    def of_bench(bench: Blank) -> Any:
        return there(getattr(bench.parts, part))

    return of_bench


sensors, lamps, buttons, buzzer, miniatures = map(part_fixture, drivers.PARTS)


@pytest.fixture
def felt(sensors: Sensors) -> Reports:
    """What the sensors report from now on."""
    reports: Reports = []
    sensors.start(reports.append)
    return reports


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test for every driver that has the parts it uses."""
    if "driver" in metafunc.fixturenames:
        used = {part for part in drivers.PARTS if part in metafunc.fixturenames}
        metafunc.parametrize("driver", [name for name in drivers.names() if used <= {*drivers.find(name).parts}])


def test_unknown_driver_is_reported_with_known_and_nearest_ones() -> None:
    with pytest.raises(NoSuchDriver, match=r"known are .*simulated.*Did you mean shift_register\?"):
        drivers.find("shift_registre")
    with pytest.raises(NoSuchDriver, match=r"no driver 'zzz'; known are [a-z0-9_, ]*\.$"):
        drivers.find("zzz")


def changes(felt: Reports) -> list[tuple[int, bool]]:
    """Return the changes, in order. A board may also report a contact as unsettled if it is asked meanwhile."""
    return [(edge.sensor, edge.down) for edge in felt if isinstance(edge, Edge)]


def test_miniatures_moved_by_board_are_detected(miniatures: Miniatures, felt: Reports) -> None:
    miniatures.set_miniatures(["one", "another"])
    assert miniatures.places == {"one": None, "another": None}
    miniatures.carry("one", 1)
    assert miniatures.places == {"one": 1, "another": None}
    assert changes(felt) == [(1, True)]
    with pytest.raises(ValueError, match="there are one, another"):
        miniatures.carry("nobody", 1)


def test_driver_offers_exactly_the_parts_of_its_kind(driver: str, bench: Blank) -> None:
    offered = {part for part in drivers.PARTS if getattr(bench.parts, part) is not None}
    assert offered == set(drivers.find(driver).parts)


def test_every_option_has_help_and_a_valid_default(driver: str) -> None:
    for option in drivers.find(driver).options:
        assert option.help.endswith(".")
        settle({driver: {option.name: list(option.default) if isinstance(option.default, tuple) else option.default}})


def test_driver_can_be_opened_again_after_closing(driver: str, tmp_path: Path) -> None:
    bench_of(driver, tmp_path).close()
    bench_of(driver, tmp_path).close()


def test_sensors_down_at_start_are_reported_first(bench: Blank, sensors: Sensors) -> None:
    bench.touch(2, True)
    bench.touch(4, True)
    felt: Reports = []
    sensors.start(felt.append)
    assert changes(felt) == [(2, True), (4, True)]


def test_every_change_is_reported_once_and_in_order(bench: Blank, felt: Reports) -> None:
    for sensor, down in [(1, True), (5, True), (1, False), (0, True)]:
        bench.touch(sensor, down)
    assert changes(felt) == [(1, True), (5, True), (1, False), (0, True)]


def test_sensors_are_numbered_from_zero_and_time_never_runs_backwards(
    bench: Blank, sensors: Sensors, felt: Reports
) -> None:
    for sensor in range(sensors.count):
        bench.touch(sensor, True)
    assert changes(felt) == [(sensor, True) for sensor in range(sensors.count)]
    times = [edge.at for edge in felt]
    assert times == sorted(times)


def test_stopped_board_reports_nothing_and_may_be_stopped_again(bench: Blank, sensors: Sensors, felt: Reports) -> None:
    sensors.stop()
    bench.touch(3, True)
    sensors.stop()
    assert felt == []


def test_restarted_board_reports_what_is_down_by_then(bench: Blank, sensors: Sensors, felt: Reports) -> None:
    bench.touch(3, True)
    sensors.stop()
    bench.touch(3, False)
    bench.touch(1, True)
    felt.clear()
    sensors.start(felt.append)
    assert changes(felt) == [(1, True)]


def test_lamps_show_whole_picture(bench: Blank, lamps: Lamps) -> None:
    picture = tuple(LIT if lamp % 2 else DARK for lamp in range(lamps.count))
    lamps.show(picture)
    assert bench.seen() == picture
    lamps.show((DARK,) * lamps.count)
    assert bench.seen() == (DARK,) * lamps.count


@pytest.mark.parametrize("more", [-1, 1])
def test_picture_of_another_length_is_refused_and_changes_nothing(bench: Blank, lamps: Lamps, more: int) -> None:
    lamps.show((LIT,) * lamps.count)
    with pytest.raises(ValueError, match=str(lamps.count)):
        lamps.show((DARK,) * (lamps.count + more))
    assert bench.seen() == (LIT,) * lamps.count


def test_white_picture_within_limit_draws_no_more_at_strip(bench: Blank, lamps: Lamps) -> None:
    limit = 30.0 * lamps.count
    lamps.show(limited(((255, 255, 255),) * lamps.count, limit))
    while not any(map(any, bench.seen())):
        pass
    drawn = sum(map(sum, bench.seen())) * 20 / 255 + lamps.count
    assert 0.9 * limit <= drawn <= limit


def test_stopped_lamps_are_dark_and_may_be_stopped_again(bench: Blank, lamps: Lamps) -> None:
    lamps.show((LIT,) * lamps.count)
    # A board behind a cable needs a moment to start, and stopping waits only half a second for it.
    while bench.seen() != (LIT,) * lamps.count:
        pass
    lamps.stop()
    lamps.stop()
    assert bench.seen() == (DARK,) * lamps.count


def test_each_press_of_each_button_is_reported_once(bench: Blank, buttons: Buttons) -> None:
    pressed: list[tuple[str, float]] = []
    buttons.start(lambda name, at: pressed.append((name, at)))
    for name in (*buttons.names, *buttons.names):
        bench.press(name)
    assert [name for name, _ in pressed] == [*buttons.names, *buttons.names]
    assert [at for _, at in pressed] == sorted({at for _, at in pressed})
    assert set(buttons.names) <= set(BUTTONS)


def test_stopped_buttons_report_nothing_and_may_start_again(bench: Blank, buttons: Buttons) -> None:
    pressed: list[str] = []
    buttons.start(lambda name, at: pressed.append(name))
    buttons.stop()
    bench.press("confirm")
    buttons.stop()
    assert pressed == []
    buttons.start(lambda name, at: pressed.append(name))
    bench.press("undo")
    assert pressed == ["undo"]


def test_tune_is_played_and_ends(bench: Blank, buzzer: Buzzer) -> None:
    buzzer.play(Tune("beep", ((440, 1),)))
    assert abs(bench.pitch() - 440) <= 4
    assert bench.is_silent()


def test_stopped_buzzer_is_silent_and_may_play_again(bench: Blank, buzzer: Buzzer) -> None:
    buzzer.play(Tune("long", ((880, 600_000),)))
    bench.pitch()
    buzzer.stop()
    buzzer.stop()
    assert bench.is_silent()
    buzzer.play(Tune("beep", ((440, 1),)))
    assert abs(bench.pitch() - 440) <= 4


def test_driver_without_bench_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"benches/teapot\.py"):
        bench_of("teapot", tmp_path)
