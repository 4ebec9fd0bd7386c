"""Random play of the games on small boards."""

from __future__ import annotations

from functools import cache

from engine.game import Game, LampBoards, MakesMaps, NeedsMap
from engine.graph import Map
from lab.authoring.play import RandomGame, Sample
from tests.toys import grid

__all__ = ["RandomGame", "board_of", "sample_of"]


@cache
def board_of(game: Game) -> Map | None:
    """Return a small board for tests: the first that the game makes, else the toy map, else none."""
    if isinstance(game, MakesMaps) and not isinstance(game, LampBoards):
        return game.make_map(game.map_names()[0])
    return grid() if isinstance(game, NeedsMap) else None


@cache
def sample_of(game: Game) -> Sample:
    """Return random games on a small board, played once for all tests of a process."""
    return Sample(game, board_of(game))
