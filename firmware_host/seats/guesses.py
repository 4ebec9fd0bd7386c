"""Counts attempts with the PINs of seats, in the journal. `lockout.py` defines the budgets of attempts.

A PIN's budget for strangers has the name of its salt, so it stays when people move to other seats with their PINs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records.journal import CannotWrite, Journal
from firmware_host.seats.claims import Claim, Claims, SeatRequest
from firmware_host.seats.lockout import Lockout, LockoutState

GUESSES_KEY = "guesses"
"""The journal's key for wrong PINs."""
WRONG_OWN = Text("That is not the PIN with which this device sat there. Other PINs of this seat can be tried later.")


class PinAttempt(Struct, frozen=True):
    """An attempt at a `door`, counted on `budgets`.

    The PIN is hashed with all `salts`, but can only open claims with a salt in `among`.
    """

    door: str
    salts: tuple[str, ...]
    among: tuple[str, ...]
    budgets: tuple[str, ...]


class Guesses:
    """The attempts at all seats of a table. `clock` returns monotonic seconds. For the table's loop only."""

    def __init__(self, claims: Claims, journal: Journal, clock: Callable[[], float]) -> None:
        self._claims, self._journal = claims, journal
        stored = msgspec.convert(journal.stored_value(GUESSES_KEY) or {}, LockoutState)
        self.lockout = Lockout(clock, stored, self._save)

    def _save(self, state: LockoutState) -> None:
        self._journal.store_value(GUESSES_KEY, msgspec.to_builtins(state))

    def check(self, request: SeatRequest, keys: Sequence[str]) -> None:
        """Raise `UserError` if a PIN would not be checked now: the request cannot be granted, or the attempt has to
        wait. Counts nothing; any thread may ask.
        """
        self._claims.check(request)
        if salts := tuple(self._claims.salts(request.seat)):
            self.lockout.check(self._salts_and_budgets(request.seat, salts, keys)[1])

    def count_attempt(self, request: SeatRequest, keys: Sequence[str]) -> PinAttempt:
        """Count an attempt by a device with these keys, and store the count. Raises `UserError`, and counts nothing, if
        the request cannot be granted, the attempt has to wait, or the seat has no PIN.
        """
        self._claims.check(request)
        seat = request.seat
        salts = tuple(self._claims.salts(seat))
        # No PIN can be right there, so there is nothing to count.
        if not salts:
            raise request.wrong_pin
        attempt = PinAttempt(self._door(seat), salts, *self._salts_and_budgets(seat, salts, keys))
        self.lockout.count_attempt(attempt.door, attempt.budgets)
        return attempt

    def _door(self, seat: str) -> str:
        """Return the name under which wrong PINs at a seat are reported; empty if it has no PIN."""
        return next(iter(self._claims.salts(seat)), "")

    def unseen(self, seat: str) -> int:
        """Return how many wrong PINs were tried at a seat and not acknowledged."""
        return self.lockout.unseen(self._door(seat))

    def acknowledge(self, seat: str, number: int) -> None:
        """Mark the first `number` reports of a seat as seen. Raises `CannotWrite`, and then nothing has changed."""
        self.lockout.acknowledge(self._door(seat), number)

    def _salts_and_budgets(
        self, seat: str, salts: tuple[str, ...], keys: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the salts that the PIN may have, and the budgets on which the attempt counts.

        A device that has sat at the seat has its own budget, for the PIN that it had there. If the seat has other PINs
        too, the attempt counts on both budgets; once the budget of strangers is used up, the attempt is for the
        device's PIN only.
        """
        proven = self._claims.proven_key(seat, keys)
        if proven is None:
            return salts, salts
        own, salt = proven
        if salts == (salt,):
            return salts, (own,)
        return (salts, (own, *salts)) if max(map(self.lockout.seconds_to_wait, salts)) <= 0 else ((salt,), (own,))

    @contextmanager
    def settling(self, request: SeatRequest, attempt: PinAttempt) -> Iterator[None]:
        """Run the `with` block, which checks the PIN.

        If the block raises `UserError` for a wrong PIN, the attempt stays counted; in any other case, it is withdrawn.
        """
        try:
            yield
        # An interrupted attempt also reveals nothing about the PIN.
        except BaseException as error:
            if not isinstance(error, UserError) or error.code != request.wrong_pin.code:
                self.withdraw(attempt)
                raise
            self.lockout.report_wrong(attempt.door)
            # Only the device's own PIN could have been right, so the sentence says that.
            raise UserError(error.code, WRONG_OWN) if attempt.among != attempt.salts else error from None
        self.withdraw(attempt)

    def withdraw(self, attempt: PinAttempt) -> None:
        """Withdraw an attempt. If that cannot be stored, it counts again after a restart."""
        with suppress(CannotWrite):
            self.lockout.right(attempt.door, attempt.budgets)

    def forget(self, claims: Iterable[Claim]) -> None:
        """Forget the budgets of PINs and devices that neither have nor had a claim among these.

        If that cannot be stored, they exist again after a restart.
        """
        salts = {claim.salt for claim in claims if claim.pin}
        if self.lockout.keep_only(salts, salts.union(*(claim.keys for claim in claims))):
            with suppress(CannotWrite):
                self._save(self.lockout.state_to_store)
