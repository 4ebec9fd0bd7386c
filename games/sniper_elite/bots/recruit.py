"""Walks about where it likes, attacks where the sniper can be, and often stops early."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.bots._guard_turn import Style
from games.sniper_elite.bots._guarding import Guard
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import DEFENDERS


def sit(game: Game, seat: str, view: Picture) -> Guard:
    """At its seat."""
    return Guard(game, view, Style(guesses=False, hunts=0.1, holds=0.0, asks=0.0, slips=10, rests=2))


KIND = Kind(sit, (DEFENDERS,), level="easy")
