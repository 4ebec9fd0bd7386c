"""Heads straight for its objectives and mostly ignores the noise it makes."""

from __future__ import annotations

from engine.bots import Kind
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._rating import RatingBot, Style

KIND = Kind(lambda game, seat, view: RatingBot(Style(fear=0.25, looks=0, shoots=False)), (SNIPER,), level="easy")
