"""Plans its whole turn, looks at how the next player can answer, and hunts or runs as it pays."""

from __future__ import annotations

from engine.bots import Kind
from engine.game import Game
from games.snipers_and_assassins.bots._planning import Planner
from games.snipers_and_assassins.bots._weighing import Style
from games.snipers_and_assassins.rules.picture import Picture

STYLE = Style(race=2.0, harm=1.0, kill=0.8, home=0.6, chase=0.15, mines=0.3)


def sit(game: Game, seat: str, view: Picture) -> Planner:
    """A hunter at its seat."""
    return Planner(game, seat, STYLE)


KIND = Kind(sit, level="strong")
