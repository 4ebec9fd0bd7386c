"""Plays out what each open card of the defenders would do, before it chooses where to end a turn."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._weighing import Style, Weigher
from games.sniper_elite_solo.rules.picture import Picture


def sit(game: Game, seat: str, view: Picture) -> Weigher:
    """A sniper at its seat."""
    return Weigher(Style(fear=0.4, looks=24, shoots=True))


KIND = Kind(sit, (SNIPER,), level="strong")
