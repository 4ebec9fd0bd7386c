"""SETUP: what each side starts with, and the order of choices."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from engine.refusal import NotUnderstood
from engine.seats import seat_names
from games.sniper_elite import GAME
from games.sniper_elite.game import SWITCHES
from games.sniper_elite.map_rules.sites import sector_of_objective, sites_of
from games.sniper_elite.rules import events
from games.sniper_elite.rules.cards import CARDS, FULL_DECK
from games.sniper_elite.rules.commands import ChooseEntry, ChooseLoadout, ChooseSpecialists, ReturnObjective
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SQUADS, TOKEN_CAPS, UNITS
from tests.games.sniper_elite.duel import GRID, HAND, Duel, defenders_turn, fresh, objectives, sniper_turn, viewers
from tests.toys import STARTS, grid


def chosen(duel: Duel) -> Duel:
    """Return the duel with loadout and specialists chosen."""
    duel.sniper.keeps_loadout(*HAND)
    duel.defenders.choose("medic", "scout", "jaeger")
    return duel


@pytest.mark.rule("MP-SETUP-01")
def test_one_seat_hides_and_one_seat_hunts() -> None:
    assert seat_names(GAME.seats(GAME.read_options({}))) == ("sniper", "defenders")


@pytest.mark.rule("MP-SETUP-02", "MP-SETUP-24")
def test_three_squads_have_an_officer_and_two_identical_soldiers() -> None:
    assert SQUADS == ("yellow", "red", "black")
    assert Counter(GAME.colour(unit) for unit in UNITS) == dict.fromkeys(SQUADS, 3)
    alike = {frozenset(pair) for pair in combinations(UNITS, 2) if GAME.alike(*pair)}
    assert alike == {frozenset({f"{squad}-1", f"{squad}-2"}) for squad in SQUADS}
    assert GAME.standing(fresh().table) == STARTS


@pytest.mark.rule("MP-SETUP-03", "MP-SETUP-07", "MP-SETUP-09")
def test_two_of_the_map_s_nine_objectives_are_dealt() -> None:
    seen = set()
    for seed in range(30):
        duel = fresh(seed=seed)
        held, deck = duel.truth.mine.objectives, duel.truth.deck
        assert len(held) == 2
        assert sorted((*held, *(deck or ()))) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
        seen.add(held)
    assert len(seen) > 20, "the deck is shuffled"


@pytest.mark.rule("MP-SETUP-04")
def test_sniper_chooses_from_all_cards_and_has_the_whole_bag() -> None:
    duel = fresh(chance=objectives(1, 4))
    assert set(duel.sniper.view.mine.loot_deck) == set(CARDS)
    assert duel.table.deck_size == len(FULL_DECK)
    assert {card for choice in duel.sniper.menu(ChooseLoadout) for card in choice.cards} == set(CARDS)


@pytest.mark.rule("MP-SETUP-08", "MP-INFO-02")
def test_sniper_s_cards_and_choices_stay_secret() -> None:
    duel = chosen(fresh(chance=objectives(1, 4)))
    duel.sniper.enters_by("white")
    for secret in (events.Objectives, events.Hand, events.Entry):
        assert viewers(duel, secret) == {"sniper"}
    assert duel.table.dossier is None
    assert duel.defenders.view == duel.table


@pytest.mark.rule("MP-SETUP-10", "R-03")
def test_one_of_two_objectives_of_a_suit_is_replaced() -> None:
    duel = fresh(chance=objectives(1, 2, 3, 4))
    assert duel.sniper.menu(ReturnObjective) == [ReturnObjective(1), ReturnObjective(2)]
    with duel.refuses("MP-SETUP-10"):
        duel.sniper.keeps_loadout(*HAND)
    with duel.refuses("MP-SETUP-10"):
        duel.sniper.returns(4)
    assert duel.sniper.returns(1) == [events.Objectives((2, 3))]
    assert duel.sniper.returns(2) == [events.Objectives((3, 4))]
    assert duel.truth.deck is not None
    assert duel.truth.deck[-2:] == (1, 2), "returned cards go under the deck, in order"
    assert len(duel.truth.deck) == 7
    with duel.refuses("MP-SETUP-14"):
        duel.sniper.returns(3)


@pytest.mark.rule("MP-SETUP-10", "MP-SETUP-23")
def test_objectives_of_different_suits_are_kept() -> None:
    duel = fresh(chance=objectives(3, 9))
    assert duel.sniper.view.mine.objectives == (3, 9)
    assert duel.sniper.menu(ReturnObjective) == []
    assert [sector_of_objective(GRID, number) for number in range(1, 10)] == [
        *["yellow"] * 3,
        *["red"] * 3,
        *["black"] * 2,
        "white",
    ]


@pytest.mark.rule("MP-SETUP-11")
def test_undealt_objectives_stay_hidden() -> None:
    duel = fresh(chance=objectives(1, 4))
    assert viewers(duel, events.ObjectiveDeck) == set()
    assert duel.sniper.view.deck is None
    duel.sniper.keeps_loadout(*HAND)
    assert duel.truth.deck is None


@pytest.mark.rule("MP-SETUP-12")
def test_bag_starts_with_six_aim_two_noise_three_recoil() -> None:
    assert fresh().table.bag == {"aim": 6, "noise": 2, "recoil": 3, "suppression": 0}


@pytest.mark.rule("MP-SETUP-13")
def test_supply_starts_with_five_aim_and_seven_noise() -> None:
    start = fresh().table
    assert {token: start.supply(token) for token in ("aim", "noise", "recoil")} == {"aim": 5, "noise": 7, "recoil": 0}


@pytest.mark.rule("MP-SETUP-14")
def test_sniper_keeps_any_three_cards_even_duplicates() -> None:
    duel = fresh(chance=objectives(1, 4))
    hands = [choice.cards for choice in duel.sniper.menu(ChooseLoadout)]
    pairs = sum(card.copies > 1 for card in CARDS.values())
    assert len(hands) == len(set(hands)) == pairs * (len(CARDS) - 1) + comb(len(CARDS), 3)
    for too_few_or_many in (HAND[:2], (*HAND, "tommy-gun"), ()):
        with duel.refuses("MP-SETUP-14", "exactly 3"):
            duel.sniper.keeps_loadout(*too_few_or_many)
    with duel.refuses("MP-LOAD-06"):
        duel.sniper.keeps_loadout("tommy-gun", "s-mine", "tommy-gun")
    told = duel.sniper.keeps_loadout("tommy-gun", "s-mine", "s-mine")
    assert told == [events.Hand(("s-mine", "s-mine", "tommy-gun")), events.LoadoutChosen(3)]


@pytest.mark.rule("MP-SETUP-15")
def test_other_cards_are_the_loot_deck() -> None:
    duel = chosen(fresh(chance=objectives(1, 4)))
    assert duel.table.hand_size == 3
    assert duel.table.deck_size == len(FULL_DECK) - 3
    assert Counter((*duel.truth.mine.hand, *duel.truth.mine.loot_deck)) == Counter(FULL_DECK)


@pytest.mark.rule("MP-SETUP-16")
def test_every_unit_starts_on_its_start_circle() -> None:
    assert fresh().table.units == sites_of(GRID).starts


@pytest.mark.rule("MP-SETUP-17", "MP-SETUP-18")
def test_three_different_specialists_are_assigned_in_public() -> None:
    duel = fresh(chance=objectives(1, 4))
    duel.sniper.keeps_loadout(*HAND)
    assert len(SPECIALISTS) == 6
    assert len(duel.defenders.menu(ChooseSpecialists)) == 6 * 5 * 4
    with duel.refuses("MP-SETUP-18"):
        duel.defenders.choose("medic", "scout", "medic")
    with duel.refuses("MP-SETUP-17"):
        duel.defenders.does("choose-specialists", squads={"yellow": "medic", "red": "scout"})
    for squads in ({"green": "medic"}, {"yellow": "butcher"}):
        with pytest.raises(NotUnderstood):
            duel.defenders.does("choose-specialists", squads=squads)
    duel.defenders.does("choose-specialists", squads={"black": "scout", "yellow": "sniper", "red": "medic"})
    chosen = {"yellow": "sniper", "red": "medic", "black": "scout"}
    assert viewers(duel, events.SpecialistsChosen) == {"sniper", "defenders", "table"}
    assert {squad: card.card for squad, card in duel.table.specialists.items()} == chosen
    assert all(card.uses == 2 and card.suppression for card in duel.table.specialists.values())


@pytest.mark.rule("MP-SETUP-19", "MP-SETUP-20")
def test_clock_starts_at_ten_with_two_cubes_a_squad() -> None:
    start = fresh().table
    assert start.countdown == 10
    assert {squad: turn.left for squad, turn in start.squads.items()} == {"yellow": 2, "red": 2, "black": 2}
    assert start.wounds == 0


@pytest.mark.rule("MP-SETUP-21", "R-04")
def test_setup_order_is_objectives_loadout_specialists_arrow() -> None:
    duel = fresh(chance=objectives(1, 4))
    assert duel.referee.to_act == ("sniper",)
    assert duel.sniper.view.mine.objectives == (1, 4), "it is visible before the loadout is chosen"
    with duel.refuses("MP-SETUP-21"):
        duel.defenders.choose("medic", "scout", "jaeger")
    with duel.refuses("MP-SETUP-14"):
        duel.sniper.enters_by("white")
    with duel.refuses("MP-SETUP-14"):
        duel.sniper.moves("f8")
    duel.sniper.keeps_loadout(*HAND)
    assert duel.referee.to_act == ("defenders",)
    with duel.refuses("MP-SETUP-21"):
        duel.sniper.keeps_loadout(*HAND)
    with duel.refuses("MP-SETUP-21"):
        duel.sniper.enters_by("white")
    with duel.refuses("MP-SETUP-17"):
        duel.defenders.gather_intel("red")
    duel.defenders.choose("medic", "scout", "jaeger")
    assert duel.referee.to_act == ("sniper",)
    assert duel.sniper.menu(ChooseEntry) == [ChooseEntry("black"), ChooseEntry("white")]
    with duel.refuses("MP-TURN-01"):
        duel.defenders.choose("medic", "scout", "jaeger")
    with duel.refuses("MP-SETUP-14"):
        duel.sniper.keeps_loadout(*HAND)
    with duel.refuses("MP-SETUP-10"):
        duel.sniper.returns(1)


@pytest.mark.rule("MP-TURN-03", "R-74")
def test_map_that_can_bar_every_arrow_is_refused() -> None:
    starts = {**STARTS, "red-1": "f1", "red-2": "f8"}
    barred = grid(starts=starts)
    with pytest.raises(NotUnderstood, match="no free arrow for objectives in red and yellow"):
        fresh(barred)
    fresh(grid(starts={**STARTS, "red-1": "f1"}))


@pytest.mark.rule("MP-SETUP-05", "MP-SETUP-13")
def test_token_numbers_never_exceed_the_components() -> None:
    assert TOKEN_CAPS == {"aim": 11, "noise": 9, "recoil": 3, "suppression": 3}


def test_switches_are_on_by_default_and_unknown_ones_not_understood() -> None:
    for switch in SWITCHES:
        assert GAME.read_options(None).stands(switch)
        assert GAME.read_options({"switches": {switch: True}}).stands(switch)
        assert not GAME.read_options({"switches": {switch: False}}).stands(switch)
    for unreadable in ({"switches": {"R-99": True}}, {"hurry": True}, {"experienced_sniper": ["E"]}, 7):
        with pytest.raises(NotUnderstood):
            GAME.read_options(unreadable)


def test_unknown_card_or_specialist_is_not_understood() -> None:
    with pytest.raises(NotUnderstood):
        sniper_turn("c4").sniper.does("play", card="bazooka")
    duel = defenders_turn("c4")
    with duel.refuses("MP-ACT-06"):
        duel.defenders.does("attack", unit="black-officer", space="e4")
    with pytest.raises(NotUnderstood):
        duel.defenders.does("attack", unit="black-officer", space="e4", use="butcher")
