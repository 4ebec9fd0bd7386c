"""DEF, INTEL and ACT: the defenders' turn."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import (
    Ability,
    Attack,
    Deploy,
    Dismiss,
    EndDefendersTurn,
    GatherIntel,
    Mark,
    MoveUnit,
    Spot,
    Sweep,
    Unmark,
)
from games.sniper_elite.rules.words import SQUADS
from tests.games.sniper_elite.duel import Duel, defenders_turn, sniper_turn
from tests.toys import grid

HOUSE = {"c4": "enclosed", "c5": "enclosed", "b5": "enclosed"}


def destinations(duel: Duel, unit: str) -> set[str]:
    """Return where a unit can move."""
    return {offer.to for offer in duel.defenders.menu(MoveUnit) if offer.unit == unit}


def offered(duel: Duel, kind: Any, unit: str) -> bool:
    """Return whether a unit has a legal act of this type."""
    return any(offer.unit == unit for offer in duel.defenders.menu(kind))


# --- DEF --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-DEF-01", "MP-END-02", "MP-END-03")
def test_defenders_win_by_two_wounds_or_by_the_clock() -> None:
    wounded = defenders_turn("c4", wounds=1, units={"red-1": "c4"})
    wounded.defenders.attack("red-1")
    assert wounded.table.over is not None
    assert wounded.table.over.winner == "defenders"
    late = sniper_turn("c4", countdown=1)
    late.sniper.ends_turn()
    assert late.table.over is not None
    assert late.table.over.winner == "defenders"


@pytest.mark.rule("MP-DEF-02", "MP-INTEL-02")
def test_squad_gathers_intel_or_takes_up_to_two_actions() -> None:
    duel = defenders_turn("f8")
    duel.defenders.gather_intel("red")
    with duel.refuses("MP-DEF-02", "intel"):
        duel.defenders.move("red-1", "a8")
    with duel.refuses("MP-INTEL-02"):
        duel.defenders.gather_intel("red")
    assert not offered(duel, Attack, "red-officer")
    duel.defenders.attack("yellow-1")
    duel.defenders.attack("yellow-2")
    with duel.refuses("MP-DEF-02", "both"):
        duel.defenders.attack("yellow-officer")
    with duel.refuses("MP-INTEL-02"):
        duel.defenders.gather_intel("yellow")
    assert duel.defenders.menu(GatherIntel) == [GatherIntel("black")]


@pytest.mark.rule("MP-DEF-03")
def test_squads_can_act_in_any_order() -> None:
    duel = defenders_turn("f8")
    for unit in ("red-1", "yellow-1", "red-2", "black-1", "yellow-2", "black-2"):
        duel.defenders.attack(unit)
    assert {squad.left for squad in duel.table.squads.values()} == {0}


@pytest.mark.rule("MP-DEF-06", "MP-DEF-05", "R-85")
@pytest.mark.parametrize("acts", [0, 1])
def test_all_six_cubes_advance_whether_used_or_not(acts: int) -> None:
    duel = defenders_turn("f8", countdown=6)
    if acts:
        duel.defenders.attack("red-1")
    assert duel.table.countdown == 6
    heard = duel.defenders.ends_turn()
    assert heard == [events.TurnEnded("defenders"), events.Countdown(5)]
    assert duel.table.countdown == 5
    assert {squad.left for squad in duel.table.squads.values()} == {2}


@pytest.mark.rule("MP-DEF-07")
def test_units_can_enter_any_sector() -> None:
    duel = defenders_turn("f8", units={"red-1": "c5", "yellow-1": "c4"})
    assert {"c3", "d5", "d4"} <= destinations(duel, "red-1")
    duel.defenders.move("red-1", "d4")
    duel.defenders.move("yellow-1", "c6")


@pytest.mark.rule("MP-DEF-09", "MP-ACT-05", "MP-INFO-16")
def test_moving_onto_the_sniper_has_no_effect() -> None:
    duel = defenders_turn("c4", units={"red-1": "c5", "red-2": "c6"})
    assert duel.defenders.move("red-1", "c4") == [events.Moved("red-1", "c5", "c4")]
    assert duel.table.miniature is None
    through = defenders_turn("c4", units={"red-1": "c5"})
    assert through.defenders.move("red-1", "c3") == [events.Moved("red-1", "c5", "c3")]
    assert through.truth.mine.space == "c4"


@pytest.mark.rule("MP-DEF-10", "MP-NOISE-09", "MP-SETUP-05")
def test_ten_tracking_cubes_are_notes_without_effect() -> None:
    duel = sniper_turn("c4", board=grid(kinds={"f8": "water"}))
    spaces = [f"{row}{column}" for row in "ab" for column in range(1, 6)]
    before = duel.table
    for space in spaces:
        assert duel.defenders.mark(space) == [events.Marked(space)]
    assert duel.table.marks == tuple(spaces)
    assert duel.defenders.menu(Mark) == []
    with duel.refuses("MP-DEF-10", "All 10"):
        duel.defenders.mark("c1")
    with duel.refuses("MP-DEF-10", "already"):
        duel.defenders.mark("a1")
    with duel.refuses("MP-DEF-10", "no tracking cube"):
        duel.defenders.unmark("c1")
    for number, space in enumerate(spaces[1:], 2):
        assert duel.defenders.unmark(space) == [events.Unmarked(space)]
        assert duel.table.marks == ("a1", *spaces[number:]), "the others stay, in their order"
    assert duel.defenders.menu(Unmark) == [Unmark("a1")]
    with duel.refuses("MP-DEF-10", "track"):
        duel.defenders.mark("f8")
    assert Mark("f8") not in duel.defenders.menu(Mark)
    assert Mark("a1") not in duel.defenders.menu(Mark)
    duel.defenders.unmark("a1")
    assert duel.table == before
    assert duel.referee.to_act == ("sniper",)


@pytest.mark.rule("MP-DEF-11", "MP-INFO-20")
def test_miniature_shows_the_sniper_s_last_known_space() -> None:
    duel = defenders_turn("c5", miniature="c4", units={"red-1": "c4"})
    assert duel.defenders.attack("red-1") == [events.Attacked("red-1", "c4", False)]


@pytest.mark.rule("MP-DEF-12", "MP-ACT-21")
def test_no_other_actions_exist() -> None:
    duel = defenders_turn("f8", units={"red-1": "c5", "red-officer": "b6", "yellow-officer": None})
    kinds = {type(offer) for offer in duel.referee.legal("defenders")}
    acts = {MoveUnit, Attack, Spot, Sweep, Deploy, Dismiss}
    assert kinds == acts | {GatherIntel, EndDefendersTurn, Mark, Ability}
    assert {offer.unit for offer in duel.defenders.menu(Deploy)} == {"yellow-officer", "red-2", "black-officer"}


# --- INTEL ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-INTEL-01")
def test_intel_needs_the_officer_in_its_own_sector() -> None:
    abroad = defenders_turn("f8", units={"red-officer": "b4", "yellow-officer": "b3", "red-1": "b6"})
    assert abroad.defenders.menu(GatherIntel) == [GatherIntel("yellow")]
    for squad in ("red", "black"):
        with abroad.refuses("MP-INTEL-01"):
            abroad.defenders.gather_intel(squad)


@pytest.mark.rule("MP-INTEL-02", "R-65")
def test_intel_needs_both_cubes() -> None:
    duel = defenders_turn("f8")
    duel.defenders.attack("red-1")
    with duel.refuses("MP-INTEL-02"):
        duel.defenders.gather_intel("red")


@pytest.mark.rule("MP-INTEL-03", "MP-INFO-12", "R-82")
@pytest.mark.parametrize(("sniper", "found"), [("a5", True), ("c8", True), ("c4", False), ("d5", False)])
def test_intel_answers_whether_the_sniper_is_in_the_sector(sniper: str, found: bool) -> None:
    duel = defenders_turn(sniper)
    assert duel.defenders.gather_intel("red") == [events.Intel("red", found)]
    assert duel.referee.told["table"] == [events.Intel("red", found)]
    assert duel.table.miniature is None


@pytest.mark.rule("MP-INTEL-05")
def test_intel_cannot_ask_about_the_neutral_sector() -> None:
    duel = defenders_turn("f8")
    assert {offer.squad for offer in duel.defenders.menu(GatherIntel)} == set(SQUADS)
    assert {duel.defenders.gather_intel(squad)[0].found for squad in SQUADS} == {False}  # type: ignore[attr-defined]


# --- ACT: moves -------------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-ACT-01", "R-17")
def test_unit_moves_one_or_two_spaces() -> None:
    duel = defenders_turn("f8", units={"red-1": "c5"})
    assert destinations(duel, "red-1") == {
        *("a5", "b4", "b5", "b6", "c3", "c4", "c6", "c7", "d4", "d5", "d6", "e5"),
    }
    with duel.refuses("MP-ACT-01", "already"):
        duel.defenders.move("red-1", "c5")
    with duel.refuses("MP-ACT-01", "two spaces"):
        duel.defenders.move("red-1", "c8")
    assert duel.defenders.move("red-1", "c7") == [events.Moved("red-1", "c5", "c7")]
    assert duel.table.units["red-1"] == "c7"


@pytest.mark.rule("MP-ACT-02")
def test_unit_passes_others_but_does_not_stop_on_one() -> None:
    duel = defenders_turn("f8", units={"red-1": "c5", "red-2": "c6", "yellow-1": "b5", "black-1": "d5"})
    assert "c7" in destinations(duel, "red-1")
    assert not {"c6", "b5", "d5"} & destinations(duel, "red-1")
    with duel.refuses("MP-ACT-02"):
        duel.defenders.move("red-1", "c6")
    duel.defenders.move("red-1", "c7")


@pytest.mark.rule("MP-ACT-04")
def test_walls_doors_and_water_limit_units_like_the_sniper() -> None:
    board = grid(kinds={**HOUSE, "d5": "water"}, doors=[("c4", "c3")])
    duel = defenders_turn("f8", board=board, units={"red-1": "c3", "red-2": "c6"})
    assert {"c4", "c5"} <= destinations(duel, "red-1")
    assert not {"c5", "d5", "b5", "c4"} & destinations(duel, "red-2")
    with duel.refuses("MP-ACT-04", "Walls"):
        duel.defenders.move("red-2", "c5")
    with duel.refuses("MP-ACT-04", "Nobody can enter d5"):
        duel.defenders.move("red-2", "d5")
    duel.defenders.move("red-1", "c5")


# --- ACT: search and attack -------------------------------------------------------------------------------------


@pytest.mark.rule("MP-ACT-06", "MP-ACT-07", "MP-INFO-13", "R-47")
def test_attack_wounds_the_sniper_in_the_unit_s_space() -> None:
    duel = defenders_turn("c4", units={"red-1": "c4", "red-2": "c5"})
    assert duel.defenders.attack("red-2") == [events.Attacked("red-2", "c5", False)]
    assert duel.table.wounds == 0
    assert duel.table.miniature is None
    assert duel.defenders.attack("red-1") == [
        events.Attacked("red-1", "c4", True),
        events.Revealed("c4", "attack"),
        events.Wounded(1),
    ]
    assert [duel.table.wounds, duel.table.miniature] == [1, "c4"]
    assert duel.truth.mine.space == "c4"
    assert duel.table.bag["noise"] == 2


@pytest.mark.rule("MP-ACT-08", "MP-INFO-14")
def test_successful_spot_places_the_miniature_and_adds_noise() -> None:
    duel = defenders_turn("c4", units={"red-1": "c5", "yellow-1": "c4", "yellow-2": "b4"})
    assert duel.defenders.spot("red-1", "c4") == [
        events.Spotted("red-1", "c4", True),
        events.Revealed("c4", "spot"),
        events.BagGained("noise"),
    ]
    assert duel.table.miniature == "c4"
    for not_a_neighbour in ("c4", "d5", "c6"):
        with duel.refuses("MP-ACT-08"):
            duel.defenders.spot("yellow-1", not_a_neighbour)
    assert duel.defenders.spot("yellow-2", "b5") == [events.Spotted("yellow-2", "b5", False)]
    assert duel.table.wounds == 0


@pytest.mark.rule("MP-ACT-09", "R-81", "R-83")
def test_spot_ignores_walls_and_space_types_except_water() -> None:
    board = grid(kinds={"c5": "enclosed", "b4": "elevated", "d4": "water"})
    duel = defenders_turn("c5", board=board, units={"red-1": "c4", "red-2": "c6"})
    assert {offer.space for offer in duel.defenders.menu(Spot) if offer.unit == "red-1"} == {"b4", "c3", "c5"}
    with duel.refuses("MP-ACT-08"):
        duel.defenders.spot("red-1", "d4")
    assert duel.defenders.spot("red-1", "c5")[0] == events.Spotted("red-1", "c5", True)


@pytest.mark.rule("MP-ACT-10", "R-49")
def test_sweep_names_two_different_neighbours_in_any_order() -> None:
    duel = defenders_turn("f8", units={"red-1": "c4"})
    pairs = {frozenset(offer.spaces) for offer in duel.defenders.menu(Sweep)}
    assert pairs == {frozenset(pair) for pair in combinations(("b4", "c3", "c5", "d4"), 2)}
    assert len(duel.defenders.menu(Sweep)) == 6
    for wrong in (["c5"], ["c5", "c5"], ["b4", "c3", "c5"], []):
        with duel.refuses("MP-ACT-10", "Name 2 different"):
            duel.defenders.sweep("red-1", *wrong)
    for apart in ("c6", "c4", "d5"):
        with duel.refuses("MP-ACT-10"):
            duel.defenders.sweep("red-1", "c5", apart)


@pytest.mark.rule("MP-ACT-10", "MP-ACT-11", "R-49")
def test_sweep_with_fewer_matching_neighbours_covers_those() -> None:
    one = defenders_turn("b5", board=grid(kinds={"c5": "enclosed", "b5": "enclosed"}), units={"red-1": "c5"})
    assert one.defenders.sweep("red-1", "b5") == [events.Swept("red-1", ("b5",), True)]
    none = defenders_turn("c5", board=grid(kinds={"c5": "enclosed"}), units={"red-1": "c5"})
    with none.refuses("MP-ACT-12"):
        none.defenders.sweep("red-1", "c6")
    assert none.defenders.sweep("red-1") == [events.Swept("red-1", (), True)]


# --- ACT: deployment and dismissal ------------------------------------------------------------------------------


@pytest.mark.rule("MP-ACT-13")
def test_officer_returns_to_its_start_space_only() -> None:
    duel = defenders_turn("f8", units={"red-1": "a7"})
    offers = [offer for offer in duel.defenders.menu(Deploy) if offer.unit == "red-officer"]
    assert offers == [Deploy("red-officer", "b6")]
    with duel.refuses("MP-ACT-13"):
        duel.defenders.deploy("red-officer", "b5")
    assert duel.defenders.deploy("red-officer", "b6") == [events.Deployed("red-officer", "b6")]


@pytest.mark.rule("MP-ACT-14", "MP-INFO-16", "R-61", "R-63")
def test_unit_on_the_start_space_blocks_the_officer() -> None:
    duel = defenders_turn("b6", units={"red-1": "b6", "yellow-1": "a1"})
    with duel.refuses("MP-ACT-14", "has to be moved"):
        duel.defenders.deploy("red-officer", "b6")
    duel.defenders.move("red-1", "b7")
    assert duel.defenders.deploy("red-officer", "b6") == [events.Deployed("red-officer", "b6")]


@pytest.mark.rule("MP-ACT-15")
@pytest.mark.parametrize("officer", ["b4", None])
def test_soldiers_are_deployed_only_with_the_officer_at_home(officer: str | None) -> None:
    duel = defenders_turn("f8", units={"red-officer": officer})
    assert not offered(duel, Deploy, "red-1")
    with duel.refuses("MP-ACT-15", "own sector"):
        duel.defenders.deploy("red-1", "b3")


@pytest.mark.rule("MP-ACT-19")
@pytest.mark.parametrize("act", ["attack", "spot", "sweep"])
@pytest.mark.parametrize("sniper", ["c4", "c5", "f8"])
def test_action_costs_its_cube_even_without_success(act: str, sniper: str) -> None:
    duel = defenders_turn(sniper, units={"red-1": "c4"})
    fields: dict[str, dict[str, Any]] = {"attack": {}, "spot": {"space": "c5"}, "sweep": {"spaces": ["c5", "c3"]}}
    duel.defenders.does(act, unit="red-1", **fields[act])
    assert duel.table.squads["red"].left == 1
    assert duel.table.acts_done("red-1") == (act,)


@pytest.mark.rule("MP-ACT-20")
def test_only_deployment_needs_a_unit_off_the_board() -> None:
    duel = defenders_turn("f8", units={"red-1": "c5", "red-officer": "b6"})
    acts: list[tuple[str, dict[str, Any]]] = [
        ("move", {"to": "b5"}),
        ("attack", {}),
        ("spot", {"space": "b5"}),
        ("sweep", {"spaces": ["b5", "b7"]}),
        ("dismiss", {}),
    ]
    for kind, fields in acts:
        with duel.refuses("MP-ACT-20"):
            duel.defenders.does(kind, unit="red-2", **fields)
        assert not offered(
            duel, type(GAME.read_command("defenders", {"type": kind, "unit": "red-2", **fields})), "red-2"
        )
    for unit, space in (("red-1", "b5"), ("red-officer", "b6")):
        with duel.refuses("MP-ACT-20"):
            duel.defenders.deploy(unit, space)


@pytest.mark.rule("MP-ACT-20", "MP-DEF-06", "R-88")
def test_squad_without_legal_actions_passes() -> None:
    duel = defenders_turn("f8", units={"yellow-1": "b6", "yellow-officer": "a1"})
    assert not any(offered(duel, kind, unit) for kind in (Deploy, MoveUnit) for unit in ("red-officer", "red-1"))
    duel.defenders.ends_turn()
    assert duel.table.countdown == 9
