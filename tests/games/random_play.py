"""Random play of any game, from its contract alone: fair between the sorts of acts, so that all come up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random

from engine.chance import Chance
from engine.events import Told
from engine.game import Command, Game
from engine.graph import Map
from engine.referee import Referee

LONGEST_GAME = 2000
"""Acts; a game that takes longer does not end."""


class RandomGame:
    """A game that plays itself: each `step` is one act, with what was told of it."""

    def __init__(self, game: Game, board: Map, seed: int, options: object = None) -> None:
        self.game = game
        self.random = Random(seed)
        self.chance = Chance(Random(seed))
        chosen = game.read_options(options)
        self.referee = Referee(game, game.blank(board, chosen))
        self.opening = tuple(game.setup(board, chosen, self.chance))
        self.referee.tell(self.opening)

    def steps(self) -> Iterator[tuple[str, Command, tuple[Told, ...]]]:
        """All acts up to the end of the game."""
        for _ in range(LONGEST_GAME):
            if not self.referee.to_act:
                return
            yield self.step()
        raise AssertionError("the game does not end")

    def step(self) -> tuple[str, Command, tuple[Told, ...]]:
        """One act of a seat that has one to make."""
        seat = self.random.choice(self.referee.to_act)
        command = self.choose(seat)
        return seat, command, self.referee.submit(seat, command, self.chance)

    def choose(self, seat: str) -> Command:
        """A random command, of a random sort."""
        sorts: dict[type[Command], list[Command]] = defaultdict(list)
        for command in self.referee.legal(seat):
            sorts[type(command)].append(command)
        return self.random.choice(sorts[self.random.choice(list(sorts))])
