"""The sniper's turn and movement (SO-TRN, SO-MOV), hits (SO-HIT), the last known sector (SO-LKS), the turn's end."""

from __future__ import annotations

from typing import Any

import pytest

from games.sniper_elite_solo.rules.act import hit
from tests.games.sniper_elite_solo.ground import Table, kinds, of, refused, slots, tm1

rule = pytest.mark.rule
NOBODY: dict[str, Any] = {"only": {}}


@rule("SO-TRN-01")
def test_move_card_and_action_come_in_any_order_each_once_and_none_has_to() -> None:
    table = Table("a1", **NOBODY, sniper={"hand": ["s-mine", "silenced-ammo"]}, units={})
    assert {"move", "play", "end-turn"} == {command["type"] for command in table.legal()}
    table = Table("b2", only={"yellow-2": "b3"}, sniper={"hand": ["s-mine", "distraction"]})
    table.act("shoot", target="yellow-2", draw=1, chance=[("draw", {"recoil": 1})])
    table.act("play", card="s-mine")
    table.act("move", path=["b1"])
    assert [command["type"] for command in table.legal()] == ["end-turn"]
    with refused("SO-TRN-01"):
        table.act("move", path=["a1"])
    with refused("SO-TRN-01"):
        table.act("play", card="distraction", unit="yellow-2", to="b2")
    with refused("SO-TRN-01"):
        table.act("shoot", target="yellow-2", draw=1)
    with refused("SO-TRN-01"):
        table.act("loot")


@rule("SO-MOV-01", "SO-MOV-08")
def test_a_move_goes_one_to_three_spaces_in_one_go_and_everybody_sees_it() -> None:
    table = Table("a1", **NOBODY)
    assert {len(command["path"]) for command in table.legal("move")} == {1, 2, 3}
    for path in ([], ["a2", "a3", "a4", "b4"]):
        with refused("SO-MOV-01"):
            table.act("move", path=path)
    table.act("move", path=["a2", "a3", "a4"])
    assert table.view("table")["sniper"]["space"] == "a4"
    with refused("SO-TRN-01"):
        table.act("move", path=["b4"])


@rule("SO-MOV-02", "SO-R-53")
def test_defenders_and_spaces_of_this_turn_cannot_be_entered_but_a_shared_space_can_be_left() -> None:
    table = Table("a2", only={"yellow-1": "a3", "yellow-2": "a2"})
    for path in (["a3"], ["b2", "a2"], ["b2", "b3", "a3"]):
        with refused("SO-MOV-02"):
            table.act("move", path=path)
    assert not any("a3" in command["path"] or "a2" in command["path"] for command in table.legal("move"))
    assert table.act("move", path=["b2"])


@rule("SO-MOV-03", "SO-MOV-04", "SO-MOV-05")
@pytest.mark.parametrize(
    ("path", "told"),
    [
        (["b4"], ["sniper-moved"]),
        (["a5"], ["sniper-moved"]),
        (["b4", "b5"], ["sniper-moved", "lks-updated"]),
        (["b4", "b3"], ["sniper-moved", "hit"]),
        (["a5", "a6", "b6"], ["sniper-moved", "lks-updated"]),
    ],
)
def test_what_a_move_of_so_many_spaces_costs(path: list[str], told: list[str]) -> None:
    table = Table("a4", **NOBODY, lks="yellow")
    found = table.act("move", path=path)
    assert kinds(found) == told
    assert found[0]["noisy"] == (len(path) > 1)
    if "hit" in told:
        assert found[1] == {"type": "hit", "cause": "noisy-move", "by": None, "token": "recoil"}
        assert table.truth.bag["recoil"] == 4


