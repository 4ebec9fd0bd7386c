"""What comparisons of a game with a second implementation of its rules share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.game import Game
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import Refused
from lab.authoring.play import RandomGame


class Copied:
    """A random game `play` and its copy. `seen` counts what happened in acts."""

    play: RandomGame
    seen: Counter[str]

    def compare_menus(self) -> None:
        """Assert that both list the same legal acts."""
        raise NotImplementedError

    def act(self) -> None:
        """Play one act in both, and assert that events and positions are the same."""
        raise NotImplementedError


def compared(both: Copied, acts: int, every: int = 1) -> Counter[str]:
    """Play acts of a game, comparing legal acts before each or only `every` so many. Return what happened."""
    for number in range(acts):
        if number % every == 0:
            both.compare_menus()
        if not both.play.referee.to_act:
            break
        both.act()
    both.compare_menus()
    return both.seen


def in_one_order(acts: Iterable[Any]) -> list[str]:
    """Return acts as sorted text. An act that is listed twice stays twice."""
    return sorted(msgspec.json.encode(act, order="sorted").decode() for act in acts)


def assert_same_acts(one: Iterable[Any], two: Iterable[Any]) -> None:
    """Assert that both list the same acts."""
    mine, theirs = in_one_order(one), in_one_order(two)
    assert mine == theirs, [*set(mine) ^ set(theirs)][:5]


def possible(game: Game, board: Map, options: Any, begin: Callable[[], Any], random: Random) -> Referee:
    """Return a game from the first position of `begin` that the game accepts. Few are refused."""
    for _ in range(20):
        try:
            return Referee(game, game.position(board, game.read_options(options), begin(), Chance(random)))
        except Refused as error:
            why = error
    raise why
