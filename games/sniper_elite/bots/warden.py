"""Defends: holds the objectives that the sniper can still be after, and looks and strikes where the sniper can be."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.bots._guard_turn import Style
from games.sniper_elite.bots._guarding import Guard
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import DEFENDERS


def sit(game: Game, seat: str, view: Picture) -> Guard:
    """At its seat."""
    return Guard(game, view, Style())


KIND = Kind(sit, (DEFENDERS,), level="strong")
