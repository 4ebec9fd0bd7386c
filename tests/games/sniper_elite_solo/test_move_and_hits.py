"""The sniper's turn and movement (SO-TRN, SO-MOV), hits (SO-HIT), the last known sector (SO-LKS), the end of turn."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.sniper_elite_solo.ground import Table, tm1

rule = pytest.mark.rule
NOBODY: dict[str, Any] = {"only": {}}


@rule("SO-TRN-01")
def test_move_card_and_action_once_each_in_any_order() -> None:
    table = Table("a1", **NOBODY, sniper={"hand": ["s-mine", "silenced-ammo"]}, units={})
    assert {"move", "play", "end-turn"} == {command["type"] for command in table.legal()}
    table = Table("b2", only={"yellow-2": "b3"}, sniper={"hand": ["s-mine", "distraction"]})
    table.act("shoot", target="yellow-2", draw=1, chance=[("draw", {"recoil": 1})])
    table.act("play", card="s-mine")
    table.act("move", path=["b1"])
    assert [command["type"] for command in table.legal()] == ["end-turn"]
    table.refuses("SO-TRN-01", "move", path=["a1"])
    table.refuses("SO-TRN-01", "play", card="distraction", unit="yellow-2", to="b2")
    table.refuses("SO-TRN-01", "shoot", target="yellow-2", draw=1)
    table.refuses("SO-TRN-01", "loot")


@rule("SO-MOV-01", "SO-MOV-08")
def test_move_is_one_to_three_spaces_and_public() -> None:
    table = Table("a1", **NOBODY)
    assert {len(command["path"]) for command in table.legal("move")} == {1, 2, 3}
    for path in ([], ["a2", "a3", "a4", "b4"]):
        table.refuses("SO-MOV-01", "move", path=path)
    table.act("move", path=["a2", "a3", "a4"])
    assert table.view("table")["sniper"]["space"] == "a4"
    table.refuses("SO-TRN-01", "move", path=["b4"])


@rule("SO-MOV-02", "SO-R-53")
def test_move_cannot_enter_defenders_or_visited_spaces() -> None:
    table = Table("a2", only={"yellow-1": "a3", "yellow-2": "a2"})
    for path in (["a3"], ["b2", "a2"], ["b2", "b3", "a3"]):
        table.refuses("SO-MOV-02", "move", path=path)
    assert not any("a3" in command["path"] or "a2" in command["path"] for command in table.legal("move"))
    assert table.act("move", path=["b2"])


@rule("SO-MOV-06", "SO-MOV-07")
def test_difficult_ground_shortens_moves_and_walls_stop_them() -> None:
    table = Table("d5", **NOBODY)
    assert ["d6"] in [command["path"] for command in table.legal("move")]
    assert not [command for command in table.legal("move") if len(command["path"]) == 3 and "d6" in command["path"]]
    table.refuses("SO-MOV-06", "move", path=["d6", "c6", "c7"])
    table.refuses("SO-MOV-07", "move", path=["d6", "d7"])
    table.refuses("SO-MOV-07", "move", path=["c6"])
    inside = Table("c3", **NOBODY)
    assert {command["path"][0] for command in inside.legal("move")} == {"c2", "d3"}
    inside.refuses("SO-MOV-07", "move", path=["b3"])
    ladder = Table("b1", board=tm1(kinds={"a1": "elevated"}), **NOBODY)
    ladder.refuses("SO-MOV-07", "move", path=["a1"])
    climbed = Table("b1", board=tm1(kinds={"a1": "elevated"}, doors=[("a1", "b1")]), **NOBODY)
    assert climbed.act("move", path=["a1"])


@rule("SO-LKS-01", "SO-LKS-02", "SO-SUM-01")
def test_revealing_the_position_updates_the_sector_and_hits() -> None:
    table = Table("c5", lks="white", **NOBODY)
    assert table.runs({"do": "reveal_position"}) == [
        {"type": "lks-updated", "sector": "black"},
        {"type": "hit", "cause": "reveal", "by": None, "token": "recoil"},
    ]
    assert table.runs({"do": "update_lks"}) == [{"type": "lks-updated", "sector": "black"}]
