"""The details that screens get with an event: they repeat facts of the sentence, and contain no secrets."""

from __future__ import annotations

import pytest

from engine.events import Event
from games.sniper_elite import GAME
from games.sniper_elite.rules import events as e


@pytest.mark.parametrize(
    ("event", "what"),
    [
        (e.TurnEnded("sniper"), {"seat": "sniper"}),
        (e.Moved("red-1", "R4", "R5"), {"unit": "red-1", "from": "R4", "to": "R5"}),
        (e.Alerted(("red-1",)), {"units": ("red-1",)}),
        (e.Spotted("red-1", "R5", False), {"unit": "red-1", "space": "R5", "found": False}),
        (e.Intel("black", True), {"squad": "black", "found": True}),
        (e.Revealed("Y7", "shot"), {"space": "Y7", "why": "shot"}),
    ],
)
def test_public_events_have_details_for_the_map(event: Event, what: dict[str, object]) -> None:
    assert GAME.details(event)["what"] == what


@pytest.mark.parametrize(
    "event",
    [
        e.SniperMoved(("Y7", "Y8")),
        e.Entry("yellow"),
        e.Objectives((1, 4)),
        e.Target("red-1"),
        e.MineLaid("Y7"),
        e.LootKept("sound-masking", "Y7"),
        e.CardLaid("sound-masking"),
    ],
)
def test_details_add_nothing_to_secret_events(event: Event) -> None:
    assert GAME.details(event) == {}


def test_draw_details_name_the_tokens() -> None:
    assert GAME.details(e.Drew({"aim": 2, "noise": 1})) == {"tokens": {"aim": 2, "noise": 1}}
    assert GAME.details(e.Drew({})) == {}
