"""Random play of any game through its contract. All types of acts are equally likely, so that each occurs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random

from engine.chance import Chance
from engine.events import Told
from engine.game import Command, Game, LampBoards, MakesMaps, NeedsMap
from engine.graph import Map
from engine.referee import Referee
from tests.toys import grid

LONGEST_GAME = 2000
"""Maximum number of acts. A longer game counts as endless."""


@cache
def board_of(game: Game) -> Map | None:
    """Return a small board for tests: the first that the game makes, else the toy map, else none."""
    if isinstance(game, MakesMaps) and not isinstance(game, LampBoards):
        return game.make_map(game.map_names()[0])
    return grid() if isinstance(game, NeedsMap) else None


class RandomGame:
    """A game that plays itself. Each `step` is one act with its events."""

    def __init__(self, game: Game, board: Map | None, seed: int, options: object = None) -> None:
        self.game = game
        self.random = Random(seed)
        self.chance = Chance(Random(seed))
        chosen = game.read_options(options)
        self.referee = Referee(game, game.blank(board, chosen))
        self.opening = tuple(game.setup(board, chosen, self.chance))
        self.referee.tell(self.opening)

    def steps(self) -> Iterator[tuple[str, Command, tuple[Told, ...]]]:
        """Yield all acts up to the end of the game."""
        for _ in range(LONGEST_GAME):
            if not self.referee.to_act:
                return
            yield self.step()
        raise AssertionError("the game does not end")

    def step(self) -> tuple[str, Command, tuple[Told, ...]]:
        """Play one act of a seat that is to act."""
        seat = self.random.choice(self.referee.to_act)
        command = self.choose(seat)
        return seat, command, self.referee.submit(seat, command, self.chance)

    def choose(self, seat: str) -> Command:
        """Return a random command of a random type."""
        sorts: dict[type[Command], list[Command]] = defaultdict(list)
        for command in self.referee.legal(seat):
            sorts[type(command)].append(command)
        return self.random.choice(sorts[self.random.choice(list(sorts))])
