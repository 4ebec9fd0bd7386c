"""Frees the seat of a person who played alone and has left, so that the table does not stay taken.

Only the loop's thread comes here. A person is here while a screen of their seat is open. Only a person without a PIN
who is alone at the table can have left: no one else is there to keep secrets from, and no one else would lose a game.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.seats.claims import Claim

LEFT = 5 * 60.0
"""Seconds without an open screen after which anyone may free the seat."""
FINISHED = 10 * 60.0
"""Seconds after which the seat of a finished game is freed."""
ABANDONED = 60 * 60.0
"""Seconds after which a game that waits for the person is ended."""
AGAIN = 60.0
"""Seconds until it is tried again, if the disk refuses."""


class Absence:
    """How long the only person has been away. `watched` returns whether a screen of a seat is open."""

    def __init__(self, watched: Callable[[str], bool]) -> None:
        self._watched = watched
        self._who: tuple[str, str] | None = None
        self._since = self._now = 0.0
        self._limit = ABANDONED

    def check(self, alone: Claim | None, over: bool, now: float) -> bool:
        """Check who is here. Return whether the seat is to be freed now. `alone` is the only person without a PIN."""
        who = None if alone is None else (alone.seat, alone.key)
        if who != self._who or who is None or self._watched(who[0]):
            self._who, self._since = who, now
        self._now, self._limit = now, FINISHED if over else ABANDONED
        return who is not None and now - self._since >= self._limit

    def postpone(self) -> None:
        """Try again later."""
        self._since = self._now - self._limit + AGAIN

    def due(self) -> float | None:
        """Return when to look again, in the clock's seconds; None if no one can leave."""
        if self._who is None:
            return None
        # A screen that closes wakes no one, so look now and then.
        waits = [self._since + limit for limit in (LEFT, self._limit) if self._since + limit > self._now]
        return min([*waits, self._now + AGAIN])

    @property
    def left_seat(self) -> str | None:
        """The seat whose person has left, if there is one."""
        return self._who[0] if self._who is not None and self._now - self._since >= LEFT else None
