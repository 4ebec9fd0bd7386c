"""Described positions: defaults, refusals and what each viewer sees."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusal import NotUnderstood
from tests.games.sniper_elite_solo.ground import HOME, Table, of, refused, slots

rule = pytest.mark.rule
FULL = {"aim": 6, "noise": 4, "recoil": 7}


@rule("SO-SET-10", "SO-SET-11", "SO-SET-15")
def test_position_defaults_are_those_of_the_first_turn() -> None:
    state = Table(None, entry="yellow", sniper={}).state()
    assert state["lks"] == "yellow"
    assert state["possible"] == [4, 5, 6, 7, 8, 9]
    assert state["units"] == HOME
    assert [slot["face"] for slot in state["slots"]] == ["up", "up", "down"]
    assert len(state["deck"]) == 9
    assert state["bag"] == {"aim": 6, "noise": 2, "recoil": 3}
    dealt = Table("a1", sniper={"objectives": None, "hand": None}, entry="white").state()
    assert len(set(dealt["sniper"]["hand"])) == 2
    assert len(dealt["loot_deck"]) == 8
    assert len(dealt["sniper"]["objectives"]) == 2
    working = Table("a1", sniper={"hand": ["s-mine"], "active": "trench-gun"}).state()
    assert "trench-gun" not in working["loot_deck"], "a card in effect is named"
    fresh = Table(None).state()
    assert (fresh["entry"], fresh["lks"], fresh["possible"]) == (None, None, [])
    assert Table("a1", discard=["SC-03", "SC-04"]).view()["counts"] == {"deck": 7, "loot_deck": 10, "discard": 2}


@rule("SO-R-48")
def test_position_hides_secrets_from_each_viewer() -> None:
    table = Table("a1", **slots("SC-01", "SC-02", "LF-01"))
    for viewer in ("sniper", "table"):
        view = table.view(viewer)
        assert view["slots"][2] == {"card": None, "face": "down"}
        assert view["deck"] is view["loot_deck"] is None
    assert table.view()["sniper"]["objectives"] == [4, 7]
    assert table.view("table")["sniper"]["objectives"] is None


IMPOSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("SO-TRN-01", {"round": 0}),
    ("SO-HIT-05", {"sniper": {"wounds": 3}}),
    ("SO-HIT-02", {"sniper": {"hits": 4}}),
    ("SO-HIT-04", {"sniper": {"wounded": True}}),
    ("SO-R-38", {"bag": {"aim": 6, "noise": 2, "recoil": 4}}),
    ("SO-R-38", {"bag": {"aim": 12, "noise": 2, "recoil": 3}}),
    ("SO-R-38", {"bag": {"aim": 6, "noise": 8, "recoil": 3}}),
    ("SO-R-38", {"bag": {"aim": -1, "noise": 2, "recoil": 3}}),
    ("SO-SHT-05", {"sniper": {"stack": ["noise"] * 3}, "bag": FULL}),
    ("SO-SHT-05", {"sniper": {"stack": ["recoil"] * 5}, "bag": {"aim": 6, "noise": 2, "recoil": 2}}),
    ("SO-MOV-07", {"units": {"red-1": "d7"}}),
    ("SO-KEY-11", {"units": {"red-1": "a2"}}),
    ("SO-LDO-04", {"sniper": {"mines": ["a1", "a2", "a3"]}}),
    ("SO-LDO-04", {"sniper": {"hand": ["tommy-gun"], "used": ["tommy-gun"]}}),
    ("SO-SET-02", slots("SC-01", "SP-01", "LF-01")),
    ("SO-D-12", {"deck": ["SC-03", "SC-03"]}),
    ("SO-SET-05", {"slots": [{"card": "SC-01", "face": "down"}]}),
    ("SO-R-38", {"slots": [{"card": card, "face": "up"} for card in ("SC-01", "SC-02", "LF-01")]}),
    ("SO-DEF-04", {"slots": [{"card": card, "face": "down"} for card in ("SC-01", "SC-02", None)]}),
    ("SO-SET-06", {"deck": ["SC-03", "SC-04", "SC-05", "SC-06", "SC-07", "SC-08", "SC-09", "LF-03", "LF-04", "LF-05"]}),
    ("SO-LOT-01", {"sniper": {"looted": ["a5"]}}),
    ("SO-LOT-03", {"sniper": {"looted": ["a2", "a2"]}}),
    ("SO-SET-12", {"sniper": {"objectives": [4, 5]}}),
    ("SO-SET-12", {"sniper": {"objectives": [4, 4]}}),
    ("SO-SET-12", {"pending": {"for": "return-objective"}}),
    ("SO-CMP-01", {"sniper": {"completed": [5]}}),
    ("SO-SET-15", {"entry": "white", "possible": [4, 9]}),
    ("SO-FIN-01", {"sniper": {"completed": [4, 7]}}),
    ("SO-FIN-02", {"sniper": {"wounds": 2}}),
    ("SO-FIN-03", {"over": {"winner": "defenders", "reason": "deck"}}),
    ("SO-FIN-01", {"over": {"winner": "defenders", "reason": "objectives"}, "sniper": {"completed": [4, 7]}}),
    ("SO-TRN-02", {"space": None, "entry": "white", "sniper": {"moved": True}}),
    ("SO-TRN-02", {"space": None, "entry": "white", "round": 2}),
    ("SO-SET-14", {"space": None, "lks": "white"}),
    ("SO-SET-13", {"space": None, "entry": "red"}),
    ("SO-SET-13", {"space": None, "entry": "white", "pending": {"for": "place-return"}}),
    ("SO-LOT-01", {"pending": {"for": "keep", "cards": ["s-mine"]}}),
    ("SO-LOT-01", {"space": "a2", "sniper": {"looted": ["a2"]}, "pending": {"for": "keep", "cards": []}}),
    ("SO-SHT-01", {"pending": {"for": "after-hit", "drawn": {}}}),
    ("SO-SHT-04", {"pending": {"for": "after-hit", "drawn": {}, "targets": ["red-1"]}}),
    ("SO-LDO-02", {"pending": {"for": "shoot-second", "drawn": {}, "targets": ["red-1"], "draws": [1, 1]}}),
    ("SO-LDO-02", {"pending": {"for": "shoot-second", "drawn": {}, "targets": ["red-1"], "draws": []}}),
    ("SO-DEF-05", {"pending": {"for": "place-return", "unit": "red-1", "spaces": ["a1"]}}),
    ("SO-DEF-05", {"units": {"red-1": None}, "pending": {"for": "place-return", "unit": "red-1", "spaces": ["a1"]}}),
    (
        "SO-R-21",
        {
            "units": {"red-1": "b7", "red-2": None},
            "pending": {"for": "place-return", "unit": "red-2", "spaces": ["a1"]},
        },
    ),
    (
        "SO-R-13",
        {
            "units": {"red-1": None}, "bag": {"aim": 11, "noise": 3, "recoil": 3},
            "pending": {"for": "after-hit", "drawn": {}, "targets": ["red-1"]},
        },
    ),
]  # fmt: skip


@rule("SO-R-38", "SO-R-54")
@pytest.mark.parametrize(("number", "parts"), IMPOSSIBLE)
def test_impossible_position_is_refused_with_its_rule(number: str, parts: dict[str, Any]) -> None:
    with refused(number):
        Table(**{"space": "a1", **parts})


@pytest.mark.parametrize(
    "parts",
    [
        {"units": {"red-7": "a1"}}, {"units": {"red-1": "z9"}}, {"lks": "green"}, {"nonsense": 1}, {"possible": [12]},
        {"sniper": {"stack": ["aim"]}}, {"sniper": {"active": "s-mine"}}, {"sniper": {"hand": ["bazooka"]}},
        {"pending": {"for": "tea"}}, {"over": {"winner": "nobody", "reason": "deck"}}, {"deck": ["SC-77"]},
        {"slots": [{"card": "SC-01", "face": "sideways"}]}, {"bag": {"aim": "six"}},
    ],
)  # fmt: skip
def test_position_with_unknown_names_is_not_understood(parts: dict[str, Any]) -> None:
    with pytest.raises(NotUnderstood):
        Table("a1", **parts)


@rule("SO-SET-12")
def test_position_can_ask_to_return_an_objective() -> None:
    pending = {"for": "return-objective", "deck": [9, 1, 2, 3, 6, 7, 8]}
    table = Table(None, sniper={"objectives": [4, 5]}, pending=pending)
    assert table.view()["pending"] == {"for": "return-objective", "deck": None}
    assert of(table.act("return-objective", objective=4), "objectives") == [{"cards": [5, 9]}]
