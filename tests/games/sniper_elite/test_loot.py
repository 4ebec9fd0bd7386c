"""LOOT and OBJ: what the sniper does on numbered spaces."""

from __future__ import annotations

from collections import Counter

import pytest

from games.sniper_elite.rules import events
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite.rules.commands import Complete, Keep, Loot
from games.sniper_elite.rules.words import START_BAG
from tests.games.sniper_elite.duel import Duel, sniper_turn, viewers

DECK = ("s-mine", "silenced-ammo", "silenced-ammo", "distraction", "sound-masking", "tommy-gun", "trench-gun")
"""The cards besides the standard hand."""


def may_loot(duel: Duel) -> bool:
    """Return whether looting is legal."""
    return duel.sniper.menu(Loot) == [Loot()]


@pytest.mark.rule("MP-LOOT-01", "R-42")
def test_completed_objective_cannot_be_looted_but_guarded_space_can() -> None:
    done = sniper_turn("b2", completed=[1])
    with done.refuses("MP-LOOT-01"):
        done.sniper.loots()
    assert may_loot(sniper_turn("c1", units={"red-1": "c1"}))


@pytest.mark.rule("MP-LOOT-02")
def test_loot_is_drawn_at_random_from_the_deck() -> None:
    seen = set()
    for seed in range(30):
        duel = sniper_turn("c1", seed=seed)
        drawn = duel.sniper.loots()[-1]
        assert isinstance(drawn, events.LootDrawn)
        assert len(drawn.cards) == 3
        assert Counter(drawn.cards) <= Counter(DECK)
        seen.add(drawn.cards)
    assert len(seen) > 15


@pytest.mark.rule("MP-LOOT-02", "R-41")
@pytest.mark.parametrize("left", [1, 2])
def test_short_deck_gives_all_cards_and_empty_deck_none(left: int) -> None:
    deck = list(DECK[:left])
    duel = sniper_turn("c1", loot_deck=deck)
    duel.sniper.loots()
    assert Counter(duel.sniper.view.pending.cards) == Counter(deck)  # type: ignore[union-attr]
    duel.sniper.keeps(deck[0])
    assert duel.table.deck_size == left - 1
    assert Counter(duel.truth.mine.loot_deck) == Counter(deck[1:])
    empty = sniper_turn("c1", loot_deck=[])
    assert not may_loot(empty)
    with empty.refuses("MP-LOOT-02", "empty"):
        empty.sniper.loots()


@pytest.mark.rule("MP-LOOT-04", "MP-INFO-07")
def test_looting_is_public_but_its_cards_are_not() -> None:
    duel = sniper_turn("c1")
    duel.sniper.loots()
    duel.sniper.keeps(duel.sniper.menu(Keep)[0].card)
    assert duel.defenders.knows == duel.referee.told["table"] == [events.Looted()]
    assert viewers(duel, events.LootDrawn) == viewers(duel, events.LootKept) == {"sniper"}


@pytest.mark.rule("MP-LOOT-05", "MP-INFO-01")
def test_hand_grows_without_limit_and_its_size_is_public() -> None:
    hand = [*DECK[:2], *DECK[3:], "distraction"]
    duel = sniper_turn("c1", hand=hand)
    duel.sniper.loots()
    assert (duel.table.hand_size, duel.table.deck_size, duel.table.looted_size) == (8, 2, 1)
    duel.sniper.keeps("silenced-ammo")
    assert Counter(duel.truth.mine.hand) == Counter([*hand, "silenced-ammo"])
    assert len(duel.truth.mine.hand) + len(duel.truth.mine.loot_deck) == len(FULL_DECK)
    assert (duel.table.hand_size, duel.table.deck_size, duel.table.looted_size) == (8, 2, 1)


@pytest.mark.rule("MP-LOOT-06")
def test_looting_costs_only_the_action() -> None:
    duel = sniper_turn("c1")
    before = duel.table
    duel.sniper.loots()
    duel.sniper.keeps(duel.sniper.menu(Keep)[0].card)
    for field in ("bag", "countdown", "miniature", "units", "wounds"):
        assert getattr(duel.table, field) == getattr(before, field)
    duel.sniper.moves("d1")


# --- objectives -------------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-OBJ-01")
def test_objective_is_completed_on_its_own_space_at_once() -> None:
    duel = sniper_turn("b2")
    assert duel.sniper.menu(Complete) == [Complete(1)]
    with duel.refuses("MP-OBJ-01", "f4"):
        duel.sniper.completes(8)
    with duel.refuses("MP-OBJ-01", "hold no"):
        duel.sniper.completes(3)
    assert duel.sniper.completes(1)[0] == events.ObjectiveCompleted(1, "b2")
    assert duel.table.completed == (1,)
    again = sniper_turn("b2", completed=[1])
    assert again.sniper.menu(Complete) == []
    with again.refuses("MP-OBJ-01"):
        again.sniper.completes(1)
    elsewhere = sniper_turn("c1")
    assert elsewhere.sniper.menu(Complete) == []
    with elsewhere.refuses("MP-OBJ-01"):
        elsewhere.sniper.completes(1)


@pytest.mark.rule("MP-OBJ-02", "MP-OBJ-03", "MP-OBJ-04", "MP-BAG-04", "MP-INFO-08")
def test_completing_reveals_the_sniper_adds_noise_and_resets_the_clock() -> None:
    duel = sniper_turn("b2", countdown=3, miniature="c4")
    duel.sniper.completes(1)
    assert duel.defenders.knows == [
        events.ObjectiveCompleted(1, "b2"),
        events.Revealed("b2", "objective"),
        events.BagGained("noise"),
        events.Countdown(10),
    ]
    assert duel.table.miniature == "b2"
    assert duel.table.countdown == 10
    assert duel.table.bag == {**START_BAG, "noise": 3}


@pytest.mark.rule("MP-OBJ-05", "MP-INFO-02")
def test_other_objective_stays_secret() -> None:
    duel = sniper_turn("b2")
    duel.sniper.completes(1)
    assert duel.table.completed == (1,)
    assert duel.defenders.view.dossier is None
    assert not any("8" in str(event) for event in duel.defenders.knows)


@pytest.mark.rule("MP-OBJ-08", "MP-TURN-06", "R-44")
def test_only_one_objective_can_be_completed_each_turn() -> None:
    duel = sniper_turn("b2")
    duel.sniper.completes(1)
    assert duel.sniper.menu(Complete) == []
    with duel.refuses("MP-TURN-06"):
        duel.sniper.completes(8)


@pytest.mark.rule("MP-OBJ-09")
@pytest.mark.parametrize(("first", "space"), [(1, "b2"), (8, "f4")])
def test_objectives_can_be_completed_in_either_order(first: int, space: str) -> None:
    duel = sniper_turn(space)
    duel.sniper.completes(first)
    assert duel.table.completed == (first,)
    assert duel.table.over is None
