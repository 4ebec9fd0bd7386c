"""A bot in play that thinks in a process of its own: it is asked, and the loop comes back for the answer."""

from __future__ import annotations

from engine.game import Command
from firmware_host.play.game import TableGame
from firmware_host.seats.minds import Mind, MindLost

STARTING, PATIENCE = 30.0, 10.0
"""Seconds that a bot may take beyond its time: for its first act, as its process starts, and for any other."""


class MindPlayer:
    """A bot at one seat of one game that thinks in a process of its own."""

    def __init__(self, mind: Mind, seat: str) -> None:
        self._mind, self._seat, self._heard, self._asked = mind, seat, 0, -1
        self._limit, self._patience = 0.0, STARTING

    def ask(self, play: TableGame, seconds: float, now: float) -> Command | None:
        """What it wants to do now; None while it thinks about that, for `seconds` from when it is asked first. Raises
        `MindLost`, also where it takes far longer.
        """
        told = play.referee.told[self._seat]
        if self._asked < 0:
            self._mind.ask(told[self._heard :], seconds)
            self._heard = self._asked = len(told)
            self._limit = now + seconds + self._patience
            return None
        found = self._mind.answer()
        if found is None:
            if now > self._limit:
                raise MindLost("it thinks too long")
            return None
        fresh, self._asked, self._patience = self._asked == len(told), -1, PATIENCE
        return play.game.read_command(self._seat, found) if fresh else None

    def leave(self) -> None:
        """It is not asked any more."""
        self._mind.close()
