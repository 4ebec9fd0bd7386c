"""The details that screens show of an event besides its sentence: tokens, the die, places on the map."""

from __future__ import annotations

from typing import Any

from engine.events import Event
from games.sniper_elite.rules import events as shared
from games.sniper_elite_solo.rules import events as e


def details(event: Event) -> dict[str, Any]:
    """Return the details of an event, JSON-ready; nothing for most events.

    They are `tokens` drawn, `die`, `card` with `slot`, `unit` with `from` and `to` (None: off the board), `units`, and
    `spaces`.
    """
    match event:
        case shared.Drew(tokens) if tokens:
            return {"tokens": dict(tokens)}
        case e.Die(value):
            return {"die": value}
        case e.SoloCardTurned(card, slot):
            return {"card": card, "slot": slot}
        case shared.Moved() | shared.Distracted():  # Deployed and Attracted are Moved as well
            return {"unit": event.unit, "from": event.from_, "to": event.to}
        case e.Returned(unit, space):
            return {"unit": unit, "to": space}
        case shared.Killed():
            return {"unit": event.unit, "to": None}
        case e.Scanned(units) | e.Searched(units):
            return {"units": units}
        case e.Attacked(spaces):
            return {"spaces": spaces}
    return {}
