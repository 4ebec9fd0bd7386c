"""Advice of a bot about a decision: the acts that it has judged. Bots give it, and the search produces it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from engine.game import Command


class Judged(Struct, frozen=True):
    """An act as a bot judges it: the `chance`, from 0 to 1, that the side of its seat wins after it.

    `error` is the standard error of the difference from the best act; for the best act, of its own chance. `line` is
    how the game could continue: up to `MOST_ACTS_AHEAD` acts (seat, command), each of the seat itself or one that
    everyone would see.
    """

    command: Command
    chance: float
    error: float
    line: tuple[tuple[str, Command], ...] = ()


MOST_ACTS_AHEAD: Final = 6


class Advice(Struct, frozen=True):
    """The acts that a bot has judged, best first. It is empty if the bot can't judge such a decision; otherwise the act
    that was played is among them.
    """

    judged: tuple[Judged, ...] = ()

    def of(self, command: Command) -> Judged:
        """Return what was judged of an act."""
        return next(it for it in self.judged if it.command == command)