@rule("SO-MOV-06", "SO-MOV-07")
def test_difficult_ground_shortens_a_move_and_walls_and_water_stop_it() -> None:
    table = Table("d5", **NOBODY)
    assert ["d6"] in [command["path"] for command in table.legal("move")]
    assert not [command for command in table.legal("move") if len(command["path"]) == 3 and "d6" in command["path"]]
    with refused("SO-MOV-06"):
        table.act("move", path=["d6", "c6", "c7"])
    with refused("SO-MOV-07"):
        table.act("move", path=["d6", "d7"])
    with refused("SO-MOV-07"):
        table.act("move", path=["c6"])
    inside = Table("c3", **NOBODY)
    assert {command["path"][0] for command in inside.legal("move")} == {"c2", "d3"}
    with refused("SO-MOV-07"):
        inside.act("move", path=["b3"])
    ladder = Table("b1", board=tm1(kinds={"a1": "elevated"}), **NOBODY)
    with refused("SO-MOV-07"):
        ladder.act("move", path=["a1"])
    climbed = Table("b1", board=tm1(kinds={"a1": "elevated"}, doors=[("a1", "b1")]), **NOBODY)
    assert climbed.act("move", path=["a1"])


@rule("SO-HIT-02")
def test_the_sniper_s_turn_and_the_defenders_turn_are_counted_apart() -> None:
    table = Table(
        "b2",
        only={"yellow-2": "b3", "red-1": "a8"},
        lks="yellow",
        sniper={"hits": 3},
        **slots("SC-01", "SC-02", "SC-04"),
    )
    told = table.act("end-turn", chance=[("die", 1)])
    ends = kinds(told).index("turn-ended")
    assert "hit" not in kinds(told)[:ends], "three have counted already"
    assert of(told[ends:], "hit") == [{"cause": "scan", "by": "yellow-2", "token": "recoil"}]


@rule("SO-HIT-03", "SO-HIT-04", "SO-HIT-06")
def test_a_hit_without_a_stack_wounds_and_later_ones_of_that_turn_do_not_count() -> None:
    table = Table("a1", sniper={"stack": []}, bag={"aim": 6, "noise": 4, "recoil": 7})
    act = table.doing()
    for _ in range(3):
        hit(act, "attack")
    assert [type(one.event).__name__ for one in act.told] == ["Hit", "Wounded"]
    assert act.truth.stack == ("recoil",) * 3
    assert act.truth.supply("noise") == 5, "a wound takes nothing from the supply"
    assert (act.truth.wounds, act.truth.hits, act.truth.wounded) == (1, 1, True)


@rule("SO-LKS-01", "SO-LKS-02", "SO-SUM-01")
def test_revealing_the_position_updates_the_sector_and_hits() -> None:
    table = Table("c5", lks="white", **NOBODY)
    assert table.runs({"do": "reveal_position"}) == [
        {"type": "lks-updated", "sector": "black"},
        {"type": "hit", "cause": "reveal", "by": None, "token": "recoil"},
    ]
    assert table.runs({"do": "update_lks"}) == [{"type": "lks-updated", "sector": "black"}]


@rule("SO-EOT-01")
@pytest.mark.parametrize(
    ("units", "hits"),
    [
        ({"yellow-1": "b2"}, 1),
        ({"yellow-1": "a3", "yellow-2": "b2", "red-1": "a1"}, 1),
        ({"yellow-1": "a2"}, 1),
        ({"yellow-1": "b1"}, 0),
        ({}, 0),
    ],
)
def test_ending_the_turn_near_defenders_costs_one_hit(units: dict[str, str], hits: int) -> None:
    told = Table("a2", only=units, lks="white").act("end-turn")
    before = told[: kinds(told).index("turn-ended")]
    assert of(before, "hit") == [{"cause": "end-turn", "by": None, "token": "recoil"}] * hits


@rule("SO-EOT-01", "SO-R-09")
def test_a_wall_keeps_the_end_of_turn_hit_away() -> None:
    told = Table("c2", only={"yellow-1": "b2"}, lks="red").act("end-turn")
    assert "hit" not in kinds(told)[: kinds(told).index("turn-ended")]


@rule("SO-HIT-05", "SO-FIN-02")
def test_the_hit_at_the_end_of_the_turn_can_end_the_game() -> None:
    table = Table(
        "a2", only={"yellow-1": "a3"}, sniper={"stack": [], "wounds": 1}, bag={"aim": 6, "noise": 4, "recoil": 7}
    )
    told = table.act("end-turn")
    assert kinds(told) == ["hit", "wounded", "game-over", "opened"]
    assert told[2] == {"type": "game-over", "winner": "defenders", "reason": "wounds"}
    assert table.legal() == []
    with refused("SO-FIN-02"):
        table.act("end-turn")
