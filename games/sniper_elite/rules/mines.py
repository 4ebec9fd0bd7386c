"""MINE: what happens when a unit ends a movement on a mine (MP-MINE-02, R-34, R-37)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.events import Told
from games.sniper_elite.rules import events
from games.sniper_elite.rules.bag import kill
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import to_all


def ended_on(truth: Picture, unit: str, space: str) -> Iterator[Told]:
    """Yield the events when a unit ends a movement on `space` (MP-MINE-03). One mine there kills it at once."""
    if space in truth.mine.mines:
        yield to_all(events.MineTriggered(unit, space))
        yield from kill(truth, unit, "mine")
