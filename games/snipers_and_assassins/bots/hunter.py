"""Hunts the others' Assassins with its Sniper and with mines, and runs for its Target when that costs nothing."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.snipers_and_assassins.bots._weighing import Style, Weigher
from games.snipers_and_assassins.rules.picture import Picture

STYLE = Style(race=1.0, harm=2.0, kill=0.8, home=0.6, chase=0.15, mines=0.3)


def sit(game: Game, seat: str, view: Picture) -> Weigher:
    """A hunter at its seat."""
    return Weigher(game, seat, STYLE)


KIND = Kind(sit, level="strong")
