"""Described positions: omitted parts, impossible positions, and positions that read back as the same game."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.referee import Referee
from engine.refusal import NotUnderstood, Refused
from games.sniper_elite import GAME
from games.sniper_elite.map_rules.sites import sector_of_objective, sites_of
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite.rules.commands import ChooseSpecialists, Keep, ReturnObjective
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import START_BAG
from tests.games.sniper_elite.duel import (
    GRID,
    SPECIALISTS,
    Duel,
    fresh,
    is_sentence,
    objectives,
    plain,
)
from tests.toys import STARTS, grid

IN_PLAY = {"space": "c4"}
Members = dict[str, dict[str, Any]]


def read(raw: Any, seed: int = 0, forced: list[tuple[str, Any]] | None = None, **options: Any) -> dict[str, Picture]:
    """Return all pictures of a position."""
    return GAME.position(GRID, GAME.read_options(options), raw, Chance(Random(seed), forced or []))


def truth(raw: Any, **more: Any) -> Picture:
    """Return the referee's picture of a position."""
    return read(raw, **more)["referee"]


# --- omitted parts ----------------------------------------------------------------------------------------------


def test_empty_position_is_a_standard_game_at_the_first_turn() -> None:
    found = truth({})
    assert (found.turn, found.round, found.countdown, found.wounds) == ("sniper", 1, 10, 0)
    assert found.units == STARTS
    assert found.bag == START_BAG
    assert (found.mine.space, found.mine.entry, found.pending) == (None, None, None)
    assert len({sector_of_objective(GRID, number) for number in found.mine.objectives}) == 2
    assert (len(found.mine.hand), len(found.mine.loot_deck)) == (3, len(FULL_DECK) - 3)
    assert len({card.card for card in found.specialists.values()}) == 3
    assert GAME.to_act(found) == ("sniper",)


@pytest.mark.rule("MP-LOAD-08", "MP-INFO-09")
def test_card_not_named_was_used_openly_unless_sound_masking() -> None:
    found = truth({"sniper": {**IN_PLAY, "hand": ["s-mine"]}, "loot_deck": ["distraction"]})
    used = Counter(FULL_DECK) - Counter(["s-mine", "distraction", "sound-masking", "sound-masking"])
    assert Counter(found.face_up) == used


def test_missing_parts_are_drawn_from_the_seed() -> None:
    def drawn(seed: int) -> tuple[Any, ...]:
        found = truth({}, seed=seed)
        return found.mine.objectives, found.mine.hand, tuple(card.card for card in found.specialists.values())

    assert drawn(5) == drawn(5)
    assert len({drawn(seed) for seed in range(20)}) > 15


def test_complete_position_draws_nothing() -> None:
    chance = Chance(Random(7), [("objectives", [3])])
    before = chance.mark()
    raw = {"sniper": {"space": "c4", "objectives": [1, 8], "hand": []}, "specialists": SPECIALISTS}
    GAME.position(GRID, GAME.read_options(None), raw, chance)
    assert chance.mark() == before


def test_missing_parts_can_be_forced_and_fit_the_rest() -> None:
    forced = [("objectives", [1, 2, 5]), ("loadout", ["tommy-gun"]), ("specialists", {"red": "medic"})]
    found = truth({}, forced=forced)
    assert found.mine.objectives == (1, 5), "no two objectives have the same suit"
    assert "tommy-gun" in found.mine.hand
    assert found.specialists["red"].card == "medic"
    for seed in range(20):
        assert "yellow" not in {
            sector_of_objective(GRID, n) for n in truth({"entry": "yellow"}, seed=seed).mine.objectives
        }
        held = truth({"sniper": {"space": "c4", "completed": [3]}}, seed=seed).mine.objectives
        assert held[0] == 3
        assert sector_of_objective(GRID, held[1]) != "yellow"
        dealt = truth({"specialists": {"red": {"card": "medic"}}}, seed=seed).specialists
        assert "medic" not in (dealt["yellow"].card, dealt["black"].card)
        returning = truth({"pending": {"for": "return-objective", "deck": [9]}}, seed=seed)
        assert len({sector_of_objective(GRID, number) for number in returning.mine.objectives}) == 1
        assert returning.deck is not None
        assert returning.deck[0] == 9
        assert sorted((*returning.deck, *returning.mine.objectives)) == list(range(1, 10))


