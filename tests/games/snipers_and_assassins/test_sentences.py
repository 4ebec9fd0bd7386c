"""Sentences for a retreat without room, for Claymores without a hit, and for invalid actions."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusal import NotUnderstood
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.rules import events as e
from games.snipers_and_assassins.rules.sentences import sentence


@pytest.mark.rule("SA-R-55")
def test_retreat_without_room_has_its_own_sentence() -> None:
    assert sentence(e.Retreated("assassin-1", "B3", "B3")).endswith("is driven back, but has no room.")
    assert sentence(e.Retreated("assassin-1", "B3", "B2")).endswith("retreats from B3 to B2.")


@pytest.mark.rule("SA-CLM-01")
def test_claymore_sentence_lists_hits_or_no_one() -> None:
    assert sentence(e.ClaymoreSet("assassin-1", "C", ())).endswith("on pathway C: nobody there.")
    assert sentence(e.ClaymoreSet("assassin-1", "C", ("sniper-2",))).endswith("on pathway C: Sniper 2!")


@pytest.mark.parametrize("raw", [5, [], None, {}, {"type": 5}])
def test_invalid_action_lists_known_actions(raw: Any) -> None:
    with pytest.raises(NotUnderstood, match=r"An action is an object with a type; known are .*walk"):
        GAME.read_command("player-1", raw)


def test_incomplete_action_lists_its_fields() -> None:
    with pytest.raises(NotUnderstood, match=r"The action walk cannot be read: .* It takes .*to"):
        GAME.read_command("player-1", {"type": "walk"})


def test_missing_board_lists_known_boards() -> None:
    with pytest.raises(NotUnderstood, match="played on a board; name one of pathways-2"):
        GAME.blank(None, GAME.read_options({}))


def test_each_statistic_counts_its_own_events() -> None:
    told = [
        *[e.Moved("sniper-1", "A1", "A2")] * 5,
        e.Jumped("sniper-1", "A2", "B2"),
        e.Shot("sniper-1", "assassin-2", "hit"),
        e.Shot("sniper-1", "sniper-2", "kill"),
        *[e.Shot("sniper-1", "assassin-2", "dodge")] * 2,
        e.RunIn("sniper-1", ("assassin-2",)),
        e.Surprise("sniper-1", ("assassin-2",)),
        e.Stealth("sniper-1", ("assassin-2",)),
        *[e.MineExploded("B3", ())] * 8,
        *[e.Retreated("assassin-2", "B4", "B3")] * 7,
        e.SniperReplaced("sniper-2", "B3", "H1"),
    ]
    assert [number for _, number in GAME.figures(told)] == [6, 4, 2, 3, 8, 7, 1]
    assert [number for _, number in GAME.figures([])] == [0] * 7
