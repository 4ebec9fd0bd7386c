"""What screens show in addition to event sentences: drawn tokens, and facts to mark on the map."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.events import Event
from games.sniper_elite.rules import events as e

ON_MAP = (
    e.TurnEnded, e.Alerted, e.Barked, e.Moved, e.Scouted, e.Distracted, e.Deployed, e.Attacked, e.Spotted, e.Swept,
    e.MineTriggered, e.Intel, e.Revealed, e.ObjectiveCompleted,
)  # fmt: skip
"""Events whose fields are public facts that can be shown on the map or that separate turns."""


def details(event: Event) -> dict[str, Any]:
    """Return what an event's log line adds: the drawn `tokens`, or `what` with the event's fields."""
    if isinstance(event, e.Drew):
        return {"tokens": dict(event.tokens)} if event.tokens else {}
    if isinstance(event, ON_MAP):
        said: dict[str, Any] = msgspec.to_builtins(event)
        return {"what": {name: value for name, value in said.items() if name != "type"}}
    return {}
