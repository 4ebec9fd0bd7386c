"""Notices that a person who plays alone has left, finished or given up, so that the table does not stay taken.

It ends nothing by itself: others may then take or free the seat, or start another game. Only a person without a PIN who
is alone at the table can have left: no one else is there to keep secrets from, and no one else would lose a game. Only
the loop's thread comes here, except to ask and to note.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.play.game import TableGame
from firmware_host.seats.claims import Claim

LEFT_AFTER = 5 * 60.0
"""Seconds without a sign of the person after which that person has left."""
LEFT_AFTER_PAUSED = 60 * 60.0
"""The same while the game is paused."""
CHECK_EVERY = 60.0
"""Seconds until the next check: a screen that closes wakes no one."""


class Absence:
    """Tracks the last sign of the only person: an open screen of the seat, or a request of that person's browser.

    Any visible page makes a request once a minute. `alone` returns the only person without a PIN, `watched` whether a
    screen of a seat is open, `play` the running or finished game on the table, and `clock` monotonic seconds.
    """

    def __init__(
        self,
        alone: Callable[[], Claim | None],
        watched: Callable[[str], bool],
        play: Callable[[], TableGame | None],
        clock: Callable[[], float],
    ) -> None:
        self._alone, self._watched, self._play, self._clock = alone, watched, play, clock
        self._who, self._sign, self._checked, self._limit = self._person(), clock(), clock(), LEFT_AFTER
        self._played: TableGame | None = None
        self._done = False

    def _person(self) -> tuple[str, str] | None:
        claim = self._alone()
        return None if claim is None else (claim.seat, claim.key)

    def check(self, paused: bool) -> None:
        """Check who is here; `paused` is whether the game is paused."""
        self._note_game()
        # If others sit down or leave, that is no sign of this person. The time while they sit there does not count as
        # absence.
        before, self._checked = self._checked, self._clock()
        if self._person() is None:
            self._sign += self._checked - before
        who, limit = self._person() or self._who, LEFT_AFTER_PAUSED if paused else LEFT_AFTER
        if who is not None and self._who is not None and who[1] == self._who[1] and self._has_left:
            self._who = who  # others can move the seat or pause the game, which is no sign of this person
            return
        # After sitting down, and after a pause, the whole time starts again.
        if who != self._who or limit < self._limit or (who is not None and self._watched(who[0])):
            self._sign = self._clock()
        self._who, self._limit = who, limit

    def _note_game(self) -> None:
        """Note which game this person played, and whether it has ended.

        A person who sat down later did not play it.
        """
        play, person = self._play(), self._person()
        same = self._who is not None and person is not None and self._who[1] == person[1]
        running = play is not None and not play.over
        self._played = play if running else self._played if same else None
        self._done = not running and ((same and self._done) or self._has_finished)

    @property
    def _has_finished(self) -> bool:
        # A game that cannot continue leaves the table without being put away: it waits for this person, too.
        if self._played is None:
            return False
        return self._played.was_put_away if (play := self._play()) is None else play.over

    def note(self, seat: str | None) -> None:
        """Note that a seat does something, from any thread. None stands for a button of the board."""
        who = self._who
        if who is not None and seat in (None, who[0]):
            self._sign = self._clock()

    @property
    def left_seat(self) -> str | None:
        """The seat whose person has left; None if no one has."""
        return self._known_seat if self._has_left else None

    @property
    def freeable_seat(self) -> str | None:
        """The seat whose person has left, or has finished or given up a game without starting another."""
        return self._known_seat if self._has_left or self._done or self._has_finished else None

    @property
    def _known_seat(self) -> str | None:
        return None if self._who is None or self._who != self._person() else self._who[0]

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
