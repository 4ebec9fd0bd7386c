"""Deals the hidden cards at random, plays its best acts on, and does the one that ends best."""

from __future__ import annotations

from engine.bots import Kind
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._searching import Searcher

KIND = Kind(lambda game, seat, view: Searcher(game), (SNIPER,), level="expert", thinks=True)