def test_units_not_given_are_off_the_board() -> None:
    found = truth({"units": {"red-1": "a1"}, "turn": "defenders", "sniper": IN_PLAY})
    assert {unit: space for unit, space in found.units.items() if space} == {"red-1": "a1"}
    assert set(found.off) == set(STARTS) - {"red-1"}
    assert truth({"units": {}, "sniper": IN_PLAY}).off == ()
    assert truth({"units": {}, "off": ["red-1"], "turn": "defenders", "sniper": IN_PLAY}).off == ("red-1",)


def test_squad_without_cubes_given_has_both() -> None:
    found = truth({"squads": {"red": {}, "black": {"left": 1}}, "turn": "defenders", "sniper": IN_PLAY})
    assert {squad: turn.left for squad, turn in found.squads.items()} == {"yellow": 2, "red": 2, "black": 1}


def test_missing_loot_deck_is_every_card_not_named_elsewhere() -> None:
    me = {"space": "c1", "hand": ["s-mine"], "face_down": ["s-mine"], "mines": ["a1"], "objectives": [1, 8]}
    pending = {"for": "keep", "cards": ["tommy-gun", "distraction"]}
    found = truth({"sniper": me, "pending": pending})
    assert Counter(found.mine.loot_deck) == Counter(FULL_DECK) - Counter(
        ["s-mine", "s-mine", "tommy-gun", "distraction"]
    )
    assert found.deck_size == len(found.mine.loot_deck) + 1
    assert truth({"loot_deck": ["s-mine"], "sniper": {**IN_PLAY, "hand": []}}).mine.loot_deck == ("s-mine",)


def test_hand_is_dealt_without_cards_named_elsewhere() -> None:
    for seed in range(20):
        deck = [*FULL_DECK[:6]]
        found = truth({"loot_deck": deck}, seed=seed)
        assert Counter(found.mine.hand) <= Counter(FULL_DECK) - Counter(deck)
        assert len(found.mine.hand) == 3


# --- what other viewers see -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pending", [{"for": "keep", "cards": ["s-mine", "tommy-gun", "s-mine"]}, None])
def test_secret_decisions_are_hidden_from_other_viewers(pending: Any) -> None:
    me = {"space": "c1", "objectives": [1, 8], "hand": ["distraction"]}
    pictures = read({"sniper": me, "pending": pending})
    for viewer in ("table", "defenders"):
        assert pictures[viewer].pending is None
        assert pictures[viewer].dossier is None
        assert pictures[viewer].deck is None
    assert pictures["sniper"].deck is None
    assert (pictures["sniper"].pending is None) == (pending is None)


def test_returning_an_objective_looks_like_choosing_a_loadout() -> None:
    pictures = read({"pending": {"for": "return-objective"}, "sniper": {"objectives": [1, 2]}})
    choosing = read({"pending": {"for": "choose-loadout"}, "sniper": {"objectives": [1, 4]}})
    assert pictures["defenders"] == choosing["defenders"]
    assert GAME.legal(pictures["sniper"], "sniper") == [ReturnObjective(1), ReturnObjective(2)]
    assert pictures["sniper"].deck is None


def test_pending_decision_is_written_completely() -> None:
    for pending in ({**SAVE, "second": 2}, {**SAVE, "second": 1}, SECOND):
        assert plain(GAME.state(truth(waiting(pending))))["pending"] == pending
    duel = fresh(chance=objectives(1, 2, 4))
    assert GAME.state(duel.truth)["pending"]["deck"][0] == 4
    assert GAME.state(duel.sniper.view)["pending"] == {"for": "return-objective"}


# --- impossible positions ---------------------------------------------------------------------------------------


def me(**more: Any) -> dict[str, Any]:
    """Return a sniper on the board."""
    return {"sniper": {"space": "c4", "objectives": [1, 8], "hand": ["s-mine"], **more}}


