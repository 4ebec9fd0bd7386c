"""Runs for its Target by the shortest way, and shoots at what comes its way."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.snipers_and_assassins.bots._weighing import Style, Weigher
from games.snipers_and_assassins.rules.picture import Picture

STYLE = Style(race=3.0, harm=0.5, kill=0.2, home=0.4, chase=0.02, mines=0.05, slips=1)


def sit(game: Game, seat: str, view: Picture) -> Weigher:
    """A racer at its seat."""
    return Weigher(game, seat, STYLE)


KIND = Kind(sit, level="medium")
