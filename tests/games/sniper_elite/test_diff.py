"""DIFF: difficulty options for experienced players, alone and combined."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from engine.refusal import NotUnderstood, Refused
from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite.rules.commands import ChooseLoadout, GatherIntel
from games.sniper_elite.rules.words import SQUADS, START_BAG
from tests.games.sniper_elite.duel import Duel, defenders_turn, fresh, kinds, objectives, sniper_turn
from tests.games.sniper_elite.test_end import idle_until_the_end

LETTERS = "ABCD"


def sniper(*letters: str) -> dict[str, Any]:
    """Return options with an experienced sniper."""
    return {"experienced_sniper": list(letters)}


def defenders(*letters: str) -> dict[str, Any]:
    """Return options with experienced defenders."""
    return {"experienced_defenders": list(letters)}


def new_game(options: Any, chance: list[tuple[str, Any]] | None = None, seed: int = 0) -> Duel:
    """Return a fresh game with objectives 1 and 4."""
    return fresh(options=options, chance=[*objectives(1, 4), *(chance or [])], seed=seed)


# --- the experienced sniper -------------------------------------------------------------------------------------


@pytest.mark.rule("MP-DIFF-01", "MP-SETUP-22")
@pytest.mark.parametrize(("dealt", "rule"), [(sniper("A"), "MP-DIFF-01"), ({"random_setup": True}, "MP-SETUP-22")])
def test_impossible_forced_loadout_is_refused_by_its_own_rule(dealt: Any, rule: str) -> None:
    with pytest.raises(Refused) as caught:
        new_game(dealt, [("loadout", ["tommy-gun", "tommy-gun"])])
    assert caught.value.rule == rule


@pytest.mark.rule("MP-DIFF-01", "MP-SETUP-10")
def test_random_loadout_is_dealt_after_the_objectives_are_settled() -> None:
    duel = fresh(options=sniper("A"), chance=objectives(1, 2, 4))
    assert duel.defenders.knows == []
    duel.sniper.returns(1)
    assert duel.defenders.knows == [events.LoadoutChosen(2)]
    assert len(duel.truth.mine.hand) == 2


@pytest.mark.rule("MP-DIFF-02")
def test_experienced_sniper_starts_with_five_aim() -> None:
    bag = {**START_BAG, "aim": 5}
    assert new_game(sniper("B")).truth.bag == bag
    assert sniper_turn("c1", options=sniper("B")).truth.bag == bag
    shot = sniper_turn("c1", options=sniper("B"), units={"red-1": "c2"})
    with shot.refuses("MP-SHOOT-06"):
        shot.sniper.shoots("red-1", 11)
    assert shot.truth.supply("aim") == 6


@pytest.mark.rule("MP-DIFF-03")
def test_no_objective_is_shown_by_default() -> None:
    duel = new_game(None)
    with duel.refuses("MP-SETUP-14"):
        duel.sniper.does("show-objective", objective=7)
    duel.sniper.keeps_loadout("s-mine", "s-mine", "distraction")
    assert duel.referee.to_act == ("defenders",)
    with duel.refuses("MP-SETUP-21"):
        duel.sniper.does("show-objective", objective=7)


@pytest.mark.rule("MP-DIFF-03", "MP-SETUP-22")
def test_objective_is_shown_before_random_specialists_are_dealt() -> None:
    duel = new_game({**sniper("C"), "random_setup": True})
    assert kinds(duel.defenders.knows) == ["LoadoutChosen"]
    duel.sniper.does("show-objective", objective=2)
    assert kinds(duel.defenders.knows) == ["LoadoutChosen", "ObjectiveShown", "SpecialistsChosen"]


@pytest.mark.rule("MP-DIFF-04")
@pytest.mark.parametrize(("completed_in", "lost_after"), [(7, 13), (1, 7)])
def test_ex96_shorter_clock_runs_out(completed_in: int, lost_after: int) -> None:
    duel = sniper_turn("b2", options=sniper("D"), round=completed_in, countdown=8 - completed_in)
    duel.sniper.completes(1)
    assert completed_in - 1 + idle_until_the_end(duel) == lost_after


@pytest.mark.rule("MP-DIFF-04")
def test_countdown_above_seven_is_impossible_with_the_shorter_clock() -> None:
    with pytest.raises(Refused) as caught:
        sniper_turn("c1", options=sniper("D"), countdown=8)
    assert caught.value.rule == "MP-SETUP-19"


# --- experienced defenders --------------------------------------------------------------------------------------


@pytest.mark.rule("MP-DIFF-05")
def test_against_experienced_defenders_the_sniper_keeps_four_cards() -> None:
    duel = new_game(defenders("A"))
    assert {len(offer.cards) for offer in duel.sniper.menu(ChooseLoadout)} == {4}
    with duel.refuses("MP-SETUP-14"):
        duel.sniper.keeps_loadout("s-mine", "s-mine", "distraction")
    duel.sniper.keeps_loadout("s-mine", "s-mine", "distraction", "tommy-gun")
    assert duel.defenders.knows == [events.LoadoutChosen(4)]
    assert len(duel.truth.mine.loot_deck) == duel.table.deck_size == len(FULL_DECK) - 4


@pytest.mark.rule("MP-DIFF-05", "MP-SETUP-22")
def test_four_cards_can_be_dealt_at_random() -> None:
    assert len(new_game({**defenders("A"), "random_setup": True}).truth.mine.hand) == 4
    assert len(new_game({"random_setup": True}).truth.mine.hand) == 3


@pytest.mark.rule("MP-DIFF-06")
def test_experienced_defenders_use_each_specialist_once() -> None:
    duel = new_game(defenders("B"))
    duel.sniper.keeps_loadout("s-mine", "s-mine", "distraction")
    duel.defenders.choose("medic", "kennel-master", "jaeger")
    assert {card.uses for card in duel.table.specialists.values()} == {1}
    keeper = {"red": {"card": "kennel-master"}, "yellow": {"card": "medic"}, "black": {"card": "scout"}}
    playing = defenders_turn("f8", options=defenders("B"), specialists=keeper)
    playing.defenders.use("red")
    playing.defenders.ends_turn()
    playing.sniper.ends_turn()
    with playing.refuses("MP-SPEC-01"):
        playing.defenders.use("red")
    with pytest.raises(Refused) as caught:
        defenders_turn("f8", options=defenders("B"), specialists={"red": {"card": "medic", "uses": 2}})
    assert caught.value.rule == "MP-SPEC-01"


@pytest.mark.rule("MP-DIFF-07", "R-73")
def test_first_two_turns_count_from_the_start_of_the_game() -> None:
    duel = sniper_turn("d5", options=defenders("C"))
    allowed = []
    for _ in range(4):
        duel.sniper.ends_turn()
        allowed.append(bool(duel.defenders.menu(GatherIntel)))
        duel.defenders.ends_turn()
    assert allowed == [False, False, True, True]


@pytest.mark.rule("MP-DIFF-08")
def test_one_squad_a_turn_gathers_intel_for_experienced_defenders() -> None:
    duel = defenders_turn("f8", options=defenders("D"))
    assert {offer.squad for offer in duel.defenders.menu(GatherIntel)} == set(SQUADS)
    duel.defenders.gather_intel("red")
    assert duel.defenders.menu(GatherIntel) == []
    with duel.refuses("MP-DIFF-08"):
        duel.defenders.gather_intel("yellow")
    duel.defenders.ends_turn()
    duel.sniper.ends_turn()
    duel.defenders.gather_intel("yellow")
    free = defenders_turn("f8")
    for squad in SQUADS:
        free.defenders.gather_intel(squad)


# --- combinations -----------------------------------------------------------------------------------------------


def every_mix() -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return all combinations of both lists."""
    subsets = [letters for size in range(5) for letters in combinations(LETTERS, size)]
    return [(one, other) for one in subsets for other in subsets]


@pytest.mark.rule("MP-DIFF-09", "R-73")
def test_all_combinations_but_two_cards_and_four_are_read() -> None:
    refused = 0
    for one, other in every_mix():
        if "A" in one and "A" in other:
            with pytest.raises(Refused) as caught:
                GAME.read_options({**sniper(*one), **defenders(*other)})
            assert caught.value.rule == "MP-DIFF-09"
            refused += 1
        else:
            options = GAME.read_options({**sniper(*one), **defenders(*other)})
            assert (options.experienced_sniper, options.experienced_defenders) == (one, other)
    assert refused == 64


@pytest.mark.rule("MP-DIFF-09")
def test_unknown_difficulty_option_is_not_understood() -> None:
    for unreadable in (sniper("E"), defenders("a"), {"experienced_sniper": "A"}, {"experienced_table": []}):
        with pytest.raises(NotUnderstood):
            GAME.read_options(unreadable)
