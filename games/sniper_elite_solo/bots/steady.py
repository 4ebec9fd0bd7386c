"""Balances short paths against nearby defenders. Shoots and plays cards."""

from __future__ import annotations

from engine.bots import Kind
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._rating import RatingBot, Style

KIND = Kind(lambda game, seat, view: RatingBot(Style(fear=1.0, looks=0, shoots=True)), (SNIPER,), level="medium")
