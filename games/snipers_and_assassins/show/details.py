"""What the screens show of an event besides its sentence, so that shots and retreats appear on the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from engine.events import Event
from games.snipers_and_assassins.rules import events

DRAWN: Final = (events.Travelled, events.Met, events.Shot, events.MineExploded, events.ClaymoreSet)
"""Events with marks on the map."""


def details(event: Event) -> Mapping[str, Any]:
    """Return the fields of an event that is drawn on the map, without its type; of others nothing."""
    if not isinstance(event, DRAWN):
        return {}
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return {name: value for name, value in fields.items() if name != "type"}
