"""Eagle's Nest in the multiplayer game: allied snipers, gear and the ghost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.events import EVERYONE
from engine.game import TABLE
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from firmware_host.table import maps
from games.sniper_elite import GAME
from games.sniper_elite.rules.nest import ALLIES, Ally
from games.sniper_elite.rules.odds import odds
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite_solo.ground import tm1

UNITS = {"yellow-officer": "b1", "red-officer": "b7", "black-officer": "c8"}
SQUADS = {"yellow": {"card": "scout"}, "red": {"card": "jaeger"}, "black": {"card": "radio-operator"}}
PENS = maps.load("submarine-pens")
"""A map with heights and water."""
STRANGERS = ("defenders", TABLE)


class Table:
    """A game from a position on TM-1 with the expansion's options."""

    def __init__(
        self, who: str | None, space: str | None = "a1", board: Map | None = None, gear: bool = False, **parts: Any
    ) -> None:
        self.options = GAME.read_options(
            {"nest": {"ally": who if who in (None, "ghost") else f"AS-{who}", "gear": gear}}
        )
        me = {"space": space, "objectives": [1, 4], "hand": [], **parts.pop("sniper", {})}
        raw = {"units": UNITS, "specialists": SQUADS, **parts, "sniper": me}
        self.chance = Chance(Random(1))
        self.referee = Referee(GAME, GAME.position(board or tm1(), self.options, raw, self.chance))

    def act(self, name: str, seat: str = "sniper", drawn: Sequence[dict[str, int]] = (), **fields: Any) -> list[Any]:
        """What is told: the event as data and who hears it."""
        self.chance.force([("draw", tokens) for tokens in drawn])
        command = GAME.read_command(seat, {"type": name, **fields})
        told = self.referee.submit(seat, command, self.chance)
        return [(msgspec.to_builtins(one.event), one.audience == EVERYONE) for one in told]

    def legal(self, name: str, seat: str = "sniper") -> list[Any]:
        """The legal commands of a name."""
        found = [plain(msgspec.to_builtins(command)) for command in self.referee.legal(seat)]
        return [command for command in found if command["type"] == name]

    def state(self) -> Any:
        """The whole truth."""
        return plain(GAME.state(self.referee.truth))

    def view(self, viewer: str = "defenders") -> Any:
        """A viewer's picture."""
        return plain(GAME.view(self.referee.pictures[viewer]))


def names(told: list[Any]) -> list[str]:
    """The names of what was told."""
    return [event["type"] for event, _ in told]


def refused(table: Table, rule: str, name: str, **fields: Any) -> None:
    """The act is refused by `rule`."""
    with pytest.raises(Refused) as caught:
        table.act(name, **fields)
    assert caught.value.rule == rule


@pytest.mark.rule("EN-ALY-01", "EN-ALY-02", "EN-R-03")
@pytest.mark.parametrize("ally", ALLIES)
def test_set_up_begins_with_the_ally_and_the_bag(ally: str) -> None:
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
def test_without_the_expansion_nothing_is_told_of_it() -> None:
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
def test_wren_is_silent_for_two_spaces_and_tells_nobody() -> None:
    table = Table("WREN", "c1")
    refused(table, "EN-D-08", "move", path=["d1", "d2", "d3"])
    refused(Table("WREN", "c5"), "EN-R-27", "move", path=["d5", "d6"])
    told = table.act("move", path=["d1", "d2"])
    assert [(event["type"], public) for event, public in told] == [("sniper-moved", False), ("ability-used", False)]


@pytest.mark.rule("EN-D-09", "EN-R-31")
def test_anvil_and_harrow_shoot_on() -> None:
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
def test_lark_and_sable_take_one_more() -> None:
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
def test_gear_lets_the_sniper_cross_what_others_walk_round() -> None:
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
def test_the_tokens_suffice_for_every_ally() -> None:
    assert [ally.name for ally in ALLIES.values()] == ["Karl", "Wren", "Anvil", "Lark", "Sable", "Harrow"]
    for ally in ALLIES.values():
        assert set(ally.bag) == {"aim", "noise", "recoil"}
        assert all(ally.bag[token] <= most for token, most in {"aim": 7, "noise": 4, "recoil": 3}.items())


@pytest.mark.rule("EN-D-02")
def test_each_talent_differs_in_one_or_two_things_from_the_standard_sniper() -> None:
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
def test_a_stronger_talent_has_a_weaker_bag(ally: str, hit: int, reveal: int) -> None:
    drawn = odds({**ALLIES[f"AS-{ally}"].bag, "suppression": 0}, 4, 2)
    assert (round(100 * drawn.hit), round(100 * drawn.reveal)) == (hit, reveal)


@pytest.mark.rule("EN-R-05", "EN-R-36")
@pytest.mark.parametrize("ally", ALLIES)
def test_a_difficulty_option_takes_its_aim_from_the_bag_of_the_ally(ally: str) -> None:
    options = GAME.read_options({"nest": {"ally": ally}, "experienced_sniper": ["B"]})
    told = [told.event for told in GAME.setup(PENS, options, Chance(Random(1)))]
    bag = {**ALLIES[ally].bag, "suppression": 0}
    assert plain(GAME.state(GAME.position(tm1(), options, {"units": UNITS}, Chance(Random(1)))["referee"]))["bag"] == {
        **bag, "aim": bag["aim"] - 1,
    }  # fmt: skip
    assert msgspec.to_builtins(told[1])["bag"]["aim"] == bag["aim"] - 1


