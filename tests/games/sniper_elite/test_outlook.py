"""The outlook of a card: what it would do now, shown to the sniper before it is played."""

from __future__ import annotations

from typing import Any

import pytest

from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from tests.games.sniper_elite.duel import Duel
from tests.games.sniper_elite.test_load import holding


def outlook_of(duel: Duel, card: str) -> tuple[str, bool]:
    """Return the outlook of a card, and whether the card would be wasted."""
    shown = GAME.foresight(duel.sniper.view, "sniper")["cards"]
    found = next(it for it in shown if it["card"] == card)
    return str(found["now"]), found["wasted"]


@pytest.mark.rule("MP-LOAD-14")
def test_sound_masking_is_wasted_where_no_unit_would_hear() -> None:
    near = holding("sound-masking", units={"red-1": "c3"})
    said, wasted = outlook_of(near, "sound-masking")
    moves = [move for move in GAME.foresight(near.sniper.view, "sniper")["moves"] if move["noisy"]]
    heard = sum(bool(move["alerts"]) for move in moves)
    assert heard > 0
    assert (said, wasted) == (f"Of {len(moves)} longer moves that you can make now, {heard} would be heard.", False)

    alone = holding("sound-masking", units={"red-1": "f8"})
    assert outlook_of(alone, "sound-masking") == (
        "No unit is near enough to hear any of your moves now: the card would be wasted.",
        True,
    )


@pytest.mark.rule("MP-LOAD-10", "MP-LOAD-12")
@pytest.mark.parametrize("card", ["silenced-ammo", "tommy-gun"])
def test_weapon_is_wasted_without_a_possible_target(card: str) -> None:
    seen = holding(card, units={"red-1": "c3", "red-officer": "c5"})
    assert outlook_of(seen, card) == ("From here you can shoot at the red officer and red soldier 1.", False)

    before = holding(card, units={"red-1": "f8"})
    assert outlook_of(before, card) == ("From here you see nobody to shoot at; move before you shoot.", False)
    before.sniper.moves("d1")
    assert outlook_of(before, card) == ("From here you see nobody to shoot at: the card would be wasted.", True)


@pytest.mark.rule("MP-LOAD-17")
def test_trench_gun_names_its_targets() -> None:
    beside = holding("trench-gun", units={"red-1": "c2", "red-2": "c5"})
    said, wasted = outlook_of(beside, "trench-gun")
    assert (said, wasted) == ("From here it would hit red soldier 1.", False)
    beside.sniper.plays("trench-gun")
    assert GAME.foresight(beside.sniper.view, "sniper")["blast"] == ("red-1",)

    far = holding("trench-gun", units={"red-1": "c5"})
    assert outlook_of(far, "trench-gun") == ("From here it would hit nobody; move before you shoot.", False)
    far.sniper.moves("d1")
    assert outlook_of(far, "trench-gun") == ("From here it would hit nobody: the card would be wasted.", True)


@pytest.mark.rule("MP-LOAD-18")
def test_mine_is_placed_on_the_sniper_s_space() -> None:
    duel = holding("s-mine", "s-mine")
    assert outlook_of(duel, "s-mine") == ("The mine will lie on c1, where you are now.", False)
    duel.sniper.plays("s-mine")
    assert events.MineLaid("c1") in duel.sniper.knows
    duel.sniper.ends_turn()
    duel.defenders.ends_turn()
    assert outlook_of(duel, "s-mine") == ("You already have a mine on c1.", False)


def test_unplayable_card_or_card_with_choices_has_no_outlook() -> None:
    duel = holding("distraction", "sound-masking")
    duel.sniper.moves("d1")
    shown: list[dict[str, Any]] = GAME.foresight(duel.sniper.view, "sniper")["cards"]
    assert all("now" not in it for it in shown)
