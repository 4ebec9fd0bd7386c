"""The house PIN, kept as a slow hash in a file of its own: `sniperboard house pin` can change it at any time."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.said import Said
from firmware_host.face import Slip
from firmware_host.seats.pins import hashed, new_salt

FILE = "house-pin.json"
SHORTEST, LONGEST = 6, 64
BIGGEST_FILE = 1024


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """The PIN's hash and its salt, both in hexadecimal digits."""

    salt: str
    pin: str


def made_up() -> str:
    """A PIN that nobody has thought of: six digits."""
    return f"{secrets.randbelow(10**SHORTEST):0{SHORTEST}}"


def fits(pin: str) -> None:
    """Raises `Slip` for a PIN that is none."""
    if not SHORTEST <= len(pin) <= LONGEST:
        raise Slip(
            "not-understood",
            Said("A house PIN has {shortest} to {longest} characters.", shortest=SHORTEST, longest=LONGEST),
        )


def read(state: Path) -> Kept | None:
    """What is kept in the state folder; None where nothing is, or nothing that can be read: then no PIN opens."""
    try:
        with (state / FILE).open("rb") as file:
            found = msgspec.json.decode(file.read(BIGGEST_FILE), type=Kept)
        bytes.fromhex(found.salt)
    except (OSError, ValueError):
        return None
    return found


def write(state: Path, pin: str) -> None:
    """Keep a PIN from now on, readable for the state folder's owner alone. Raises `OSError`."""
    salt = new_salt()
    text = msgspec.json.encode(Kept(salt, hashed(pin, salt)))
    draft = state / f"{FILE}.new"
    with contextlib.suppress(FileNotFoundError):
        draft.unlink()
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        _give(file.fileno(), state)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(state / FILE)


def _give(file: int, state: Path) -> None:
    """Root writes for the user of the service, whose folder it is."""
    owner = state.stat()
    if os.geteuid() == 0 and owner.st_uid != 0:
        os.fchown(file, owner.st_uid, owner.st_gid)
