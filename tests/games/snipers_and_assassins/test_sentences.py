"""What is said where a marker had no room, where nobody was swept, and to programs that send what is no action."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusal import NotUnderstood
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.rules import events as e
from games.snipers_and_assassins.rules.sentences import sentence


@pytest.mark.rule("SA-R-55")
def test_who_has_no_room_is_not_said_to_have_gone_anywhere() -> None:
    assert sentence(e.Retreated("assassin-1", "B3", "B3")).endswith("is driven back, but has no room.")
    assert sentence(e.Retreated("assassin-1", "B3", "B2")).endswith("retreats from B3 to B2.")


@pytest.mark.rule("SA-CLM-01")
def test_claymores_name_whom_they_struck_or_say_that_nobody_was_there() -> None:
    assert sentence(e.ClaymoreSet("assassin-1", "C", ())).endswith("on pathway C: nobody there.")
    assert sentence(e.ClaymoreSet("assassin-1", "C", ("sniper-2",))).endswith("on pathway C: Sniper 2!")


@pytest.mark.parametrize("raw", [5, [], None, {}, {"type": 5}])
def test_what_is_no_action_is_answered_with_those_that_are_known(raw: Any) -> None:
    with pytest.raises(NotUnderstood, match=r"An action is an object with a type; known are .*walk"):
        GAME.read_command("player-1", raw)


def test_an_action_that_lacks_something_is_answered_with_what_it_takes() -> None:
    with pytest.raises(NotUnderstood, match=r"The action walk cannot be read: .* It takes .*to"):
        GAME.read_command("player-1", {"type": "walk"})


def test_without_a_board_the_game_says_which_there_are() -> None:
    with pytest.raises(NotUnderstood, match="played on a board; name one of pathways-2"):
        GAME.blank(None, GAME.read_options({}))
