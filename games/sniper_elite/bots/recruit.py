"""Walks about the places where the sniper can be, and often does what comes to mind first."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.bots._guarding import Guard, Style
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import DEFENDERS


def sit(game: Game, seat: str, view: Picture) -> Guard:
    """At its seat."""
    return Guard(game, view, Style(guesses=False, hunts=0.5, holds=0.3, asks=0.3, slips=6))


KIND = Kind(sit, (DEFENDERS,), level="easy")
