"""The admin PIN, stored as a slow hash in its own file. `sniperboard admin pin` can change it at any time.

Wrong PINs are counted in another file, together with the salt of the PIN: a new PIN starts with no wrong ones.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records.state_folder import write_private
from firmware_host.seats.lockout import FREE_TRIES, LockoutState
from firmware_host.seats.pins import hashed, new_salt
from hardware.files import read_json

FILE = "house-pin.json"
TRIES = "house-pin-tries.json"
BUDGET_NAME = "house"
"""Name of the admin page in the file of attempts, and of the budget that all strangers share."""
SHORTEST, LONGEST = 6, 64
BIGGEST_FILE = 8192


class StoredPin(Struct, frozen=True, forbid_unknown_fields=True):
    """The PIN's hash and its salt, both as hexadecimal digits."""

    salt: str
    pin: str


class PinAttempts(Struct, frozen=True, forbid_unknown_fields=True):
    """The failed attempts with the PIN of this salt.

    `keys` are hashes of the keys that devices got for the PIN, the newest last.
    """

    salt: str
    tries: LockoutState = LockoutState()
    keys: tuple[str, ...] = ()


def random_pin() -> str:
    """Return a random PIN of six digits."""
    return f"{secrets.randbelow(10**SHORTEST):0{SHORTEST}}"


def check_length(pin: str) -> None:
    """Raise `UserError` if the PIN is too short or too long."""
    if not SHORTEST <= len(pin) <= LONGEST:
        words = Text("An admin PIN has {shortest} to {longest} characters.")
        raise UserError("not-understood", words.with_(shortest=SHORTEST, longest=LONGEST))


def read_pin(state: Path) -> StoredPin | None:
    """Return the stored PIN; None if there is none, or none that can be read. Then any PIN is wrong."""
    try:
        pin = read_json(state / FILE, StoredPin, BIGGEST_FILE)
        # A damaged salt fails here, not later when a PIN is hashed with it.
        bytes.fromhex(pin.salt)
    except (OSError, ValueError):
        return None
    return pin


def read_attempts(state: Path, salt: str) -> PinAttempts:
    """Return the attempts with the PIN of this salt. If they cannot be read, no free attempt is left."""
    try:
        attempts = read_json(state / TRIES, PinAttempts, BIGGEST_FILE)
    except FileNotFoundError:
        return PinAttempts(salt)
    except (OSError, ValueError):
        return PinAttempts(salt, LockoutState({BUDGET_NAME: FREE_TRIES}))
    return attempts if attempts.salt == salt else PinAttempts(salt)


def write_pin(state: Path, pin: str, *, first: bool = False) -> None:
    """Store a PIN, readable for the state folder's owner only.

    Raises `OSError`, and, for a `first` PIN, `FileExistsError` if there is already a file, even an unreadable one.
    """
    # A broken link is a file too.
    if first and os.path.lexists(state / FILE):
        raise FileExistsError(FILE)
    salt = new_salt()
    write_private(state / FILE, msgspec.json.encode(StoredPin(salt, hashed(pin, salt))))


def write_attempts(state: Path, tried: PinAttempts) -> None:
    """Store the attempts, synced to disk when this returns. Raises `OSError`."""
    write_private(state / TRIES, msgspec.json.encode(tried))
