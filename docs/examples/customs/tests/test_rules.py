"""The rules of Customs, each with a test that names its number."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from games.customs import GAME

from engine.chance import Chance
from engine.game import TABLE
from engine.referee import Referee
from engine.refusal import Refused

BOARD = GAME.make_map(*GAME.map_names())
CARGO = {"red": "tea", "blue": "contraband", "green": "wool"}
PLACES = {"red": "a1", "blue": "d3", "green": "a5", "inspector": "c3"}


def position(**changed: Any) -> Referee:
    """Return a game in which the inspector is next to the blue boat with the contraband, with these changes."""
    raw = {"cargo": CARGO, "places": PLACES, "turn": "inspector", **changed}
    return Referee(GAME, GAME.position(BOARD, GAME.read_options({}), raw, Chance(Random(1))))


def act(game: Referee, seat: str, **action: Any) -> None:
    game.submit(seat, GAME.read_command(seat, action), Chance(Random(1)))


def refused(game: Referee, seat: str, **action: Any) -> str | None:
    """Return the number of the rule that forbids an act."""
    with pytest.raises(Refused) as caught:
        act(game, seat, **action)
    return caught.value.rule


@pytest.mark.rule("CU-LOAD-01")
def test_each_player_knows_only_the_own_cargo() -> None:
    game = position()
    assert game.pictures["red"].at.cargo == {"red": "tea", "blue": None, "green": None}
    assert {*game.pictures[TABLE].at.cargo.values()} == {None}


@pytest.mark.rule("CU-TURN-01")
def test_boats_take_turns() -> None:
    game = position()
    assert refused(game, "red", type="end-turn") == "CU-TURN-01"
    act(game, "inspector", type="end-turn")
    assert (game.to_act, game.truth.at.round) == (("red",), 2)


@pytest.mark.rule("CU-SAIL-01")
def test_contraband_wins_on_the_last_column() -> None:
    game = position(turn="blue")
    assert refused(game, "blue", type="sail", space="c3") == "CU-SAIL-01"
    act(game, "blue", type="sail", space="e3")
    assert str(GAME.outcome(game.pictures[TABLE])) == "The blue boat wins with the contraband."


@pytest.mark.rule("CU-ASK-01")
def test_only_the_inspector_hears_the_answer() -> None:
    game = position()
    act(game, "inspector", type="ask", boat="blue")
    heard = {seat: [str(GAME.sentence(event)) for event in told] for seat, told in game.told.items()}
    assert "The blue boat carries contraband." in heard["inspector"]
    assert heard["red"] == heard[TABLE] == [
        "The inspector asks the blue boat for its cargo.",
        "The inspector has ended the turn.",
    ]  # fmt: skip
    assert game.pictures["inspector"].at.cargo["blue"] == "contraband"
    assert game.pictures["red"].at.cargo["blue"] is None
    again = position(asked=["blue"])
    assert again.pictures["inspector"].at.cargo["blue"] == "contraband"
    assert refused(again, "inspector", type="ask", boat="blue") == "CU-ASK-01"


@pytest.mark.rule("CU-ASK-02")
@pytest.mark.parametrize(("boat", "winner"), [("blue", "inspector"), ("red", "blue")])
def test_seizing_the_wrong_boat_loses(boat: str, winner: str) -> None:
    game = position(places={**PLACES, "red": "b3"})
    act(game, "inspector", type="seize", boat=boat)
    assert game.truth.at.winner == winner
    assert game.pictures["red"].at.cargo == CARGO


@pytest.mark.rule("CU-END-01")
def test_inspector_wins_after_the_eighth_round() -> None:
    game = position(round=8)
    act(game, "inspector", type="end-turn")
    assert (game.truth.at.winner, game.to_act) == ("inspector", ())
