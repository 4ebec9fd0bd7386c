"""Weighs each Aid against what it brings, and keeps it for what is worth it."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.stalingrad.bots._weighing import Style, Weigher
from games.stalingrad.rules.picture import Picture


def sit(game: Game, seat: str, view: Picture) -> Weigher:
    """A careful player at its seat."""
    return Weigher(Style())


KIND = Kind(sit, level="strong")
