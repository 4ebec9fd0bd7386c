"""Who may use the admin page: its PIN, and the keys of those who have shown it. Safe to use from any thread.

Keys live as long as the daemon, and half a day at most; a changed PIN ends them all. The PIN's file is read at each
try, so that a PIN that was changed on the command line counts at once. Wrong PINs are counted as `lockout.py` says: a
device that has held a key of this PIN has a budget of its own. A requester without an address is no device: a
command by MQTT may come from anybody, so its wrong PINs count with those of strangers, whatever key it brings.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from engine.text import Text
from firmware_host.admin import pin as pins
from firmware_host.admin.pin import LOCK
from firmware_host.core.errors import UserError
from firmware_host.seats import lockout
from firmware_host.seats.identity import Requester
from firmware_host.seats.lockout import Lockout
from firmware_host.seats.pins import place, same

HOURS = 12
GUESTS = 8
"""So many devices at once; the one that came first goes."""
KNOWN = 16
"""So many of the newest keys are known to have been given, whether they open anything or not."""

T = TypeVar("T")

log = logging.getLogger("firmware_host")


class AdminAccess:
    """Who may use the admin page of the table whose state lies in `state`. `clock` gives monotonic seconds."""

    def __init__(self, state: Path, clock: Callable[[], float]) -> None:
        self._state, self._clock = state, clock
        self._guard, self._first = threading.Lock(), threading.Lock()
        self._turn_to(pins.read(state))

    def _turn_to(self, of: pins.StoredPin | None) -> None:
        """Accept this PIN from now on; the keys of any other are not valid any more."""
        self._of, self._keys = of, dict[str, float]()
        tried = pins.PinAttempts("") if of is None else pins.read_tries(self._state, of.salt)
        self._given = tried.keys
        self._lockout = Lockout(self._clock, tried.tries, self._save)

    def _save(self, tries: lockout.LockoutState) -> None:
        """Raises `UserError` where nothing can be written."""
        salt = "" if self._of is None else self._of.salt
        try:
            pins.write_tries(self._state, pins.PinAttempts(salt, tries, self._given))
        except OSError as error:
            raise UserError(
                "not-now",
                Text("No PIN is looked at while wrong ones cannot be counted ({why}).", why=str(error.strerror)),
            ) from error

    def make_pin(self) -> str | None:
        """Make up a PIN where none is kept: the only moment when it can be told. Raises `OSError`."""
        if self._pin() is not None:
            return None
        found = pins.made_up()
        pins.write(self._state, found)
        return found

    @property
    def has_pin(self) -> bool:
        """Whether a PIN was chosen."""
        return self._pin() is not None

    def choose_first(self, pin: str, requester: Requester) -> str:
        """Choose the PIN where none is kept; the requester's key. Raises `UserError`: whoever comes second shows it."""
        pins.fits(pin)
        with self._first:
            if self.has_pin:
                raise UserError("not-now", Text("Somebody has chosen a house PIN already. Show that one."))
            try:
                pins.write(self._state, pin, first=True)
            except FileExistsError:
                raise UserError(
                    "not-now", Text("The file of the house PIN cannot be read, and stays as it is.")
                ) from None
            except OSError as error:
                raise UserError("not-now", Text("The PIN cannot be kept ({why}).", why=str(error.strerror))) from error
        log.info("The house PIN was chosen.")
        return self.sign_in(pin, requester)

    def _pin(self) -> pins.StoredPin | None:
        """The PIN as it is kept now."""
        found = pins.read(self._state)
        with self._guard:
            if found != self._of:
                self._turn_to(found)
        return found

    def sign_in(self, pin: str, requester: Requester) -> str:
        """A key for who knows the PIN: the requester's own, if that is valid still. Raises `UserError`; after some
        wrong PINs the next try has to wait.
        """
        return self._proved(pin, requester, lambda: self._key(requester))

    def _key(self, requester: Requester) -> str:
        """The requester's own for as long as a new key, if it is valid; else a new key."""
        held = requester.admin_key
        if held and self._keys.get(_hash(held), -1.0) > self._clock():
            self._keys[_hash(held)] = self._clock() + HOURS * 3600
            return held
        key = secrets.token_urlsafe(32)
        self._keys[_hash(key)] = self._clock() + HOURS * 3600
        while len(self._keys) > GUESTS:
            del self._keys[next(iter(self._keys))]
        if requester.address:
            self._given = (*self._given, _hash(key))[-KNOWN:]
            self._lockout.keep_only((LOCK,), (LOCK, *self._given))
        return key

    def _proved(self, pin: str, requester: Requester, do: Callable[[], T]) -> T:
        """Do something for who knows the PIN. A try counts as wrong before it is worked out. Raises `UserError`."""
        kept = self._pin()
        if kept is None:
            raise UserError(
                "not-now", Text("No house PIN was chosen yet. On the table's machine, run: sniperboard house pin")
            )
        pins.fits(pin)
        with place() as work:
            with self._guard:
                tries, own = self._lockout, _hash(requester.admin_key)
                budget = own if own in self._given else LOCK
                tries.attempt(LOCK, [budget])
            try:
                slow = work(pin, [kept.salt])
            except UserError:
                self._give_back(tries, budget)
                raise
        right, now = same(slow, kept.salt, kept.pin), self._pin()
        with self._guard:
            if right and now == kept == self._of:
                found = do()
            else:
                tries.wrong(LOCK)
                log.warning("A wrong house PIN was tried.")
                raise UserError("wrong-pin", Text("That is not the PIN of this house."))
        self._give_back(tries, budget)
        return found

    def _give_back(self, tries: Lockout, budget: str) -> None:
        """If that cannot be written, the try counts again after a restart. Those of a PIN that was changed are gone."""
        with self._guard, suppress(UserError):
            if tries is self._lockout:
                tries.right(LOCK, [budget])

    @property
    def wrong_pins(self) -> int:
        """How many wrong PINs were tried since the PIN was chosen, as many as are counted."""
        with self._guard:
            return self._lockout.unseen(LOCK)

    def is_valid(self, key: str) -> bool:
        """Whether this key opens the admin page (still)."""
        if not key:
            return False
        self._pin()
        with self._guard:
            return self._keys.get(_hash(key), -1.0) > self._clock()

    def has_given(self, key: str) -> bool:
        """Return whether this key opened the admin page when the PIN was last read. It never waits, unlike `is_valid`:
        which lane a request belongs to must not depend on the disk.
        """
        return bool(key) and self._keys.get(_hash(key), -1.0) > self._clock()

    def check(self, requester: Requester) -> None:
        """Raises `UserError` for whoever has not shown the PIN."""
        if not self.is_valid(requester.admin_key):
            raise UserError("no-house", Text("The house page wants the house PIN."))

    def who(self, requester: Requester) -> str:
        """What tells this requester from others as long as its key is valid. Raises `UserError` as `check` does."""
        self.check(requester)
        return _hash(requester.admin_key)

    def sign_out(self, requester: Requester) -> None:
        """This key opens nothing any more."""
        with self._guard:
            self._keys.pop(_hash(requester.admin_key), None)

    def change_pin(self, old: str, new: str, requester: Requester) -> str:
        """Another PIN from now on; everybody else is out. The requester's new key. Raises `UserError`."""
        self.check(requester)
        pins.fits(new)
        self._proved(old, requester, lambda: None)
        try:
            pins.write(self._state, new)
        except OSError as error:
            raise UserError(
                "not-now", Text("The PIN cannot be kept ({why}); the old one stays.", why=str(error.strerror))
            ) from error
        log.info("The house PIN was changed.")
        return self.sign_in(new, requester)


def _hash(key: str) -> str:
    """Keys are compared by their hashes: what is looked up in a table by its hash tells no time."""
    return hashlib.sha256(key.encode()).hexdigest()
