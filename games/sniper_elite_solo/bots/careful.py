"""Simulates each open card of the defenders before it decides where to end a turn."""

from __future__ import annotations

from engine.bots import Kind
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._rating import RatingBot, Style

KIND = Kind(lambda game, seat, view: RatingBot(Style(fear=0.4, looks=24, shoots=True)), (SNIPER,), level="strong")
