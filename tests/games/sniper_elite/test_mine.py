"""MINE: S-Mines, from placement to explosion."""

from __future__ import annotations

from typing import Any

import pytest

from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import Play
from games.sniper_elite.rules.words import START_BAG
from tests.games.sniper_elite.duel import ALL, Duel, defenders_turn, sniper_turn, viewers
from tests.toys import grid, t1

WITH_MEDIC = {"red": {"card": "medic"}, "yellow": {"card": "scout"}, "black": {"card": "radio-operator"}}


def mined(*spaces: str, at: str = "f8", board: Any = None, **more: Any) -> Duel:
    """Return the defenders' turn with mines placed before, and the sniper elsewhere."""
    cards = ["s-mine"] * len(spaces)
    standard = {"units": {"red-1": "c3", "red-officer": "b6"}, "hand": [], "face_down": cards, "mines": list(spaces)}
    return defenders_turn(at, board or grid(), **{**standard, **more})


def blown_up(duel: Duel) -> list[str]:
    """Return the units killed by mines."""
    return [event.unit for event in duel.defenders.knows if isinstance(event, events.Killed) and event.by == "mine"]


@pytest.mark.rule("MP-MINE-01", "MP-LOAD-09", "MP-INFO-11")
def test_mine_is_placed_in_secret_on_the_sniper_s_space() -> None:
    duel = sniper_turn("c4", hand=["s-mine"], units={"red-1": "a8"})
    duel.sniper.moves("c5")
    duel.sniper.plays("s-mine")
    assert duel.truth.mine.mines == ("c5",)
    assert viewers(duel, events.MineLaid) == viewers(duel, events.CardLaid) == {"sniper"}
    assert duel.defenders.knows == [events.CardPlayed(None)]
    duel.sniper.ends_turn()
    duel.defenders.move("red-1", "a7")
    assert duel.truth.mine.mines == ("c5",)


@pytest.mark.rule("MP-MINE-02")
@pytest.mark.parametrize(("to", "dead"), [("c4", True), ("c5", False)])
def test_ex109_ex110_unit_triggers_a_mine_by_stopping_not_passing(to: str, dead: bool) -> None:
    duel = mined("c4")
    duel.defenders.move("red-1", to)
    assert blown_up(duel) == (["red-1"] if dead else [])
    assert duel.truth.mine.mines == (() if dead else ("c4",))


@pytest.mark.rule("MP-MINE-02")
def test_ex109_ex110_on_the_toy_map() -> None:
    for to, dead in (("a4", []), ("a3", ["red-1"])):
        duel = mined("a3", at="w2", board=t1(), objectives=[1, 2], units={"red-1": "a2"})
        duel.defenders.move("red-1", to)
        assert blown_up(duel) == dead


@pytest.mark.rule("MP-MINE-03", "MP-INFO-11", "MP-INFO-09", "MP-MINE-07", "MP-BAG-09")
def test_explosion_is_immediate_and_public() -> None:
    duel = mined("c4")
    duel.defenders.move("red-1", "c4")
    assert duel.defenders.knows == [
        events.Moved("red-1", "c3", "c4"),
        events.MineTriggered("red-1", "c4"),
        events.Killed("red-1", "mine"),
        events.BagGained("aim"),
    ]
    assert viewers(duel, events.MineTriggered) == set(ALL)
    assert duel.units("red-1") == (None,)
    assert (duel.truth.mine.mines, duel.truth.mine.face_down) == ((), ())
    assert (duel.table.face_up, duel.table.face_down_size) == (("s-mine",), 0)
    duel.defenders.move("red-officer", "b5")
    assert blown_up(duel) == ["red-1"]


@pytest.mark.rule("MP-MINE-04", "MP-SPEC-27")
def test_medic_cannot_save_from_a_mine() -> None:
    duel = mined("c4", specialists=WITH_MEDIC)
    duel.defenders.move("red-1", "c4")
    assert blown_up(duel) == ["red-1"]
    assert duel.truth.pending is None
    with duel.refuses("MP-SPEC-26"):
        duel.defenders.save("red-1")
    lured = sniper_turn("c1", hand=["distraction"], face_down=["s-mine"], mines=["c4"], specialists=WITH_MEDIC,
                        units={"red-1": "c5", "red-officer": "b6"})  # fmt: skip
    lured.sniper.plays("distraction", "red-1", "c4")
    assert blown_up(lured) == ["red-1"]
    assert lured.referee.to_act == ("sniper",)


