"""The workshop at a running table: on the simulated board, with the faults of a newly soldered board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_host.board.drivers import WAND
from firmware_host.board.wiring import FILE, Wiring, read_wiring
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.table.workshop import AWAY_AFTER, Workshop
from firmware_host.workshop.calibration import NOTES, Found
from firmware_host.workshop.job import AMBER, GREEN, RED, WHITE
from hardware.ports import DARK, DriverStatus
from tests.firmware_host.evening import Evening
from tests.hardware.stuck import stick

BOARD = maps.load("launch-facility")
SHIPPED = read_wiring(maps.FOLDER / BOARD.slug / FILE, BOARD)
ADA, BO = "ada", "bo"
LEFT = 4
"""Spaces that are not known yet when these tests begin to calibrate."""


class Maker:
    """A person at the board with a phone and a magnet. `answers` is lamp -> sensor (None: none) where they differ."""

    def __init__(self, evening: Evening, answers: Mapping[int, int | None] | None = None) -> None:
        self.evening = evening
        self.answers = dict(answers or {})

    @property
    def shop(self) -> Workshop:
        return self.evening.table.workshop

    @property
    def folder(self) -> Path:
        return self.evening.folder / "boards" / BOARD.slug

    def open_job(self, job: str = "", who: str = ADA, **more: bool) -> Maker:
        self.shop.enter(who, f"{who}'s phone", **{"sure": True, "instead": False, **more})
        self.evening.wait(100)
        if job:
            self.shop.start_job(who, job)
        self.evening.wait(100)
        return self

    def store_all_but(self, left: int) -> None:
        """Store an earlier session that found all but the last spaces."""
        spaces = SHIPPED.lamps[: len(SHIPPED.lamps) - left]
        found = [Found(lamp, str(space), SHIPPED.sensor_of(str(space))) for lamp, space in enumerate(spaces)]
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / NOTES).write_bytes(msgspec.json.encode(found))

    @property
    def sees(self) -> dict[str, Any]:
        self.evening.tick()
        return self.shop.state_for(ADA)

    @property
    def job(self) -> dict[str, Any]:
        found: dict[str, Any] = self.sees["job"]
        return found

    @property
    def messages(self) -> str:
        return " ".join(str(it["sentence"]) for it in self.sees["news"])

    def send(self, word: str = "", space: str | None = None, who: str = ADA) -> None:
        self.shop.answer_step(who, word, space, self.job["step"])
        self.evening.wait(0)

    @property
    def lit(self) -> dict[int, tuple[int, int, int]]:
        self.evening.tick()
        return {lamp: colour for lamp, colour in enumerate(self.evening.simulated.frame) if colour != DARK}

    def lamp_colours(self) -> set[tuple[int, int, int]]:
        """Return every colour that any lamp shows in the next second."""
        seen = set[tuple[int, int, int]]()
        for _ in range(50):
            seen |= set(self.lit.values())
            self.evening.wait(20)
        return seen

    def put_magnet(self, lamp: int | None) -> None:
        sensor = None if lamp is None else self.answers.get(lamp, lamp)
        self.evening.simulated.carry(WAND, None)
        self.evening.wait(300)
        if sensor is not None:
            self.evening.simulated.carry(WAND, sensor)
        self.evening.wait(300)

    def follow_lamps(self) -> None:
        """Put the magnet wherever the white lamp leads, until nothing answers any more."""
        while True:
            before = self.job["step"]
            white = [lamp for lamp, colour in self.lit.items() if colour == WHITE]
            if not white:
                return
            self.put_magnet(white[0])
            self.evening.wait(1000)
            if self.job["step"] == before:
                return


@pytest.fixture
def maker(evening: Evening) -> Maker:
    return Maker(evening)


def calibrating(maker: Maker, left: int = LEFT) -> Maker:
    maker.store_all_but(left)
    return maker.open_job("calibrate")


def wiring(maker: Maker) -> Wiring:
    return read_wiring(maker.folder / FILE, BOARD)


# --- scanning and lights ----------------------------------------------------------------------------------------


def test_workshop_shows_connection_and_faults(maker: Maker) -> None:
    assert maker.sees["connected"] == ["simulated: a board in memory, no hardware."]
    maker.evening.table.feed(DriverStatus("simulated", "Its cable is out."))
    assert (maker.sees["connected"], maker.sees["ills"]) == ([], ["Its cable is out."])


def test_scan_shows_changes_on_screen_and_lamps(maker: Maker) -> None:
    maker.open_job("scan").put_magnet(5)
    assert maker.sees["down"] == [SHIPPED.sensors[5]]
    assert f"sensor 5, {SHIPPED.sensors[5]}: down" in maker.messages
    assert maker.lit == {5: GREEN}
    maker.put_magnet(None)
    assert maker.sees["down"] == []
    assert (maker.job["known"], maker.job["progress"]) == ([SHIPPED.sensors[5]], [1, len(SHIPPED.lamps)])
    assert maker.lit == {}


def test_bouncing_sensor_is_reported(maker: Maker) -> None:
    maker.open_job("scan")
    for number in range(200):
        maker.evening.simulated.report_spurious_edge(7, number % 2 == 0)
        maker.evening.wait(20)
    assert maker.sees["restless"] == [SHIPPED.sensors[7]]


def test_lamps_light_by_tap_or_in_turn_within_current_limit(tmp_path: Path) -> None:
    maker = Maker(Evening(tmp_path, settle({"current_limit_ma": 300})))
    maker.open_job("lights")
    maker.send(space=str(SHIPPED.lamps[9]))
    assert maker.lit == {9: WHITE}
    assert f"It should lie under {SHIPPED.lamps[9]}" in maker.job["asks"]
    maker.send("red")
    assert len(maker.lit) == len(SHIPPED.lamps)
    assert sum(map(sum, maker.lit.values())) / 255 * 12 + len(SHIPPED.lamps) <= 300
    assert 0 < maker.sees["share"] < 10
    maker.send("round")
    frames = list[set[int]]()
    maker.evening.simulated.watch(lambda frame, _: frames.append({n for n, it in enumerate(frame) if it != DARK}))
    maker.evening.wait(1000 * (0.4 * len(SHIPPED.lamps) + 5))
    assert frames[: len(SHIPPED.lamps) - 1] == [{lamp} for lamp in range(1, len(SHIPPED.lamps))]
    assert maker.lit == {}
    maker.send("blue")
    maker.send("off")
    assert maker.lit == {}


# --- calibrating ------------------------------------------------------------------------------------------------


def test_swapped_sensors_are_found_reported_and_used_at_once(maker: Maker) -> None:
    one, other = len(SHIPPED.lamps) - 2, len(SHIPPED.lamps) - 1
    maker.answers = {one: other, other: one}
    calibrating(maker).follow_lamps()
    assert wiring(maker).sensors[one:] == (SHIPPED.lamps[other], SHIPPED.lamps[one])
    assert f"Under {SHIPPED.lamps[one]} sensor {other} answers; {one} was expected." in maker.messages
    assert maker.evening.table.board.io.wiring == wiring(maker)
    assert not (maker.folder / NOTES).exists()
    maker.put_magnet(one)
    assert maker.sees["down"] == [SHIPPED.lamps[one]]


def test_skipped_sensor_becomes_manual_space(maker: Maker) -> None:
    dead = len(SHIPPED.lamps) - 3
    maker.answers = {dead: None}
    calibrating(maker).follow_lamps()
    assert maker.job["space"] == SHIPPED.lamps[dead]
    maker.send("skip")
    maker.follow_lamps()
    assert wiring(maker).manual == {SHIPPED.lamps[dead]}
    assert SHIPPED.lamps[dead] in maker.evening.table.board.manual


def test_successful_step_blinks_green_and_failed_step_red(maker: Maker) -> None:
    calibrating(maker)
    first = len(SHIPPED.lamps) - LEFT
    maker.evening.simulated.carry(WAND, first)
    assert {GREEN, WHITE} <= maker.lamp_colours()
    maker.evening.simulated.carry(WAND, 0)
    assert RED in maker.lamp_colours()
    assert f"Sensor 0 has answered under {SHIPPED.lamps[0]} already" in maker.messages


def test_tap_names_another_space_that_is_lit(maker: Maker) -> None:
    calibrating(maker)
    first, other = len(SHIPPED.lamps) - LEFT, str(SHIPPED.lamps[-1])
    maker.send(space=other)
    assert maker.job["space"] == other
    maker.put_magnet(first)
    assert maker.job["known"][-1] == other
    maker.send("back")
    assert other in maker.job["spaces"]
    with pytest.raises(UserError, match="can't choose that space"):
        maker.send(space=str(SHIPPED.lamps[0]))


def test_calibration_without_lamps_names_spaces_and_follows_taps(tmp_path: Path) -> None:
    maker = Maker(Evening(tmp_path, settle({"lamps": "none"})))
    calibrating(maker)
    for space in reversed(maker.job["spaces"]):
        maker.send(space=space)
        assert maker.job["asks"] == f"Set the magnet on {space}."
        maker.evening.simulated.carry(WAND, SHIPPED.sensor_of(space))
        maker.evening.wait(1000)
    assert maker.job["ended"]
    assert wiring(maker) == SHIPPED
    with pytest.raises(UserError, match="has no lamps"):
        maker.shop.start_job(ADA, "lights")


def test_calibration_resumes_after_power_cut(maker: Maker) -> None:
    calibrating(maker).put_magnet(len(SHIPPED.lamps) - LEFT)
    maker.evening.pull_the_plug()
    assert not maker.shop.open
    maker.open_job("calibrate")
    assert maker.job["progress"] == [len(SHIPPED.lamps) - LEFT + 1, len(SHIPPED.lamps)]
    maker.follow_lamps()
    assert wiring(maker) == SHIPPED


def test_impossible_notes_are_ignored(maker: Maker) -> None:
    found = b'{"lamp":%d,"space":"R1","sensor":%d}'
    twice = [found % (0, 0), found % (1, 1)]
    wrong = [b"\xff", b"[]x", *(b"[%s]" % b",".join(it) for it in ([found % (0, -1)], [found % (999, 1)], twice))]
    for nonsense in wrong:
        (maker.folder / NOTES).write_bytes(nonsense)
        maker.open_job("calibrate")
        assert maker.job["progress"] == [0, len(SHIPPED.lamps)]


def test_unwritable_notes_are_reported_and_not_lost(maker: Maker) -> None:
    calibrating(maker, 2)
    in_the_way = maker.folder / f"{NOTES}.new"
    in_the_way.mkdir()
    maker.put_magnet(len(SHIPPED.lamps) - 2)
    assert "can't be saved (Is a directory)" in maker.messages
    in_the_way.rmdir()
    maker.follow_lamps()
    assert wiring(maker) == SHIPPED


def test_pulled_cable_pauses_job_and_marks_no_sensor_dead(maker: Maker) -> None:
    maker.open_job("selftest")
    maker.evening.table.feed(DriverStatus("simulated", "Its cable is out."))
    maker.evening.wait(60_000)
    maker.shop.state_for(ADA)
    maker.evening.wait(60_000)
    assert maker.job["marks"] == {}
    assert maker.sees["standing_still"]
    assert "Its cable is out." in maker.sees["ills"]
    maker.evening.table.feed(DriverStatus("simulated", None))
    maker.evening.wait(29_000)
    assert maker.job["marks"] == {}
    maker.evening.wait(2_000)
    assert list(maker.job["marks"].values()) == ["dead"]


def test_swapped_sensors_are_not_marked_dead(maker: Maker) -> None:
    maker.open_job("selftest")
    maker.evening.simulated.carry(WAND, 1)
    maker.evening.wait(100)
    assert f"Sensor 1 answers, which should lie under {SHIPPED.lamps[1]}. If the magnet is on" in maker.messages


# --- testing ----------------------------------------------------------------------------------------------------


def test_every_sensor_is_marked_and_its_lamp_shows_next_step(maker: Maker) -> None:
    maker.open_job("selftest")
    assert maker.lit == {0: WHITE}
    maker.evening.simulated.carry(WAND, 0)
    maker.evening.wait(500)
    assert maker.lit == {0: AMBER}
    stick(maker.evening.simulated, 1, True)
    maker.evening.wait(3000)
    assert maker.lit == {0: GREEN}
    maker.evening.simulated.carry(WAND, None)
    maker.evening.wait(1000)
    assert maker.job["marks"] == {SHIPPED.lamps[0]: "well", SHIPPED.lamps[1]: "stuck"}
    assert f"{SHIPPED.lamps[1]} (sensor 1): stuck." in maker.messages
    maker.send("next")
    assert maker.job["marks"][SHIPPED.lamps[2]] == "dead"
    maker.send("back")
    assert maker.job["space"] == SHIPPED.lamps[2]
    maker.send(space=str(SHIPPED.lamps[40]))
    assert maker.lit == {40: WHITE}


def test_absence_marks_at_most_one_sensor_dead(maker: Maker) -> None:
    maker.open_job("selftest")
    for _ in range(6):
        maker.evening.wait(60_000)
        maker.shop.state_for(ADA)
    assert list(maker.job["marks"].values()) == ["dead"]


def test_selftest_waits_until_board_is_empty(defending: Evening) -> None:
    maker = Maker(defending).open_job("selftest")
    assert maker.job["asks"].startswith("Take everything off the board")
    for unit in list(defending.view("table")["units"]):
        defending.simulated.carry(unit, None)
    defending.wait(500)
    assert maker.job["asks"] == f"Set the magnet on {SHIPPED.lamps[0]}."


# --- opening and closing ------------------------------------------------------------------------------------------


def test_game_waits_with_message_on_all_screens_and_goes_on(defending: Evening) -> None:
    maker, before = Maker(defending), defending.view("table")
    with pytest.raises(UserError, match="A game is running"):
        maker.open_job("scan", sure=False)
    assert defending.sees("table")["workshop"] is None
    maker.open_job("scan")
    for viewer in ("sniper", "defenders", "table"):
        assert defending.sees(viewer)["workshop"] == "ada's phone"
        assert "The workshop is open on ada's phone" in defending.sees(viewer)["board"]["sentence"]
    with pytest.raises(UserError) as caught:
        defending.defenders({"type": "end-turn"})
    assert caught.value.code == "paused"
    act = next(act for act in defending.legal("defenders", "move") if act["unit"] == "red-1")
    home = str(defending.space_of("red-1"))
    defending.lift("red-1")
    defending.put("red-1", act["to"], 3000)
    assert defending.view("table") == before
    defending.lift("red-1")
    defending.put("red-1", home)
    maker.shop.leave(ADA)
    defending.wait(1000)
    assert defending.sees("table")["paused"] is None
    assert defending.board["state"] == "agreed"
    defending.lift("red-1")
    defending.put("red-1", act["to"])
    assert defending.space_of("red-1") == act["to"]


def test_time_out_continues_after_workshop(defending: Evening) -> None:
    defending.table.session.pause(True, "Bo's tablet")
    maker = Maker(defending).open_job()
    with pytest.raises(UserError, match="The workshop is open"):
        defending.table.session.pause(False, "Bo's tablet")
    maker.shop.leave(ADA)
    defending.wait(0)
    assert defending.sees("table")["paused"] == "Bo's tablet"


@pytest.mark.parametrize(
    "disturb",
    [lambda table: table.start({}), lambda table: table.session.replay(None)],
    ids=["a game", "a past game"],
)
def test_nothing_takes_board_from_workshop(maker: Maker, disturb: Callable[[Any], None]) -> None:
    maker.evening.claim_seats()
    maker.open_job()
    with pytest.raises(UserError, match="The workshop is open"):
        disturb(maker.evening.table)
    assert maker.evening.table.session.play is None


def test_absent_phone_gives_board_back(defending: Evening) -> None:
    maker = Maker(defending).open_job("lights")
    maker.send("white")
    defending.wait(1000 * AWAY_AFTER - 2000)
    maker.shop.state_for(BO)
    assert maker.shop.open
    maker.shop.state_for(ADA)
    defending.wait(1000 * AWAY_AFTER - 2000)
    assert maker.shop.open
    defending.wait(3000)
    assert not maker.shop.open
    assert defending.sees("table")["paused"] is None
    assert WHITE not in defending.simulated.frame


def test_one_device_has_workshop_and_another_may_take_it_over(maker: Maker) -> None:
    maker.open_job("scan")
    with pytest.raises(UserError, match="ada's phone has the workshop"):
        maker.open_job(who=BO)
    for act in (maker.shop.leave, lambda who: maker.shop.start_job(who, "lights")):
        with pytest.raises(UserError, match="ada's phone has the workshop now"):
            act(BO)
    assert (maker.shop.state_for(BO)["device"], maker.shop.state_for(BO)["mine"]) == ("ada's phone", False)
    maker.open_job(who=BO, instead=True)
    assert maker.job["name"] == "scan"
    with pytest.raises(UserError, match="bo's phone has the workshop now"):
        maker.shop.leave(ADA)


@pytest.mark.parametrize(
    ("word", "space", "code"),
    [
        ("dance", None, "not-understood"),
        ("skip", "R1", "not-understood"),
        ("", None, "not-understood"),
        ("", "Z9", "not-now"),
    ],
)
def test_unexpected_answers_are_refused(maker: Maker, word: str, space: str | None, code: str) -> None:
    calibrating(maker)
    with pytest.raises(UserError) as caught:
        maker.send(word, space)
    assert caught.value.code == code


def test_closed_workshop_refuses_commands(maker: Maker) -> None:
    for act in (lambda: maker.shop.start_job(ADA, "scan"), lambda: maker.shop.leave(ADA)):
        with pytest.raises(UserError, match="is closed"):
            act()
    maker.open_job()
    with pytest.raises(UserError, match="doesn't have that job"):
        maker.shop.start_job(ADA, "demolish")
    with pytest.raises(UserError, match="Choose one"):
        maker.shop.answer_step(ADA, "skip", None, 0)
