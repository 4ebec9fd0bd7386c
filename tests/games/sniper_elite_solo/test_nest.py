"""Eagle's Nest in the solo game: allied snipers and gear."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusal import NotUnderstood, Refused
from firmware_host.core import maps
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite_solo import GAME
from tests.games.sniper_elite_solo.ground import Table, kinds, new, of, refused, tm1

HIGH = tm1({"b2": "elevated", "b3": "elevated"})


def with_ally(name: str, space: str | None = "a1", gear: bool = False, **parts: Any) -> Table:
    """Return a table with a position of a game with an ally."""
    return Table(space, options={"nest": {"ally": f"AS-{name}", "gear": gear}}, **parts)


@pytest.mark.rule("EN-ALY-01", "EN-ALY-02", "EN-R-03", "EN-R-19")
@pytest.mark.parametrize("ally", ALLIES)
def test_bag_and_supply_follow_the_ally(ally: str) -> None:
    """There are 11 aim, 9 noise and at most 7 recoil in play."""
    table = new(options={"nest": {"ally": ally}})
    bag = dict(ALLIES[ally].bag)
    told = [told.event for told in table.told if told.audience.seats != ()]
    assert kinds({"type": type(event).__struct_config__.tag} for event in told)[:3] == [
        "ally-chosen",
        "bag-loaded",
        "slots-laid",
    ]
    assert table.state()["bag"] == bag
    assert table.state()["ally"] == ally
    assert table.state()["sniper"]["shot"] is False
    assert table.view()["supply"] == {"aim": 11 - bag["aim"], "noise": 9 - bag["noise"] - 2}
    assert len(table.state()["sniper"]["hand"]) == (1 if ally == "AS-SABLE" else 2), "EN-R-23"


@pytest.mark.rule("EN-R-04")
def test_game_without_eagles_nest_does_not_mention_it() -> None:
    table = new()
    assert "ally" not in table.state()
    assert "shot" not in table.state()["sniper"]
    assert table.state()["bag"] == {"aim": 6, "noise": 2, "recoil": 3}
    shot = Table("b4", chance=[("draw", {"aim": 1})]).act("shoot", target="yellow-2", draw=1)
    assert shot[0] == {"type": "shot-declared", "target": "yellow-2", "draw": 1, "second": None}
    with pytest.raises(NotUnderstood, match="ally"):
        Table("a1", ally="AS-WREN")


@pytest.mark.rule("EN-R-17")
def test_ghost_is_refused() -> None:
    with refused("EN-R-17"):
        GAME.read_options({"nest": {"ally": "ghost"}})
    with pytest.raises(NotUnderstood):
        GAME.read_options({"nest": {"ally": "AS-NOBODY"}})


# --- gear -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-LDO-01", "EN-LDO-02", "EN-LDO-03", "EN-R-01", "EN-R-02", "EN-D-07")
@pytest.mark.parametrize(
    ("board", "climb", "dive"),
    [
        (maps.load("launch-facility"), 0, 2),
        (maps.load("submarine-pens"), 2, 2),
        (tm1({"d7": "open"}), 0, 0),
        (HIGH, 2, 2),
    ],
    ids=["launch-facility", "submarine-pens", "dry and flat", "both"],
)
def test_gear_joins_the_deck_if_the_map_needs_it(board: Any, climb: int, dive: int) -> None:
    state = new(board, {"nest": {"gear": True}}).state()
    cards = [*state["sniper"]["hand"], *state["loot_deck"]]
    assert (cards.count("climbing-gear"), cards.count("diving-gear")) == (climb, dive)
    assert len(cards) == 10 + climb + dive
    if not climb:
        with refused("EN-LDO-02"):
            Table(
                board.enterable[0],
                only={},
                board=board,
                options={"nest": {"gear": True}},
                sniper={"hand": ["climbing-gear"], "objectives": [1, 4]},
            )


@pytest.mark.rule("EN-D-06", "EN-R-21", "EN-R-30")
def test_diving_gear_crosses_water_but_does_not_end_there() -> None:
    at_d8 = {"sniper": {"hand": ["diving-gear"]}, "lks": "black"}
    table = Table("d8", options={"nest": {"gear": True}}, **at_d8)
    assert {"type": "move", "path": ["d7", "c7"]} not in table.legal("move")
    table.refuses("SO-MOV-07", "move", path=["d7", "c7"])
    assert kinds(table.act("play", card="diving-gear")) == ["card-played"]
    assert table.state()["sniper"]["active"] == "diving-gear"
    table.refuses("EN-D-06", "move", path=["d7"])
    paths = [command["path"] for command in table.legal("move")]
    assert ["d7", "c7"] in paths
    assert all(path[-1] != "d7" for path in paths)
    assert of(table.act("move", path=["d7", "c7"]), "sniper-moved") == [{"path": ["d7", "c7"], "noisy": True}]


@pytest.mark.rule("EN-R-30")
def test_gear_is_played_before_the_move() -> None:
    table = Table(None, options={"nest": {"gear": True}}, entry="white", lks="white", sniper={"hand": ["diving-gear"]})
    table.act("play", card="diving-gear")
    late = Table("d8", options={"nest": {"gear": True}}, lks="black", sniper={"hand": ["diving-gear"], "moved": True})
    late.refuses("SO-LDO-01", "play", card="diving-gear")


@pytest.mark.rule("EN-D-05", "EN-R-20")
def test_climbing_gear_allows_one_step_without_a_ladder() -> None:
    """B2 and b3 are heights without a ladder; c2 is a house, which has walls."""
    table = Table(
        "b1", board=HIGH, only={}, options={"nest": {"gear": True}}, lks="yellow", sniper={"hand": ["climbing-gear"]}
    )
    table.refuses("SO-MOV-07", "move", path=["b2"])
    table.act("play", card="climbing-gear")
    paths = [command["path"] for command in table.legal("move")]
    assert ["b2", "b3"] in paths
    assert ["b2", "c2"] not in paths
    assert ["b2", "a2"] not in paths
    table.refuses("EN-D-05", "move", path=["b2", "a2"])
    table.refuses("SO-MOV-07", "move", path=["b2", "c2"])
    assert of(table.act("move", path=["b2", "b3"]), "sniper-moved") == [{"path": ["b2", "b3"], "noisy": True}]


# --- allies -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-R-08", "EN-R-28")
def test_karl_with_tommy_gun_shoots_three_times() -> None:
    loaded = {"sniper": {"hand": [], "used": ["tommy-gun"], "active": "tommy-gun"}}
    table = with_ally("KARL", "b4", only={"yellow-officer": "b3"}, chance=[("draw", {"aim": 1})], **loaded)
    assert {"type": "shoot", "target": "yellow-officer", "draw": 1, "second": 1, "third": 1} in table.legal("shoot")
    told = table.act("shoot", target="yellow-officer", draw=1, second=1, third=1)
    assert "ability-used" in kinds(told)
    assert told[0]["third"] == 1
    assert table.state()["pending"]["draws"] == [1, 1]
    told = table.act("after-hit", option="aim")
    assert kinds(told) == ["after-hit", "second-forfeited", "second-forfeited"]
    assert table.state()["pending"] is None
    two = with_ally("KARL", "b4", only={"yellow-officer": "b3"}, chance=[("draw", {"aim": 1})], **loaded)
    assert "ability-used" not in kinds(two.act("shoot", target="yellow-officer", draw=1, second=1))
    alone = with_ally("KARL", "b4", only={"yellow-officer": "b3"})
    alone.refuses("EN-R-28", "shoot", target="yellow-officer", draw=1, second=1, third=1)


@pytest.mark.rule("EN-D-08", "EN-R-10", "EN-R-27", "EN-R-34")
def test_wren_is_silent_for_two_spaces_and_never_moves_three() -> None:
    table = with_ally("WREN", "c1", lks="white", units={"yellow-officer": "a3"})
    table.refuses("EN-D-08", "move", path=["b1", "a1", "a2"])
    told = table.act("move", path=["b1", "a1"])
    assert told == [
        {"type": "sniper-moved", "path": ["b1", "a1"], "noisy": False},
        {"type": "ability-used", "ally": "AS-WREN"},
    ]
    assert table.state()["lks"] == "white"
    one = with_ally("WREN", "c1", lks="white", units={"yellow-officer": "a3"})
    assert kinds(one.act("move", path=["b1"])) == ["sniper-moved"], "one space is silent for every sniper"
    rough = with_ally("WREN", "c7", lks="black", only={})
    rough.refuses("EN-R-27", "move", path=["c6", "d6"])
    masked = with_ally("WREN", "c1", lks="white", units={"yellow-officer": "a3"}, sniper={"hand": ["sound-masking"]})
    masked.act("play", card="sound-masking")
    assert kinds(masked.act("move", path=["b1", "a1"])) == ["sniper-moved"], "the card has had its effect"


@pytest.mark.rule("EN-D-09", "EN-R-31")
def test_harrow_ignores_one_recoil_and_stays_after_a_shot() -> None:
    draw = [("draw", {"aim": 1, "noise": 2, "recoil": 3})]
    still = with_ally("HARROW", "b4", chance=draw)
    told = still.act("shoot", target="yellow-2", draw=6)
    assert of(told, "shot") == [{"result": "hit"}]
    assert "ability-used" in kinds(told)
    assert still.state()["sniper"]["shot"] is True
    still.act("after-hit", option="aim")
    assert still.legal("move") == []
    still.refuses("EN-D-09", "move", path=["b5"])
    moved = with_ally("HARROW", "b4", chance=draw, sniper={"moved": True})
    assert of(moved.act("shoot", target="yellow-2", draw=6), "shot") == [{"result": "misfire"}]
    trench = with_ally("HARROW", "b4", sniper={"hand": [], "used": ["trench-gun"], "active": "trench-gun"})
    trench.act("shoot")
    assert trench.legal("move") == []
    with pytest.raises(Refused):
        with_ally("HARROW", "b4", sniper={"shot": True})


@pytest.mark.rule("EN-D-09", "EN-R-31")
@pytest.mark.parametrize(
    ("ally", "moved", "misfire"),
    [
        ("ANVIL", False, "1/1716"),  # six bad tokens of 13: all six that the bag has
        ("HARROW", False, "0"),
        ("HARROW", True, "1/77"),  # five bad tokens of 11: all that the bag has
    ],
)
def test_odds_of_a_shot_are_those_of_the_ally(ally: str, moved: bool, misfire: str) -> None:
    table = with_ally(ally, "b4", sniper={"moved": moved})
    shots = GAME.foresight(table.referee.pictures["sniper"], "sniper")["shots"]
    [shot] = [shot for shot in shots if shot["target"] == "yellow-2"]
    assert {odds["draw"]: odds["exact"]["misfire"] for odds in shot["odds"]}[6] == misfire


@pytest.mark.rule("EN-R-19", "EN-R-23", "EN-R-32")
def test_sable_draws_one_more_card() -> None:
    table = with_ally("SABLE", "a2", units={"yellow-officer": None})
    told = table.act("loot")
    assert len(of(told, "loot-drawn")[0]["cards"]) == 4
    assert kinds(told)[-1] == "ability-used"
    short = with_ally("SABLE", "a2", units={"yellow-officer": None}, loot_deck=["s-mine", "s-mine", "distraction"])
    assert kinds(short.act("loot"))[-1] == "loot-drawn"
    with refused("SO-R-38"):
        with_ally("SABLE", "c1", bag={"aim": 5, "noise": 2, "recoil": 3})


@pytest.mark.rule("EN-R-36")
def test_challenges_add_to_the_ally() -> None:
    """The Marksman's benefit is one more aim, the Quartermaster's burden one card fewer."""
    options = {
        "nest": {"ally": "AS-SABLE"},
        "challenges": {"CH-3": "benefit", "CH-6": "complications", "CH-4": "benefit"},
    }
    state = new(options=options).state()
    assert state["bag"]["aim"] == 6
    assert state["sniper"]["hand"] == []
    table = Table("a2", options=options, units={"yellow-officer": None})
    assert len(of(table.act("loot"), "loot-drawn")[0]["cards"]) == 5


@pytest.mark.rule("EN-R-18")
def test_revealing_the_position_does_not_reveal_a_ghost() -> None:
    table = with_ally("WREN", "b3", only={"yellow-1": "a8"}, lks="white")
    told = table.runs({"do": "reveal_position"})
    assert kinds(told) == ["lks-updated", "hit"]
    assert "identity_revealed" not in table.state()
    assert table.view("table")["ally"] == "AS-WREN", "the ally is public from the start"


@pytest.mark.rule("EN-R-24")
def test_lark_brings_no_noise_when_found() -> None:
    with pytest.raises(NotUnderstood):
        GAME.read_command("sniper", {"type": "spot", "unit": "yellow-1", "space": "b3"})
    me = {"stack": ["recoil"] * 4}
    table = with_ally("LARK", "b3", only={"yellow-1": "b4"}, lks="yellow", sniper=me)
    told = table.runs({"do": "scan", "who": ["in_lks"]})
    assert kinds(told) == ["scanned", "hit"]
    assert table.state()["bag"] == {"aim": 5, "noise": 1, "recoil": 4}, "found, but without noise"


@pytest.mark.rule("EN-R-22")
@pytest.mark.parametrize("card", ["climbing-gear", "diving-gear"])
def test_gear_does_not_change_sight(card: str) -> None:
    table = Table("b4", board=HIGH, options={"nest": {"gear": True}}, sniper={"hand": [card]})
    before = table.legal("shoot")
    table.act("play", card=card)
    assert table.legal("shoot") == before != []
