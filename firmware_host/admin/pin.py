"""The PIN of the admin page (people know it as the house PIN), kept as a slow hash in a file of its own.

`sniperboard house pin` can change it at any time.

Wrong PINs are counted in a file beside it, which says of which PIN: a changed one begins with none.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.seats.lockout import FREE, LockoutState
from firmware_host.seats.pins import hashed, new_salt

FILE = "house-pin.json"
TRIES = "house-pin-tries.json"
LOCK = "house"
"""What the journal of tries calls the admin page, and the budget that all strangers share there."""
SHORTEST, LONGEST = 6, 64
BIGGEST_FILE = 8192


class StoredPin(Struct, frozen=True, forbid_unknown_fields=True):
    """The PIN's hash and its salt, both in hexadecimal digits."""

    salt: str
    pin: str


class PinAttempts(Struct, frozen=True, forbid_unknown_fields=True):
    """What was tried of the PIN with this salt; hashes of the `keys` that were given for it, the newest last."""

    salt: str
    tries: LockoutState = LockoutState()
    keys: tuple[str, ...] = ()


def made_up() -> str:
    """A PIN that nobody has thought of: six digits."""
    return f"{secrets.randbelow(10**SHORTEST):0{SHORTEST}}"


def fits(pin: str) -> None:
    """Raises `UserError` for a PIN that is none."""
    if not SHORTEST <= len(pin) <= LONGEST:
        raise UserError(
            "not-understood",
            Text("A house PIN has {shortest} to {longest} characters.", shortest=SHORTEST, longest=LONGEST),
        )


def read(state: Path) -> StoredPin | None:
    """What is kept in the state folder; None where nothing is, or nothing that can be read: then no PIN opens."""
    try:
        with (state / FILE).open("rb") as file:
            found = msgspec.json.decode(file.read(BIGGEST_FILE), type=StoredPin)
        bytes.fromhex(found.salt)
    except (OSError, ValueError):
        return None
    return found


def read_tries(state: Path, salt: str) -> PinAttempts:
    """What was tried of the PIN with this salt. Of a file that cannot be read, it is taken that no try is left."""
    try:
        with (state / TRIES).open("rb") as file:
            found = msgspec.json.decode(file.read(BIGGEST_FILE), type=PinAttempts)
    except FileNotFoundError:
        return PinAttempts(salt)
    except (OSError, ValueError):
        return PinAttempts(salt, LockoutState({LOCK: FREE}))
    return found if found.salt == salt else PinAttempts(salt)


def write(state: Path, pin: str, *, first: bool = False) -> None:
    """Keep a PIN from now on, readable for the state folder's owner alone. Raises `OSError`, and `FileExistsError` for
    a `first` one where there is a file already, be it one that cannot be read.
    """
    if first and os.path.lexists(state / FILE):
        raise FileExistsError(FILE)
    salt = new_salt()
    _put(state, FILE, msgspec.json.encode(StoredPin(salt, hashed(pin, salt))))


def write_tries(state: Path, tried: PinAttempts) -> None:
    """Keep what was tried; on the disk when this returns. Raises `OSError`."""
    _put(state, TRIES, msgspec.json.encode(tried))


def _put(state: Path, name: str, text: bytes) -> None:
    draft = state / f"{name}.new"
    with contextlib.suppress(FileNotFoundError):
        draft.unlink()
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        _give(file.fileno(), state)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(state / name)


def _give(file: int, state: Path) -> None:
    """Root writes for the user of the service, whose folder it is."""
    owner = state.stat()
    if os.geteuid() == 0 and owner.st_uid != 0:
        os.fchown(file, owner.st_uid, owner.st_gid)
