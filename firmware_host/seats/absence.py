"""Notices that a person who plays alone has left, so that the table does not stay taken.

It ends nothing by itself: others may then take or free the seat, or start another game. Only a person without a PIN who
is alone at the table can have left: no one else is there to keep secrets from, and no one else would lose a game. Only
the loop's thread comes here, except to ask and to note.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.seats.claims import Claim

LEFT = 5 * 60.0
"""Seconds without a sign of the person after which that person has left."""
LEFT_PAUSED = 60 * 60.0
"""The same while the game is paused."""
CHECK_EVERY = 60.0
"""Seconds until the next check: a screen that closes wakes no one."""


class Absence:
    """Tracks the last sign of the only person: an open screen of the seat, or a request of that person's browser, which
    any visible page makes once a minute. `alone` returns the only person without a PIN, `watched` whether a screen of a
    seat is open, and `clock` monotonic seconds.
    """

    def __init__(
        self, alone: Callable[[], Claim | None], watched: Callable[[str], bool], clock: Callable[[], float]
    ) -> None:
        self._alone, self._watched, self._clock = alone, watched, clock
        self._who, self._sign, self._checked, self._limit = self._person(), clock(), clock(), LEFT

    def _person(self) -> tuple[str, str] | None:
        claim = self._alone()
        return None if claim is None else (claim.seat, claim.key)

    def check(self, paused: bool) -> None:
        """Check who is here; `paused` is whether the game is paused."""
        # Others who sit down or leave are no sign of this person. The time for which they sit there does not count.
        before, self._checked = self._checked, self._clock()
        if self._person() is None:
            self._sign += self._checked - before
        who, limit = self._person() or self._who, LEFT_PAUSED if paused else LEFT
        if who is not None and self._who is not None and who[1] == self._who[1] and self._has_left:
            self._who = who  # others can move the seat or pause the game; that brings no one back
            return
        # After sitting down, and after a pause, people have the whole time.
        if who != self._who or limit < self._limit or (who is not None and self._watched(who[0])):
            self._sign = self._clock()
        self._who, self._limit = who, limit

    def note(self, seat: str | None) -> None:
        """Note that a seat does something, in any thread; None for a button of the board."""
        who = self._who
        if who is not None and seat in (None, who[0]):
            self._sign = self._clock()

    @property
    def left_seat(self) -> str | None:
        """The seat whose person has left, if there is one."""
        if self._who is None or self._who != self._person():
            return None
        return self._who[0] if self._has_left else None

    @property
    def _has_left(self) -> bool:
        if self._who is None or self._watched(self._who[0]):
            return False
        return self._clock() - self._sign >= self._limit

    def due(self) -> float | None:
        """Return when to look again, in the clock's seconds; None if no one can leave."""
        if self._who is None:
            return None
        now, left = self._clock(), self._sign + self._limit
        return min(left, now + CHECK_EVERY) if left > now else now + CHECK_EVERY
