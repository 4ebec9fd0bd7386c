"""The details that screens get with an event."""

from __future__ import annotations

from typing import Any

import pytest

from engine.events import Event
from engine.text import Text, Wording
from games.stalingrad import GAME
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.sentences import SENTENCES, YOURS


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (e.Revealed("player-1", "C02"), {"card": "C02"}),
        (e.Rolled("player-1", 7), {"die": 7, "good": None}),
        (e.ShootRolled("player-1", "C02", 3, 6, True), {"card": "C02", "die": 3, "needed": 6, "good": True}),
        (e.ShootRolled("player-1", "C02", 9, 6, False), {"card": "C02", "die": 9, "needed": 6, "good": False}),
        (e.EvadeRolled("player-1", "C09", 4, 4, True), {"card": "C09", "die": 4, "needed": 4, "good": True}),
        (e.EvadeRolled("player-1", "C09", 5, 4, False), {"card": "C09", "die": 5, "needed": 4, "good": False}),
        (e.Wounded("player-1", 6, "serious", 1), {"die": 6, "good": False, "moment": 1}),
        (
            e.ShootRolled("player-1", "C02", 1, 1, True),
            {"card": "C02", "die": 1, "needed": 1, "good": True, "moment": 4},
        ),
        (e.Killed("player-1", "C02", 5), {"moment": CARDS["C02"].stars}),
        (e.TurnStarted("player-1"), {}),
    ],
)
def test_details_show_card_die_and_success(event: Event, shown: dict[str, Any]) -> None:
    assert {name: value for name, value in GAME.details(event).items() if name != "yours"} == shown


def test_a_player_reads_the_own_acts_as_you() -> None:
    hit = e.ShootRolled("player-1", "C02", 3, 6, True)
    assert GAME.details(hit)["yours"].keys() == {"player-1"}
    assert GAME.details(hit)["yours"]["player-1"].endswith(": you roll 3 against 6 and hit!")
    texts = {one.text for wording in SENTENCES.values() for one in _texts(wording) if "{seat}" in one.text}
    assert {(text, "seat") for text in texts} <= YOURS.keys()  # a verb in the third person would not fit "you"


def _texts(wording: Wording) -> list[Text]:
    return [wording] if isinstance(wording, Text) else [*wording[1].values()]


def test_each_statistic_counts_its_own_events() -> None:
    told = [
        e.ShootRolled("player-1", "C02", 3, 6, True),
        e.ShootRolled("player-2", "C02", 9, 6, False),
        e.EvadeRolled("player-1", "C09", 4, 4, True),
        e.EvadeRolled("player-2", "C09", 4, 4, True),
        e.EvadeRolled("player-1", "C09", 5, 4, False),
        e.Wounded("player-1", 6, "serious", 1),
        e.AidSpent("player-1", ("C19", "C20", "C32", "C48"), "shoot"),
    ]
    assert [number for _, number in GAME.figures(told)] == [2, 1, 3, 2, 4, 1]
    assert [number for _, number in GAME.figures([])] == [0] * 6
