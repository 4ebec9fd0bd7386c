"""PINs as they are kept: slow hashes, each with a salt of its own.

Working one out takes 16 MiB and a part of a second, on purpose. One thread works out all hashes of the process, one
after the other: every thread that worked one out would keep its 16 MiB. Whoever wants a hash waits for that thread on a
thread of its own, before the table's loop is asked, and the loop finds the work done.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from contextlib import contextmanager

from engine.text import Text
from firmware_host.core.errors import UserError

PLACES = 8
"""So many wait for the thread at the same time, the one that is worked for among them."""
PATIENCE = 2.0
"""Seconds that one waits for a place, with as many others at most as there are places."""
LONGEST = 20.0
"""Seconds that one waits for the work: all places together take less on the slowest machine."""
BUSY = Text("Too many PINs are being looked at just now. Try again in a moment.")

_waiting = threading.BoundedSemaphore(PLACES)
_places = threading.BoundedSemaphore(PLACES)
_worker = ThreadPoolExecutor(1, "pins")


class Pin(str):
    """A PIN that somebody typed, with the hashes that were worked out of it: salt -> hash. `fresh` is a salt for it."""

    known: dict[str, str]
    fresh: str


Work = Callable[[str, Iterable[str]], Pin]
"""Works out the hashes of a PIN for some salts. Raises `UserError` where that takes too long."""


@contextmanager
def place() -> Iterator[Work]:
    """A place in the queue, and what works there. Raises `UserError` where too many others have one."""
    if not _waiting.acquire(blocking=False):
        raise UserError("busy", BUSY)
    try:
        found = _places.acquire(timeout=PATIENCE)
    finally:
        _waiting.release()
    if not found:
        raise UserError("busy", BUSY)
    try:
        yield _work
    finally:
        _places.release()


def worked(pin: str, salts: Iterable[str]) -> Pin:
    """The PIN with its hashes for these salts, each worked out once. Raises `UserError` where too many ask."""
    with place() as work:
        return work(pin, salts)


def _work(pin: str, salts: Iterable[str]) -> Pin:
    wanted = list(dict.fromkeys(salts))
    work: Future[dict[str, str]] = _worker.submit(lambda: {salt: _scrypt(pin, salt) for salt in wanted})
    found = Pin(pin)
    try:
        found.known = work.result(LONGEST)
    except Late:
        work.cancel()
        raise UserError("busy", BUSY) from None
    found.fresh = wanted[-1] if wanted else ""
    return found


def _scrypt(pin: str, salt: str) -> str:
    """JSON may hold halves of characters, which are as good as any other."""
    return hashlib.scrypt(pin.encode("utf-8", "surrogatepass"), salt=bytes.fromhex(salt), n=1 << 14, r=8, p=1).hex()


def new_salt() -> str:
    """A salt that nobody has had."""
    return secrets.token_hex(16)


def salt_for(pin: str) -> str:
    """The salt that a PIN was worked out with, or a new one."""
    return getattr(pin, "fresh", "") or new_salt()


def hashed(pin: str, salt: str) -> str:
    """The hash of a PIN; at hand if it was worked out before. Raises `UserError` as `worked` does."""
    known = pin.known.get(salt) if isinstance(pin, Pin) else None
    return worked(pin, [salt]).known[salt] if known is None else known


def same(pin: str, salt: str, kept: str) -> bool:
    """Whether this is the PIN that was kept; no PIN was kept as an empty text, and none opens that."""
    return bool(kept) and hmac.compare_digest(kept, hashed(pin, salt))
