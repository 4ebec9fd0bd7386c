"""Time-outs and past games on the board: no one may act."""

from __future__ import annotations

import pytest

from engine.game import Cue
from firmware_host.board.board_io import TIME_OUT_BRIGHTNESS
from firmware_host.core.errors import UserError
from firmware_host.table import interruption
from firmware_host.table.interruption import ReplayStep
from games.sniper_elite import GAME
from tests.firmware_host.evening import PIN, Evening

ADA = "Ada's phone"
STILL = ReplayStep(
    GAME,
    "launch-facility",
    "launch-facility",
    "Launch Facility",
    (Cue("hider", ("Y7",)), Cue("stood", ("R4",), "red")),
    {"game": 9, "step": 3},
)


def refused(evening: Evening, seat: str) -> str:
    with pytest.raises(UserError) as caught:
        getattr(evening, seat)({"type": "end-turn"})
    return caught.value.code


# --- time-outs --------------------------------------------------------------------------------------------------


def test_time_out_stops_all_acts_and_its_caller_is_public(defending: Evening) -> None:
    defending.table.session.pause(True, ADA)
    defending.table.session.pause(True, "somebody later")
    defending.wait(0)
    assert [refused(defending, seat) for seat in ("sniper", "defenders")] == ["paused", "paused"]
    assert {defending.sees(viewer)["paused"] for viewer in ("sniper", "defenders", "table")} == {ADA}
    assert defending.board["sentence"] == "Ada's phone has paused the game. No one can act until it is resumed."
    defending.table.session.pause(False, "Bo's tablet")
    defending.defenders({"type": "end-turn"})
    assert defending.sees("table")["paused"] is None


def test_pieces_are_ignored_in_time_out_and_tracked_after_it(defending: Evening) -> None:
    act = next(act for act in defending.legal("defenders", "move") if act["unit"] == "red-1")
    home = defending.space_of("red-1")
    defending.table.session.pause(True, ADA)
    defending.lift("red-1")
    defending.put("red-1", act["to"], 3000)
    assert defending.space_of("red-1") == home
    defending.lift("red-1")
    defending.put("red-1", str(home))
    defending.table.session.pause(False, ADA)
    defending.wait(1000)
    assert defending.board["state"] == "agreed"
    defending.lift("red-1")
    defending.put("red-1", act["to"])
    assert defending.space_of("red-1") == act["to"]


def test_lamps_are_dimmed_in_time_out(defending: Evening) -> None:
    defending.defenders(next(act for act in defending.legal("defenders", "spot")))
    defending.wait(300)
    bright = max(max(colour) for colour in defending.simulated.frame)
    defending.table.session.pause(True, ADA)
    defending.wait(300)
    dimmed = max(max(colour) for _ in range(30) for colour in (defending.wait(50), defending.simulated.frame)[1])
    assert 0 < dimmed <= 255 * TIME_OUT_BRIGHTNESS + 1 < bright


def test_time_out_survives_power_cut_but_not_its_game(defending: Evening) -> None:
    defending.table.session.pause(True, ADA)
    defending.pull_the_plug()
    assert defending.sees("table")["paused"] == ADA
    assert refused(defending, "defenders") == "paused"
    defending.table.abandon()
    defending.wait(0)
    assert defending.sees("table")["paused"] is None
    with pytest.raises(UserError, match="No game is running"):
        defending.table.session.pause(True, ADA)


def test_bots_wait_for_end_of_time_out(evening: Evening) -> None:
    evening.defenders_key = evening.table.seating.claims.claim("defenders", PIN, "Bo's tablet", ())
    evening.table.seating.seat_bot("sniper", "prowler")
    evening.table.start({"options": {"random_setup": True}})
    evening.set_up()
    evening.table.session.pause(True, "Bo's tablet")
    turn = evening.view("table")["turn"]
    heard = evening.sentences("table")
    evening.wait(60_000)
    assert (evening.view("table")["turn"], evening.sentences("table")) == (turn, heard)
    evening.table.session.pause(False, "Bo's tablet")
    evening.wait(60_000)
    assert evening.sentences("table") != heard


# --- past games on the board ------------------------------------------------------------------------------------


def test_replay_stays_on_lamps_and_table_view_until_ended(evening: Evening) -> None:
    evening.table.session.replay(STILL)
    evening.wait(0)
    assert evening.lit() == {"Y7", "R4"}
    assert evening.sees("table")["replay"] == {"game": 9, "step": 3}
    assert evening.board["sentence"] == "A past game is shown on the board."
    evening.table.session.replay(None)
    evening.wait(100)
    assert evening.sees("table")["replay"] is None
    assert evening.lit() == set()


def test_replay_without_further_steps_ends_by_itself(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interruption, "REPLAY_SECONDS", 60.0)  # otherwise every light of 15 minutes is painted
    evening.table.session.replay(STILL)
    evening.wait(60_000 - 100)
    assert evening.sees("table")["replay"] is not None
    evening.wait(200)
    assert evening.sees("table")["replay"] is None


def test_replay_is_refused_during_game_and_ended_by_start(evening: Evening) -> None:
    evening.table.session.replay(STILL)
    evening.start()
    assert evening.sees("table")["replay"] is None
    with pytest.raises(UserError, match="A game is running"):
        evening.table.session.replay(STILL)
    with pytest.raises(UserError, match="A game is running"):
        evening.table.session.replay(None)


def test_replay_does_not_change_the_map_of_the_next_game(evening: Evening) -> None:
    evening.claim_seats()
    evening.table.choose({"map": "launch-facility"})
    evening.table.session.replay(
        ReplayStep(GAME, "submarine-pens", "submarine-pens", "Submarine Pens", (), {"game": 2})
    )
    evening.table.start({"options": {"random_setup": True}})
    assert evening.table.session.map == "launch-facility"


def test_replay_selects_its_map_when_table_is_free(evening: Evening) -> None:
    other = ReplayStep(GAME, "submarine-pens", "submarine-pens", "Submarine Pens", (), {"game": 2})
    evening.table.session.replay(other)
    evening.wait(0)
    assert evening.sees("table")["map"] == "submarine-pens"
