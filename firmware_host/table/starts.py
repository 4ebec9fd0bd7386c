"""Limit the games that start in a row. Pure; the caller passes seconds in.

Where no person sits, anyone may start a game, and each stays in the journal, which is checked at every start of the
table. Each address has a limit of its own, so that a stranger who starts games doesn't keep others from it.
"""

from __future__ import annotations

from engine.text import Text
from firmware_host.core.errors import UserError
from hardware.token_bucket import TokenBucket

STARTS, STARTS_PER_S = 100, 1 / 60
"""Games that an address may start at once, and per second later."""
MOST = 4
"""Addresses with a limit of their own. All further ones share one."""
TOO_MANY = Text("Too many games have started at this table. Try again in a minute.")


class Starts:
    """The games that have started, by address."""

    def __init__(self) -> None:
        self._rest = _bucket()
        self._own: dict[str, tuple[TokenBucket, float]] = {}

    def check(self, address: str, now: float) -> None:
        """Raise `UserError` if an address has started too many games."""
        if self._own.get(address, (self._rest, now))[0].wait(now) > 0 and not self._has_room(address, now):
            raise UserError("not-now", TOO_MANY)

    def note(self, address: str, now: float) -> None:
        """Count a game that has started."""
        bucket = self._rest
        if address in self._own or self._has_room(address, now):
            bucket = self._own.get(address, (_bucket(), now))[0]
            self._own[address] = bucket, now
        bucket.spend(1, now)

    def _has_room(self, address: str, now: float) -> bool:
        """Return whether an address can get a limit of its own. Those that have all their games back give theirs up."""
        self._own = {known: it for known, it in self._own.items() if now - it[1] < STARTS / STARTS_PER_S}
        return address not in self._own and len(self._own) < MOST


def _bucket() -> TokenBucket:
    return TokenBucket(STARTS_PER_S, STARTS, 1 / STARTS_PER_S)
