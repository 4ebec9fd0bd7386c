"""Setup (SO-SET): slots, decks, loadout, objectives, the arrow, and which maps can be used."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.graph import Map
from engine.refusal import NotUnderstood
from firmware_host.core import maps
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.rules.cards import CARDS, Deck, in_use, is_urgent
from games.sniper_elite_solo.rules.options import card_set
from games.sniper_elite_solo.rules.terrain import terrain_of
from tests.games.sniper_elite_solo.ground import (
    BOARD,
    ENTRIES,
    HOME,
    OBJECTIVES,
    Table,
    new,
    of,
    placed,
    plain,
    public_events,
    refused,
    tm1,
)

rule = pytest.mark.rule
NOBODY: dict[str, Any] = {"only": {}}
URGENT = ["SC-02", "LF-01", "SC-01", "LF-02"]
"""The removed card, then those of the right, left and middle slot."""
DECK = ["SC-03", "SC-04", "SC-05", "SC-06", "SC-07", "SC-08", "SC-09", "LF-03", "LF-04", "LF-05", "LF-06"]
STACKED: list[tuple[str, Any]] = [("urgent", URGENT), ("deck", DECK), ("loadout", []), ("objectives", [4, 7])]


@rule("SO-SET-01")
def test_game_has_one_seat_and_officers_act_like_soldiers() -> None:
    seats = GAME.seats(GAME.read_options(None))
    assert [seat.name for seat in seats] == ["sniper"]
    assert new().referee.to_act == ("sniper",)
    table = Table("a1", only={"red-officer": "a5", "red-1": "b8", "red-2": "b7"}, lks="yellow")
    told = of(table.runs({"do": "search", "who": ["all"]}), "searched")
    assert told == [{"units": ["red-officer", "red-1", "red-2"]}], "officers act like soldiers"


@rule("SO-SET-02", "SO-R-68")
@pytest.mark.parametrize(
    ("board", "options", "which"),
    [
        (maps.load("launch-facility"), {}, "LF"),
        (maps.load("submarine-pens"), {}, "SP"),
        (maps.load("launch-facility"), {"cards": "SP"}, "SP"),
        (BOARD, {}, "LF"),
        (tm1(kinds={"d1": "elevated"}), {}, "SP"),
    ],
)
def test_game_uses_only_the_cards_of_its_map(board: Map, options: dict[str, Any], which: str) -> None:
    assert card_set(board, GAME.read_options(options)) == which
    table = new(board, options)
    dealt = plain(table.told[0].event)
    cards = [*dealt["urgent"], *dealt["cards"]]
    assert {CARDS[card].set for card in cards} == {"common", which}
    assert sorted(dealt["objectives"]) == list(terrain_of(board).objectives)


@rule("SO-SET-03", "SO-R-68")
def test_defenders_start_on_the_objectives_of_their_colour() -> None:
    assert new().truth.units == HOME
    found = new(maps.load("launch-facility")).truth
    assert sorted(map(str, found.units.values())) == sorted(found.terrain.objectives.values())
    assert found.units["yellow-officer"] == found.terrain.objectives[1]
    assert found.units["yellow-2"] == found.terrain.objectives[9], "yellow has two objectives there"
    assert [found.units[f"red-{who}"] for who in ("officer", "1", "2")] == [
        found.terrain.objectives[n] for n in (3, 4, 5)
    ]


@rule("SO-SET-04", "SO-SET-05", "SO-SET-06", "SO-R-01", "SO-R-02")
def test_slots_have_three_urgent_cards_and_the_deck_nine_others() -> None:
    table = new(chance=STACKED)
    laid = of(public_events(table.told), "slots-laid")[0]
    assert laid["slots"] == [
        {"card": "SC-01", "face": "up"}, {"card": "LF-02", "face": "up"}, {"card": None, "face": "down"},
    ]  # fmt: skip
    assert [slot["card"] for slot in table.state()["slots"]] == ["SC-01", "LF-02", "LF-01"]
    assert (laid["deck"], table.state()["deck"]) == (9, DECK[:9])
    for viewer in ("sniper", "table"):
        assert not {"SC-02", "LF-01", "LF-05", "LF-06"} & set(map(str, words(table.view(viewer))))
    assert sum(map(is_urgent, in_use("LF"))) == sum(map(is_urgent, in_use("SP"))) == 4


@rule("SO-D-12", "SO-SET-07")
@pytest.mark.parametrize("deck", ["standard", "veteran"])
def test_deck_sizes(deck: Deck) -> None:
    for which in ("LF", "SP"):
        assert len(in_use(which, deck)) == 15 == 1 + 3 + 2 + 9
        assert sum(map(is_urgent, in_use(which, deck))) == 4
        assert sum(CARDS[card].set == which for card in in_use(which, deck)) == 6
    cards = [card for card in CARDS.values() if card.deck == deck]
    assert sum(card.set == "common" for card in cards) == 9
    assert len(cards) == 21


def test_veteran_deck_is_used_if_chosen() -> None:
    table = new(maps.load("launch-facility"), {"deck": "veteran"})
    dealt = plain(table.told[0].event)
    assert {CARDS[card].deck for card in [*dealt["urgent"], *dealt["cards"]]} == {"veteran"}
    state = table.state()
    with refused("SO-SET-02"):
        GAME.position(table.board, GAME.read_options(None), state, Chance(Random(1)))
    assert GAME.position(table.board, GAME.read_options({"deck": "veteran"}), state, Chance(Random(1)))


def words(value: Any) -> list[Any]:
    """Return all values in JSON."""
    if isinstance(value, dict):
        return [word for part in value.values() for word in words(part)]
    return [word for part in value for word in words(part)] if isinstance(value, list) else [value]


@rule("SO-SET-08", "SO-LDO-04")
def test_two_different_loadout_cards_are_dealt() -> None:
    stacked = [("urgent", []), ("deck", []), ("loadout", ["s-mine", "s-mine", "distraction"]), ("objectives", [])]
    table = new(chance=stacked)
    assert of(public_events(table.told), "loadout-dealt") == [{"cards": ["s-mine", "distraction"]}]
    state = table.state()
    assert state["sniper"]["hand"] == ["s-mine", "distraction"]
    left = ["sound-masking"] * 2 + ["s-mine"] + ["silenced-ammo"] * 2 + ["distraction", "tommy-gun", "trench-gun"]
    assert state["loot_deck"] == left
    assert len(FULL_DECK) == 10
    assert table.view()["counts"] == {"deck": 9, "loot_deck": 8, "discard": 0}


@rule("SO-SET-09", "SO-LDO-01")
def test_loadout_card_is_public_and_works_once() -> None:
    table = Table("c1", sniper={"hand": ["sound-masking", "s-mine"]})
    assert table.view("table")["sniper"]["hand"] == ["sound-masking", "s-mine"]
    table.act("play", card="sound-masking")
    assert table.view("table")["sniper"]["hand"] == ["s-mine"]
    assert table.view("table")["sniper"]["used"] == ["sound-masking"]
    other = Table("c1", sniper={"hand": [], "used": ["sound-masking"]})
    other.refuses("SO-LDO-01", "play", card="sound-masking")


@rule("SO-SET-10", "SO-SET-11", "SO-R-46")
def test_bag_stack_and_supply_at_the_start() -> None:
    view = new().view()
    assert view["bag"] == {"aim": 6, "noise": 2, "recoil": 3}
    assert view["sniper"]["stack"] == ["noise", "recoil", "recoil", "noise", "recoil", "recoil"]
    assert view["supply"] == {"aim": 5, "noise": 5}
    assert view["sniper"]["wounds"] == 0
    with pytest.raises(NotUnderstood, match="suppression"):
        Table("a1", bag={"aim": 6, "noise": 2, "recoil": 3, "suppression": 1})


@rule("SO-SET-12")
def test_objectives_of_one_suit_must_be_returned() -> None:
    undealt = [("urgent", []), ("deck", []), ("loadout", [])]
    table = new(chance=[*undealt, ("objectives", [1, 2, 3, 4, 5, 6, 7, 8, 9])])
    assert of(public_events(table.told), "objectives") == [{"cards": [1, 2]}]
    assert table.legal() == [
        {"type": "return-objective", "objective": 1}, {"type": "return-objective", "objective": 2},
    ]  # fmt: skip
    table.refuses("SO-SET-12", "choose-entry", sector="white")
    table.refuses("SO-SET-12", "return-objective", objective=5)
    assert table.view("table")["pending"] is None
    assert table.view()["pending"] == {"for": "return-objective", "deck": None}
    assert of(table.act("return-objective", objective=1), "objectives") == [{"cards": [2, 3]}]
    assert table.state()["pending"] == {"for": "return-objective", "deck": [4, 5, 6, 7, 8, 9, 1]}
    assert of(table.act("return-objective", objective=2), "objectives") == [{"cards": [3, 4]}]
    assert {command["type"] for command in table.legal()} == {"choose-entry"}
    table.refuses("SO-SET-13", "return-objective", objective=3)
    with refused("SO-SET-12"):
        Table("a1", **NOBODY).act("return-objective", objective=4)


@rule("SO-SET-13", "SO-SET-14", "SO-SET-15")
def test_arrow_must_be_in_a_sector_without_own_objectives() -> None:
    table = new(chance=STACKED)
    assert [command["sector"] for command in table.legal()] == ["yellow", "white"]
    for sector in ("red", "black"):
        table.refuses("SO-SET-13", "choose-entry", sector=sector)
    table.refuses("SO-SET-13", "move", path=["d1"])
    assert table.act("choose-entry", sector="yellow") == [
        {"type": "entry", "sector": "yellow"},
        {"type": "lks-updated", "sector": "yellow"},
        {"type": "possible", "objectives": [4, 5, 6, 7, 8, 9]},
    ]
    assert table.truth.space is None
    table.refuses("SO-SET-13", "choose-entry", sector="white")


@rule("SO-SET-16", "SO-TRN-02", "SO-R-17")
def test_first_move_starts_at_the_entry_space() -> None:
    table = Table(None, entry="white")
    assert table.referee.to_act == ("sniper",)
    assert {command["type"] for command in table.legal()} == {"move"}
    assert {command["path"][0] for command in table.legal()} == {"d1"}
    assert max(len(command["path"]) for command in table.legal()) == 3
    table.refuses("SO-SET-16", "move", path=["c1"])
    for act in ({"kind": "loot"}, {"kind": "end-turn"}, {"kind": "complete", "objective": 4}, {"kind": "shoot"}):
        table.refuses("SO-TRN-02", **act)
    assert table.act("move", path=["d1"]) == [{"type": "sniper-moved", "path": ["d1"], "noisy": False}]


@rule("SO-R-44")
def test_unsuitable_map_is_refused() -> None:
    numbers = {number: name for name, number in OBJECTIVES.items()}
    short = placed(BOARD, objectives={number: name for number, name in numbers.items() if number != 9})
    moved = placed(BOARD, objectives={**numbers, 9: "b8"})
    for board in (short, moved):
        with refused("SO-R-44"):
            new(board)
        with refused("SO-R-44"):
            Table("a1", board=board, only=HOME)
        assert [fault[:32] for fault in GAME.map_faults(board)] == ["TM-1 does not suit this game: it"]
    assert GAME.map_faults(BOARD) == []
    with pytest.raises(NotUnderstood, match="played on a map"):
        GAME.blank(None, GAME.read_options(None))
    with pytest.raises(NotUnderstood, match="circle"):
        new(placed(BOARD, starts={}))


@rule("SO-R-19")
def test_arrow_onto_objective_or_defender_is_refused() -> None:
    with refused("SO-R-19"):
        new(placed(BOARD, entries={**ENTRIES, "red": "a5"}))
    table = Table(None, units={"yellow-officer": "d1"}, sniper={"objectives": [4, 7]})
    assert [command["sector"] for command in table.legal()] == ["yellow"]
    table.refuses("SO-R-19", "choose-entry", sector="white")
    with refused("SO-R-19"):
        Table(None, entry="white", units={"yellow-officer": "d1"})
    with refused("SO-R-19"):
        Table(None, units={"yellow-officer": "d1", "yellow-1": "a1"})
