"""What screens show of an event beside its sentence: the card and the die."""

from __future__ import annotations

from typing import Any

from engine.events import Event
from games.stalingrad.rules import events as e


def details(event: Event) -> dict[str, Any]:
    """JSON-ready: `card` of what was turned over; `die` of a roll, and `good`: whether that helped who rolled.

    `good` is None for a die whose roll is still to be decided.
    """
    match event:
        case e.Revealed():
            return {"card": event.card}
        case e.Rolled():
            return {"die": event.die, "good": None}
        case e.ShootRolled():
            return {"die": event.die, "good": event.hit}
        case e.EvadeRolled():
            return {"die": event.die, "good": event.evaded}
        case e.Wounded():
            return {"die": event.die, "good": False}
    return {}
