"""The games, one folder each, found by name: a new game edits no file but its own.

A game's package offers `GAME`, an object that keeps the contract of `engine.game.Game`.
"""

from __future__ import annotations

import importlib
import pkgutil

from engine.game import Game
from engine.refusal import NotUnderstood, no_such


def names() -> list[str]:
    """The names of all games, as the protocol writes them."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__) if module.ispkg)


def find(name: str) -> Game:
    """The game called `name`. Raises `NotUnderstood` with what is known and the nearest guess."""
    known = names()
    if name not in known:
        raise NotUnderstood(no_such("game", name, known))
    game: Game = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").GAME
    return game
