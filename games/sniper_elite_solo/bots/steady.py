"""Weighs what a way costs against how near the defenders stand, shoots and plays cards."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._weighing import Style, Weigher
from games.sniper_elite_solo.rules.picture import Picture


def sit(game: Game, seat: str, view: Picture) -> Weigher:
    """A sniper at its seat."""
    return Weigher(Style(fear=1.0, looks=0, shoots=True))


KIND = Kind(sit, (SNIPER,), level="medium")
