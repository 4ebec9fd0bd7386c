"""The solo game on a board of miniatures: placements, lamps, and orders that the player carries out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace as changed

from engine.chance import Chance
from engine.game import TABLE, Cue
from firmware_host.core.settings import settle
from games.sniper_elite.rules.commands import Move, Play
from games.sniper_elite.rules.words import UNITS
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.rules.commands import PlaceReturn
from games.sniper_elite_solo.rules.picture import Picture
from tests.depth import seeds
from tests.games.sniper_elite_solo.alone import Alone, Json, carries
from tests.games.sniper_elite_solo.ground import tm1

RULE = pytest.mark.rule


def picture_of(viewer: str = TABLE, **position: Json) -> Picture:
    """Return a viewer's picture of a position on the fixture map."""
    board = tm1()
    return GAME.position(board, GAME.read_options(None), position, Chance(Random(1)))[viewer]


def at(space: str, **sniper: Json) -> dict[str, Json]:
    """Return a position with the sniper on a space and yellow as the last known sector."""
    return {"lks": "yellow", "entry": "yellow", "sniper": {"space": space, "objectives": [4, 7], **sniper}}


def cue(view: Picture, name: str) -> tuple[str, ...]:
    """Return the spaces of a cue, or () if it is not shown."""
    return next((found.spaces for found in GAME.cues(view) if found.name == name), ())


def test_nine_defenders_and_the_sniper_stand_on_the_board() -> None:
    assert set(GAME.standing(picture_of(**at("b1")))) == {*UNITS, "sniper"}
    assert GAME.standing(picture_of(**at("b1")))["sniper"] == "b1"
    assert GAME.standing(picture_of())["sniper"] is None
    assert GAME.called("sniper") == "the sniper"
    assert GAME.alike("red-1", "red-2")
    assert not GAME.alike("red-1", "red-officer")
    assert not GAME.alike("sniper", "red-1")


@RULE("SO-MOV-01", "SO-MOV-04")
def test_placement_takes_the_quietest_then_shortest_path() -> None:
    view = picture_of(units={}, **at("b2"))
    found = {placement.to: placement.command for placement in GAME.placements(view)}
    assert len(found) == len(GAME.placements(view)), "one placement is one act"
    assert set(found) == {command.path[-1] for command in GAME.legal(view, "sniper") if isinstance(command, Move)}
    ways = [command for command in GAME.legal(view, "sniper") if isinstance(command, Move)]
    assert sum(way.path[-1] == "b3" for way in ways) > 1
    assert found["b3"] == Move(("b3",))
    assert all(placement.unit == "sniper" and placement.start == "b2" for placement in GAME.placements(view))


def test_sniper_can_be_placed_after_choosing_an_arrow() -> None:
    assert GAME.placements(picture_of()) == []
    entering = GAME.placements(picture_of(entry="yellow", lks="yellow", sniper={"objectives": [4, 7]}))
    assert {(placement.unit, placement.start) for placement in entering} == {("sniper", None)}
    assert "a1" in {placement.to for placement in entering}


def test_distraction_is_not_played_on_the_board() -> None:
    position = at("c1", hand=["distraction"])
    assert any(isinstance(command, Play) for command in GAME.legal(picture_of("sniper", **position), "sniper"))
    assert {placement.unit for placement in GAME.placements(picture_of(**position))} == {"sniper"}


@RULE("SO-DEF-05")
def test_returning_defender_can_be_placed() -> None:
    position = at("d1") | {
        "units": {"yellow-officer": "b1", "yellow-1": "a4", "red-1": "a7"},
        "pending": {"for": "place-return", "unit": "yellow-2", "spaces": ["a1", "b2", "c1"]},
    }
    view = picture_of(**position)
    assert [(found.unit, found.start, found.to, found.command) for found in GAME.placements(view)] == [
        ("yellow-2", None, space, PlaceReturn(space)) for space in ("a1", "b2", "c1")
    ]
    assert cue(view, "return") == ("a1", "b2", "c1")


def test_table_has_no_commands_that_depend_on_objectives() -> None:
    for number in (4, 7):
        position = at("a7") | {"units": {}}
        position["sniper"]["objectives"] = [number, 9]
        public, own = picture_of(**position), picture_of("sniper", **position)
        assert not {"complete", "loot"} & {type(command).__name__.lower() for command in GAME.legal(public, "sniper")}
        assert set(GAME.legal(public, "sniper")) < set(GAME.legal(own, "sniper"))


def test_lamps_show_public_facts() -> None:
    view = picture_of(possible=[5, 6], **at("b1", mines=["d4"]))
    assert cue(view, "shooter") == ("b1",)
    assert cue(view, "wanted") == ("a7", "b6")
    assert cue(view, "laid-mine") == ("d4",)
    assert set(cue(view, "sector")) == {f"{row}{column}" for row in "ab" for column in range(1, 5)}


