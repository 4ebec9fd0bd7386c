"""A simulated line of play: one possible truth, and how the game continues from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, Self

from engine.chance import Chance
from engine.events import Told
from engine.game import Command, Game, decided

MOST_ACTS: Final = 150  # The longest line. A game that goes on longer has stopped making progress.


class Line(ABC):
    """One way that a game may continue. `truth` is a picture without unknowns; all randomness comes from `chance`.

    Pictures are replaced, never changed, so that many lines can start from the same one. A game's bot defines how
    seats act, and then plays a line to its end::

        line = GreedyLine(game, truth, Chance(Random(number)))
        line.play_until(lambda line: line.truth.round > 3)
    """

    __slots__ = ("chance", "game", "truth")

    def __init__(self, game: Game, truth: Any, chance: Chance) -> None:
        self.game, self.truth, self.chance = game, truth, chance

    @abstractmethod
    def next_command(self, seat: str) -> Command:
        """Return the command that a seat would give now."""

    def act(self, command: Command, seat: str = "") -> None:
        """Carry out a legal command of `seat`; left out, of the seat that is to act."""
        # All events first: deciding reads the truth, which folding replaces.
        for told in tuple(decided(self.game, self.truth, seat or str(self.to_act), command, self.chance)):
            self.apply(told)

    def apply(self, told: Told) -> None:
        """Fold an event into the truth. Override it to also follow what other viewers are told."""
        self.truth = self.game.fold(self.truth, told.event)

    @property
    def to_act(self) -> str | None:
        """The seat that has a decision to make; None once the game is over."""
        return next(iter(self.game.to_act(self.truth)), None)

    def play_until(self, done: Callable[[Self], bool]) -> None:
        """Let all seats act until `done` returns True or the game is over."""
        for _ in range(MOST_ACTS):
            seat = self.to_act
            if seat is None or done(self):
                return
            self.act(self.next_command(seat), seat)