TWO_OF_A_CARD = {"yellow": {"card": "medic"}, "red": {"card": "medic"}}
KEEP = {"for": "keep", "cards": ["tommy-gun"]}
OUT_OF_TIME = {"winner": "defenders", "reason": "countdown"}
NO_WAY_IN = {"sniper": {"objectives": [1, 4]}, "units": {"red-1": "f1", "red-2": "f8"}}
OTHERS = {"black-1": "c6", "red-officer": "b6"}
DRAWN = {"aim": 2, "noise": 0, "recoil": 1, "suppression": 0}
BAG_LEFT = {"aim": 4, "noise": 2, "recoil": 2}
MEDIC = {"yellow": {"card": "jaeger"}, "red": {"card": "medic"}, "black": {"card": "scout"}}
SAVE = {"for": "save", "units": ["red-1"], "hit": ["red-1"], "by": "shot", "drawn": DRAWN}
SECOND = {"for": "shoot-second", "draw": 2, "drawn": DRAWN}
WAITING: dict[str, Any] = {
    "bag": BAG_LEFT,
    "units": {"red-1": "c6", "red-officer": "b6", "black-1": "a1"},
    "specialists": MEDIC,
}


def waiting(pending: dict[str, Any], space: str | None = "c4", **more: Any) -> dict[str, Any]:
    """Return a shot that waits for the medic or for its second target."""
    return {**me(space=space, acted=True), **WAITING, "pending": pending, **more}


IMPOSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("MP-SETUP-19", {"countdown": 0}),
    ("MP-SETUP-19", {"countdown": 11}),
    ("MP-TURN-01", {"round": 0}),
    ("MP-TURN-10", me(log=[[11, "c4"]])),
    ("MP-TURN-10", me(log=[[0, "c4"]])),
    ("MP-END-02", me(wounds=3)),
    ("MP-END-02", me(wounds=-1)),
    ("MP-END-02", me(wounds=2)),
    ("MP-END-02", {**me(), "over": {"winner": "defenders", "reason": "wounds"}}),
    ("MP-END-02", {**me(wounds=2), "over": {"winner": "sniper", "reason": "wounds"}}),
    ("MP-END-01", me(completed=[1, 8])),
    ("MP-END-01", {**me(completed=[1]), "over": {"winner": "sniper", "reason": "objectives"}}),
    ("MP-END-03", {**me(), "turn": "defenders", "countdown": 1}),
    ("MP-END-03", {**me(), "over": OUT_OF_TIME}),
    ("MP-END-03", {**me(), "turn": "defenders", "countdown": 2, "over": OUT_OF_TIME}),
    ("MP-SPEC-01", {"specialists": {"red": {"card": "medic", "uses": 3}}}),
    ("MP-SPEC-01", {"specialists": {"red": {"card": "medic", "uses": -1}}}),
    ("MP-SETUP-18", {"specialists": TWO_OF_A_CARD}),
    ("MP-BAG-06", {"bag": {"aim": 12}}),
    ("MP-BAG-06", {"bag": {"noise": -1}}),
    ("MP-BAG-06", {"bag": {"recoil": 4}}),
    ("MP-BAG-06", {"bag": {"suppression": 1}, "specialists": MEDIC}),
    ("MP-BAG-06", {"bag": {"suppression": 1}, "pending": {"for": "choose-specialists"}}),
    ("MP-MAP-06", {**me(), "units": {"red-1": "a1", "red-2": "a1"}}),
    ("MP-SETUP-05", {**me(), "dogs": ["a1", "a2", "a3"]}),
    ("MP-SETUP-05", {**me(), "marks": ["a1", "a1"]}),
    ("MP-SETUP-05", {**me(), "marks": [f"{row}{column}" for row in "abc" for column in range(1, 5)]}),
    ("MP-SETUP-09", me(objectives=[1])),
    ("MP-SETUP-09", me(objectives=[1, 1])),
    ("MP-SETUP-09", me(objectives=[1, 4, 8])),
    ("MP-SETUP-09", {"pending": {"for": "return-objective", "deck": [1, 1]}, "sniper": {"objectives": [2, 3]}}),
    ("MP-SETUP-09", {"pending": {"for": "return-objective", "deck": [2]}, "sniper": {"objectives": [2, 3]}}),
    ("MP-SETUP-10", me(objectives=[1, 2])),
    ("MP-SETUP-10", {"pending": {"for": "return-objective", "deck": [2, 3, 5, 6, 7, 9]}}),
    ("MP-SETUP-10", {"pending": {"for": "return-objective"}, "sniper": {"objectives": [1, 4]}}),
    ("MP-OBJ-01", me(completed=[4])),
    ("MP-OBJ-01", me(completed=[1, 1])),
    ("MP-DIFF-03", {**me(), "shown": 1}),
    ("MP-TURN-01", {**me(space="c1"), "turn": "defenders", "pending": KEEP}),
    ("MP-LOOT-01", {**me(space="c2"), "pending": KEEP}),
    ("MP-LOOT-01", {**me(space="b2"), "pending": KEEP}),
    ("MP-LOOT-01", {**me(space=None), "pending": KEEP}),
    ("MP-LOOT-02", {**me(space="c1"), "pending": {"for": "keep", "cards": []}}),
    ("MP-LOOT-02", {**me(space="c1"), "pending": {"for": "keep", "cards": ["tommy-gun", *["distraction"] * 3]}}),
    ("MP-SETUP-21", {**me(), "pending": {"for": "choose-loadout"}}),
    ("MP-SETUP-21", {"round": 2, "pending": {"for": "choose-specialists"}}),
    ("MP-SETUP-21", {"entry": "white", "pending": {"for": "choose-specialists"}, "sniper": {"objectives": [1, 4]}}),
    ("MP-SETUP-21", {"pending": {"for": "choose-loadout"}, "sniper": {"objectives": [1, 8], "completed": [1]}}),
    ("MP-TURN-01", {"turn": "defenders", "pending": {"for": "choose-loadout"}}),
    ("MP-END-02", {**me(space="c1", wounds=2), "over": {"winner": "defenders", "reason": "wounds"}, "pending": KEEP}),
    ("MP-TURN-09", {"turn": "defenders"}),
    ("MP-TURN-09", me(space=None, moved=True)),
    ("MP-TURN-09", me(space=None, been=["c4"])),
    ("MP-TURN-09", me(space=None, acted=True)),
    ("MP-TURN-09", me(space=None, completed=[1])),
    ("MP-TURN-02", NO_WAY_IN),
    ("MP-TURN-03", {"entry": "red", "sniper": {"objectives": [1, 4]}}),
    ("MP-MOVE-03", {"entry": "white", "sniper": {"objectives": [1, 4]}, "units": {"red-2": "f8"}}),
    ("MP-LOAD-06", me(hand=["tommy-gun", "tommy-gun"])),
    ("MP-LOAD-06", me(hand=["s-mine", "s-mine"], face_down=["s-mine"])),
    ("MP-LOAD-06", {**me(), "loot_deck": ["s-mine", "s-mine"]}),
    ("MP-LOOT-01", me(looted=["c2"])),
    ("MP-LOOT-01", me(looted=["b2"])),
    ("MP-LOOT-01", me(looted=["c1", "c1"])),
    ("MP-DEF-02", {**me(), "squads": {"red": {"left": 3}}}),
    ("MP-DEF-02", {**me(), "squads": {"red": {"left": -1}}}),
    ("MP-DEF-02", {**me(), "squads": {"red": {"left": 1, "intel": True}}}),
    ("MP-DEF-02", {**me(), "turn": "defenders", "done": {"red-1": ["move", "attack"], "red-2": ["move"]}}),
    ("MP-SETUP-09", me(objectives=[1, 1, 8])),
    ("MP-LOAD-06", {**me(space="c1", hand=["tommy-gun"]), "loot_deck": [], "pending": KEEP}),
    ("MP-LOAD-09", me(mines=["a1"], face_down=[])),
    ("MP-LOAD-09", me(mines=["a1", "a2"], face_down=["s-mine"])),
    ("MP-LOAD-09", me(mines=[], face_down=["s-mine"], hand=[])),
    ("MP-LOAD-09", me(mines=["a1"], face_down=["s-mine", "s-mine"], hand=[])),
    ("MP-INFO-09", me(face_down=["tommy-gun"])),
    ("MP-SHOOT-18", waiting(SAVE, space=None)),
    ("MP-SHOOT-06", waiting({**SAVE, "by": "trench-gun"})),
    ("MP-SHOOT-06", waiting({**SAVE, "drawn": None})),
    ("MP-LOAD-13", waiting({**SECOND, "draw": 1})),
    ("MP-LOAD-13", waiting({**SECOND, "draw": 9})),
    ("MP-LOAD-13", waiting({**SECOND, "draw": None}, units={"black-1": "c5"})),
    ("MP-LOAD-13", waiting(SECOND, units={"black-1": "a1"})),
    ("MP-LOAD-13", waiting({**SAVE, "second": 0})),
    ("MP-LOAD-13", waiting({**SAVE, "second": 9})),
    ("MP-SPEC-26", waiting({**SAVE, "units": []})),
    ("MP-SPEC-26", waiting({**SAVE, "units": ["red-1", "black-1"]})),
    ("MP-SPEC-26", waiting({**SAVE, "hit": ["red-1", "black-1"]})),
    ("MP-SPEC-26", waiting({**SAVE, "hit": ["black-1"], "units": ["black-1"]}, units=OTHERS)),
    ("MP-SHOOT-01", waiting({**SAVE, "hit": ["black-1"]})),
    ("MP-BAG-06", waiting(SAVE, bag={"aim": 10, "noise": 2, "recoil": 2})),
    ("MP-BAG-06", waiting({**SAVE, "drawn": {**DRAWN, "noise": -1}})),
    ("MP-BAG-06", waiting({**SAVE, "drawn": {**DRAWN, "suppression": 1}})),
    ("MP-TURN-02", {"pending": {"for": "choose-specialists"}, **NO_WAY_IN}),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "raw"), IMPOSSIBLE)