def picture_after(*events: tuple[str, dict[str, Json]]) -> Picture:
    """Return the table's picture after events, with defenders at b3 and a4 and the sniper at b1."""
    view = picture_of(units={"red-1": "b3", "red-2": "a4"}, **at("b1"))
    for tag, fields in events:
        view = GAME.fold(view, GAME.read_event({"type": tag, **fields}))
    return view


def test_lamps_and_sounds_show_the_defenders_turn() -> None:
    events = (
        ("scanned", {"units": ["red-1"]}),
        ("searched", {"units": ["red-1", "red-2"]}),
        ("attacked", {"spaces": ["b1", "b2"]}),
        ("attracted", {"unit": "red-2", "from": "a4", "to": "a3"}),
        ("lks-updated", {"sector": "white"}),
        ("hit", {"cause": "scan", "by": "red-1", "token": "recoil"}),
    )
    view = picture_after(*events)
    found = {name: cue(view, name) for name in ("scanned", "searched", "attacked", "attracted", "struck")}
    assert found == {
        "scanned": ("b3",),
        "searched": ("b3", "a4"),
        "attacked": ("b1", "b2"),
        "attracted": ("a3",),
        "struck": ("b1",),
    }
    assert set(cue(view, "updated")) == {f"{row}{column}" for row in "cd" for column in range(1, 5)}
    assert {name for name, _ in events} <= GAME.show.sounds.keys()
    assert cue(picture_of(**at("b1")), "blast") == ()


def test_triggered_mine_has_light_and_sound() -> None:
    view = picture_of(units={"red-1": "d4"}, **at("b1", mines=["d4"]))
    view = GAME.fold(view, GAME.read_event({"type": "mine-triggered", "unit": "red-1", "space": "d4"}))
    assert cue(view, "blast") == ("d4",)
    assert cue(view, "laid-mine") == ()
    assert "mine-triggered" in GAME.show.sounds


@pytest.mark.parametrize(
    "act",
    [
        ("sniper-moved", {"path": ["b2"], "noisy": False}),
        ("card-played", {"card": "s-mine"}),
        ("turn-ended", {"seat": "sniper"}),
    ],
)
def test_news_ends_when_the_next_act_begins(act: tuple[str, dict[str, Json]]) -> None:
    view = picture_after(("scanned", {"units": ["red-1"]}), ("turn-ended", {"seat": "defenders"}))
    assert cue(view, "scanned") == ("b3",)
    hand = picture_of(units={"red-1": "b3"}, **at("b1", hand=["s-mine"]))
    hand = changed(hand, news=view.news)
    assert cue(GAME.fold(hand, GAME.read_event({"type": act[0], **act[1]})), "scanned") == ()


def test_news_is_the_same_for_all_viewers() -> None:
    """Lamps use the table's picture, and the sniper's picture shows nothing more."""
    board = tm1()
    pictures = GAME.position(board, GAME.read_options(None), at("b1"), Chance(Random(1)))
    event = GAME.read_event({"type": "attacked", "spaces": ["b1"]})
    shown = {viewer: cue(GAME.fold(view, event), "attacked") for viewer, view in pictures.items()}
    assert set(shown.values()) == {("b1",)}


def test_lamps_show_winner_and_objectives_after_the_game() -> None:
    lost = picture_of("referee", over={"winner": "defenders", "reason": "wounds"}, **at("b1", wounds=2))
    assert set(cue(lost, "victory")) == {space for space in lost.units.values() if space}
    assert cue(lost, "wanted") == cue(lost, "sector") == ()
    won = picture_of(over={"winner": "sniper", "reason": "objectives"}, **at("b1", completed=[4, 7]))
    assert cue(won, "victory") == ("b1",)
    assert GAME.uncovered(picture_of("referee", **at("b1", completed=[7]))) == [Cue("goal", ("a5",))]


@RULE("SO-MOV-04", "SO-MOV-05", "SO-EOT-01")
def test_foresight_has_the_cost_of_moves() -> None:
    view = picture_of("sniper", units={"red-1": "a4"}, **at("b1"))
    moves = {move["path"]: move for move in GAME.foresight(view, "sniper")["moves"]}
    assert moves["b2",] == {"path": ("b2",), "noisy": False, "update": None, "hits": 0, "near": False}
    assert moves["b2", "b3"] == {"path": ("b2", "b3"), "noisy": True, "update": None, "hits": 1, "near": False}
    assert moves["b2", "b3", "b4"]["near"]
    assert moves["c1", "d1"] == {"path": ("c1", "d1"), "noisy": True, "update": "white", "hits": 0, "near": False}
    spent = picture_of("sniper", units={}, **at("b1", hits=3))
    assert {move["hits"] for move in GAME.foresight(spent, "sniper")["moves"]} == {0}
    assert GAME.foresight(picture_of("sniper", units={"red-1": "a1"}, **at("b1")), "sniper")["end"] == 1
    assert GAME.foresight(view, "sniper")["end"] == 0


