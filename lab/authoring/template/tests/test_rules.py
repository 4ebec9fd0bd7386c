"""The rules of Treasure, each with a test that names its number.

`pytest --sniperboard-game treasure` also checks what every game must do.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from games.treasure import GAME

from engine.chance import Chance
from engine.game import TABLE
from engine.referee import Referee
from engine.refusal import Refused

BOARD = GAME.make_map(GAME.map_names()[0])
CHANCE = Chance(Random(1))


def position(**changed: Any) -> Referee:
    """Return a game in which the treasure is on b2 and red is to act, with these changes."""
    raw = {"order": ["red", "blue"], "turn": "red", "round": 1, "treasure": "b2", "possible": [*BOARD.enterable]}
    return Referee(GAME, GAME.position(BOARD, GAME.read_options({}), raw | changed, CHANCE))


def act(referee: Referee, seat: str, luck: tuple[tuple[str, Any], ...] = (), **action: Any) -> None:
    """Make an act, with forced results."""
    CHANCE.force([*luck])
    referee.submit(seat, GAME.read_command(seat, action), CHANCE)


def refused(referee: Referee, seat: str, **action: Any) -> str | None:
    """Return the number of the rule that forbids an act."""
    with pytest.raises(Refused) as caught:
        act(referee, seat, **action)
    return caught.value.rule


@pytest.mark.rule("TR-TURN-01")
def test_seekers_take_turns_and_then_the_hider_acts() -> None:
    game = position()
    assert refused(game, "blue", type="roll") == "TR-TURN-01"
    act(game, "red", type="end-turn")
    assert game.to_act == ("blue",)
    act(game, "blue", type="end-turn")
    assert game.to_act == ("hider",)


@pytest.mark.rule("TR-HIDE-01")
def test_treasure_moves_by_one_step_and_no_one_else_learns_it() -> None:
    game = position(turn="hider")
    assert refused(game, "hider", type="hide", space="d4") == "TR-HIDE-01"
    act(game, "hider", type="hide", space="b3")
    assert {seat: game.pictures[seat].at.treasure for seat in ("hider", "red", "blue", TABLE)} == {
        "hider": "b3", "red": None, "blue": None, TABLE: None,
    }  # fmt: skip


@pytest.mark.rule("TR-WALK-01")
def test_seeker_rolls_once_and_walks_that_far() -> None:
    game = position()
    assert refused(game, "red", type="walk", space="a2") == "TR-WALK-01"
    act(game, "red", (("die", 2),), type="roll")
    assert refused(game, "red", type="roll") == "TR-WALK-01"
    assert refused(game, "red", type="walk", space="a4") == "TR-WALK-01"
    act(game, "red", type="walk", space="a3")
    assert game.truth.at.pawns["red"] == "a3"


@pytest.mark.rule("TR-DIG-01")
def test_digging_tells_everyone_the_distance() -> None:
    game = position()
    act(game, "red", type="dig")
    assert [str(GAME.sentence(event)) for event in game.told[TABLE]] == [
        "The red seeker digs on a1. The treasure is 2 steps away.",
        "The red seeker has ended the turn.",
    ]


@pytest.mark.rule("TR-DIG-01")
def test_seeker_on_the_treasure_wins() -> None:
    game = position(treasure="a1")
    act(game, "red", type="dig")
    assert str(GAME.outcome(game.pictures[TABLE])) == "The red seeker wins with the treasure of a1."


@pytest.mark.rule("TR-END-01")
def test_hider_wins_after_the_last_round() -> None:
    game = position(turn="blue", round=4)
    act(game, "blue", type="end-turn")
    assert game.to_act == ()
    assert str(GAME.outcome(game.pictures[TABLE])) == "The hider wins: nobody found the treasure on b2."
    assert refused(game, "red", type="roll") == "TR-END-01"