@pytest.mark.rule("EN-R-06")
@pytest.mark.parametrize("ally", [name.removeprefix("AS-") for name in ALLIES])
def test_nobody_is_asked_whether_a_card_is_to_work(ally: str) -> None:
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
def test_gear_does_not_change_what_is_seen(card: str) -> None:
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


# --- the ghost --------------------------------------------------------------------------------------------------


def ghost(ally: str, space: str = "a1", **parts: Any) -> Table:
    """A game with a ghost."""
    return Table("ghost", space, ally=f"AS-{ally}", **parts)


@pytest.mark.rule("EN-GHO-01", "EN-GHO-02", "EN-R-25", "EN-R-29")
def test_a_ghost_is_dealt_in_secret() -> None:
    options = GAME.read_options({"nest": {"ally": "ghost"}, "random_setup": True})
    told = list(GAME.setup(PENS, options, Chance(Random(1), [("ally", "AS-SABLE"), ("objectives", [1, 4])])))
    tags = {type(one.event).__struct_config__.tag: one for one in told}
    assert list(tags)[:2] == ["ally-dealt", "bag-loaded"]
    assert not {"ally-dealt", "bag-loaded"} & {tag for tag, one in tags.items() if one.audience == EVERYONE}
    assert tags["loadout-chosen"].event.count is None  # type: ignore[attr-defined]
    assert GAME.luck(told)[0] == ("ally", "AS-SABLE")
    view = ghost("SABLE").view()
    assert (view["ally"], view["bag"], view["supply"]) == (None, None, None)
    assert (view["counts"]["hand"], view["counts"]["loot_deck"]) == (None, None)


@pytest.mark.rule("EN-GHO-03", "EN-GHO-04", "EN-GHO-05", "EN-GHO-06", "EN-GHO-07", "EN-R-09", "EN-R-10", "EN-R-26")
@pytest.mark.parametrize(
    ("table", "act", "trigger", "before"),
    [
        (ghost("KARL", "b4"), {"name": "shoot", "target": "yellow-officer", "draw": 3, "second": 3,
                               "drawn": [{"aim": 3}]}, "special_ability", "shot-declared"),
        (ghost("KARL", "a5"), {"name": "complete", "objective": 4}, "objective", "revealed"),
        (ghost("SABLE", "a4"), {"name": "loot"}, "special_ability", "loot-drawn"),
        (ghost("ANVIL", "b4"), {"name": "shoot", "target": "yellow-officer", "draw": 3,
                                "drawn": [{"aim": 1, "noise": 2}]}, "position", "revealed"),
        (ghost("WREN", "c1"), {"name": "move", "path": ["d1", "d2"]}, "special_ability", "sniper-moved"),
        (ghost("SABLE", "a1", turn="defenders"), {"name": "spot", "seat": "defenders", "unit": "yellow-officer",
                                                  "space": "a1"}, "found", "revealed"),
    ],
)  # fmt: skip
def test_what_reveals_a_ghost(table: Table, act: dict[str, Any], trigger: str, before: str) -> None:
    told = table.act(act["name"], **{name: value for name, value in act.items() if name != "name"})
    place = names(told).index("ghost-revealed")
    revealed, public = told[place]
    assert (revealed["trigger"], public, names(told)[place - 1]) == (trigger, True, before)
    truth, view = table.state(), table.view()
    assert view["bag"] == truth["bag"]
    assert view["ally"] == truth["ally"] == revealed["ally"]
    assert view["counts"]["loot_deck"] == table.view("sniper")["counts"]["loot_deck"]


@pytest.mark.rule("EN-R-11", "EN-R-12")
def test_a_failed_spot_or_one_shot_reveals_nobody() -> None:
    table = ghost("SABLE", "a1", turn="defenders")
    assert names(table.act("spot", "defenders", unit="yellow-officer", space="b2")) == ["spotted"]
    once = ghost("KARL", "b4")
    told = once.act("shoot", target="yellow-officer", draw=3, drawn=[{"aim": 3}])
    assert "ghost-revealed" not in names(told)
    assert ({"type": "bag-gained", "token": "suppression"}, True) in told
    assert ({"type": "bag-gained", "token": "aim"}, True) not in told
    assert not once.state()["identity_revealed"]


@pytest.mark.rule("EN-R-29")
def test_what_a_kill_brings_into_a_hidden_bag_is_not_told() -> None:
    """An exhausted supply would name the ghost."""
    told = ghost("KARL", "b4", units={"yellow-1": "b1"}).act("shoot", target="yellow-1", draw=3, drawn=[{"aim": 3}])
    assert ({"type": "bag-gained", "token": "aim"}, False) in told


