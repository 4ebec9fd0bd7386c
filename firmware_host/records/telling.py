"""What was told, as the journal and records keep it: each event and who heard it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from engine.events import Audience, Told
from engine.game import Game


def written(telling: Iterable[Told]) -> list[Any]:
    """What was told, as the journal keeps it."""
    return [{"event": msgspec.to_builtins(told.event), "to": told.audience.seats} for told in telling]


def read(game: Game, raw: Iterable[Any]) -> tuple[Told, ...]:
    """What was told, from the journal."""
    found = []
    for told in raw:
        seats = told["to"]
        audience = Audience(None if seats is None else tuple(seats))
        found.append(Told(game.read_event(told["event"]), audience))
    return tuple(found)
