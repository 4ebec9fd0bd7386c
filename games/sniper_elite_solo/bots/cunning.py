"""Imagines what it cannot see, plays its acts on in its head, and does what ends best."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._searching import Searcher
from games.sniper_elite_solo.rules.picture import Picture


def sit(game: Game, seat: str, view: Picture) -> Searcher:
    """A sniper at its seat."""
    return Searcher(game)


KIND = Kind(sit, (SNIPER,), level="expert", thinks=True)
