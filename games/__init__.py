"""The games, one folder each, found by name: a new game edits no file but its own.

A game's package offers `GAME`, an object that keeps the contract of `engine.game.Game`. Any folder `games` on Python's
path is looked through, so that a game can also be installed beside the project.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from engine.game import Game
from engine.refusal import NotUnderstood, no_such

__path__ = pkgutil.extend_path(__path__, __name__)


def folder(name: str) -> str:
    """The name of a game's folder: `sniper-elite` is in `sniper_elite`."""
    return name.replace("-", "_")


def names() -> list[str]:
    """The names of all games, as the protocol writes them."""
    return list(_names(tuple(__path__)))


@cache
def _names(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the games in some folders, which are read once."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(paths) if module.ispkg))


def find(name: str) -> Game:
    """The game called `name`. Raises `NotUnderstood` with what is known and the nearest guess."""
    known = names()
    if name not in known:
        raise NotUnderstood(no_such("game", name, known))
    game: Game = importlib.import_module(f"{__name__}.{folder(name)}").GAME
    return game
