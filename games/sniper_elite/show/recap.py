"""What screens show in addition to event sentences: event details, and statistics of a finished game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from engine.events import Event
from engine.text import Text
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.words import SNIPER

ON_MAP = (
    e.TurnEnded, e.Alerted, e.Barked, e.Moved, e.Scouted, e.Distracted, e.Deployed, e.Attacked, e.Spotted, e.Swept,
    e.MineTriggered, e.Intel, e.Revealed, e.ObjectiveCompleted,
)  # fmt: skip
"""Events whose fields are public facts that can be shown on the map or that separate turns."""


def turns_of_sniper(events: Iterable[Event], moved: type[Any] = e.SniperMoved) -> list[list[str]]:
    """Return the spaces of each of the sniper's turns, see `Routes`. The last turn may be a part of one.

    `moved` is the game's event of a move with its `path`.
    """
    turns: list[list[str]] = [[]]
    for event in events:
        if isinstance(event, moved):
            turns[-1] += event.path
        elif isinstance(event, e.TurnEnded) and event.seat == SNIPER:
            turns.append(turns[-1][-1:])
    return turns


HIGHLIGHTS = (
    e.Revealed, e.Wounded, e.Killed, e.ObjectiveCompleted, e.MineTriggered, e.GhostRevealed, e.GameOver,
)  # fmt: skip


def is_highlight(event: Event) -> bool:
    """Return whether people look for an event in a finished game."""
    return isinstance(event, HIGHLIGHTS)


def details(event: Event) -> dict[str, Any]:
    """Return what an event's log line adds: the drawn `tokens`, or `what` with the event's fields."""
    if isinstance(event, e.Drew):
        return {"tokens": dict(event.tokens)} if event.tokens else {}
    if isinstance(event, ON_MAP):
        said: dict[str, Any] = msgspec.to_builtins(event)
        return {"what": {name: value for name, value in said.items() if name != "type"}}
    return {}


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
