"""What everybody has just been told, for lamps and people; no rule reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.events import Event
from games.sniper_elite.rules import events as shared
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules import events as e
from games.sniper_elite_solo.rules.picture import Picture

STALE = frozenset((e.SniperMoved, e.ShotDeclared, shared.CardPlayed, e.Looted, shared.ObjectiveCompleted))
"""An act of the sniper begins: what was news before is none any more."""
Told = Callable[[Picture, Any], tuple[str, ...]]
"""The spaces where something has happened."""


def recorded(before: Picture, after: Picture, event: Event) -> Picture:
    """The picture after an event with the news of it. A new turn of the defenders, or an act, begins a new list."""
    kind = type(event)
    if kind in STALE or (isinstance(event, shared.TurnEnded) and event.seat == SNIPER):
        after = replace(after, news={}, stood={**before.units, SNIPER: before.space})
    found = _NEWS.get(kind)
    if found is None or (kind is e.Hit and after.space is None):
        return after
    name, told = found
    spaces, before_it = told(after, event), after.news.get(name)
    if before_it:
        spaces = tuple(dict.fromkeys((*before_it, *spaces)))
    return replace(after, news={**after.news, name: spaces})


def _standing(p: Picture, units: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(space for unit in units if (space := p.units[unit]) is not None)


_NEWS: Mapping[type[Event], tuple[str, Told]] = {
    e.Scanned: ("scanned", lambda p, event: _standing(p, event.units)),
    e.Searched: ("searched", lambda p, event: _standing(p, event.units)),
    e.Attacked: ("attacked", lambda p, event: event.spaces),
    e.Attracted: ("attracted", lambda p, event: (event.to,)),
    shared.MineTriggered: ("blast", lambda p, event: (event.space,)),
    e.LksUpdated: ("updated", lambda p, event: p.terrain.sectors[event.sector]),
    e.Hit: ("struck", lambda p, event: (str(p.space),)),
}
"""What is news of an event, and where it happened."""
KINDS = frozenset({*_NEWS, *STALE, shared.TurnEnded})
"""The events that make news or end them."""