@RULE("SO-SHT-06", "SO-SHT-09")
def test_foresight_has_odds_and_attracted_defenders() -> None:
    units = {"red-1": "b3", "red-2": "a4", "black-1": "d8"}
    [shot] = GAME.foresight(picture_of("sniper", units=units, **at("b1")), "sniper")["shots"]
    assert (shot["target"], shot["space"], shot["distance"], shot["drawn"]) == ("red-1", "b3", 2, ["red-2"])
    assert [odds["draw"] for odds in shot["odds"]] == [*range(2, 12)]
    assert shot["odds"][0]["exact"]["hit"] == "3/11"


@RULE("SO-SHT-05", "SO-R-12")
def test_foresight_has_the_rewards() -> None:
    def rewards(**position: Json) -> list[tuple[str, int | None]]:
        view = picture_of("sniper", units={"red-1": "b3"}, **at("b1", stack=position.pop("stack")), **position)
        [shot] = GAME.foresight(view, "sniper")["shots"]
        return [(reward["option"], reward["count"]) for reward in shot["rewards"]]

    full = ["noise", "recoil", "recoil", "noise", "recoil", "recoil"]
    assert rewards(stack=full) == [("aim", None)]
    short = rewards(stack=["noise", "recoil", "recoil"], bag={"aim": 6, "noise": 3, "recoil": 5})
    assert short == [("noise", None), ("recoil", 1), ("recoil", 2), ("aim", None)]


def test_details_name_units_and_spaces() -> None:
    found = {
        tag: GAME.details(GAME.read_event({"type": tag, **fields}))
        for tag, fields in {
            "die": {"value": 2},
            "moved": {"unit": "red-1", "from": "a7", "to": "a8"},
            "killed": {"unit": "red-1", "by": "mine"},
            "returned": {"unit": "red-1", "space": "b7"},
            "scanned": {"units": ["red-1"]},
            "attacked": {"spaces": ["a1"]},
            "snafu": {"among": [["red-1", "a1"], ["red-2", "a1"]], "chosen": ["red-2", "a1"]},
            "drew": {"tokens": {"aim": 2}},
            "hit": {"cause": "scan", "by": "red-1", "token": "noise"},
        }.items()
    }
    assert found == {
        "die": {"die": 2},
        "moved": {"unit": "red-1", "from": "a7", "to": "a8"},
        "killed": {"unit": "red-1", "to": None, "moment": 3},
        "returned": {"unit": "red-1", "to": "b7"},
        "scanned": {"units": ("red-1",)},
        "attacked": {"spaces": ("a1",)},
        "snafu": {"tie": ("red-2", "a1")},
        "drew": {"tokens": {"aim": 2}},
        "hit": {"yours": {"sniper": "You take a hit from a scan: noise goes into the bag."}},
    }


# --- at a table -------------------------------------------------------------------------------------------------


TOGETHER, ONE_BY_ONE = settle(), replace(settle(), guide_all_moves=False)


@pytest.fixture
def alone(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Alone]:
    """A player whose table shows all orders at once or, with `BOTH_WAYS`, also one after another."""
    found = Alone(tmp_path, settings=getattr(request, "param", TOGETHER), chance=Chance(Random(3)))
    found.enter_by_hand()
    yield found
    found.table.close()


BOTH_WAYS = pytest.mark.parametrize("alone", [TOGETHER, ONE_BY_ONE], ids=["together", "one by one"], indirect=True)


def test_sniper_move_by_hand_can_be_taken_back(alone: Alone) -> None:
    start = alone.view(TABLE)["sniper"]["space"]
    assert start is not None
    assert alone.board["state"] == "agreed"
    alone.defenders_turn(0)
    alone.set_up()
    goal = alone.legal("sniper", "move")[0]["path"][0]
    alone.lift("sniper")
    alone.put("sniper", goal)
    assert alone.view(TABLE)["sniper"]["space"] == goal
    alone.lift("sniper")
    alone.put("sniper", start)
    assert alone.view(TABLE)["sniper"]["space"] == start
    assert alone.legal("sniper", "move")


