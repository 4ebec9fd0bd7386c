"""What the game's own screens get: facts of events, turns to go, and which acts can be taken back."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.events import Told
from engine.game import REFEREE, Detailed, Retractable
from engine.naming import tag_of
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.rules.picture import Picture
from tests.games.snipers_and_assassins.table import described

SHOOTING = {"type": "a", "order": "shoot-move", "to": "B4"}


def truth_of(**parts: Any) -> Picture:
    """Return the whole truth of a position for two players."""
    options = GAME.read_options({"players": 2})
    board = GAME.make_map("pathways-2")
    return GAME.position(board, options, described(**parts), Chance(Random(1)))[REFEREE]


def told(truth: Picture, **act: Any) -> list[Told]:
    """Return what an act of the current player tells."""
    command = GAME.check(truth, truth.turn, GAME.read_command(truth.turn, act))
    return list(GAME.decide(truth, command, Chance(Random(1))))


@pytest.mark.parametrize(
    ("act", "retractable"),
    [
        ({"type": "walk", "to": "C6"}, True),
        ({"type": "hold", "marker": "sniper-1"}, True),
        ({**SHOOTING, "target": "assassin-2"}, True),
        ({**SHOOTING, "target": "sniper-2"}, False),
        ({"type": "end-turn"}, False),
    ],
)
def test_acts_of_a_turn_that_draw_no_card_can_be_taken_back(act: dict[str, Any], retractable: bool) -> None:
    truth = truth_of(S1="B4", A1="C5", S2="B6", A2="C4")
    assert isinstance(GAME, Retractable)
    telling = told(truth, **act)
    after = truth
    for one in telling:
        after = GAME.fold(after, one.event)
    assert GAME.retractable(after, telling) is retractable


def facts(one: Told) -> dict[str, Any]:
    """Return the details of an event besides its sentences."""
    assert isinstance(GAME, Detailed)
    return {name: value for name, value in GAME.details(one.event).items() if name != "yours"}


def test_events_of_a_marker_name_it_with_its_places() -> None:
    truth = truth_of(S1="B4", A2="C4", p2={"shot": "stale"})
    shot, retreat = (facts(one) for one in told(truth, **SHOOTING, target="assassin-2"))
    assert shot == {"marker": "sniper-1", "target": "assassin-2", "result": "hit"}
    assert retreat == {"marker": "assassin-2", "from": "C4", "to": "C2", "moment": 4}
    details = {tag_of(one.event): facts(one) for one in told(truth, type="end-turn")}
    assert details["held"] == {"marker": "assassin-1"}
    assert details["turn-ended"] == details["turn-started"] == {}


def test_view_says_how_many_turns_each_assassin_needs() -> None:
    view = GAME.view(truth_of(A1="D9", A2="B4"))
    assert view["turns_to_go"] == {"player-1": 2, "player-2": 6}
    assert view["turns_of_race"] == {"player-1": 10, "player-2": 10}
