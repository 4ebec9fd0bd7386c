"""Rulings without a rule of their own: how this implementation resolves what the rules leave open."""

from __future__ import annotations

from typing import Any

import pytest

from engine.seats import seat_names
from games.sniper_elite import GAME
from games.sniper_elite.game import SWITCHES
from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import MoveUnit, Shoot, Spot
from tests.games.sniper_elite.duel import defenders_turn, sniper_turn
from tests.toys import grid


@pytest.mark.rule("R-02", "MP-SETUP-02")
def test_defenders_are_one_seat_that_commands_all_squads() -> None:
    assert seat_names(GAME.seats(GAME.read_options({}))) == ("sniper", "defenders")
    duel = defenders_turn("f8")
    assert {offer.unit.partition("-")[0] for offer in duel.defenders.menu(MoveUnit)} == {"yellow", "red", "black"}


@pytest.mark.rule("R-14", "MP-SHOOT-10", "MP-SHOOT-15", "MP-SHOOT-16")
def test_shot_is_resolved_in_a_fixed_order() -> None:
    duel = sniper_turn("c1", units={"black-1": "c2"})
    heard = duel.sniper.shoots("black-1", aim=1, noise=2)
    assert heard == [
        events.Target("black-1"),
        events.ShotDeclared(3),
        events.Drew({"aim": 1, "noise": 2, "recoil": 0, "suppression": 0}),
        events.Revealed("c1", "shot"),
        events.Shot("hit"),
        events.Killed("black-1", "shot"),
        events.BagGained("aim"),
    ]
    assert duel.truth.bag == {"aim": 7, "noise": 2, "recoil": 3, "suppression": 0}


@pytest.mark.rule("R-06", "R-18")
@pytest.mark.parametrize("raw", [None, {}, {"switches": {}}, {"switches": {"R-05": False, "R-36": True}}])
def test_switch_missing_from_a_game_has_its_default(raw: Any) -> None:
    """Games and records from before the switch existed keep their meaning."""
    options = GAME.read_options(raw)
    off = [switch for switch in SWITCHES if not options.stands(switch)]
    assert off == (["R-05"] if raw and raw.get("switches") else [])


R18_OFF = {"switches": {"R-18": False}}


@pytest.mark.rule("R-18")
def test_r18_off_position_gives_the_deployed_units() -> None:
    board, units = grid(difficult=["b4"]), {"red-1": "b5"}
    for said in ({"done": {"red-1": ["deploy"]}}, {"off": ["red-1"]}):
        duel = defenders_turn("f8", board=board, options=R18_OFF, units=units, **said)
        with duel.refuses("MP-ACT-03", "deployed"):
            duel.defenders.move("red-1", "b4")
    spotted = defenders_turn("f8", board=board, options=R18_OFF, units=units, done={"red-1": ["spot"]})
    spotted.defenders.move("red-1", "b4")


@pytest.mark.rule("R-50", "MP-ACT-08")
def test_spot_names_any_neighbour_but_not_the_own_space() -> None:
    duel = defenders_turn("c5", units={"red-1": "c4", "red-2": "c5"})
    assert {offer.space for offer in duel.defenders.menu(Spot) if offer.unit == "red-1"} == {"b4", "c3", "c5", "d4"}
    with duel.refuses("MP-ACT-08"):
        duel.defenders.spot("red-1", "c4")
    assert events.Spotted("red-1", "c5", True) in duel.defenders.spot("red-1", "c5")


@pytest.mark.rule("R-72", "MP-LOS-15")
def test_units_do_not_block_shots() -> None:
    units = {"red-1": "c1", "red-2": "c2", "red-officer": "c3", "black-1": "c4"}
    duel = sniper_turn("c1", units=units, dogs=["c2"])
    assert {offer.target for offer in duel.sniper.menu(Shoot)} == set(units)
    duel.sniper.shoots("black-1", aim=3)
    assert duel.units("black-1") == (None,)


@pytest.mark.rule("R-86", "MP-DEF-04")
def test_returning_unit_is_the_same_miniature() -> None:
    again = defenders_turn("f8", done={"red-1": ["move"]}, units={"red-1": "b5", "red-officer": "b6"})
    assert not any(offer.unit == "red-1" for offer in again.defenders.menu(MoveUnit))
    with again.refuses("MP-DEF-04"):
        again.defenders.move("red-1", "b4")
    fallen = defenders_turn(
        "f8", face_down=["s-mine"], hand=[], mines=["c4"], units={"red-1": "c5", "red-officer": "b6"}
    )
    fallen.defenders.move("red-1", "c4")
    fallen.defenders.deploy("red-1", "b5")
    assert fallen.truth.acts_done("red-1") == ("move", "deploy"), "its move still counts"


@pytest.mark.rule("R-79", "MP-DEF-13")
def test_table_gives_all_answers() -> None:
    duel = defenders_turn("c4", units={"red-1": "c4", "red-officer": "b6"})
    duel.defenders.spot("red-officer", "b5")
    assert duel.referee.to_act == ("defenders",), "the sniper is not asked"
    assert duel.referee.legal("sniper") == []