def test_impossible_position_is_refused_by_its_rule(rule: str, raw: Any) -> None:
    with pytest.raises(Refused) as caught:
        read(raw)
    assert caught.value.rule == rule, caught.value.sentence
    assert is_sentence(caught.value.sentence)


@pytest.mark.rule("MP-BAG-06")
def test_error_gives_the_number_of_tokens() -> None:
    with pytest.raises(Refused, match="12 aim tokens, where there are 11"):
        truth({"bag": {"aim": 12}})
    with pytest.raises(Refused, match="12 aim tokens, where there are 11"):
        truth(waiting(SAVE, bag={"aim": 10}))


@pytest.mark.parametrize("who", ["sniper", "miniature", "red-1", "mines", "dogs", "marks"])
@pytest.mark.parametrize("kind", ["water", "obstruction"])
def test_no_unit_stands_on_an_unenterable_space(who: str, kind: str) -> None:
    secret: Members = {"sniper": {"space": "c5"}, "miniature": {"miniature": "c5"}, "mines": {"mines": ["c5"]}}
    public: Members = {"red-1": {"units": {"red-1": "c5"}}, "dogs": {"dogs": ["c5"]}, "marks": {"marks": ["c5"]}}
    raw = {**me(**secret.get(who, {})), **public.get(who, {})}
    with pytest.raises(Refused) as caught:
        GAME.position(grid(kinds={"c5": kind}), GAME.read_options(None), raw, Chance(Random(0)))
    assert caught.value.rule == "MP-MOVE-10"


POSSIBLE: list[dict[str, Any]] = [
    {"countdown": 1},
    {"round": 99},
    me(wounds=1, log=[[10, None], [1, "c4"]]),
    {**me(), "turn": "defenders", "countdown": 2},
    {**me(), "specialists": {"red": {"card": "medic", "uses": 0, "suppression": False}}, "bag": {"suppression": 1}},
    {"bag": {"aim": 11, "noise": 9, "recoil": 3}},
    {**me(), "dogs": ["a1", "a1"], "marks": ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "b1", "b2"]},
    {**me(), "units": {"red-1": "c4"}},
    {**me(), "shown": 2},
    {**me(), "squads": {"red": {"left": 0, "intel": True}, "black": {"left": 1}}},
    {**me(), "done": {"red-1": ["move"], "red-2": ["scout"]}, "used": ["red"]},
    {**me(space="c1"), "pending": {"for": "keep", "cards": ["tommy-gun"]}, "loot_deck": []},
    {"sniper": {"objectives": None, "hand": None}},
    {"over": OUT_OF_TIME, "turn": "defenders", "countdown": 1},
    me(mines=["a1", "a1"], face_down=["s-mine", "s-mine"], hand=[]),
    waiting(SAVE),
    waiting(SECOND),
    waiting({**SAVE, "second": 8}),
    waiting({**SAVE, "by": "trench-gun", "drawn": None}, units={"red-1": "c5", "red-officer": "b6"}),
]


