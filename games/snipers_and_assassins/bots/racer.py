"""Runs for its Target by the shortest way, and shoots at what comes its way."""

from __future__ import annotations

from engine.bots import Kind
from games.snipers_and_assassins.bots._weighing import Style, Weigher

STYLE = Style(race=3.0, harm=0.5, kill=0.2, home=0.4, chase=0.02, mines=0.05, slips=1)
KIND = Kind(lambda game, seat, view: Weigher(game, seat, STYLE), level="medium")
