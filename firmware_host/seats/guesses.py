"""Who tries which seat's PIN on whose budget, kept in the journal. What a budget is stands in `lockout.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records.journal import CannotWrite, Journal
from firmware_host.seats.claims import Claims, SeatRequest
from firmware_host.seats.lockout import Lockout, LockoutState

KEPT = "guesses"
"""What the journal keeps wrong PINs under."""
WRONG_OWN = Text("That is not the PIN with which this device sat there. Other PINs of this seat can be tried later.")


class PinAttempt(Struct, frozen=True):
    """A try that was counted. Its PIN is to be worked out for all `salts`, and opens what has one of those in `among`;
    `budgets` are those that it was counted in.
    """

    seat: str
    salts: tuple[str, ...]
    among: tuple[str, ...]
    budgets: tuple[str, ...]


class Guesses:
    """The tries at all seats of a table. `clock` gives monotonic seconds; only the table's loop comes here."""

    def __init__(self, claims: Claims, journal: Journal, clock: Callable[[], float]) -> None:
        self._claims, self._journal = claims, journal
        kept = msgspec.convert(journal.kept(KEPT) or {}, LockoutState)
        self._lockout = Lockout(clock, kept, self._save)
        self.forget()

    def _save(self, kept: LockoutState) -> None:
        self._journal.keep(KEPT, msgspec.to_builtins(kept))

    def check(self, wish: SeatRequest, keys: Sequence[str]) -> None:
        """Whether a try would be listened to now; nothing is counted. Any thread may ask. Raises `UserError`."""
        if salts := tuple(self._claims.salts(wish.seat)):
            self._lockout.check(self._budget(wish.seat, salts, keys)[1])

    def attempt(self, wish: SeatRequest, keys: Sequence[str]) -> PinAttempt:
        """Count a try by a device with these keys; it is saved when this returns. Raises `UserError` where nobody
        listens to it, and where the seat has no PIN at all.
        """
        seat = wish.seat
        salts = tuple(self._claims.salts(seat))
        if not salts:
            raise wish.wrong
        attempt = PinAttempt(seat, salts, *self._budget(seat, salts, keys))
        self._lockout.attempt(seat, attempt.budgets)
        return attempt

    def _budget(
        self, seat: str, salts: tuple[str, ...], keys: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Among which salts the PIN may be, and on which budgets it is tried.

        A device's own budget is for the PIN that it has sat there with. Where the seat has other PINs too, a try goes
        on both budgets; while strangers have used up theirs, it is for that PIN alone.
        """
        held = self._claims.held(seat, keys)
        if held is None:
            return salts, (seat,)
        own, salt = held
        if salts == (salt,):
            return salts, (own,)
        return (salts, (own, seat)) if self._lockout.wait(seat) <= 0 else ((salt,), (own,))

    @contextmanager
    def settling(self, wish: SeatRequest, attempt: PinAttempt) -> Iterator[None]:
        """Look whether the PIN is right: a `UserError` that says that it is wrong leaves the try counted, anything else
        gives it back.
        """
        try:
            yield
        except UserError as slip:
            if slip.code != wish.wrong.code:
                self.withdraw(attempt)
                raise
            self._lockout.wrong(attempt.seat)
            raise UserError(slip.code, WRONG_OWN) if attempt.among != attempt.salts else slip from None
        except BaseException:
            self.withdraw(attempt)
            raise
        self.withdraw(attempt)

    def withdraw(self, attempt: PinAttempt) -> None:
        """Give a try back. If that cannot be written, it counts again after a restart."""
        with suppress(CannotWrite):
            self._lockout.right(attempt.seat, attempt.budgets)

    def forget(self) -> None:
        """Who sits where has changed: seats without a PIN, and devices that hold and held nothing, have no budgets. If
        that cannot be written, they have them again after a restart.
        """
        seats = {claim.seat for claim in self._claims.all if claim.pin}
        if self._lockout.keep_only(seats, seats | self._claims.key_hashes):
            with suppress(CannotWrite):
                self._save(self._lockout.kept)

    def told(self, seat: str) -> int:
        """How many wrong PINs were tried at a seat that nobody there has acknowledged."""
        return self._lockout.told(seat)

    def acknowledge(self, seat: str, number: int) -> None:
        """Somebody who sits there has seen so many of them. Raises `CannotWrite`."""
        self._lockout.acknowledge(seat, number)