@pytest.mark.parametrize("raw", POSSIBLE)
def test_possible_position_is_accepted(raw: Any) -> None:
    assert set(read(raw)) == {"sniper", "defenders", "table", "referee"}


UNKNOWN: list[Any] = [
    {"sniper": {"space": "z9"}},
    {"sniper": {"miniature": "z9"}},
    {"sniper": {"mines": ["z9"]}},
    {"sniper": {"looted": ["z9"]}},
    {"sniper": {"been": ["z9"]}},
    {"sniper": {"log": [[10, "z9"]]}},
    {"dogs": ["z9"]},
    {"marks": ["z9"]},
    {"units": {"red-1": "z9"}},
    {"units": {"green-1": "a1"}},
    {"done": {"green-1": []}},
    {"done": {"red-1": ["dance"]}},
    {"off": ["green-1"]},
    {"entry": "green"},
    {"turn": "table"},
    {"bag": {"luck": 1}},
    {"squads": {"green": {}}},
    {"used": ["green"]},
    {"specialists": {"green": {"card": "medic"}}},
    {"specialists": {"red": {"card": "butcher"}}},
    {"pending": {"for": "lunch"}},
    {"over": {"winner": "nobody", "reason": "wounds"}},
    {"over": {"winner": "sniper", "reason": "boredom"}},
    {"shown": 10},
    {"sniper": {"objectives": [0, 1]}},
    {"sniper": {"completed": [77]}},
    {"pending": {"for": "return-objective", "deck": [77]}},
    {"sniper": {"hand": ["bazooka"]}},
    {"sniper": {"face_down": ["bazooka"]}},
    {"sniper": {"active": "bazooka"}},
    {"loot_deck": ["bazooka"]},
    {"pending": {"for": "keep", "cards": ["bazooka"]}},
    {"pending": {"for": "save", "units": ["green-1"]}},
    {"pending": {"for": "save", "by": "spoon"}},
    {"pending": {"for": "save", "drawn": {"luck": 1}}},
    {"weather": "rain"},
    {"sniper": {"shoe": 44}},
    {"pending": {"for": "choose-loadout", "by night": True}},
    {"specialists": {"red": {"card": "medic", "mood": "bad"}}},
    {"squads": {"red": {"tired": True}}},
    {"over": {"winner": "defenders", "reason": "wounds", "cheers": 3}},
    {"round": "one"},
    {"countdown": True},
    [],
    None,
    7,
]


@pytest.mark.parametrize("raw", UNKNOWN)
def test_unknown_names_are_not_understood(raw: Any) -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(raw)
    assert is_sentence(caught.value.sentence)


def test_decisions_of_a_position_match_its_stage() -> None:
    choosing = read({"pending": {"for": "choose-specialists"}, "specialists": {"red": {"card": "medic"}}})
    assert choosing["table"].specialists == {}
    assert isinstance(GAME.legal(choosing["defenders"], "defenders")[0], ChooseSpecialists)
    keeping = read({**me(space="c1"), "pending": {"for": "keep", "cards": ["tommy-gun"]}})
    assert GAME.legal(keeping["sniper"], "sniper") == [Keep("tommy-gun")]
    assert keeping["table"].acted, "looting was the turn's action"
    assert (keeping["table"].hand_size, keeping["table"].looted_size) == (2, 1)


# --- omitted parts fit the given ones ---------------------------------------------------------------------------


def test_dealt_objectives_are_not_shown_or_looted_ones() -> None:
    for seed in range(30):
        assert 4 not in truth({"shown": 4, "sniper": IN_PLAY}, seed=seed).mine.objectives
        looted = sites_of(GRID).objectives[5]
        assert 5 not in truth({"sniper": {**IN_PLAY, "looted": [looted]}}, seed=seed).mine.objectives
        keeping = {"pending": {"for": "keep", "cards": ["s-mine"]}, "sniper": {"space": looted}}
        assert 5 not in truth(keeping, seed=seed).mine.objectives


