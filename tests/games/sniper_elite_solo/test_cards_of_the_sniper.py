"""The loadout cards (SO-LDO), looting (SO-LOT) and objectives (SO-CMP)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusal import NotUnderstood
from games.sniper_elite_solo.rules.cards import CARDS, in_use
from tests.games.sniper_elite_solo.ground import Table, kinds, of, refused, slots, tm1

rule = pytest.mark.rule
FAR = {"black-1": "d8"}
LF = [name for name in in_use("LF") if name not in ("SC-01", "SC-02", "LF-01")]
SLOTS = slots("SC-01", "SC-02", "LF-01")


def draw(**tokens: int) -> tuple[str, Any]:
    """Return a forced draw."""
    return "draw", {"aim": 0, "noise": 0, "recoil": 0, **tokens}


# --- when a card can be played ----------------------------------------------------------------------------------


@rule("SO-R-18", "SO-LDO-01")
def test_cards_that_need_a_space_are_refused_before_entering() -> None:
    hand = ["sound-masking", "s-mine", "silenced-ammo", "distraction", "tommy-gun", "trench-gun"]
    table = Table(None, entry="white", only=FAR, sniper={"hand": hand})
    played = [command["card"] for command in table.legal("play")]
    assert played == ["sound-masking", "silenced-ammo", "tommy-gun", "trench-gun"]
    for card in ("s-mine", "distraction"):
        table.refuses("SO-R-18", "play", card=card)
    table.act("play", card="trench-gun")
    assert table.view("table")["sniper"]["active"] == "trench-gun"


@rule("SO-LDO-01", "SO-LDO-03")
def test_cards_must_be_played_before_what_they_change() -> None:
    table = Table(
        "a1", only={"yellow-1": "a2"}, sniper={"hand": ["sound-masking", "silenced-ammo"], "moved": True, "acted": True}
    )
    for card in ("sound-masking", "silenced-ammo", "tommy-gun"):
        table.refuses("SO-LDO-01", "play", card=card)
    with pytest.raises(NotUnderstood):
        Table("a1", only=FAR, sniper={"hand": ["s-mine"]}).act("play", card="s-mine", unit="black-1", to="d6")


# --- effects ----------------------------------------------------------------------------------------------------


@rule("SO-R-34", "SO-LDO-03", "SO-R-33")
def test_distraction_moves_a_defender_into_sight() -> None:
    table = Table(
        "d4", only={"black-1": "c6", "black-2": "d5"}, lks="white", sniper={"hand": ["distraction"], "mines": ["d4"]}
    )
    ends = {command["to"] for command in table.legal("play") if command["unit"] == "black-1"}
    assert ends == {"c4", "d6"}, "two spaces, one of difficult ground; not an occupied one"
    table.refuses("SO-LDO-03", "play", card="distraction", unit="black-1", to="c5")
    with pytest.raises(NotUnderstood):
        table.act("play", card="distraction")
    told = table.act("play", card="distraction", unit="black-2", to="d4")
    assert told[1:] == [
        {"type": "distracted", "unit": "black-2", "from": "d5", "to": "d4"},
        {"type": "mine-triggered", "unit": "black-2", "space": "d4"},
        {"type": "killed", "unit": "black-2", "by": "mine"},
    ]
    nobody = Table("a1", only={"black-1": "d8"}, lks="white", sniper={"hand": ["distraction"]})
    nobody.refuses("SO-LDO-03", "play", card="distraction", unit="black-1", to="d6")


@rule("SO-LDO-02", "SO-LDO-03")
def test_tommy_gun_shoots_twice_and_noise_comes_last() -> None:
    units = {"yellow-officer": "a3", "yellow-1": "b1", "black-1": "d1", "red-1": "b8"}
    table = Table("a1", only=units, lks="white", sniper={"hand": ["tommy-gun"]})
    table.act("play", card="tommy-gun")
    shots = [shot for shot in table.legal("shoot") if shot["target"] == "yellow-officer"]
    assert {"type": "shoot", "target": "yellow-officer", "draw": 3, "second": 8} in shots
    assert not [shot for shot in shots if shot["draw"] + shot.get("second", 0) > 11]
    table.refuses("SO-R-36", "shoot", target="yellow-officer", draw=3, second=9)
    told = table.act("shoot", target="yellow-officer", draw=3, second=2, chance=[draw(aim=1, noise=1, recoil=1)])
    assert told[0] == {"type": "shot-declared", "target": "yellow-officer", "draw": 3, "second": 2}
    assert kinds(told) == ["shot-declared", "drew", "shot"], "the noise is resolved later"
    assert table.state()["pending"] == {
        "for": "shoot-second",
        "drawn": {"aim": 1, "noise": 1, "recoil": 1},
        "noise": 1,
        "targets": ["yellow-officer"],
        "draws": [2],
    }
    table.refuses("SO-LDO-02", "end-turn")
    told = table.act("shoot-second", target="yellow-1", chance=[draw(noise=1, recoil=1)])
    assert told[0] == {"type": "shot-declared", "target": "yellow-1", "draw": 2, "second": None}
    walked = of(told, "attracted")
    assert [step["unit"] for step in walked] == ["black-1"], "both targets stay; a defender blocks the other's path"
    assert table.truth.bag == {"aim": 6, "noise": 2, "recoil": 3}


@rule("SO-LDO-02", "SO-R-64")
def test_second_shot_is_forfeited_or_empties_a_short_bag() -> None:
    table = Table("a1", only={"yellow-1": "a3", **FAR}, lks="white", sniper={"hand": ["tommy-gun"]})
    table.act("play", card="tommy-gun")
    told = table.act("shoot", target="yellow-1", draw=3, second=2, chance=[draw(aim=2, noise=1)])
    assert kinds(told) == ["shot-declared", "drew", "shot", "killed"]
    told = table.act("after-hit", option="aim")
    assert kinds(told) == ["after-hit", "second-forfeited", "attracted"] or "snafu" in kinds(told)
    table.refuses("SO-LDO-02", "shoot-second", target="black-1")
    bag = {"aim": 1, "noise": 0, "recoil": 5}
    short = Table(
        "a1",
        only={"yellow-1": "a2", "yellow-2": "b1"},
        bag=bag,
        sniper={"hand": ["tommy-gun"], "stack": ["recoil"] * 2},
    )
    short.act("play", card="tommy-gun")
    short.act("shoot", target="yellow-1", draw=1, second=5, chance=[draw(aim=1)])
    short.act("after-hit", option="recoil", count=2)
    told = short.act("shoot-second", target="yellow-2", chance=[])
    assert told[1] == {"type": "drew", "tokens": {"aim": 0, "noise": 0, "recoil": 3}}
    with refused("SO-LDO-03"):
        Table("a1", only={"yellow-1": "a2"}).act("shoot", target="yellow-1", draw=1, second=1)


@rule("SO-R-70", "SO-R-32", "SO-LDO-03", "SO-LKS-02")
def test_trench_gun_reveals_then_kills_all_around() -> None:
    units = {"yellow-1": "a3", "yellow-2": "b4", "red-1": "a4", "black-1": "d8", "red-2": "b3"}
    table = Table("a4", only=units, lks="white", sniper={"hand": ["trench-gun"]})
    table.act("play", card="trench-gun")
    table.refuses("SO-LDO-03", "shoot", target="yellow-1", draw=1)
    told = table.act("shoot")
    assert told == [
        {"type": "lks-updated", "sector": "yellow"},
        {"type": "hit", "cause": "reveal", "by": None, "token": "recoil"},
        *({"type": "killed", "unit": unit, "by": "trench-gun"} for unit in ("yellow-1", "yellow-2", "red-1")),
    ]
    assert table.truth.acted
    assert table.truth.pending is None
    assert not [command for command in table.legal() if command["type"] == "shoot"]


@rule("SO-R-70")
def test_trench_gun_is_the_action_and_can_end_the_game() -> None:
    last = Table(
        "a4",
        only={"yellow-1": "a3"},
        sniper={"active": "trench-gun", "stack": [], "wounds": 1},
        bag={"aim": 6, "noise": 4, "recoil": 7},
    )
    assert kinds(last.act("shoot")) == ["lks-updated", "hit", "wounded", "game-over", "opened"]
    assert last.where("yellow-1") == "a3"
    for viewer in ("sniper", "table"):
        alone = Table("a4", only=FAR, lks="white", sniper={"active": "trench-gun"})
        alone.act("move", path=["a5", "a6"])
        assert not alone.view(viewer)["sniper"]["acted"], "the move revealed the sector"
        alone.act("shoot")
        assert alone.view(viewer)["sniper"]["acted"]


# --- loot -------------------------------------------------------------------------------------------------------


@rule("SO-LOT-01", "SO-LOT-02", "SO-OBJ-01")
def test_looting_draws_three_cards_and_keeps_one() -> None:
    table = Table("a2", only=FAR, lks="white")
    told = table.act("loot", chance=[("loot", ["trench-gun", "s-mine", "s-mine"])])
    assert told == [
        {"type": "looted", "space": "a2"},
        {"type": "eliminated", "objective": 1},
        {"type": "loot-drawn", "cards": ["trench-gun", "s-mine", "s-mine"]},
    ]
    assert table.told[-1].audience.seats == ("sniper",)
    assert table.view("table")["pending"] == {"for": "keep", "cards": None}
    assert table.view("table")["counts"]["loot_deck"] == 7
    assert [command["card"] for command in table.legal()] == ["trench-gun", "s-mine"]
    table.refuses("SO-LOT-01", "keep", card="distraction")
    table.refuses("SO-LOT-01", "end-turn")
    assert table.act("keep", card="s-mine") == [{"type": "loot-kept", "card": "s-mine"}]
    state = table.state()
    assert state["sniper"]["hand"] == ["s-mine"]
    assert state["loot_deck"].count("s-mine") == 1
    assert table.view("table")["counts"]["loot_deck"] == 9
    assert 1 not in state["possible"]
    table.refuses("SO-LOT-01", "keep", card="s-mine")


@rule("SO-LOT-01", "SO-LOT-03", "SO-R-23", "SO-R-35")
@pytest.mark.parametrize(
    ("space", "sniper", "more", "number"),
    [
        ("a1", {}, {}, "SO-LOT-01"),
        ("a5", {}, {}, "SO-LOT-01"),
        ("a5", {"completed": [4]}, {}, "SO-LOT-01"),
        ("a2", {"looted": ["a2"]}, {}, "SO-LOT-03"),
        ("a2", {}, {"loot_deck": []}, "SO-R-35"),
    ],
)
def test_looting_is_refused_with_its_rule(
    space: str, sniper: dict[str, Any], more: dict[str, Any], number: str
) -> None:
    table = Table(space, only=FAR, sniper=sniper, **more)
    assert not table.legal("loot")
    table.refuses(number, "loot")


@rule("SO-R-35", "SO-R-45")
def test_looting_a_short_deck_draws_the_rest() -> None:
    table = Table("d2", only=FAR, entry="white", loot_deck=["tommy-gun", "trench-gun"])
    told = table.act("loot")
    assert kinds(told) == ["looted", "loot-drawn"]
    assert sorted(told[1]["cards"]) == ["tommy-gun", "trench-gun"]
    assert table.view("table")["counts"]["loot_deck"] == 0
    table.act("keep", card="tommy-gun")
    assert table.view("table")["counts"]["loot_deck"] == 1


# --- objectives -------------------------------------------------------------------------------------------------


@rule("SO-CMP-01")
def test_objective_is_completed_once_on_its_space() -> None:
    table = Table("a5", only=FAR)
    assert table.legal("complete") == [{"type": "complete", "objective": 4}]
    for number in (7, 5):
        table.refuses("SO-CMP-01", "complete", objective=number)
    table.act("complete", objective=4)
    table.refuses("SO-TRN-01", "complete", objective=4)
    with refused("SO-CMP-01"):
        Table("a5", only=FAR, sniper={"completed": [4]}).act("complete", objective=4)


@rule("SO-CMP-02", "SO-HIT-06", "SO-R-24", "SO-R-38")
def test_first_objective_has_all_its_effects() -> None:
    table = Table(
        "a5", units={"red-officer": "b8", "yellow-officer": "b1"}, lks="white", deck=LF[:5], discard=LF[5:9], **SLOTS
    )
    told = table.act("complete", objective=4, chance=[("deck", [LF[8], LF[0]])])
    assert [kind for kind in kinds(told) if kind != "snafu"] == [
        "objective-completed", "bag-gained", "eliminated", "eliminated", "eliminated", "deployed", "deck-shuffled",
    ]  # fmt: skip
    assert told[0] == {"type": "objective-completed", "objective": 4, "space": "a5"}
    assert [one["objective"] for one in of(told, "eliminated")] == [4, 5, 6]
    assert of(told, "deck-shuffled") == [{"deck": 9}]
    state = table.state()
    assert state["deck"][:2] == [LF[8], LF[0]]
    assert (sorted(state["deck"]), state["discard"]) == (sorted(LF[:9]), [])
    assert state["lks"] == "white", "completing does not reveal the sniper"
    assert state["bag"]["noise"] == 3
    assert table.view()["supply"]["noise"] == 4


@rule("SO-R-37")
def test_objective_adds_no_noise_if_the_supply_is_empty() -> None:
    table = Table("a5", units={"red-officer": "b8"}, bag={"aim": 6, "noise": 7, "recoil": 3})
    assert "bag-gained" not in kinds(table.act("complete", objective=4))


@rule("SO-CMP-03", "SO-R-25", "SO-R-43", "SO-R-06", "SO-KEY-02")
def test_furthest_free_defenders_reinforce_unguarded_objectives() -> None:
    units = {"yellow-officer": "a2", "black-officer": "d8", "black-1": "c2", "black-2": "b8", "red-1": "b7"}
    walled = tm1(doors=[])
    table = Table("a5", board=walled, only=units, lks="white", possible=[1, 3, 4, 7])
    told = table.act("complete", objective=4)
    assert of(told, "deployed") == [
        {"unit": "black-1", "from": "c2", "to": "b3"},
        {"unit": "black-officer", "from": "d8", "to": "c6"},
    ], "a defender without a path is furthest; the guard of 1 stays"
    alone = Table("a5", only={"yellow-officer": "a2"}, possible=[1, 3, 4])
    assert "deployed" not in kinds(alone.act("complete", objective=4)), "the only one guards already (SO-R-25)"


@rule("SO-R-26")
def test_reinforcement_near_the_sniper_hits_at_end_of_turn() -> None:
    table = Table("a5", only={"black-1": "d8"}, possible=[2, 4], lks="white")
    table.act("complete", objective=4)
    assert table.where("black-1") == "a4"
    assert of(table.act("end-turn"), "hit")[0]["cause"] == "end-turn"


@rule("SO-FIN-01")
def test_second_objective_wins_and_opens_everything() -> None:
    table = Table("c6", only=FAR, sniper={"completed": [4]}, **SLOTS, deck=LF[:9])
    told = table.act("complete", objective=7)
    assert told == [
        {"type": "objective-completed", "objective": 7, "space": "c6"},
        {"type": "game-over", "winner": "sniper", "reason": "objectives"},
        {"type": "opened", "objectives": [4, 7], "slots": ["SC-01", "SC-02", "LF-01"], "deck": LF[:9]},
    ]
    assert table.view("table")["opened"] == {name: value for name, value in told[2].items() if name != "type"}
    assert table.view("table")["sniper"]["objectives"] == [4, 7]
    table.refuses("SO-FIN-01", "end-turn")
    assert set(CARDS) >= set(LF)
