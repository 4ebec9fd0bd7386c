"""Finds the files of a game that are not code: screens and their words, rule book, player aids."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

import games


def game_folder(name: str) -> Path:
    """Return the folder of the game called `name`. Raises `LookupError` if there is no such game."""
    if name not in games.names():
        raise LookupError(f"There is no game {name!r}.")
    try:
        spec = importlib.util.find_spec(f"games.{games.folder(name)}")
    except ValueError:  # a module that was made in memory has no folder
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise LookupError(f"The game {name!r} has no folder.")
    return Path(next(iter(spec.submodule_search_locations)))


SEAT = "seat"
"""The module for every seat without a module of its own."""


@cache
def own_screen(game: str, *pages: str) -> str | None:
    """Return the file name of the first of these pages for which a game has a module; None if it has none.

    A page is a seat, `seat`, `table`, `past`, `board` or `legend`. Pages without a module are generic, except for the
    legend, which can do without.
    """
    try:
        folder = game_folder(game) / "screens"
    except LookupError:
        return None
    return next((f"{page}.js" for page in pages if (folder / f"{page}.js").is_file()), None)
