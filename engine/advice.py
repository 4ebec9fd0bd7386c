"""What a bot says about a decision: the acts that it has judged. Bots and the search both return it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from engine.game import Command


class Judged(Struct, frozen=True):
    """An act with the `chance`, from 0 to 1, that the player's side wins after it.

    `error` is the standard error of the difference from the best act; for the best act itself, it is that of its own
    chance. `line` is how the game could continue: up to `MOST_ACTS_AHEAD` acts (seat, command), which are acts of the
    same seat, or acts that everyone would see.
    """

    command: Command
    chance: float
    error: float
    line: tuple[tuple[str, Command], ...] = ()


MOST_ACTS_AHEAD: Final = 6


class Advice(Struct, frozen=True):
    """The acts that a bot has judged, best first.

    It is empty if the bot can't judge such a decision; otherwise it includes the act that was played.
    """

    judged: tuple[Judged, ...] = ()

    def of(self, command: Command) -> Judged:
        """Return the judgement of an act."""
        return next(it for it in self.judged if it.command == command)
