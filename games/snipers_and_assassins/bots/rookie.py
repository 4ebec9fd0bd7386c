"""Runs for its Target like a racer, and often takes any step that helps instead of the best."""

from __future__ import annotations

from engine.bots import Kind
from games.snipers_and_assassins.bots._weighing import Style, Weigher

STYLE = Style(race=3.0, harm=0.5, kill=0.2, home=0.4, chase=0.02, mines=0.05, slips=5)
KIND = Kind(lambda game, seat, view: Weigher(game, seat, STYLE), level="easy")
