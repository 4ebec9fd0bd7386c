"""Imagines where the sniper is and what it is after, plays its acts on in its head, and does what ends best."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.bots._searching import GuardSearch
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import DEFENDERS


def sit(game: Game, seat: str, view: Picture) -> GuardSearch:
    """At its seat."""
    return GuardSearch(game, view)


KIND = Kind(sit, (DEFENDERS,), level="expert", thinks=True)
