"""A line of play in the head: one truth that can be, and how the game goes on from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.chance import Chance
from engine.events import Told
from engine.game import Command, Game


class Line:
    """One way that a game may go on. `truth` is a referee's picture, all luck comes from `chance`. Pictures are
    replaced, never changed, so that many lines can begin from the same one.
    """

    __slots__ = ("chance", "game", "truth")

    def __init__(self, game: Game, truth: Any, chance: Chance) -> None:
        self.game, self.truth, self.chance = game, truth, chance

    def act(self, command: Command) -> None:
        """Make an act that is legal."""
        for told in tuple(self.game.decide(self.truth, command, self.chance)):
            self.truth = self.game.fold(self.truth, told.event)
            self.hear(told)

    def hear(self, told: Told) -> None:
        """Something has happened, and `truth` is the picture after it: for lines that follow what others know."""

    @property
    def to_act(self) -> str | None:
        """Whose decision it is; nobody's once the game is over."""
        return next(iter(self.game.to_act(self.truth)), None)

    def play(self, choose: Callable[[str], Command], done: Callable[[], bool], most: int) -> None:
        """Go on as `choose` says for the seat that is to act, until something is so, the game is over, or `most` acts
        were made.
        """
        for _ in range(most):
            seat = self.to_act
            if seat is None or done():
                return
            self.act(choose(seat))
