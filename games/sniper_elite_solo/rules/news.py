"""What everybody has just been told, for lamps and people; no rule reads it."""

from __future__ import annotations

from msgspec.structs import replace

from engine.events import Event
from games.sniper_elite.rules import events as shared
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules import events as e
from games.sniper_elite_solo.rules.picture import Picture

STALE = (e.SniperMoved, e.ShotDeclared, shared.CardPlayed, e.Looted, shared.ObjectiveCompleted)
"""An act of the sniper begins: what was news before is none any more."""


def recorded(before: Picture, after: Picture, event: Event) -> Picture:
    """The picture after an event with the news of it. A new turn of the defenders, or an act, begins a new list."""
    if isinstance(event, STALE) or (isinstance(event, shared.TurnEnded) and event.seat == SNIPER):
        after = replace(after, news={}, stood={**before.units, SNIPER: before.space})
    told = _told(after, event)
    if told is None:
        return after
    name, spaces = told
    return replace(after, news={**after.news, name: tuple(dict.fromkeys((*after.news.get(name, ()), *spaces)))})


def _told(p: Picture, event: Event) -> tuple[str, tuple[str, ...]] | None:
    """The kind of news and the spaces where it happened."""
    match event:
        case e.Scanned(units):
            return "scanned", _spaces(p, units)
        case e.Searched(units):
            return "searched", _spaces(p, units)
        case e.Attacked(spaces):
            return "attacked", spaces
        case e.Attracted():
            return "attracted", (event.to,)
        case shared.MineTriggered():
            return "blast", (event.space,)
        case e.LksUpdated(sector):
            return "updated", p.terrain.sectors[sector]
        case e.Hit() if p.space is not None:
            return "struck", (p.space,)
    return None


def _spaces(p: Picture, units: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(space for unit in units if (space := p.units[unit]) is not None)
