"""Find the games and maps that programs name. A map is one of ours, or the path of a drawing."""

from __future__ import annotations

from collections.abc import Callable
from os.path import isfile

from engine.game import Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.refusal import NotUnderstood
from firmware_host.core import maps
from firmware_host.core.capabilities import capabilities


def board_for(game: Game, name: str | None, load: Callable[[str], Map]) -> Map | None:
    """Return the map for a game, or None for a game without one. Raises `NotUnderstood`."""
    if not capabilities(game).has_map:
        if name:
            raise NotUnderstood(f"{game.title} is played without a map; leave it out.")
        return None
    if not name:
        raise NotUnderstood(f"{game.title} is played on a map: one of {', '.join(maps.offered(game))}.")
    return map_named(name, load)


def map_named(name: str, load: Callable[[str], Map]) -> Map:
    """Return the map of that name or path. Raises `NotUnderstood` if it is missing or unusable."""
    if maps.is_path(name) and not isfile(name):
        raise NotUnderstood(f"There is no file {name!r} to read a map from.")
    try:
        return load(name)
    except MapError as error:
        raise NotUnderstood(str(error)) from error
