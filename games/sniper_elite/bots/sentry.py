"""Looks for the sniper where it can be, without asking where it wants to go, and makes mistakes."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.bots._guard_turn import Style
from games.sniper_elite.bots._guarding import Guard
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import DEFENDERS


def sit(game: Game, seat: str, view: Picture) -> Guard:
    """At its seat."""
    return Guard(game, view, Style(guesses=False, hunts=0.2, holds=0.0, asks=0.0, slips=9))


KIND = Kind(sit, (DEFENDERS,), level="medium")
