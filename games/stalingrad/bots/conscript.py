"""New at the front: goes out, shoots, and never thinks of its Aids."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.stalingrad.bots._weighing import Style, Weigher
from games.stalingrad.rules.picture import Picture


def sit(game: Game, seat: str, view: Picture) -> Weigher:
    """A conscript at its seat."""
    return Weigher(Style(aids=False))


KIND = Kind(sit, level="easy")
