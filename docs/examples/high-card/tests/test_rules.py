"""The rules of High Card, each with a test that names its number."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from games.high_card import GAME

from engine.chance import Chance
from engine.game import TABLE
from engine.referee import Referee
from engine.refusal import NotUnderstood, Refused

HANDS = {"red": [12, 9, 3], "blue": [11, 10, 2], "tricks": [[8, 7], [1, 4]]}


def position(**changed: Any) -> Referee:
    """Return a game after two tricks, one for each, with these changes."""
    return Referee(GAME, GAME.position(None, GAME.read_options({}), HANDS | changed, Chance(Random(1))))


def lay(game: Referee, seat: str, card: int) -> None:
    """Lay a card."""
    game.submit(seat, GAME.read_command(seat, {"type": "lay", "card": card}), Chance(Random(1)))


def refused(game: Referee, seat: str, card: int) -> str | None:
    """Return the number of the rule that forbids a card."""
    with pytest.raises(Refused) as caught:
        lay(game, seat, card)
    return caught.value.rule


@pytest.mark.rule("HC-DEAL-01")
def test_each_player_gets_five_cards_and_two_stay_unknown() -> None:
    dealt = [told.event.cards for told in GAME.setup(None, GAME.read_options({}), Chance(Random(1)))]
    assert [len(cards) for cards in dealt] == [5, 5]
    assert len({*dealt[0], *dealt[1]}) == 10


@pytest.mark.rule("HC-LAY-01")
def test_choice_is_secret_and_final() -> None:
    game = position()
    lay(game, "red", 9)
    assert [game.pictures[seat].at.chosen for seat in ("red", "blue", TABLE)] == [
        {"red": 9}, {"red": None}, {"red": None},
    ]  # fmt: skip
    assert refused(game, "red", 3) == "HC-LAY-01"
    assert refused(game, "blue", 9) == "HC-LAY-01"
    assert game.to_act == ("blue",)


@pytest.mark.rule("HC-LAY-02")
def test_higher_card_wins_the_trick() -> None:
    game = position()
    lay(game, "blue", 10)
    lay(game, "red", 9)
    assert game.pictures[TABLE].at.points == {"red": 1, "blue": 2}
    assert game.pictures["red"].at.red == (12, 3)
    assert str(GAME.sentence(game.told[TABLE][-1])) == "Red shows the 9, blue the 10. Blue wins the trick."


@pytest.mark.rule("HC-END-01")
def test_player_with_more_tricks_wins_after_five() -> None:
    game = position(red=[12], blue=[11], tricks=[[8, 7], [1, 4], [3, 2], [9, 10]])
    lay(game, "red", 12)
    lay(game, "blue", 11)
    assert game.to_act == ()
    assert str(GAME.outcome(game.pictures[TABLE])) == "Red wins with 3 tricks."
    assert refused(game, "red", 12) == "HC-END-01"


@pytest.mark.parametrize(
    "wrong",
    [{"red": [12, 12, 3]}, {"red": [12, 9]}, {"red": [13, 9, 3]}, {"chosen": {"red": 2}}, {"chosen": {"green": 2}}],
)
def test_position_with_impossible_cards_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(NotUnderstood):
        position(**wrong)