@pytest.mark.rule("MP-BAG-02")
@pytest.mark.rule("MP-BAG-06")
def test_dealt_specialists_have_the_remaining_suppression_tokens() -> None:
    def on_cards(raw: Any) -> list[bool]:
        return [card.suppression for card in truth({"sniper": IN_PLAY, **raw}).specialists.values()]

    for out in range(4):
        assert sum(on_cards({"bag": {"aim": 6, "noise": 2, "recoil": 3, "suppression": out}})) == 3 - out
    medic = {"yellow": {"card": "medic", "suppression": True}}
    assert on_cards({"bag": {"aim": 6, "suppression": 2}, "specialists": medic}) == [True, False, False]
    assert sum(on_cards({"bag": {"aim": 6}})) == 3
    drawn = {**SAVE, "drawn": {**DRAWN, "suppression": 1}}
    found = truth(waiting(drawn, specialists={"red": {"card": "medic"}})).specialists.values()
    assert sum(card.suppression for card in found) == 2, "one has been drawn"


@pytest.mark.rule("MP-LOAD-09")
def test_mines_and_masked_move_have_their_cards_face_down() -> None:
    found = truth({"sniper": {**IN_PLAY, "mines": ["a1", "b1"], "active": "sound-masking"}}).mine
    assert sorted(found.face_down) == ["s-mine", "s-mine", "sound-masking"]
    assert "s-mine" not in (*found.hand, *found.loot_deck)
    with pytest.raises(Refused):
        truth({"sniper": {**IN_PLAY, "mines": ["a1"], "face_down": []}})


@pytest.mark.rule("MP-DEF-05")
def test_squad_has_the_cubes_that_its_actions_left() -> None:
    done = {"red-1": ["move"], "black-1": ["move", "attack"], "yellow-1": ["scout"]}
    found = truth({"turn": "defenders", "sniper": IN_PLAY, "done": done, "squads": {"black": {"left": 1}}})
    assert {squad: turn.left for squad, turn in found.squads.items()} == {"yellow": 2, "red": 1, "black": 1}
    intel = truth({"turn": "defenders", "sniper": IN_PLAY, "squads": {"red": {"intel": True}}})
    assert intel.squads["red"].left == 0
    assert truth({"sniper": IN_PLAY, "done": done}).squads["red"].left == 2, "cubes move in the defenders' turn"


@pytest.mark.rule("MP-LOOT-03")
def test_looted_space_may_be_given_while_a_card_is_chosen() -> None:
    space = sites_of(GRID).objectives[5]
    me = {"space": space, "objectives": [1, 8], "hand": [], "looted": [space]}
    raw = {"sniper": me, "pending": {"for": "keep", "cards": ["s-mine", "tommy-gun"]}}
    duel = Duel(Referee(GAME, read(raw)))
    duel.sniper.does("keep", card="s-mine")
    assert duel.truth.mine.looted == (space,)
    assert duel.truth.looted_size == 1


@pytest.mark.parametrize("drawn", [None, {}, {"aim": 0}])
def test_trench_gun_draw_can_be_written_in_any_way(drawn: Any) -> None:
    units = {"yellow-officer": "a1", "yellow-1": "c4"}
    pending = {"for": "save", "units": ["yellow-1"], "hit": ["yellow-1"], "by": "trench-gun", "drawn": drawn}
    raw = {"sniper": IN_PLAY, "units": units, "pending": pending, "specialists": {"yellow": {"card": "medic"}}}
    written = plain(GAME.state(truth(raw)))["pending"]
    assert written["drawn"] == {"aim": 0, "noise": 0, "recoil": 0, "suppression": 0}


@pytest.mark.parametrize(
    ("rule", "raw"),
    [
        ("MP-DEF-04", {"done": {"red-1": ["move", "move"]}}),
        ("MP-SPEC-18", {"done": {"red-1": ["scout", "move"]}}),
        ("MP-ACT-18", {"done": {"red-1": ["dismiss"]}}),
        ("MP-SPEC-04", {"used": ["red", "red"]}),
    ],
)
def test_squad_cannot_have_done_what_the_rules_forbid(rule: str, raw: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        truth({"turn": "defenders", "sniper": IN_PLAY, **raw})
    assert refused.value.rule == rule


def test_card_in_effect_has_left_the_hand() -> None:
    with pytest.raises(Refused) as refused:
        truth({"sniper": {**IN_PLAY, "active": "tommy-gun", "hand": ["tommy-gun"]}})
    assert refused.value.rule == "MP-LOAD-06"
    with pytest.raises(NotUnderstood):
        truth({"sniper": {**IN_PLAY, "active": "s-mine"}})
