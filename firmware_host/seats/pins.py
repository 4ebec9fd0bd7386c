"""PINs as they are kept: slow hashes, each with a salt of its own.

Working one out takes 16 MiB and a part of a second, on purpose. So whoever asks does it on a thread of their own before
the table's loop is asked (`worked`), one at a time, and the loop finds the work done.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Iterable

from engine.said import Said
from firmware_host.face import Slip

AT_ONCE = 1
"""So many are worked out at the same time: memory and processors belong to the game."""
PATIENCE = 2.0
"""Seconds that one waits for one's turn."""

_places = threading.BoundedSemaphore(AT_ONCE)


class Pin(str):
    """A PIN that somebody typed, with the hashes that were worked out of it: salt -> hash. `fresh` is a salt for it."""

    known: dict[str, str]
    fresh: str


def worked(pin: str, salts: Iterable[str]) -> Pin:
    """The PIN with its hashes for these salts. Raises `Slip` where too many others ask for the same."""
    found = Pin(pin)
    found.known = {}
    found.fresh = ""
    for salt in salts:
        if not _places.acquire(timeout=PATIENCE):
            raise Slip("busy", Said("Too many PINs are being looked at just now. Try again in a moment."))
        try:
            found.known[salt] = hashed(pin, salt)
        finally:
            _places.release()
        found.fresh = salt
    return found


def new_salt() -> str:
    """A salt that nobody has had."""
    return secrets.token_hex(16)


def salt_for(pin: str) -> str:
    """The salt that a PIN was worked out with, or a new one."""
    return getattr(pin, "fresh", "") or new_salt()


def hashed(pin: str, salt: str) -> str:
    """The hash of a PIN; at hand if it was worked out before."""
    known = pin.known.get(salt) if isinstance(pin, Pin) else None
    if known is not None:
        return known
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=1 << 14, r=8, p=1).hex()


def same(pin: str, salt: str, kept: str) -> bool:
    """Whether this is the PIN that was kept; no PIN was kept as an empty text, and none opens that."""
    return bool(kept) and hmac.compare_digest(kept, hashed(pin, salt))
