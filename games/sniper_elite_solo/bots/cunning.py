"""Simulates how the game can go on and chooses the action that ends best."""

from __future__ import annotations

from engine.bots import Kind
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._searching import Searcher

KIND = Kind(lambda game, seat, view: Searcher(game), (SNIPER,), level="expert", thinks=True)
