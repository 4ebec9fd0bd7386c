"""Converts events with their audiences to and from the JSON of journals and records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from engine.events import Audience, Told
from engine.game import Game


def written(telling: Iterable[Told]) -> list[Any]:
    """Return events with their audiences as JSON values."""
    return [{"event": msgspec.to_builtins(told.event), "to": told.audience.seats} for told in telling]


def read_telling(game: Game, raw: Iterable[Any]) -> tuple[Told, ...]:
    """Return events with their audiences from JSON values."""
    # Without seats, everyone hears of it.
    return tuple(
        Told(game.read_event(event["event"]), Audience(None if event["to"] is None else tuple(event["to"])))
        for event in raw
    )
