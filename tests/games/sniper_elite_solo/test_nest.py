"""Eagle's Nest in the solo game: allied snipers and gear."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusal import NotUnderstood, Refused
from firmware_host.core import maps
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite_solo import GAME
from tests.games.sniper_elite_solo.ground import Table, kinds, new, of, plain, refused, tm1

HIGH = tm1({"b2": "elevated", "b3": "elevated"})
WHITE = {"lks": "white"}


def with_ally(name: str, space: str | None = "a1", gear: bool = False, **parts: Any) -> Table:
    """A position of a game with an ally."""
    return Table(space, options={"nest": {"ally": f"AS-{name}", "gear": gear}}, **parts)


@pytest.mark.rule("EN-ALY-01", "EN-ALY-02", "EN-R-03", "EN-R-19")
@pytest.mark.parametrize("ally", ALLIES)
def test_the_bag_follows_the_card_and_the_rest_is_the_supply(ally: str) -> None:
    """11 aim, 9 noise and at most 7 recoil are in play."""
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
def test_without_the_expansion_nothing_is_told_of_it() -> None:
    table = new()
    assert "ally" not in table.state()
    assert "shot" not in table.state()["sniper"]
    assert table.state()["bag"] == {"aim": 6, "noise": 2, "recoil": 3}
    shot = Table("b4", chance=[("draw", {"aim": 1})]).act("shoot", target="yellow-2", draw=1)
    assert shot[0] == {"type": "shot-declared", "target": "yellow-2", "draw": 1, "second": None}
    with pytest.raises(NotUnderstood, match="ally"):
        Table("a1", ally="AS-WREN")


@pytest.mark.rule("EN-R-17")
def test_nobody_is_a_ghost_alone() -> None:
    with pytest.raises(Refused) as caught:
        GAME.read_options({"nest": {"ally": "ghost"}})
    assert caught.value.rule == "EN-R-17"
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
def test_gear_joins_the_deck_where_the_map_has_a_use_for_it(board: Any, climb: int, dive: int) -> None:
    state = new(board, {"nest": {"gear": True}}).state()
    cards = [*state["sniper"]["hand"], *state["loot_deck"]]
    assert (cards.count("climbing-gear"), cards.count("diving-gear")) == (climb, dive)
    assert len(cards) == 10 + climb + dive
    if not climb:
        with pytest.raises(Refused) as caught:
            Table(
                board.enterable[0],
                only={},
                board=board,
                options={"nest": {"gear": True}},
                sniper={"hand": ["climbing-gear"], "objectives": [1, 4]},
            )
        assert caught.value.rule == "EN-LDO-02"


@pytest.mark.rule("EN-D-06", "EN-R-21", "EN-R-30")
def test_diving_gear_crosses_water_and_does_not_end_there() -> None:
    at_d8 = {"sniper": {"hand": ["diving-gear"]}, "lks": "black"}
    table = Table("d8", options={"nest": {"gear": True}}, **at_d8)
    assert {"type": "move", "path": ["d7", "c7"]} not in table.legal("move")
    with refused("SO-MOV-07"):
        table.act("move", path=["d7", "c7"])
    assert kinds(table.act("play", card="diving-gear")) == ["card-played"]
    assert table.state()["sniper"]["active"] == "diving-gear"
    with refused("EN-D-06"):
        table.act("move", path=["d7"])
    paths = [command["path"] for command in table.legal("move")]
    assert ["d7", "c7"] in paths
    assert all(path[-1] != "d7" for path in paths)
    assert of(table.act("move", path=["d7", "c7"]), "sniper-moved") == [{"path": ["d7", "c7"], "noisy": True}]


@pytest.mark.rule("EN-R-30")
def test_gear_is_played_before_the_move_also_on_the_arrow() -> None:
    table = Table(None, options={"nest": {"gear": True}}, entry="white", lks="white", sniper={"hand": ["diving-gear"]})
    table.act("play", card="diving-gear")
    late = Table("d8", options={"nest": {"gear": True}}, lks="black", sniper={"hand": ["diving-gear"], "moved": True})
    with refused("SO-LDO-01"):
        late.act("play", card="diving-gear")


@pytest.mark.rule("EN-D-05", "EN-R-20")
def test_climbing_gear_is_good_for_one_step_without_a_ladder() -> None:
    """B2 and b3 are heights without a ladder; c2 is a house, which has walls."""
    table = Table(
        "b1", board=HIGH, only={}, options={"nest": {"gear": True}}, lks="yellow", sniper={"hand": ["climbing-gear"]}
    )
    with refused("SO-MOV-07"):
        table.act("move", path=["b2"])
    table.act("play", card="climbing-gear")
    paths = [command["path"] for command in table.legal("move")]
    assert ["b2", "b3"] in paths
    assert ["b2", "c2"] not in paths
    assert ["b2", "a2"] not in paths
    with refused("EN-D-05"):
        table.act("move", path=["b2", "a2"])
    with refused("SO-MOV-07"):
        table.act("move", path=["b2", "c2"])
    assert of(table.act("move", path=["b2", "b3"]), "sniper-moved") == [{"path": ["b2", "b3"], "noisy": True}]


# --- allies -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-ALY-03", "EN-D-03", "EN-R-07", "EN-R-11")
def test_karl_may_announce_a_second_shot_and_uses_his_gift_then() -> None:
    once = with_ally("KARL", "b4", chance=[("draw", {"aim": 1})])
    assert kinds(once.act("shoot", target="yellow-2", draw=1))[:2] == ["shot-declared", "drew"]
    twice = with_ally("KARL", "b4", chance=[("draw", {"aim": 1}), ("draw", {"aim": 1})])
    told = twice.act("shoot", target="yellow-2", draw=1, second=1)
    assert told[0] == {"type": "shot-declared", "target": "yellow-2", "draw": 1, "second": 1, "third": None}
    assert told[1] == {"type": "ability-used", "ally": "AS-KARL"}
    assert twice.state()["pending"]["draws"] == [1]
    twice.act("after-hit", option="aim")
    assert twice.legal()
    assert twice.legal() == twice.legal("shoot-second")
    with refused("SO-SHT-01"):
        twice.act("shoot-second", target="yellow-2")


@pytest.mark.rule("EN-R-08", "EN-R-28")
def test_karl_with_a_tommy_gun_shoots_three_times_and_forfeits_each_count_alone() -> None:
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
    with refused("EN-R-28"):
        alone.act("shoot", target="yellow-officer", draw=1, second=1, third=1)


@pytest.mark.rule("EN-D-08", "EN-R-10", "EN-R-27", "EN-R-34")
def test_wren_is_silent_for_two_spaces_and_never_goes_three() -> None:
    table = with_ally("WREN", "c1", lks="white", units={"yellow-officer": "a3"})
    with refused("EN-D-08"):
        table.act("move", path=["b1", "a1", "a2"])
    told = table.act("move", path=["b1", "a1"])
    assert told == [
        {"type": "sniper-moved", "path": ["b1", "a1"], "noisy": False},
        {"type": "ability-used", "ally": "AS-WREN"},
    ]
    assert table.state()["lks"] == "white"
    one = with_ally("WREN", "c1", lks="white", units={"yellow-officer": "a3"})
    assert kinds(one.act("move", path=["b1"])) == ["sniper-moved"], "one space is silent for anybody"
    rough = with_ally("WREN", "c7", lks="black", only={})
    with refused("EN-R-27"):
        rough.act("move", path=["c6", "d6"])
    masked = with_ally("WREN", "c1", lks="white", units={"yellow-officer": "a3"}, sniper={"hand": ["sound-masking"]})
    masked.act("play", card="sound-masking")
    assert kinds(masked.act("move", path=["b1", "a1"])) == ["sniper-moved"], "the card has done it"


@pytest.mark.rule("EN-D-09", "EN-R-10")
def test_anvil_misfires_with_six() -> None:
    five = with_ally("ANVIL", "b4", chance=[("draw", {"aim": 1, "noise": 2, "recoil": 3})])
    told = five.act("shoot", target="yellow-2", draw=6)
    assert kinds(told) == ["shot-declared", "drew", "shot", "ability-used", "killed"]
    assert of(told, "shot") == [{"result": "hit"}]
    six = with_ally("ANVIL", "b4", chance=[("draw", {"aim": 1, "noise": 3, "recoil": 3})])
    told = six.act("shoot", target="yellow-2", draw=7)
    assert of(told, "shot") == [{"result": "misfire"}]
    assert "ability-used" not in kinds(told)


@pytest.mark.rule("EN-D-09", "EN-R-31")
def test_harrow_ignores_a_recoil_while_still_and_stays_after_a_shot() -> None:
    draw = [("draw", {"aim": 1, "noise": 2, "recoil": 3})]
    still = with_ally("HARROW", "b4", chance=draw)
    told = still.act("shoot", target="yellow-2", draw=6)
    assert of(told, "shot") == [{"result": "hit"}]
    assert "ability-used" in kinds(told)
    assert still.state()["sniper"]["shot"] is True
    still.act("after-hit", option="aim")
    assert still.legal("move") == []
    with refused("EN-D-09"):
        still.act("move", path=["b5"])
    moved = with_ally("HARROW", "b4", chance=draw, sniper={"moved": True})
    assert of(moved.act("shoot", target="yellow-2", draw=6), "shot") == [{"result": "misfire"}]
    trench = with_ally("HARROW", "b4", sniper={"hand": [], "used": ["trench-gun"], "active": "trench-gun"})
    trench.act("shoot")
    assert trench.legal("move") == []
    with pytest.raises(Refused):
        with_ally("HARROW", "b4", sniper={"shot": True})


@pytest.mark.rule("EN-D-09", "EN-R-32")
def test_lark_makes_more_noise_with_an_objective() -> None:
    table = with_ally("LARK", "a5", units={"red-officer": None}, possible=[1, 2, 3])
    told = table.act("complete", objective=4)
    assert kinds(told)[:4] == ["objective-completed", "bag-gained", "bag-gained", "ability-used"]
    assert table.state()["bag"] == {"aim": 5, "noise": 3, "recoil": 3}
    scarce = with_ally(
        "LARK", "a5", units={"red-officer": None}, bag={"aim": 5, "noise": 6, "recoil": 3}, possible=[1, 2, 3]
    )
    told = scarce.act("complete", objective=4)
    assert kinds(told)[1] == "bag-gained"
    assert "ability-used" not in kinds(told), "one token was all there was"


@pytest.mark.rule("EN-R-19", "EN-R-23", "EN-R-32")
def test_sable_draws_one_card_more_and_her_wound_finds_three_recoil() -> None:
    table = with_ally("SABLE", "a2", units={"yellow-officer": None})
    told = table.act("loot")
    assert len(of(told, "loot-drawn")[0]["cards"]) == 4
    assert kinds(told)[-1] == "ability-used"
    short = with_ally("SABLE", "a2", units={"yellow-officer": None}, loot_deck=["s-mine", "s-mine", "distraction"])
    assert kinds(short.act("loot"))[-1] == "loot-drawn"
    hurt = with_ally(
        "SABLE",
        "c1",
        only={"yellow-officer": "c1"},
        bag={"aim": 5, "noise": 4, "recoil": 6},
        sniper={"stack": []},
        **WHITE,
    )
    hurt.act("end-turn", chance=[("die", 1)])
    assert hurt.state()["sniper"]["wounds"] == 1
    assert hurt.state()["sniper"]["stack"] == ["recoil"] * 3
    with pytest.raises(Refused) as caught:
        with_ally("SABLE", "c1", bag={"aim": 5, "noise": 2, "recoil": 3})
    assert caught.value.rule == "SO-R-38"


@pytest.mark.rule("EN-R-36")
def test_changes_of_challenges_are_added_to_the_card() -> None:
    """The Marksman's benefit is one aim more, the Quartermaster's burden one card less."""
    options = {
        "nest": {"ally": "AS-SABLE"},
        "challenges": {"CH-3": "benefit", "CH-6": "complications", "CH-4": "benefit"},
    }
    state = new(options=options).state()
    assert state["bag"]["aim"] == 6
    assert state["sniper"]["hand"] == []
    table = Table("a2", options=options, units={"yellow-officer": None})
    assert len(of(table.act("loot"), "loot-drawn")[0]["cards"]) == 5


@pytest.mark.parametrize("ally", [*ALLIES, None])
def test_a_position_is_written_as_it_is_read(ally: str | None) -> None:
    options = {"nest": {"ally": ally, "gear": True}}
    table = new(HIGH, options)
    state = table.state()
    again = GAME.position(HIGH, GAME.read_options(options), state, table.chance)["referee"]
    assert plain(GAME.state(again)) == state
    assert state.get("ally") == ally


@pytest.mark.rule("EN-R-18")
def test_a_position_that_becomes_known_alone_shows_no_ghost() -> None:
    table = with_ally("WREN", "b3", only={"yellow-1": "a8"}, lks="white")
    told = table.runs({"do": "reveal_position"})
    assert kinds(told) == ["lks-updated", "hit"]
    assert "identity_revealed" not in table.state()
    assert table.view("table")["ally"] == "AS-WREN", "the ally is open from the beginning"


@pytest.mark.rule("EN-R-24")
def test_alone_nobody_spots_lark() -> None:
    with pytest.raises(NotUnderstood):
        GAME.read_command("sniper", {"type": "spot", "unit": "yellow-1", "space": "b3"})
    me = {"stack": ["recoil"] * 4}
    table = with_ally("LARK", "b3", only={"yellow-1": "b4"}, lks="yellow", sniper=me)
    told = table.runs({"do": "scan", "who": ["in_lks"]})
    assert kinds(told) == ["scanned", "hit"]
    assert table.state()["bag"] == {"aim": 5, "noise": 1, "recoil": 4}, "found, but no noise comes of it"


@pytest.mark.rule("EN-R-22")
@pytest.mark.parametrize("card", ["climbing-gear", "diving-gear"])
def test_gear_does_not_change_what_is_seen(card: str) -> None:
    table = Table("b4", board=HIGH, options={"nest": {"gear": True}}, sniper={"hand": [card]})
    before = table.legal("shoot")
    table.act("play", card=card)
    assert table.legal("shoot") == before != []