@pytest.mark.rule("MP-MINE-05")
def test_ex25_moving_mining_and_moving_again_is_not_possible() -> None:
    duel = sniper_turn("c4", hand=["s-mine"], units={"red-1": "a8"}, round=3, countdown=8)
    duel.sniper.moves("c5")
    duel.sniper.plays("s-mine")
    with duel.refuses("MP-MOVE-07"):
        duel.sniper.moves("c6")


@pytest.mark.rule("MP-MINE-06", "R-37")
def test_sniper_and_dogs_do_not_trigger_mines() -> None:
    duel = sniper_turn("c4", hand=[], face_down=["s-mine", "s-mine"], mines=["c5", "c6"], units={}, dogs=["c6"])
    duel.sniper.moves("c5", "c6")
    assert duel.truth.mine.mines == ("c5", "c6")
    assert not any(isinstance(event, events.MineTriggered) for event in duel.sniper.knows)
    keeper = {"red": {"card": "kennel-master"}, "yellow": {"card": "scout"}, "black": {"card": "medic"}}
    placing = mined("b6", specialists=keeper)
    placing.defenders.use("red")
    assert placing.truth.mine.mines == ("b6",)


@pytest.mark.rule("R-36")
@pytest.mark.parametrize("unit", ["red-1", "red-officer"])
def test_r36_off_kill_by_mine_adds_no_token(unit: str) -> None:
    duel = mined("c4", units={unit: "c3"}, options={"switches": {"R-36": False}})
    duel.defenders.move(unit, "c4")
    assert duel.defenders.knows[-1] == events.Killed(unit, "mine")
    assert duel.truth.bag == START_BAG
    assert duel.table.specialists["red"].suppression


@pytest.mark.rule("MP-MINE-08", "R-38")
def test_mined_unit_can_be_deployed_but_not_by_radio() -> None:
    duel = mined("c4", specialists=WITH_MEDIC, units={"red-1": "c3", "red-officer": "b6", "black-officer": "d4"})
    duel.defenders.move("red-1", "c4")
    with duel.refuses("MP-SPEC-21"):
        duel.defenders.use("black", unit="red-1", space="d5")
    duel.defenders.deploy("red-1", "b5")
    assert duel.units("red-1") == ("b5",)
    assert duel.truth.squads["red"].left == 0


@pytest.mark.rule("MP-MINE-09", "MP-END-05")
def test_hidden_mine_is_shown_after_the_game() -> None:
    duel = mined("c4", at="c3", wounds=1)
    duel.defenders.attack("red-1")
    assert isinstance(duel.defenders.knows[-1], events.Opened)
    assert duel.defenders.knows[-1].mines == ("c4",)


@pytest.mark.rule("R-34")
def test_distraction_and_scout_moves_trigger_mines() -> None:
    lured = sniper_turn("c1", hand=["distraction"], face_down=["s-mine"], mines=["c4"], units={"red-1": "c5"})
    lured.sniper.plays("distraction", "red-1", "c4")
    assert blown_up(lured) == ["red-1"]
    assert lured.truth.mine.mines == ()
    scouted = mined("e7")
    scouted.defenders.use("red", unit="red-1", to="e7")
    assert scouted.defenders.knows[:2] == [events.Scouted("red-1", "c3", "e7"), events.MineTriggered("red-1", "e7")]
    assert blown_up(scouted) == ["red-1"]


@pytest.mark.rule("R-35")
def test_mine_under_a_unit_waits_for_a_movement_to_end() -> None:
    duel = sniper_turn("c4", hand=["s-mine"], units={"red-1": "c4", "black-1": "c6"})
    assert Play("s-mine") in duel.sniper.menu(Play), "an occupied space can have a mine"
    duel.sniper.plays("s-mine")
    duel.sniper.ends_turn()
    duel.defenders.spot("red-1", "c3")
    duel.defenders.move("red-1", "c5")
    duel.defenders.move("black-1", "d5")
    duel.defenders.ends_turn()
    duel.sniper.ends_turn()
    assert blown_up(duel) == []
    duel.defenders.move("red-1", "c4")
    assert blown_up(duel) == ["red-1"]
