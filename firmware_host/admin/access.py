"""Who may use the admin page: checks the admin PIN, and gives keys to devices that know it. Thread-safe.

A key is valid for half a day, until the daemon ends or the PIN changes. The PIN's file is read at each attempt, so that
a PIN that was changed on the command line takes effect at once. Wrong PINs are counted as in `lockout.py`: a device
that has held a key for this PIN has its own budget. A command by MQTT has no address and may come from anyone, so its
wrong PINs count with those of strangers, whatever key it has.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from engine.text import Text
from firmware_host.admin import pin as pins
from firmware_host.admin.pin import BUDGET_NAME
from firmware_host.core.errors import UserError
from firmware_host.seats import lockout
from firmware_host.seats.claims import hash_key
from firmware_host.seats.identity import Requester
from firmware_host.seats.lockout import Lockout
from firmware_host.seats.pins import QUEUE, hash_in_turn, is_stored_pin

KEY_HOURS = 12
MOST_KEYS = 8
"""Devices with a key at the same time. The oldest key is dropped."""
MOST_BUDGETS = 16
"""Maximum number of keys, valid or not, whose devices have their own budget of attempts; the newest count."""

T = TypeVar("T")

log = logging.getLogger("firmware_host")


class AdminAccess:
    """Access to the admin page of the table with this state folder. `clock` returns monotonic seconds."""

    def __init__(self, state: Path, clock: Callable[[], float]) -> None:
        self._state, self._clock = state, clock
        self._guard, self._first = threading.Lock(), threading.Lock()
        self._renamed: dict[str, str] = {}
        self._use_pin(pins.read_pin(state))

    def _use_pin(self, of: pins.StoredPin | None) -> None:
        """Accept this PIN from now on, and drop the keys of any other."""
        self._of, self._keys = of, dict[str, float]()
        tried = pins.PinAttempts("") if of is None else pins.read_attempts(self._state, of.salt)
        self._given = tried.keys
        self._lockout = Lockout(self._clock, tried.tries, self._save)

    def _save(self, tries: lockout.LockoutState) -> None:
        salt = "" if self._of is None else self._of.salt
        try:
            pins.write_attempts(self._state, pins.PinAttempts(salt, tries, self._given))
        except OSError as error:
            words = Text("PINs cannot be checked while wrong ones cannot be stored ({why}).")
            raise _not_stored(words, error) from error

    def make_pin(self) -> str | None:
        """Generate, store and return a PIN if there is none. It cannot be read again later. Raises `OSError`."""
        if self._pin() is not None:
            return None
        pin = pins.random_pin()
        pins.write_pin(self._state, pin)
        return pin

    @property
    def has_pin(self) -> bool:
        """Whether there is a PIN."""
        return self._pin() is not None

    def choose_first(self, pin: str, requester: Requester) -> str:
        """Choose the PIN if there is none. Return the requester's key. Raises `UserError` if there is one."""
        pins.check_length(pin)
        # Of two devices that try at the same time, only one chooses the PIN.
        with self._first:
            if self.has_pin:
                raise UserError("not-now", Text("An admin PIN has already been chosen. Enter that one."))
            try:
                pins.write_pin(self._state, pin, first=True)
            except FileExistsError:
                words = Text("The file with the admin PIN cannot be read. It was not changed.")
                raise UserError("not-now", words) from None
            except OSError as error:
                raise _not_stored(Text("The PIN cannot be stored ({why})."), error) from error
        log.info("The admin PIN was chosen.")
        return self._key_of_chooser(requester)

    def _pin(self) -> pins.StoredPin | None:
        stored = pins.read_pin(self._state)
        with self._guard:
            # The file has changed: here, or by the command line.
            if stored != self._of:
                self._use_pin(stored)
        return stored

    def sign_in(self, pin: str, requester: Requester) -> str:
        """Check the PIN and return a key: the requester's own if it is still valid. Raises `UserError`; after some
        wrong PINs the next attempt has to wait.
        """
        return self._with_pin(pin, requester, lambda: self._renewed_key(requester))

    def _renewed_key(self, requester: Requester) -> str:
        """Return the requester's own key, prolonged, if it is valid; else a new key."""
        own_key = requester.admin_key
        if own_key and self._keys.get(hash_key(own_key), -1.0) > self._clock():
            self._keys[hash_key(own_key)] = self._clock() + KEY_HOURS * 3600
            return own_key
        key = secrets.token_urlsafe(32)
        self._keys[hash_key(key)] = self._clock() + KEY_HOURS * 3600
        while len(self._keys) > MOST_KEYS:
            # The dict keeps the order of insertion, so the first key is the oldest.
            del self._keys[next(iter(self._keys))]
        # A command by MQTT has no address, and gets no budget of its own.
        if requester.address:
            self._given = (*self._given, hash_key(key))[-MOST_BUDGETS:]
            self._lockout.keep_only((BUDGET_NAME,), (BUDGET_NAME, *self._given))
        return key

    def _with_pin(self, pin: str, requester: Requester, do: Callable[[], T]) -> T:
        """Call `do` if the PIN is right. The attempt counts as wrong before the PIN is hashed. Raises `UserError`."""
        stored = self._pin()
        if stored is None:
            raise UserError(
                "not-now", Text("There is no admin PIN yet. On the table's machine, run: sniperboard admin pin")
            )
        pins.check_length(pin)
        with QUEUE.next():
            with self._guard:
                tries, own = self._lockout, hash_key(requester.admin_key)
                budget = own if own in self._given else BUDGET_NAME
                tries.count_attempt(BUDGET_NAME, [budget])
            try:
                slow = hash_in_turn(pin, [stored.salt])
            except UserError:
                self._give_back(tries, budget)
                raise
        # Another process may have changed the PIN while this one was hashed.
        right, now = is_stored_pin(slow, stored.salt, stored.pin), self._pin()
        with self._guard:
            if right and now == stored == self._of:
                result = do()
            else:
                tries.report_wrong(BUDGET_NAME)
                log.warning("A wrong admin PIN was tried.")
                raise UserError("wrong-pin", Text("That is not the admin PIN."))
        self._give_back(tries, budget)
        return result

    def _give_back(self, tries: Lockout, budget: str) -> None:
        """Withdraw an attempt, unless the PIN has changed. If that is not stored, it counts again after a restart."""
        with self._guard, suppress(UserError):
            if tries is self._lockout:
                tries.right(BUDGET_NAME, [budget])

    @property
    def wrong_pins(self) -> int:
        """The number of wrong PINs since the PIN was chosen."""
        with self._guard:
            return self._lockout.unseen(BUDGET_NAME)

    def is_valid(self, key: str) -> bool:
        """Return whether this key opens the admin page, after reading the PIN again."""
        if key:
            self._pin()
        return self.has_given(key)

    def has_given(self, key: str) -> bool:
        """Return whether this key was valid when the PIN was last read. Unlike `is_valid`, this never waits: a
        request's lane must not depend on the disk.
        """
        return bool(key) and self._keys.get(hash_key(key), -1.0) > self._clock()

    def check(self, requester: Requester) -> None:
        """Raise `UserError` if the requester has no valid key."""
        if not self.is_valid(requester.admin_key):
            raise UserError("no-house", Text("Enter the admin PIN to open the table settings."))

    def key_id(self, requester: Requester) -> str:
        """Return an identifier for this requester while its key is valid. Raises `UserError` as `check` does."""
        self.check(requester)
        key = hash_key(requester.admin_key)
        # The device that changed the PIN has a new key, and stays the same device.
        return self._renamed.get(key, key)

    def sign_out(self, requester: Requester) -> None:
        """Drop the requester's key."""
        with self._guard:
            self._keys.pop(hash_key(requester.admin_key), None)

    def change_pin(self, old: str, new: str, requester: Requester) -> str:
        """Change the PIN, drop all keys, and return a new key for the requester. Raises `UserError`."""
        who = self.key_id(requester)
        pins.check_length(new)
        self._with_pin(old, requester, lambda: None)
        try:
            pins.write_pin(self._state, new)
        except OSError as error:
            raise _not_stored(Text("The PIN cannot be stored ({why}). The old one is unchanged."), error) from error
        log.info("The admin PIN was changed.")
        key = self._key_of_chooser(requester)
        self._renamed = {hash_key(key): who}  # all other keys are gone
        return key

    def _key_of_chooser(self, requester: Requester) -> str:
        """Return a key for someone who has just set the PIN. Nothing below refuses: the new PIN is valid already."""
        self._pin()
        with self._guard:
            key = self._renewed_key(requester)
            with suppress(UserError):  # after a restart, its wrong PINs count with those of strangers
                self._save(self._lockout.state_to_store)
            return key


def _not_stored(words: Text, error: OSError) -> UserError:
    return UserError("not-now", words.with_(why=str(error.strerror)))
