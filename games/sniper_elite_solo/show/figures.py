"""The statistics of a finished game for its player."""

from __future__ import annotations

from collections.abc import Iterable

from engine.events import Event
from engine.text import Text
from games.sniper_elite.rules.events import Shot
from games.sniper_elite_solo.rules import events as e


def figures(events: Iterable[Event]) -> list[tuple[Text, int]]:
    """Return pairs of label and number, from all events of the game."""
    found = list(events)
    moves = [it for it in found if isinstance(it, e.SniperMoved)]
    shots = [it for it in found if isinstance(it, Shot)]
    return [
        (Text("Spaces you walked"), sum(len(it.path) for it in moves)),
        (Text("Turns in which you were heard"), sum(it.noisy for it in moves)),
        (Text("Shots"), len(shots)),
        (Text("Shots that hit"), sum(it.result == "hit" for it in shots)),
        (Text("Hits that you took"), sum(isinstance(it, e.Hit) for it in found)),
    ]
