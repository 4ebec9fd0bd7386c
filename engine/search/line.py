"""A line of play in the head: one truth that can be, and how the game would go on from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, Self

from engine.chance import Chance
from engine.events import Told
from engine.game import Command, Game

MOST_ACTS: Final = 150
"""Of one line; more are no play any more."""


class Line(ABC):
    """One way that a game may go on. `truth` is a picture that nothing is hidden from; all luck comes from `chance`.
    Pictures are replaced, never changed, so that many lines can begin from the same one.
    """

    __slots__ = ("chance", "game", "truth")

    def __init__(self, game: Game, truth: Any, chance: Chance) -> None:
        self.game, self.truth, self.chance = game, truth, chance

    @abstractmethod
    def goes_on(self, seat: str) -> Command:
        """What a seat would do now."""

    def act(self, command: Command) -> None:
        """Make an act that is legal."""
        for told in tuple(self.game.decide(self.truth, command, self.chance)):
            self.hear(told)

    def hear(self, told: Told) -> None:
        """Follow what has happened; a line can also follow what others hear of it."""
        self.truth = self.game.fold(self.truth, told.event)

    @property
    def to_act(self) -> str | None:
        """Whose decision it is; nobody's once the game is over."""
        return next(iter(self.game.to_act(self.truth)), None)

    def play_until(self, done: Callable[[Self], bool]) -> None:
        """Let all seats go on as they would, until something is so or the game is over."""
        for _ in range(MOST_ACTS):
            seat = self.to_act
            if seat is None or done(self):
                return
            self.act(self.goes_on(seat))
