"""The hint of where the sniper can be: agreed on in the lobby, public, true, and removed when the game is over.

`test_twins.py` tests, with everything else, that strangers see the same hint whatever the secret is.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from engine.chance import Chance
from engine.game import TABLE, Deducing
from firmware_host.board.cues.scene import current_ma
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.play.game import TableGame
from firmware_host.play.possible import Possible
from firmware_host.records.journal import Journal
from hardware.ports import DARK
from tests.firmware_host.evening import Evening
from tests.firmware_host.published import latest

VIEWERS = ("sniper", "defenders", "table")


def allowed(folder: Path, **settings: Any) -> Evening:
    """Return an evening with the hint allowed by the settings and chosen by the players."""
    evening = Evening(folder, settle({"possible_hints": True, **settings}))
    evening.choice = {"possible_hints": True}
    return evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return allowed(tmp_path)


def possible(evening: Evening) -> list[str] | None:
    """Return the spaces on the screens, which are the same for everyone."""
    found: list[list[str] | None] = [evening.sees(viewer)["possible"] for viewer in VIEWERS]
    assert found[0] == found[1] == found[2]
    return found[0]


# --- off unless the settings and the players want it --------------------------------------------------------------


def test_hint_is_off_by_default_on_screens_and_lamps(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.start_hunt()
    assert possible(evening) is None
    assert evening.lit() == set()
    assert evening.table.snapshot.front["possible_hints"] is False


def test_setting_offers_hint_and_games_still_start_without(evening: Evening) -> None:
    evening.choice = {}
    assert evening.table.snapshot.front["possible_hints"] is True
    evening.start()
    assert possible(evening) is None


@pytest.mark.parametrize("wanted, code", [(True, "not-now"), ("yes", "not-understood"), (1, "not-understood")])
def test_forbidden_or_invalid_hint_starts_no_game(tmp_path: Path, wanted: object, code: str) -> None:
    evening = Evening(tmp_path)
    evening.claim_seats()
    with pytest.raises(UserError, match="possible_hints") as caught:
        evening.table.start({"options": {}, "possible_hints": wanted})
    assert caught.value.code == code
    evening.wait(0)
    assert evening.sees("table")["stage"] == "lobby"


# --- what it shows ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", maps.drawn())
def test_hint_never_misses_sniper_in_random_play(tmp_path: Path, name: str) -> None:
    evening = allowed(tmp_path, map=name)
    evening.table.board.use_sensors(False)
    evening.start()
    random, narrow = Random(5), 0
    for _ in range(150):
        if evening.sees("table")["stage"] == "over":
            break
        seat = evening.view("table")["to_act"][0]
        legal = evening.sees(seat)["legal"]
        kind = random.choice(sorted({act["type"] for act in legal}))
        act = random.choice([act for act in legal if act["type"] == kind])
        (evening.sniper if seat == "sniper" else evening.defenders)(act)
        here, spaces = evening.view("sniper")["sniper"]["space"], possible(evening)
        if spaces is not None and here is not None:
            assert here in spaces, f"{here} is missing after {evening.sentences('table')[-3:]}"
            narrow += len(spaces) < len(evening.table.board.io.spaces) // 2
    assert narrow, "the set never excluded anything"


def test_act_without_public_event_changes_neither_hint_nor_screens(evening: Evening) -> None:
    evening.start()
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    before, screen = possible(evening), latest(evening.table.followers, "table")
    evening.sniper(next(act for act in evening.legal("sniper", "move") if len(act["path"]) == 1))
    assert possible(evening) == before
    assert latest(evening.table.followers, "table") == screen


def test_hint_is_not_calculated_again_for_secret_acts_or_time(evening: Evening) -> None:
    evening.start()
    assert evening.table.session.possible is not None
    worked_out = evening.table.session.possible.spaces
    assert worked_out
    evening.enter()
    evening.wait(5000)
    assert evening.table.session.possible.spaces is worked_out


def test_move_taken_back_changes_nothing_and_answer_removes_spaces(defending: Evening) -> None:
    at_first = possible(defending)
    assert at_first
    move = defending.legal("defenders", "move")[0]
    defending.defenders(move)
    defending.defenders({"type": "take-back"})
    assert possible(defending) == at_first
    assert defending.table.session.possible is not None
    assert defending.table.session.play is not None
    assert defending.table.session.possible.view == defending.table.session.play.referee.pictures[TABLE]
    defending.defenders({"type": "intel", "squad": "red"})
    left = possible(defending)
    assert left
    assert set(left) < set(at_first)


def test_power_cut_keeps_agreement_and_spaces(defending: Evening) -> None:
    defending.defenders({"type": "attack", "unit": "red-1"})
    before = possible(defending)
    assert before
    defending.pull_the_plug()
    assert possible(defending) == before


def test_hint_ends_with_game_and_next_one_starts_without(evening: Evening) -> None:
    evening.start(experienced_sniper=["D"])
    evening.table.board.use_sensors(False)
    while evening.sees("table")["stage"] == "playing":
        seat = evening.view("table")["to_act"][0]
        if evening.legal("sniper", "choose-entry"):
            evening.enter()
        (evening.sniper if seat == "sniper" else evening.defenders)({"type": "end-turn"})
    assert possible(evening) is None
    evening.choice = {}
    evening.table.start({"options": {}})
    evening.wait(0)
    assert possible(evening) is None
    evening.pull_the_plug()
    assert possible(evening) is None


def test_abandoned_game_leaves_no_hint(defending: Evening) -> None:
    defending.table.abandon()
    defending.wait(0)
    assert possible(defending) is None
    assert defending.lit() == set()


def test_refolded_game_gives_same_spaces(tmp_path: Path) -> None:
    game, board = games.find("sniper-elite"), maps.load("launch-facility")
    assert isinstance(game, Deducing)
    journal = Journal(tmp_path / "games.sqlite")
    play = TableGame.begin(game, board, game.read_options({"random_setup": True}), journal, Chance(Random(2)))
    live, random = Possible(play, game), Random(2)
    for _ in range(60):
        live.follow()
        again = Possible(play, game)
        again.follow()
        assert live.spaces == again.spaces
        seat = game.to_act(play.referee.pictures[TABLE])[0]
        play.act(seat, random.choice(play.referee.legal(seat)))
    journal.close()


# --- lamps ------------------------------------------------------------------------------------------------------


def test_lamps_glimmer_on_these_spaces_fainter_than_anything_else(defending: Evening) -> None:
    spaces = possible(defending)
    assert spaces
    assert defending.lit() == set(spaces)
    assert max(max(colour) for colour in defending.colours(spaces[0])) < 64


def test_every_other_cue_is_visible_above_hint(defending: Evening) -> None:
    spaces = possible(defending)
    assert spaces
    space = spaces[0]
    faint = defending.colours(space)
    defending.defenders({"type": "mark", "space": space})
    assert not (defending.colours(space) - {DARK}) & faint


def test_hint_does_not_overload_weak_supply(tmp_path: Path) -> None:
    evening = allowed(tmp_path, current_limit_ma=150)
    drawn = []
    evening.simulated.watch(lambda frame, at: drawn.append(current_ma(frame)))
    evening.start()
    evening.enter()
    evening.wait(3000)
    assert possible(evening)
    assert 0 < max(drawn) <= 150