@BOTH_WAYS
def test_orders_of_a_defenders_turn_are_lit_and_carried_out(alone: Alone, request: pytest.FixtureRequest) -> None:
    alone.defenders_turn(3)
    told, carried = len(alone.sentences(TABLE)), set()
    assert len(alone.orders()) >= 3 or "one by one" in request.node.name
    while orders := alone.doable():
        for order in orders:
            assert {order["from"], order["to"]} <= alone.lit()
            assert order["sentence"].startswith("Carry")
        alone.carries(orders[-1])
        carried.add(orders[-1]["unit"])
    assert len(carried) >= 3
    assert alone.board["state"] == "agreed"
    assert alone.right()
    assert len(alone.sentences(TABLE)) == told, "carrying out an order is not an act"


def test_lifted_miniature_shows_only_its_own_target(alone: Alone) -> None:
    alone.defenders_turn(3)
    chosen = alone.doable()[-1]
    alone.lift(chosen["unit"])
    alone.wait(500)
    order = alone.order()
    assert (order["from"], order["to"], order["unit"]) == (None, chosen["to"], chosen["unit"])
    assert chosen["to"] in alone.lit()
    before = [other["unit"] for other in alone.orders()]
    alone.put(chosen["unit"], chosen["to"], wait=1000)
    assert chosen["unit"] not in [other["unit"] for other in alone.orders()]
    assert before == [chosen["unit"]]


def test_two_miniatures_can_be_lifted_at_once(alone: Alone) -> None:
    alone.defenders_turn(3)
    one, other = alone.doable()[:2]
    told = len(alone.sentences(TABLE))
    for order in (one, other):
        alone.lift(order["unit"])
        alone.wait(400)
    assert {one["to"], other["to"]} & alone.lit()
    for order in (other, one):
        alone.put(order["unit"], order["to"], wait=700)
    alone.wait(2000)
    while orders := alone.doable():
        alone.carries(orders[0])
    assert alone.board["state"] == "agreed"
    assert alone.right()
    assert len(alone.sentences(TABLE)) == told


@BOTH_WAYS
def test_orders_left_are_the_same_after_a_power_cut(alone: Alone) -> None:
    alone.defenders_turn(3)
    alone.carries(alone.doable()[-1])
    left = carries(alone.orders())
    assert left
    alone.pull_the_plug()
    assert carries(alone.orders()) == left
    while orders := alone.doable():
        alone.carries(orders[0])
    assert alone.board["state"] == "agreed"
    assert alone.right()


@BOTH_WAYS
def test_misplaced_miniature_is_ordered_to_its_space(alone: Alone) -> None:
    alone.defenders_turn(3)
    order, told = alone.doable()[0], len(alone.sentences(TABLE))
    taken = {space for space in alone.view(TABLE)["units"].values() if space} | {alone.view(TABLE)["sniper"]["space"]}
    taken |= {other["from"] for other in alone.orders()}
    beside = next(space for space in alone.table.board.map.walk[order["to"]] if space not in taken)
    alone.carries(order, beside)
    assert (order["unit"], beside, order["to"]) in carries(alone.orders())
    while orders := alone.doable():
        alone.carries(orders[0])
    assert alone.right()
    assert len(alone.sentences(TABLE)) == told


def test_card_can_be_taken_back_on_the_phone(alone: Alone) -> None:
    for _ in range(12):
        if alone.legal("sniper", "play") and alone.legal("sniper", "move"):
            break
        alone.sniper({"type": "end-turn"})
        while (pending := alone.view(TABLE)["pending"]) is not None:
            alone.sniper({"type": "place-return", "space": pending["spaces"][0]})
        alone.set_up()
    plain = [act for act in alone.legal("sniper", "play") if act["card"] != "distraction"]
    before = alone.legal("sniper", "play")
    assert not alone.sees("sniper").get("undo")
    alone.sniper(plain[0])
    assert alone.sees("sniper")["undo"]
    assert alone.sees("sniper")["take_back"] is None, "no miniature shows what to put back"
    alone.sniper({"type": "take-back"})
    assert alone.legal("sniper", "play") == before


@pytest.mark.parametrize("seed", seeds(1))
def test_orders_of_whole_games_can_be_carried_out_randomly(tmp_path: Path, seed: int) -> None:
    """Carry out orders in random order, with some power cuts."""
    found, luck = Alone(tmp_path, chance=Chance(Random(seed))), Random(seed)
    found.enter_by_hand()
    for _ in range(5):
        if found.view(TABLE)["over"] is not None:
            break
        found.defenders_turn(1)
        carried = 0
        while orders := found.doable():
            found.carries(luck.choice(orders))
            carried += 1
            assert carried < 20
            if luck.random() < 0.1:
                found.pull_the_plug()
        assert found.board["state"] == "agreed", found.board["sentence"]
        assert found.right()
    found.table.close()
