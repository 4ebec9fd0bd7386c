"""The games, one folder each, found by name: a new game edits no file but its own.

A game's package offers `GAME`, an object that keeps the contract of `engine.game.Game`. Any folder `games` on Python's
path is looked through, so that a game can also be installed beside the project. What a table offers of them is checked
first (`firmware_host/core/installed.py`).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

from engine.game import Game
from engine.refusal import NotUnderstood, no_such

__path__ = pkgutil.extend_path(__path__, __name__)

FOLDER = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")
"""How the folder of a game is called."""


def folder(name: str) -> str:
    """The name of a game's folder: `sniper-elite` is in `sniper_elite`."""
    return name.replace("-", "_")


def names() -> list[str]:
    """The names of all games, as the protocol writes them."""
    return [name.replace("_", "-") for name in _folders(tuple(__path__)) if FOLDER.fullmatch(name)]


def misnamed() -> list[str]:
    """The folders with a name that no game can have."""
    return [name for name in _folders(tuple(__path__)) if not FOLDER.fullmatch(name)]


@cache
def _folders(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The packages in some folders, which are read once."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(paths) if module.ispkg))


def find(name: str) -> Game:
    """The game called `name`. Raises `NotUnderstood` with what is known and the nearest guess."""
    known = names()
    if name not in known:
        raise NotUnderstood(no_such("game", name, known))
    game: Game = importlib.import_module(f"{__name__}.{folder(name)}").GAME
    return game
