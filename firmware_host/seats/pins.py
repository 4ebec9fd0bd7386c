"""Slow hashes of PINs, each with its own salt.

Computing one takes 16 MiB and part of a second, on purpose. One thread computes all hashes of the process, one after
the other, because each thread that computed one would keep its 16 MiB. A request waits for that thread before it asks
the table's loop, so that the loop finds the hash ready.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records.work_turns import Turns

MOST_WAITING = 8
"""Requests that wait for the thread at the same time. The same number may wait for a place."""
HASH_WITHIN = 20.0
"""Seconds to wait for a hash. All places together take less on the slowest machine."""


def _busy_error() -> UserError:
    return UserError("busy", Text("Too many PINs are being checked right now. Try again in a moment."))


QUEUE = Turns(MOST_WAITING, MOST_WAITING, seconds=2.0, refusal=_busy_error)
# One thread: each hash takes 16 MiB, and parallel guesses must not use all cores.
_worker = ThreadPoolExecutor(1, "pins")


class Pin(str):
    """A PIN as it was typed, with its computed hashes: salt -> hash. `fresh` is the salt to store it with."""

    hashes: dict[str, str]
    fresh: str


def hash_for(pin: str, salts: Iterable[str]) -> Pin:
    """Return the PIN with its hashes for these salts. Raises `UserError` if too many requests wait."""
    with QUEUE.next():
        return hash_in_turn(pin, salts)


def hash_in_turn(pin: str, salts: Iterable[str]) -> Pin:
    """Do the same for a caller that has a turn of the `QUEUE`. Raises `UserError` if it takes too long."""
    distinct_salts = list(dict.fromkeys(salts))
    # Hash with all salts in one job, so that the time does not depend on which PIN is right.
    work: Future[dict[str, str]] = _worker.submit(lambda: {salt: _scrypt(pin, salt) for salt in distinct_salts})
    slow = Pin(pin)
    try:
        slow.hashes = work.result(HASH_WITHIN)
    except Late:
        # This drops the job from the queue. A hash that is being computed cannot be stopped.
        work.cancel()
        raise _busy_error() from None
    slow.fresh = distinct_salts[-1] if distinct_salts else ""
    return slow


def _scrypt(pin: str, salt: str) -> str:
    # JSON may contain lone surrogates; they are hashed like any other character.
    # scrypt needs 128 · n · r bytes, here 16 MiB.
    return hashlib.scrypt(pin.encode("utf-8", "surrogatepass"), salt=bytes.fromhex(salt), n=1 << 14, r=8, p=1).hex()


def new_salt() -> str:
    """Return a new random salt."""
    return secrets.token_hex(16)


def salt_for(pin: str) -> str:
    """Return the salt that a PIN was hashed with, or a new one."""
    return getattr(pin, "fresh", "") or new_salt()


def hashed(pin: str, salt: str) -> str:
    """Return the hash of a PIN, without computing it again if it is known. Raises `UserError` as `hash_for` does."""
    computed = pin.hashes.get(salt) if isinstance(pin, Pin) else None
    return hash_for(pin, [salt]).hashes[salt] if computed is None else computed


def is_stored_pin(pin: str, salt: str, stored: str) -> bool:
    """Return whether this is the stored PIN. No PIN equals an empty stored hash."""
    # In constant time, so that the answer's delay reveals no part of the hash.
    return bool(stored) and hmac.compare_digest(stored, hashed(pin, salt))
