"""The door of the house page: the house PIN, and the keys of those who have shown it. Safe to use from any thread.

Keys live as long as the daemon, and half a day at most; a changed PIN ends them all. The PIN's file is read at each
try, so that a PIN that was changed on the command line counts at once.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from engine.said import Said
from firmware_host.face import Asker, Slip
from firmware_host.house import pin as pins
from firmware_host.seats.lockout import Lockout
from firmware_host.seats.pins import same, worked

DOOR = "house"
HOURS = 12
GUESTS = 8
"""So many devices at once; the one that came first goes."""

log = logging.getLogger("firmware_host")


class Keeper:
    """Who may use the house page of the table whose state lies in `state`. `clock` gives monotonic seconds."""

    def __init__(self, state: Path, clock: Callable[[], float], lockout: Lockout) -> None:
        self._state, self._clock, self._lockout = state, clock, lockout
        self._guard = threading.Lock()
        self._keys: dict[str, float] = {}
        self._of = pins.read(state)

    def begin(self) -> str | None:
        """Make up a PIN where none is kept: the only moment when it can be told. Raises `OSError`."""
        if self._pin() is not None:
            return None
        found = pins.made_up()
        pins.write(self._state, found)
        return found

    def _pin(self) -> pins.Kept | None:
        """The PIN as it is kept now; whoever came in by another one is out."""
        found = pins.read(self._state)
        with self._guard:
            if found != self._of:
                self._of = found
                self._keys.clear()
        return found

    def enter(self, pin: str, asker: Asker) -> str:
        """A key for who knows the PIN. Raises `Slip`; wrong PINs make the asker wait."""
        self._prove(pin, asker)
        key = secrets.token_urlsafe(32)
        with self._guard:
            self._keys[_hash(key)] = self._clock() + HOURS * 3600
            while len(self._keys) > GUESTS:
                del self._keys[next(iter(self._keys))]
        return key

    def _prove(self, pin: str, asker: Asker) -> None:
        kept = self._pin()
        if kept is None:
            raise Slip(
                "not-now", Said("No house PIN was chosen yet. On the table's machine, run: sniperboard house pin")
            )
        self._lockout.attempt(DOOR, asker.address)
        if not same(worked(pin, [kept.salt]), kept.salt, kept.pin):
            log.warning("A wrong house PIN was tried.")
            raise Slip("wrong-pin", Said("That is not the PIN of this house."))
        self._lockout.opened(DOOR, asker.address)

    def holds(self, key: str) -> bool:
        """Whether this key opens the house page (still)."""
        if not key:
            return False
        self._pin()
        with self._guard:
            return self._keys.get(_hash(key), -1.0) > self._clock()

    def need(self, asker: Asker) -> None:
        """Raises `Slip` for whoever has not shown the PIN."""
        if not self.holds(asker.house):
            raise Slip("no-house", Said("The house page wants the house PIN."))

    def leave(self, asker: Asker) -> None:
        """This key opens nothing any more."""
        with self._guard:
            self._keys.pop(_hash(asker.house), None)

    def change(self, old: str, new: str, asker: Asker) -> str:
        """Another PIN from now on; everybody else is out. The asker's new key. Raises `Slip`."""
        self.need(asker)
        pins.fits(new)
        self._prove(old, asker)
        try:
            pins.write(self._state, new)
        except OSError as error:
            raise Slip(
                "not-now", Said("The PIN cannot be kept ({why}); the old one stays.", why=str(error.strerror))
            ) from error
        log.info("The house PIN was changed.")
        return self.enter(new, asker)


def _hash(key: str) -> str:
    """Keys are compared by their hashes: what is looked up in a table by its hash tells no time."""
    return hashlib.sha256(key.encode()).hexdigest()
