"""MINE: what happens where a unit ends a movement (MP-MINE-02, R-34, R-37)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.sniper_elite import events
from engine.games.sniper_elite.bag import kill
from engine.games.sniper_elite.picture import Picture
from engine.games.sniper_elite.rule import to_all
from engine.told import Told


def ended_on(truth: Picture, unit: str, space: str) -> Iterator[Told]:
    """A unit has ended a movement on `space`: one mine there, if any, kills it at once (MP-MINE-03)."""
    if space in truth.mine.mines:
        yield to_all(events.MineTriggered(unit, space))
        yield from kill(truth, unit, "mine")
