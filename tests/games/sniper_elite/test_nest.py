"""Eagle's Nest in the multiplayer game: allied snipers and gear."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from engine.chance import Chance
from engine.referee import Referee
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from firmware_host.core import maps
from games.sniper_elite import GAME
from games.sniper_elite.rules.nest import ALLIES, Ally
from games.sniper_elite.rules.odds import odds
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite.nest_table import PENS, UNITS, Table, names, refused
from tests.games.sniper_elite_solo.ground import tm1


@pytest.mark.rule("EN-ALY-01", "EN-ALY-02", "EN-R-03")
@pytest.mark.parametrize("ally", ALLIES)
def test_setup_starts_with_the_ally_and_the_bag(ally: str) -> None:
    options = GAME.read_options({"nest": {"ally": ally}, "random_setup": True})
    told = [told.event for told in GAME.setup(PENS, options, Chance(Random(1)))]
    assert [type(event).__struct_config__.tag for event in told[:2]] == ["ally-chosen", "bag-loaded"]
    table = Table(ally.removeprefix("AS-"))
    mix = ALLIES[ally].bag
    assert table.state()["bag"] == {**mix, "suppression": 0}
    assert table.view()["supply"] == {
        "aim": 11 - mix["aim"], "noise": 9 - mix["noise"], "recoil": 7 - mix["recoil"], "suppression": 3,
    }  # fmt: skip
    assert table.view()["ally"] == ally


@pytest.mark.rule("EN-R-04")
def test_game_without_eagles_nest_does_not_mention_it() -> None:
    options = GAME.read_options({})
    referee = Referee(GAME, GAME.position(tm1(), options, {"units": UNITS}, Chance(Random(1))))
    state = GAME.state(referee.truth)
    assert "ally" not in state
    assert "shot" not in state["sniper"]
    with pytest.raises(NotUnderstood):
        GAME.position(tm1(), options, {"ally": "AS-WREN"}, Chance(Random(1)))


@pytest.mark.rule("EN-ALY-03", "EN-D-03", "EN-R-07", "EN-R-08", "EN-R-11", "EN-R-28")
def test_karl_shoots_twice_and_three_times_with_a_tommy_gun() -> None:
    table = Table("KARL", "b4")
    told = table.act("shoot", target="yellow-officer", draw=3, second=3, drawn=[{"aim": 1, "noise": 1, "recoil": 1}])
    assert names(told) == ["target", "shot-declared", "ability-used", "drew", "shot"]
    assert told[1] == ({"type": "shot-declared", "draw": 3, "second": 3, "third": None}, True)
    assert table.state()["pending"] == {
        "for": "shoot-second", "draw": 3, "third": None,
        "drawn": {"aim": 1, "noise": 1, "recoil": 1, "suppression": 0},
    }  # fmt: skip
    once = Table("KARL", "b4").act("shoot", target="yellow-officer", draw=3, drawn=[{"aim": 3}])
    assert "ability-used" not in names(once)
    refused(Table("KARL", "b4"), "EN-R-28", "shoot", target="yellow-officer", draw=3, second=3, third=3)
    thrice = Table("KARL", "b4", sniper={"active": "tommy-gun", "carded": True}, units={"yellow-officer": "b1"})
    told = thrice.act("shoot", target="yellow-officer", draw=3, second=3, third=3, drawn=[{"aim": 3}])
    assert names(told)[-2:] == ["second-forfeited", "second-forfeited"]
    assert thrice.state()["pending"] is None


@pytest.mark.rule("EN-D-08", "EN-R-10", "EN-R-27", "EN-R-35")
def test_wren_is_silent_and_secret_for_two_spaces() -> None:
    table = Table("WREN", "c1")
    refused(table, "EN-D-08", "move", path=["d1", "d2", "d3"])
    refused(Table("WREN", "c5"), "EN-R-27", "move", path=["d5", "d6"])
    told = table.act("move", path=["d1", "d2"])
    assert [(event["type"], public) for event, public in told] == [("sniper-moved", False), ("ability-used", False)]


@pytest.mark.rule("EN-D-09", "EN-R-31")
def test_anvil_and_harrow_can_shoot_again() -> None:
    five = [{"aim": 3, "noise": 2, "recoil": 3}]
    told = Table("ANVIL", "b4").act("shoot", target="yellow-officer", draw=8, drawn=five)
    assert names(told)[:6] == ["target", "shot-declared", "drew", "revealed", "shot", "ability-used"]
    still = Table("HARROW", "b4")
    assert "ability-used" in names(still.act("shoot", target="yellow-officer", draw=8, drawn=five))
    assert still.legal("move") == []
    refused(still, "EN-D-09", "move", path=["a4"])
    moved = Table("HARROW", "b4", sniper={"moved": True})
    told = moved.act("shoot", target="yellow-officer", draw=8, drawn=five)
    assert ({"type": "shot", "result": "misfire"}, True) in told


@pytest.mark.rule("EN-D-09", "EN-R-23", "EN-R-32")
def test_lark_and_sable_draw_one_more() -> None:
    lark = Table("LARK", "a5")
    assert names(lark.act("complete", objective=4))[:5] == [
        "objective-completed", "revealed", "bag-gained", "bag-gained", "ability-used",
    ]  # fmt: skip
    assert lark.state()["bag"] == {"aim": 5, "noise": 3, "recoil": 3, "suppression": 0}
    sable = Table("SABLE", "a4")
    told = sable.act("loot")
    assert names(told) == ["looted", "loot-drawn", "ability-used"]
    assert len(told[1][0]["cards"]) == 4


@pytest.mark.rule("EN-D-05", "EN-D-06", "EN-R-20", "EN-R-21", "EN-R-30")
def test_gear_crosses_spaces_that_block_others() -> None:
    table = Table(None, "d8", gear=True, units={}, sniper={"hand": ["diving-gear"]})
    assert {"type": "move", "path": ["d7", "c7"]} not in table.legal("move")
    assert table.act("play", card="diving-gear") == [({"type": "card-played", "card": "diving-gear"}, True)]
    refused(table, "EN-D-06", "move", path=["d7"])
    assert {"type": "move", "path": ["d7", "c7"]} in table.legal("move")
    high = tm1({"b2": "elevated", "b3": "elevated"})
    climber = Table(None, "b1", board=high, gear=True, units={}, sniper={"hand": ["climbing-gear"]})
    climber.act("play", card="climbing-gear")
    refused(climber, "EN-D-05", "move", path=["b2", "a2"])
    climber.act("move", path=["b2", "b3"])
    with pytest.raises(Refused):
        Table(None, "a1", gear=True, sniper={"hand": ["climbing-gear"]})


@pytest.mark.rule("EN-D-01")
def test_tokens_suffice_for_every_ally() -> None:
    assert [ally.name for ally in ALLIES.values()] == ["Karl", "Wren", "Anvil", "Lark", "Sable", "Harrow"]
    for ally in ALLIES.values():
        assert set(ally.bag) == {"aim", "noise", "recoil"}
        assert all(ally.bag[token] <= most for token, most in {"aim": 7, "noise": 4, "recoil": 3}.items())


@pytest.mark.rule("EN-D-02")
def test_each_talent_changes_one_or_two_things() -> None:
    standard = Ally("", {}, Text(""))
    odd = {
        name: {
            field: getattr(ally, field)
            for field in Ally.__struct_fields__
            if field not in ("name", "bag", "about") and getattr(ally, field) != getattr(standard, field)
        }
        for name, ally in ALLIES.items()
    }
    assert odd == {
        "AS-KARL": {"shots": 1},
        "AS-WREN": {"reach": -1, "silent": 1},
        "AS-ANVIL": {"misfire": 1},
        "AS-LARK": {"noise": 1},
        "AS-SABLE": {"hand": -1, "loot": 1},
        "AS-HARROW": {"ignored": 1, "stays_after_shot": True},
    }


@pytest.mark.rule("EN-D-04")
@pytest.mark.parametrize(
    ("ally", "hit", "reveal"),
    [("KARL", 74, 13), ("WREN", 74, 13), ("ANVIL", 78, 20), ("LARK", 83, 0), ("SABLE", 83, 17), ("HARROW", 80, 11)],
)
def test_stronger_talent_has_a_weaker_bag(ally: str, hit: int, reveal: int) -> None:
    drawn = odds({**ALLIES[f"AS-{ally}"].bag, "suppression": 0}, 4, 2)
    assert (round(100 * drawn.hit), round(100 * drawn.reveal)) == (hit, reveal)


@pytest.mark.rule("EN-R-05", "EN-R-36")
@pytest.mark.parametrize("ally", ALLIES)
def test_difficulty_option_takes_aim_from_the_ally_s_bag(ally: str) -> None:
    options = GAME.read_options({"nest": {"ally": ally}, "experienced_sniper": ["B"]})
    told = [told.event for told in GAME.setup(PENS, options, Chance(Random(1)))]
    bag = {**ALLIES[ally].bag, "suppression": 0}
    assert plain(GAME.state(GAME.position(tm1(), options, {"units": UNITS}, Chance(Random(1)))["referee"]))["bag"] == {
        **bag, "aim": bag["aim"] - 1,
    }  # fmt: skip
    assert msgspec.to_builtins(told[1])["bag"]["aim"] == bag["aim"] - 1


@pytest.mark.rule("EN-R-06")
@pytest.mark.parametrize("ally", [name.removeprefix("AS-") for name in ALLIES])
def test_talents_add_no_decisions(ally: str) -> None:
    standard, table = Table(None, "b4"), Table(ally, "b4")
    sorts = {command["type"] for command in map(plain, table.referee.legal("sniper"))}
    assert sorts == {command["type"] for command in map(plain, standard.referee.legal("sniper"))}
    seconds = [command for command in table.legal("shoot") if command.get("second") is not None]
    assert bool(seconds) == (ally == "KARL")
    done = Table(ally, "a5")
    done.act("complete", objective=4)
    assert done.state()["pending"] is None


@pytest.mark.rule("EN-LDO-01", "EN-LDO-02", "EN-LDO-03", "EN-D-07")
@pytest.mark.parametrize(("name", "climb"), [("launch-facility", 0), ("submarine-pens", 2)])
def test_gear_is_dealt_with_the_other_cards(name: str, climb: int) -> None:
    options = GAME.read_options({"nest": {"gear": True}, "random_setup": True})
    referee = Referee(GAME, GAME.blank(maps.load(name), options))
    referee.tell(GAME.setup(maps.load(name), options, Chance(Random(1), [("objectives", [1, 4])])))
    state = plain(GAME.state(referee.truth))
    cards = [*state["sniper"]["hand"], *state["loot_deck"]]
    assert (cards.count("climbing-gear"), cards.count("diving-gear"), len(cards)) == (climb, 2, 12 + climb)


@pytest.mark.rule("EN-R-22")
@pytest.mark.parametrize("card", ["climbing-gear", "diving-gear"])
def test_gear_does_not_change_sight(card: str) -> None:
    high = tm1({"b2": "elevated", "b3": "elevated"})
    table = Table(None, "b4", board=high, gear=True, units={"yellow-1": "d4"}, sniper={"hand": [card]})
    before = table.legal("shoot")
    table.act("play", card=card)
    assert table.legal("shoot") == before != []


@pytest.mark.rule("EN-X-02", "EN-D-06")
def test_no_move_ends_on_water() -> None:
    wet = {name for name, space in PENS.spaces.items() if space.kind == "water"}
    shores = [name for name, space in PENS.spaces.items() if space.enterable and set(PENS.adjacent[name]) & wet]
    crossed = False
    for shore in shores:
        raw = {"units": {}, "sniper": {"space": shore, "active": "diving-gear", "carded": True, "objectives": [1, 4]}}
        options = GAME.read_options({"nest": {"gear": True}})
        referee = Referee(GAME, GAME.position(PENS, options, raw, Chance(Random(1))))
        paths = [command["path"] for command in map(plain, referee.legal("sniper")) if command["type"] == "move"]
        assert {path[-1] for path in paths} & wet == set()
        crossed = crossed or any(set(path) & wet for path in paths)
    assert crossed