@pytest.mark.rule("EN-R-33")
def test_a_ghost_whom_nobody_recognised_is_shown_when_the_game_ends() -> None:
    table = ghost("WREN", countdown=1)
    told = table.act("end-turn")
    assert names(told)[-3:] == ["game-over", "ghost-revealed", "opened"]
    revealed, public = told[-2]
    assert (revealed["trigger"], revealed["ally"], public) == ("game-over", "AS-WREN", True)
    assert table.view()["ally"] == "AS-WREN"


@pytest.mark.rule("EN-R-16", "EN-GHO-04")
def test_what_puts_the_miniature_on_the_board_says_whose_it_is() -> None:
    table = ghost("WREN", "b4", sniper={"active": "trench-gun", "carded": True})
    assert table.view()["sniper"]["miniature"] is None
    told = table.act("shoot")
    place = names(told).index("ghost-revealed")
    assert names(told)[place - 1] == "revealed"
    assert told[place][0]["trigger"] == "position"
    assert table.view()["sniper"]["miniature"] == "b4"
    with pytest.raises(NotUnderstood):
        ghost("WREN", miniature="a1")


@pytest.mark.rule("EN-R-13")
def test_looting_alone_reveals_nobody() -> None:
    table = ghost("KARL", "a4")
    assert names(table.act("loot")) == ["looted", "loot-drawn"]
    assert table.view()["ally"] is None


@pytest.mark.rule("EN-R-15")
def test_a_number_that_the_secret_bag_does_not_hold_is_refused_in_secret() -> None:
    table = ghost("KARL", "b4")
    before = seen(table)
    with pytest.raises(Refused) as caught:
        table.act("shoot", target="yellow-officer", draw=11)
    assert caught.value.rule != ""
    assert seen(table) == before
    assert max(command["draw"] for command in ghost("ANVIL", "b4").legal("shoot")) == 13


def seen(table: Table) -> str:
    """All that the strangers have been given, with what they may do and where the sniper can be."""
    pictures = table.referee.pictures
    return json.dumps(
        [
            [plain(GAME.view(pictures[viewer])) for viewer in STRANGERS],
            [[msgspec.to_builtins(event) for event in table.referee.told[viewer]] for viewer in STRANGERS],
            [msgspec.to_builtins(command) for command in table.referee.legal("defenders")],
            plain(GAME.foresight(pictures["defenders"], "defenders")),
            GAME.deduction(pictures[TABLE]).spaces(pictures[TABLE]),
            [plain(cue) for cue in GAME.cues(pictures[TABLE])],
        ],
        default=str,
    )


@pytest.mark.rule("EN-GHO-01", "EN-GHO-02", "EN-R-14", "EN-R-15", "EN-R-29")
@pytest.mark.parametrize("ally", [name.removeprefix("AS-") for name in ALLIES if name != "AS-KARL"])
@pytest.mark.parametrize("seed", range(3))
def test_strangers_cannot_tell_one_ghost_from_another(ally: str, seed: int) -> None:
    """Two games that differ in the ghost alone, until the reveal."""
    random, twins = Random(f"{ally} {seed}"), (ghost("KARL", "c4"), ghost(ally, "c4"))
    for _ in range(40):
        assert seen(twins[0]) == seen(twins[1])
        seat = twins[0].referee.to_act[0]
        both = [command for command in twins[0].referee.legal(seat) if command in twins[1].referee.legal(seat)]
        both = [command for command in both if (getattr(command, "draw", None) or 0) <= 5]
        if not both:
            break
        command = random.choice(both)
        draws = getattr(command, "draw", None)
        for twin in twins:
            chance = Chance(Random(seed), [("draw", {"aim": draws})] if draws else [])
            twin.referee.submit(seat, command, chance)
        if not all(twin.referee.truth.hidden for twin in twins):
            return


@pytest.mark.rule("EN-R-35")
@pytest.mark.parametrize("ally", [*(name.removeprefix("AS-") for name in ALLIES), "ghost"])
def test_random_games_keep_their_word(ally: str) -> None:
    """A position is written as it is read, and the sniper is always where the public can think they are."""
    board, random = PENS, Random(ally)
    options = GAME.read_options({"nest": {"ally": ally if ally == "ghost" else f"AS-{ally}", "gear": True}})
    referee, chance = Referee(GAME, GAME.blank(board, options)), Chance(random)
    referee.tell(GAME.setup(board, options, chance))
    known = GAME.deduction(referee.pictures[TABLE])
    for _ in range(150):
        if not (acting := referee.to_act):
            break
        public, command = referee.pictures[TABLE], random.choice(referee.legal(acting[0]))
        for told in referee.submit(acting[0], command, chance):
            if told.audience == EVERYONE:
                known = known.after(public, told.event)
                public = GAME.fold(public, told.event)
        truth = referee.truth
        assert truth.mine.space is None or truth.mine.space in known.spaces(referee.pictures[TABLE])
        state = plain(GAME.state(truth))
        again = GAME.position(board, options, state, Chance(Random(0)))
        assert plain(GAME.state(again["referee"])) == state
        if ally != "ghost" or truth.hidden:
            assert plain(GAME.view(again["defenders"]))["bag"] == plain(GAME.view(referee.pictures["defenders"]))["bag"]
