"""Plays its acts on in its head against defenders who know what the table knows, and does what ends best."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.bots._searching import SniperSearch
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SNIPER


def sit(game: Game, seat: str, view: Picture) -> SniperSearch:
    """At its seat."""
    return SniperSearch(game, view)


KIND = Kind(sit, (SNIPER,), level="expert", thinks=True)
