"""Notices that a person who plays alone has left, so that the table does not stay taken.

It ends nothing by itself: others may then free the seat or start another game. Only a person without a PIN who is alone
at the table can have left: no one else is there to keep secrets from, and no one else would lose a game. Only the
loop's thread comes here, except to ask.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from firmware_host.seats.claims import Claim

LEFT = 5 * 60.0
"""Seconds without a sign of the person after which that person has left."""
LEFT_PAUSED = 60 * 60.0
"""The same while the game is paused."""
AGAIN = 60.0
"""Seconds until it is looked again: a screen that closes wakes no one."""


class Absence:
    """How long the only person has been away. An open screen of the seat is a sign of the person, and so is everything
    that the seat does. `alone` returns the only person without a PIN, `watched` whether a screen of a seat is open,
    and `clock` monotonic seconds.
    """

    def __init__(
        self, alone: Callable[[], Claim | None], watched: Callable[[str], bool], clock: Callable[[], float]
    ) -> None:
        self._alone, self._watched, self._clock = alone, watched, clock
        self._who = self._person()
        self._here, self._acted, self._limit = clock(), -math.inf, LEFT

    def _person(self) -> tuple[str, str] | None:
        claim = self._alone()
        return None if claim is None else (claim.seat, claim.key)

    def look(self, paused: bool) -> None:
        """Look who is here; `paused` is whether the game is."""
        who, self._limit = self._person(), LEFT_PAUSED if paused else LEFT
        if who != self._who:
            self._who, self._acted = who, -math.inf
        elif who is None or not self._watched(who[0]):
            return
        self._here = self._clock()

    def note(self, seat: str | None = None) -> None:
        """Note that a seat does something; None for the person at the board."""
        # An open screen says as much, until it closes: then the person may continue on another device at once.
        if self._who is not None and seat in (None, self._who[0]) and not self._watched(self._who[0]):
            self._here = self._acted = self._clock()

    def away(self, seat: str) -> bool:
        """Return whether this is the seat of the only person, with no screen open, and no act without one lately."""
        claim = self._alone()
        mine = claim is not None and claim.seat == seat
        return mine and not self._watched(seat) and self._clock() - self._acted >= LEFT

    @property
    def left_seat(self) -> str | None:
        """The seat whose person has left, if there is one."""
        who = self._who
        left = who is not None and self._clock() - self._here >= self._limit and who == self._person()
        return who[0] if who is not None and left and self.away(who[0]) else None

    def due(self) -> float | None:
        """Return when to look again, in the clock's seconds; None if no one can leave."""
        if self._who is None:
            return None
        now, left = self._clock(), self._here + self._limit
        return min(left, now + AGAIN) if left > now else now + AGAIN
