"""LOAD: playing loadout cards, and the effects of all six. Mines have their own file."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.refusal import NotUnderstood, Refused
from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from games.sniper_elite.rules.cards import CARDS, FULL_DECK
from games.sniper_elite.rules.commands import ChooseLoadout, Move, Play, Shoot
from games.sniper_elite.rules.words import START_BAG
from tests.games.sniper_elite.duel import ALL, SPECIALISTS, Duel, defenders_turn, fresh, kinds, objectives, sniper_turn
from tests.games.sniper_elite.duel import viewers as who_heard

WEAPONS = ("silenced-ammo", "tommy-gun", "trench-gun")
FACE_DOWN = ("sound-masking", "s-mine")
RICH = {"aim": 11, "noise": 9, "recoil": 3, "suppression": 3}
NO_TOKENS_LEFT = {squad: {**card, "suppression": False} for squad, card in SPECIALISTS.items()}


def holding(*hand: str, space: str | None = "c1", **more: Any) -> Duel:
    """Return a sniper with exactly these cards. Red soldiers stand in the row, two and four spaces away."""
    return sniper_turn(space, hand=list(hand), **{"units": {"red-1": "c3", "red-2": "c5"}, **more})


def playing(card: str, **more: Any) -> Duel:
    """Return a sniper that has just played a card without a choice."""
    duel = holding(card, **more)
    duel.sniper.plays(card)
    return duel


def play(duel: Duel, card: str) -> None:
    """Play a card in any legal way."""
    chosen = next(offer for offer in duel.sniper.menu(Play) if offer.card == card)
    duel.sniper.plays(chosen.card, chosen.unit, chosen.to)


def playable(duel: Duel) -> set[str]:
    """Return the cards that can be played."""
    return {offer.card for offer in duel.sniper.menu(Play)}


# --- one card a turn, once, at the right time -------------------------------------------------------------------


@pytest.mark.rule("MP-LOAD-01")
@pytest.mark.parametrize("card", list(CARDS))
def test_card_is_used_once_and_never_returns(card: str) -> None:
    duel = holding(card, "s-mine" if card != "s-mine" else "distraction")
    deck = duel.truth.mine.loot_deck
    play(duel, card)
    assert card not in duel.truth.mine.hand
    assert duel.truth.mine.loot_deck == deck
    duel.sniper.ends_turn()
    duel.defenders.ends_turn()
    with duel.refuses("MP-LOAD-20"):
        duel.sniper.plays(card)
    everywhere = [*duel.truth.mine.hand, *duel.truth.mine.loot_deck, *duel.truth.mine.face_down, *duel.truth.face_up]
    assert Counter(everywhere) == Counter(FULL_DECK)


@pytest.mark.rule("MP-LOAD-02", "MP-TURN-05")
def test_one_card_can_be_played_a_turn() -> None:
    duel = holding("s-mine", "s-mine", "silenced-ammo")
    duel.sniper.plays("s-mine")
    assert playable(duel) == set()
    for card in ("s-mine", "silenced-ammo"):
        with duel.refuses("MP-LOAD-02"):
            duel.sniper.plays(card)
    duel.sniper.ends_turn()
    duel.defenders.ends_turn()
    duel.sniper.plays("s-mine")


@pytest.mark.rule("MP-LOAD-03", "MP-INFO-09")
def test_two_kinds_of_face_down_cards_look_alike() -> None:
    one, other = (playing(card) for card in FACE_DOWN)
    assert one.defenders.knows == other.defenders.knows
    assert one.table == other.table


@pytest.mark.rule("MP-LOAD-04", "R-32")
def test_masking_comes_before_the_move_and_weapons_before_the_action() -> None:
    moved = holding("sound-masking", "s-mine", "tommy-gun")
    moved.sniper.moves("b1")
    assert playable(moved) == {"s-mine", "tommy-gun"}
    with moved.refuses("MP-LOAD-04"):
        moved.sniper.plays("sound-masking")
    for weapon in WEAPONS:
        shot = holding(weapon, "sound-masking", "s-mine", "distraction")
        shot.sniper.shoots("red-1", aim=1, recoil=1)
        assert playable(shot) == {"sound-masking", "s-mine", "distraction"}
        with shot.refuses("MP-LOAD-04"):
            shot.sniper.plays(weapon)


@pytest.mark.rule("MP-LOAD-05", "MP-TURN-08", "MP-MINE-05")
def test_card_is_played_between_the_parts_of_a_turn() -> None:
    between = holding("s-mine")
    between.sniper.moves("b1")
    between.sniper.plays("s-mine")
    with between.refuses("MP-MOVE-07"):
        between.sniper.moves("a1")
    looting = holding("s-mine", space="b2", objectives=(2, 8))
    looting.sniper.loots("distraction", "distraction", "tommy-gun")
    with looting.refuses("MP-LOOT-02"):
        looting.sniper.plays("s-mine")
    shooting = holding("tommy-gun", units={"red-1": "c2", "red-2": "c3"})
    shooting.sniper.plays("tommy-gun")
    shooting.sniper.bursts("red-1", 3, aim=1)
    with shooting.refuses("MP-LOAD-12"):
        shooting.sniper.plays("tommy-gun")


@pytest.mark.rule("MP-LOAD-06")
def test_four_kinds_have_two_cards_and_two_have_one() -> None:
    two, one = ("sound-masking", "s-mine", "silenced-ammo", "distraction"), ("tommy-gun", "trench-gun")
    assert {FULL_DECK.count(card) for card in two} == {2}
    assert {FULL_DECK.count(card) for card in one} == {1}
    duel = fresh(chance=objectives(1, 4))
    with duel.refuses("MP-LOAD-06"):
        duel.sniper.keeps_loadout("tommy-gun", "tommy-gun", "s-mine")
    duel.sniper.keeps_loadout("distraction", "distraction", "tommy-gun")
    assert duel.truth.mine.hand == ("distraction", "distraction", "tommy-gun")


@pytest.mark.rule("MP-LOAD-07")
def test_card_texts_are_public_and_the_hand_is_not() -> None:
    told = GAME.glossary()["cards"]
    assert {card: entry["copies"] for card, entry in told.items()} == Counter(FULL_DECK)
    assert all(entry["title"] and entry["text"].endswith(".") for entry in told.values())
    duel = holding("tommy-gun", "trench-gun")
    for viewer in ("defenders", "table"):
        assert GAME.view(duel.referee.pictures[viewer])["sniper"]["hand"] is None
    assert GAME.view(duel.sniper.view)["sniper"]["hand"] == ("tommy-gun", "trench-gun")


@pytest.mark.rule("MP-LOAD-20")
def test_hand_has_three_cards_plus_one_for_each_loot() -> None:
    duel = fresh(chance=objectives(1, 4))
    assert {len(offer.cards) for offer in duel.sniper.menu(ChooseLoadout)} == {3}
    looter = holding("s-mine", "s-mine", "tommy-gun", space="b2", objectives=(2, 8))
    looter.sniper.loots("distraction", "trench-gun", "silenced-ammo")
    looter.sniper.keeps("distraction")
    assert len(looter.truth.mine.hand) == looter.table.hand_size == 4
    with looter.refuses("MP-LOAD-20"):
        looter.sniper.plays("silenced-ammo")
    with pytest.raises(NotUnderstood):
        looter.sniper.plays("bazooka")


@pytest.mark.rule("R-43", "MP-LOAD-02")
def test_looted_card_can_be_played_this_turn_if_still_allowed() -> None:
    duel = holding(space="b2", objectives=(2, 8), units={"red-1": "b4"})
    duel.sniper.loots("distraction", "trench-gun", "silenced-ammo")
    duel.sniper.keeps("distraction")
    assert playable(duel) == {"distraction"}
    late = holding(space="b2", objectives=(2, 8))
    late.sniper.loots("distraction", "trench-gun", "silenced-ammo")
    late.sniper.keeps("trench-gun")
    assert playable(late) == set()


@pytest.mark.rule("R-06")
@pytest.mark.parametrize("card", [{"carded": True}, {"active": "tommy-gun"}])
def test_r06_off_refuses_a_position_with_a_card_before_entering(card: dict[str, Any]) -> None:
    assert holding(space=None, entry="white", **card).truth.carded
    with pytest.raises(Refused) as caught:
        holding(space=None, entry="white", options={"switches": {"R-06": False}}, **card)
    assert caught.value.rule == "MP-TURN-09"


@pytest.mark.rule("MP-LOAD-19")
def test_units_killed_by_a_card_can_be_deployed() -> None:
    duel = playing("trench-gun", units={"red-1": "c2", "red-officer": "a6"})
    duel.sniper.blasts()
    duel.sniper.ends_turn()
    duel.defenders.deploy("red-1", "a5")
    assert duel.units("red-1") == ("a5",)


# --- Sound Masking ----------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-LOAD-08", "MP-NOISE-08")
def test_turn_after_sound_masking_is_noisy_again() -> None:
    duel = playing("sound-masking", units={"red-1": "a1"})
    duel.sniper.moves("b1")
    duel.sniper.ends_turn()
    duel.defenders.ends_turn()
    duel.sniper.moves("b2", "c2")
    assert duel.defenders.knows[-1] == events.Alerted(("red-1",))


@pytest.mark.rule("R-33", "R-22", "MP-SPEC-12")
def test_dogs_ignore_sound_masking() -> None:
    duel = playing("sound-masking", units={"red-1": "a1"}, dogs=["b1"])
    duel.sniper.moves("b1", "b2")
    assert duel.defenders.knows[1:] == [events.Barked(("b1",))]


# --- Silenced Ammo ----------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-LOAD-10", "R-23")
@pytest.mark.parametrize(
    ("drawn", "result"),
    [
        ({"aim": 2, "noise": 3, "recoil": 1}, "hit"),
        ({"aim": 2, "noise": 3, "recoil": 2}, "misfire"),
        ({"aim": 2, "noise": 5}, "misfire"),
        ({"aim": 1, "noise": 4}, "miss"),
        ({"aim": 2, "noise": 4, "suppression": 3}, "hit"),
        ({"aim": 2, "noise": 4, "recoil": 1, "suppression": 3}, "misfire"),
    ],
)
def test_ex15_ex16_silenced_noise_is_recoil_and_reveals_nothing(drawn: dict[str, int], result: str) -> None:
    duel = playing("silenced-ammo", bag=RICH, specialists=NO_TOKENS_LEFT)
    duel.sniper.shoots("red-1", **drawn)
    assert events.Shot(result) in duel.defenders.knows
    assert who_heard(duel, events.Revealed) == set()
    assert duel.table.miniature is None
    assert events.Drew({"aim": 0, "noise": 0, "recoil": 0, "suppression": 0, **drawn}) in duel.defenders.knows


@pytest.mark.rule("MP-LOAD-10")
def test_sniper_sees_the_odds_of_the_silenced_shot() -> None:
    duel = playing("silenced-ammo", bag={"aim": 1, "noise": 4})
    shots = GAME.foresight(duel.sniper.view, "sniper")["shots"]
    five = next(odds for odds in shots[0]["odds"] if odds["draw"] == 5)
    assert five["exact"] == {"hit": "0", "misfire": "0", "reveal": "0"}
    assert GAME.odds({"aim": 2, "noise": 5}, 7, 1, True) == {"hit": 0, "misfire": 1, "reveal": 0}


# --- Distraction ------------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-LOAD-11", "R-39", "MP-INFO-10")
def test_distraction_moves_any_unit_to_a_space_in_sight() -> None:
    duel = holding("distraction", space="c1", units={"black-officer": "e4", "red-1": "f8"})
    offers = {(offer.unit, offer.to) for offer in duel.sniper.menu(Play)}
    assert offers == {("black-officer", "c4")}, "two steps away, and on the sniper's row or column"
    for to in ("e3", "d4", "c3", "c5"):
        with duel.refuses("MP-LOAD-11"):
            duel.sniper.plays("distraction", "black-officer", to)
    duel.sniper.plays("distraction", "black-officer", "c4")
    assert duel.defenders.knows == [
        events.CardPlayed("distraction"),
        events.Distracted("black-officer", "e4", "c4"),
    ]
    assert who_heard(duel, events.Distracted) == set(ALL)
    assert duel.units("black-officer") == ("c4",)


@pytest.mark.rule("R-40")
def test_distraction_without_a_unit_cannot_be_played() -> None:
    duel = holding("distraction", space="c1", units={"red-1": "f8"})
    with duel.refuses("MP-LOAD-11"):
        duel.sniper.plays("distraction", "red-1", "f8")
    shown = GAME.foresight(duel.sniper.view, "sniper")["cards"]
    why = {"why": "No unit can be moved to a space that you see.", "rule": "MP-LOAD-11"}
    assert shown == [{"card": "distraction", "title": "Distraction", **why}]
    nobody = holding("distraction", units={})
    with nobody.refuses("MP-LOAD-11"):
        nobody.sniper.plays("distraction", "red-1", "c3")
    assert nobody.truth.mine.hand == ("distraction",)


@pytest.mark.rule("MP-LOAD-11")
def test_only_distraction_names_a_unit_and_a_space() -> None:
    duel = holding("distraction", "silenced-ammo")
    for unclear in ({}, {"unit": "red-1"}, {"to": "c4"}):
        with pytest.raises(NotUnderstood):
            duel.sniper.does("play", card="distraction", **unclear)
    with pytest.raises(NotUnderstood):
        duel.sniper.plays("silenced-ammo", "red-1", "c4")


# --- Tommy Gun --------------------------------------------------------------------------------------------------


def armed(**more: Any) -> Duel:
    """Return a sniper with the Tommy Gun in effect: soldiers of one squad at distances 1 and 2, an officer at 4."""
    units = {"red-1": "c2", "red-2": "c3", "black-officer": "c5"}
    standard = {"units": units, "bag": RICH, "specialists": NO_TOKENS_LEFT}
    return playing("tommy-gun", **{**standard, **more})


@pytest.mark.rule("R-15", "R-28", "MP-BAG-06")
def test_drawn_tokens_count_towards_the_supply() -> None:
    duel = armed(bag={**RICH, "aim": 10})
    duel.sniper.bursts("red-1", 2, aim=3)
    assert duel.truth.bag["aim"] == 8
    duel.sniper.follows_up("red-2", aim=2)
    assert duel.truth.bag["aim"] == 11, "the supply had one left, not two"


@pytest.mark.rule("MP-LOAD-15", "R-26", "R-27")
def test_ex21_noise_of_both_shots_is_judged_after_the_second() -> None:
    duel = armed(bag=RICH)
    duel.sniper.bursts("red-2", 4, aim=2, noise=1, recoil=1)
    assert "Revealed" not in kinds(duel.defenders.knows)
    duel.sniper.follows_up("red-1", aim=1, noise=1, recoil=2)
    assert kinds(duel.defenders.knows).count("Revealed") == 1
    assert [event.result for event in duel.defenders.knows if isinstance(event, events.Shot)] == ["hit", "hit"]


@pytest.mark.rule("R-29", "R-25")
def test_soldier_saved_by_the_medic_can_be_the_second_target() -> None:
    medic = {"red": {"card": "medic"}, "yellow": {"card": "scout"}, "black": {"card": "jaeger"}}
    duel = armed(units={"red-1": "c2", "red-officer": "f8"}, specialists=medic, bag={"aim": 8})
    duel.sniper.bursts("red-1", 1, aim=1)
    duel.defenders.save("red-1")
    duel.sniper.follows_up("red-1", aim=1)
    assert duel.units("red-1") == (None,)
    gone = armed(units={"red-1": "c2", "red-officer": "f8"}, specialists=medic, bag={"aim": 6, "noise": 2})
    gone.sniper.bursts("red-1", 1, aim=1, noise=2)
    gone.defenders.decline()
    assert kinds(gone.defenders.knows)[-5:] == ["SaveDeclined", "Killed", "BagGained", "SecondForfeited", "Revealed"]
    assert gone.truth.bag == {"aim": 7, "noise": 2, "recoil": 0, "suppression": 0}


# --- Trench Gun -------------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-LOAD-16")
def test_trench_gun_shot_names_no_target_and_no_count() -> None:
    duel = playing("trench-gun")
    assert duel.sniper.menu(Shoot) == [Shoot()]
    with duel.refuses("MP-LOAD-16"):
        duel.sniper.shoots("red-1", 2)
    duel.sniper.blasts()
    with duel.refuses("MP-TURN-06"):
        duel.sniper.blasts()
    with holding("trench-gun").refuses("MP-LOAD-16"):
        holding("trench-gun").sniper.blasts()


@pytest.mark.rule("R-30")
def test_trench_gun_can_be_fired_without_units_nearby() -> None:
    duel = playing("trench-gun", units={"red-1": "f8"})
    duel.sniper.blasts()
    assert duel.defenders.knows[1:] == [events.Revealed("c1", "trench-gun")]
    assert duel.truth.acted


@pytest.mark.rule("MP-LOAD-18", "MP-BAG-08", "R-31")
def test_officer_hit_by_the_blast_keeps_its_suppression_token() -> None:
    duel = playing("trench-gun", units={"red-officer": "c2", "black-1": "b1"})
    duel.sniper.blasts()
    assert duel.truth.bag == START_BAG
    assert duel.table.specialists["red"].suppression
    again = sniper_turn("c1", units={"red-officer": "c2"})
    again.sniper.shoots("red-officer", aim=1)
    assert again.defenders.knows[-1] == events.BagGained("suppression")


@pytest.mark.rule("R-77", "MP-SPEC-28", "R-60")
def test_medic_decides_before_blast_casualties_are_removed() -> None:
    medic = {"red": {"card": "medic"}, "yellow": {"card": "scout"}, "black": {"card": "jaeger"}}
    units = {"red-1": "c2", "red-2": "b1", "black-1": "d1", "red-officer": "f8"}
    duel = playing("trench-gun", units=units, specialists=medic)
    duel.sniper.blasts()
    assert kinds(duel.defenders.knows)[1:] == ["Revealed", "SaveOffered", "SaveOffered"]
    assert duel.units("red-1", "red-2", "black-1") == ("c2", "b1", "d1")
    duel.defenders.save("red-2")
    assert kinds(duel.defenders.knows)[4:] == ["Saved", "Killed", "Killed"]
    assert duel.units("red-1", "red-2", "black-1") == (None, "b1", None)
    assert duel.truth.bag == START_BAG


# --- described positions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", [*WEAPONS, "sound-masking"])
def test_described_card_in_effect_was_played_this_turn(card: str) -> None:
    duel = holding("s-mine", active=card)
    assert duel.truth.carded
    assert Counter(duel.truth.mine.loot_deck) == Counter(FULL_DECK) - Counter(["s-mine", card])
    assert duel.table.face_up == ((card,) if card in WEAPONS else ())
    with duel.refuses("MP-LOAD-02"):
        duel.sniper.plays("s-mine")


def test_masked_steps_are_silent_in_a_described_position() -> None:
    duel = holding(active="sound-masking", units={"red-1": "a1"})
    duel.sniper.moves("b1", "b2")
    assert duel.defenders.knows == []
    assert duel.sniper.menu(Move) == []


def test_described_mine_can_be_triggered() -> None:
    duel = defenders_turn("f8", hand=[], face_down=["s-mine"], mines=["c4"], units={"red-1": "c5"})
    duel.defenders.move("red-1", "c4")
    assert kinds(duel.defenders.knows)[:3] == ["Moved", "MineTriggered", "Killed"]
