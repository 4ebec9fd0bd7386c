"""Statistics of a finished game."""

from __future__ import annotations

from collections.abc import Iterable

from engine.events import Event
from engine.text import Text
from games.sniper_elite.rules import events as e


def figures(events: Iterable[Event]) -> list[tuple[Text, int]]:
    """Return pairs of label and number from all events, including secret ones, since the game is over."""
    told = list(events)
    looked = [it for it in told if isinstance(it, (e.Attacked, e.Spotted, e.Swept))]
    shots = [it for it in told if isinstance(it, e.Shot)]
    return [
        (Text("Spaces the sniper walked"), sum(len(it.path) for it in told if isinstance(it, e.SniperMoved))),
        (Text("Times somebody heard the sniper"), sum(isinstance(it, e.Alerted) for it in told)),
        (Text("Shots"), len(shots)),
        (Text("Shots that hit"), sum(it.result == "hit" for it in shots)),
        (Text("Times the defenders looked"), len(looked)),
        (Text("Times they found the sniper"), sum(bool(it.found) for it in looked)),
    ]
