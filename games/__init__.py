"""The games, one folder each. A game is found by its folder name, so adding one changes no other file.

A game's package provides `GAME`, an object that implements `engine.game.Game`. Python searches every folder `games` on
its path, so a game can also be installed outside the project. The server checks each game before it offers it
(`firmware_host/core/installed.py`).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

from engine.game import Game
from engine.refusal import NotUnderstood, no_such

__path__ = pkgutil.extend_path(__path__, __name__)

DEFAULT = "sniper-elite"
"""The game of commands, traces and requests that name none, and of a lobby where none was chosen yet."""

FOLDER = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")  # Pattern of valid folder names for a game


def folder(name: str) -> str:
    """Return the folder of a game. For example, `sniper-elite` is in `sniper_elite`."""
    return name.replace("-", "_")


def names() -> list[str]:
    """Return the names of all games, as used in the protocol: the default, others of the project, then those elsewhere.

    If two games want the same name for a board, the earlier one gets it. A game that was installed into the project's
    folder can come before the project's own in the alphabet, but never before the default.
    """
    game_names = [name.replace("_", "-") for name in _folders(tuple(__path__)) if FOLDER.fullmatch(name)]
    return sorted(game_names, key=lambda name: name != DEFAULT)


def misnamed() -> list[str]:
    """Return the folders whose name isn't valid for a game."""
    return [name for name in _folders(tuple(__path__)) if not FOLDER.fullmatch(name)]


@cache
def _folders(paths: tuple[str, ...]) -> tuple[str, ...]:
    folders = (module.name for module in pkgutil.iter_modules(paths) if module.ispkg)
    # A name that is not UTF-8 cannot be sent, and a terminal would interpret control characters.
    texts = (name.encode("utf-8", "backslashreplace").decode() for name in folders)
    return tuple("".join(letter if letter.isprintable() else "?" for letter in text) for text in texts)


def find(name: str) -> Game:
    """Return the game called `name`. `NotUnderstood` lists the known games and suggests the closest name."""
    known_names = names()
    if name not in known_names:
        raise NotUnderstood(no_such("game", name, known_names))
    game: Game = importlib.import_module(f"{__name__}.{folder(name)}").GAME
    return game
