"""The games and maps that programs name; a map is one of ours, or a drawing of their own by its path."""

from __future__ import annotations

from collections.abc import Callable
from os.path import isfile

from engine.game import Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.refusal import NotUnderstood
from firmware_host.core import maps
from firmware_host.core.capabilities import capabilities

DEFAULT_GAME = "sniper-elite"
"""The game that is meant where none is named: traces and commands named none while it was the only one."""


def board_for(game: Game, name: str | None, load: Callable[[str], Map]) -> Map | None:
    """What a game is to be played on; None for a game without a map. Raises `NotUnderstood`."""
    if not capabilities(game).has_map:
        if name:
            raise NotUnderstood(f"{game.title} is played without a map; leave it out.")
        return None
    if not name:
        raise NotUnderstood(f"{game.title} is played on a map: one of {', '.join(maps.offered(game))}.")
    return named(name, load)


def named(name: str, load: Callable[[str], Map]) -> Map:
    """The map of that name or path. Raises `NotUnderstood` for one that is not there or cannot be played."""
    if maps.is_path(name) and not isfile(name):
        raise NotUnderstood(f"There is no file {name!r} to read a map from.")
    try:
        return load(name)
    except MapError as error:
        raise NotUnderstood(str(error)) from error
