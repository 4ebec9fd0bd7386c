"""What screens show of an event beyond its sentence: the tokens of a draw, and facts for marks on the map."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.events import Event
from games.sniper_elite.rules import events as e

ON_MAP = (
    e.TurnEnded, e.Alerted, e.Barked, e.Moved, e.Scouted, e.Distracted, e.Deployed, e.Attacked, e.Spotted, e.Swept,
    e.MineTriggered, e.Intel, e.Revealed, e.ObjectiveCompleted,
)  # fmt: skip
"""Events whose fields are facts that everybody was told, and that can be shown on the map or tell turns apart."""


def details(event: Event) -> dict[str, Any]:
    """Return what the log line of an event adds: the `tokens` of a draw, or `what` was told, field by field."""
    if isinstance(event, e.Drew):
        return {"tokens": dict(event.tokens)} if event.tokens else {}
    if isinstance(event, ON_MAP):
        said: dict[str, Any] = msgspec.to_builtins(event)
        return {"what": {name: value for name, value in said.items() if name != "type"}}
    return {}
