"""Spends its Aids as they come, more often than not on any roll that they help."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.stalingrad.bots._weighing import Style, Weigher
from games.stalingrad.rules.picture import Picture


def sit(game: Game, seat: str, view: Picture) -> Weigher:
    """A hasty player at its seat."""
    return Weigher(Style(slips=8))


KIND = Kind(sit, level="medium")
