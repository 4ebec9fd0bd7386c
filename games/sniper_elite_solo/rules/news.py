"""News: what has just happened, for lamps and screens. No rule reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.events import Event
from games.sniper_elite.rules import events as shared
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules import events as e
from games.sniper_elite_solo.rules.picture import Picture

ACT_STARTS = frozenset((e.SniperMoved, e.ShotDeclared, shared.CardPlayed, e.Looted, shared.ObjectiveCompleted))
"""Events that start an act of the sniper and clear the news."""


def record_news(before: Picture, after: Picture, event: Event) -> Picture:
    """Return the picture after an event, with its news. An act and the defenders' turn start a new list."""
    kind = type(event)
    if kind in ACT_STARTS or (isinstance(event, shared.TurnEnded) and event.seat == SNIPER):
        # Players move miniatures after the defenders' turn, so the board needs the places of all before it.
        after = replace(after, news={}, stood={**before.units, SNIPER: before.space})
    found = _NEWS.get(kind)
    if found is None or (kind is e.Hit and after.space is None):
        return after
    name, spaces_of = found
    spaces = tuple(dict.fromkeys((*after.news.get(name, ()), *spaces_of(after, event))))
    return replace(after, news={**after.news, name: spaces})


def _units_spaces(p: Picture, event: Any) -> tuple[str, ...]:
    return tuple(space for unit in event.units if (space := p.units[unit]) is not None)


_NEWS: Mapping[type[Event], tuple[str, Callable[[Picture, Any], tuple[str, ...]]]] = {
    e.Scanned: ("scanned", _units_spaces),
    e.Searched: ("searched", _units_spaces),
    e.Attacked: ("attacked", lambda p, event: event.spaces),
    e.Attracted: ("attracted", lambda p, event: (event.to,)),
    shared.MineTriggered: ("blast", lambda p, event: (event.space,)),
    e.LksUpdated: ("updated", lambda p, event: p.terrain.sectors[event.sector]),
    e.Hit: ("struck", lambda p, event: (str(p.space),)),
}
"""Event -> the name of its news, and the spaces where it happened."""
KINDS = frozenset({*_NEWS, *ACT_STARTS, shared.TurnEnded})  # Events that add or clear news
