"""A fault of the hardware is reported on every screen, and the game goes on without the hardware."""

from __future__ import annotations

from pathlib import Path

from engine.game import TABLE
from firmware_host.core.settings import settle
from hardware.ports import DriverStatus
from tests.firmware_host.evening import Evening

BROKEN = "The board is not there. Plug it in."


def test_lost_board_is_reported_and_game_goes_on_by_phone(defending: Evening) -> None:
    defending.table.feed(DriverStatus("simulated", BROKEN))
    defending.wait(0)
    for viewer in ("sniper", "defenders", TABLE, "board"):
        board = defending.sees(viewer)["board"]
        assert (board["state"], board["sentence"], board["hint"]) == ("away", BROKEN, None)
    move = defending.legal("defenders", "move")[0]
    defending.defenders(move)
    assert defending.space_of(move["unit"]) == move["to"]


def test_reconnected_board_is_compared_with_game(defending: Evening) -> None:
    defending.table.feed(DriverStatus("simulated", BROKEN))
    defending.wait(0)
    move = defending.legal("defenders", "move")[0]
    defending.defenders(move)
    defending.table.feed(DriverStatus("simulated", None))
    defending.wait(5000)
    assert defending.board["state"] == "correcting"
    defending.set_up()
    assert defending.board["state"] == "agreed"


def test_first_move_does_not_wait_for_disconnected_board(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.claim_seats()
    evening.table.start({"options": {"random_setup": True}})
    evening.finish_dealing()
    evening.table.feed(DriverStatus("simulated", BROKEN))
    evening.enter()
    assert evening.board["state"] == "away"


def test_driver_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "boards" / settle().map).mkdir(parents=True)
    (tmp_path / "boards" / settle().map / "simulated-board.json").write_text("chalk")
    evening = Evening(tmp_path)
    evening.wait(0)
    assert evening.board["state"] == "away"
    assert "Delete it to start again." in evening.board["sentence"]
    assert evening.board["ills"] == [evening.board["sentence"]]


def test_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "boards").write_text("in the way")
    evening = Evening(tmp_path)
    evening.wait(0)
    assert "writable" in evening.board["sentence"]


def test_game_can_be_played_without_lamps(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"lamps": "none"}))
    evening.start()
    assert evening.board["state"] == "agreed"
    assert evening.board["ills"] == []
