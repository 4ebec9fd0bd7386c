"""Keeps away from units on its way, forgets what they have heard, and makes mistakes."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.bots._sneak_turn import Style
from games.sniper_elite.bots._sneaking import Sneak
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SNIPER


def sit(game: Game, seat: str, view: Picture) -> Sneak:
    """At its seat."""
    return Sneak(game, view, Style(fear=0.3, exposed=0.5, slips=5, deduces=False))


KIND = Kind(sit, (SNIPER,), level="medium")
