"""The health of sensors: learned in play, reported in sentences, stored; and the meaning of a manual space."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.text import Text
from firmware_host.app.cli import main
from firmware_host.board.sensor_health import FILE, health_of, lines, read_records, store_records
from firmware_host.board.tracking.hints import Outcome, SensorHint, state_of
from firmware_host.board.tracking.suspicion import doubtful_sensors_hint
from firmware_host.board.wiring import default_wiring
from firmware_host.core.errors import UserError
from hardware.health import SILENT_AFTER
from hardware.ports import Edge
from tests.firmware_host.evening import Evening
from tests.hardware.stuck import stick
from tests.toys import grid

BOARD = grid()
WIRING = default_wiring(BOARD)


def busy_around(space: str) -> dict[int, int]:
    """Return how often each sensor was touched, so that the silence of `space` is suspicious."""
    return {WIRING.sensors.index(BOARD.walk[space][0]): SILENT_AFTER}


def test_silent_sensor_is_reported_with_remedy() -> None:
    health = health_of(BOARD, WIRING)
    for sensor, times in busy_around("c3").items():
        for number in range(times):
            health = health.settled(Edge(sensor, True, number), number)
    found = doubtful_sensors_hint(health, WIRING.sensors, (), 99.0)
    assert isinstance(found, SensorHint)
    assert "c3" in found.spaces
    assert f"no change for {SILENT_AFTER} moves around it" in found.sentence
    assert "set it to manual" in found.sentence
    assert doubtful_sensors_hint(health, WIRING.sensors, found.spaces, 99.0) is None, "a manual space needs no report"


def test_doubtful_sensor_is_no_disagreement() -> None:
    hint = SensorHint(("c3",), Text("Touch c3 with a magnet."))
    assert state_of(True, Outcome(agreed=True, hint=hint)) == ("agreed", hint.sentence)
    assert state_of(True, Outcome(hint=hint)) == ("correcting", hint.sentence)


def test_every_space_has_its_line() -> None:
    health = health_of(BOARD, WIRING).apply_edge(Edge(0, True, 1.0)).settled(Edge(0, True, 1.0), 1.0)
    found = {line.space: line for line in lines(health, BOARD, WIRING, {"c3"}, 2.0)}
    assert list(found) == list(BOARD.enterable)
    assert (found["c3"].state, found[BOARD.enterable[0]].state) == ("manual", "good")
    assert found[BOARD.enterable[-1]].state == "new"
    assert found[BOARD.enterable[0]].changes == 1


def test_statistics_survive_restart_and_damaged_file_is_ignored(tmp_path: Path) -> None:
    health = health_of(BOARD, WIRING).settled(Edge(5, True, 1.02), 1.0)
    store_records(tmp_path / "deep" / FILE, health)
    again = health_of(BOARD, WIRING, read_records(tmp_path / "deep" / FILE))
    assert again.of(5).settled == 1
    assert again.of(5).bounce_ms == pytest.approx(20.0)
    (tmp_path / FILE).write_text('{"5":', "utf-8")
    assert read_records(tmp_path / FILE) == {}


# --- at the table -----------------------------------------------------------------------------------------------


def test_table_learns_reports_and_stores_sensor_health(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    evening.start()
    home = str(evening.space_of("red-1"))
    line = next(line for line in evening.table.health() if line.space == home)
    assert (line.state, line.changes) == ("good", 1)
    evening.wait(120_000)
    kept = evening.folder / "boards" / "launch-facility" / FILE
    assert kept.is_file()
    assert main(["hw", "health", "--state", str(evening.folder)]) == 0
    said = capsys.readouterr().out
    assert f"\n{home} " in said
    assert "No problems found." in said


def test_board_never_played_on_is_not_reported_as_healthy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hw", "health", "--state", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "This board has no statistics yet" in said
    assert "No problems found" not in said


def rattle(evening: Evening, space: str) -> None:
    """Let a sensor change all the time, for more than a second."""
    number = evening.table.board.io.wiring.sensor_of(space)
    for step in range(60):
        evening.simulated.report_spurious_edge(number, step % 2 == 0)
        evening.wait(20)


def test_bouncing_sensor_is_reported_and_lit_until_calm(evening: Evening) -> None:
    evening.start()
    rattle(evening, "W1")
    board = evening.sees("table")["board"]
    assert board["hint"]["kind"] == "sensor"
    assert board["hint"]["spaces"] == ["W1"]
    assert "W1" in evening.lit()
    evening.wait(2000)
    assert evening.sees("table")["board"]["hint"] is None


def test_bouncing_sensor_on_manual_space_is_not_reported(evening: Evening) -> None:
    evening.start()
    rattle(evening, "W1")
    assert evening.board["hint"]["kind"] == "sensor"
    evening.table.board.set_manual("W1", True)
    rattle(evening, "W1")
    assert evening.board["hint"] is None


def test_game_goes_on_by_screen_on_manual_space(evening: Evening) -> None:
    evening.start_hunt()
    home = str(evening.space_of("red-1"))
    move = next(act for act in evening.legal("defenders", "move") if act["unit"] == "red-1")
    number = evening.table.board.io.wiring.sensor_of(move["to"])
    stick(evening.simulated, number, False)
    evening.table.board.set_manual(move["to"], True)
    evening.defenders(move)
    evening.lift("red-1")
    evening.put("red-1", move["to"], 1000)
    assert evening.space_of("red-1") == move["to"] != home
    assert evening.sees("table")["board"]["state"] == "agreed"


def test_manual_spaces_survive_power_cut_and_can_count_again(evening: Evening) -> None:
    evening.start()
    evening.table.board.set_manual("R11", True)
    evening.pull_the_plug()
    assert evening.table.board.manual == {"R11"}
    evening.table.board.set_manual("R11", False)
    assert evening.table.board.manual == frozenset()


def test_every_picture_names_manual_spaces_of_its_own_map(evening: Evening) -> None:
    evening.start()
    evening.table.board.set_manual("R11", True)
    evening.table.board.set_manual("K2", True)
    evening.wait(0)
    pictures = ("sniper", "defenders", "table", "board")
    assert [evening.sees(viewer)["board"]["manual"] for viewer in pictures] == [["K2", "R11"]] * 4
    evening.table.abandon()
    evening.table.start({"map": "submarine-pens"})
    evening.wait(0)
    assert evening.board["manual"] == []


def test_unknown_space_is_reported(evening: Evening) -> None:
    with pytest.raises(UserError, match="no space 'Z9'"):
        evening.table.board.set_manual("Z9", True)
