"""Where a game keeps what is no code: its screens with their words, its rule book, its player aids."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

import games


def game_folder(name: str) -> Path:
    """The folder of the game called `name`. Raises `LookupError` where there is no such game."""
    if name not in games.names():
        raise LookupError(f"There is no game {name!r}.")
    try:
        spec = importlib.util.find_spec(f"games.{games.folder(name)}")
    except ValueError:  # a module that was made in memory has no place
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise LookupError(f"The game {name!r} has no folder.")
    return Path(next(iter(spec.submodule_search_locations)))


SEAT = "seat"
"""The module of every seat that has none of its own name."""


@cache
def own_screen(game: str, *pages: str) -> str | None:
    """The file name of the first of these pages for which a game brings a module; None where it brings none of them.

    A page is a seat, `seat`, `table`, `past`, `board` or `legend`. Pages without a module of the game's own are
    generic; the legend does without.
    """
    try:
        folder = game_folder(game) / "screens"
    except LookupError:
        return None
    return next((f"{page}.js" for page in pages if (folder / f"{page}.js").is_file()), None)
