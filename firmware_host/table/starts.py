"""Limit how many games can be started in a row.

Pure; the time in seconds is a parameter. While no person sits at the table, anyone may start a game, and each stays in
the journal, which is checked at every start of the table. Each address has its own limit, so a stranger who starts
games doesn't keep others from starting one. Only a few addresses can have one, so the first game of an address counts
on a separate limit: newcomers can start a game, whatever earlier strangers do. Because addresses cost nothing, there
are two limits that strangers can't use up: one for the table's own computer and the admin, and one for the people who
hold a seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.text import Text
from firmware_host.core.errors import UserError
from hardware.token_bucket import TokenBucket

STARTS, STARTS_PER_S = 100, 1 / 60
"""Games that an address may start at once, and per second later."""
MOST_ADDRESSES = 4
"""Addresses with a limit of their own. All further ones share one."""
NEW_AFTER = 1800.0
"""Seconds after which an address counts as new again. The limit of new addresses is enough for any 30 of them."""
TOO_MANY = Text("Too many games have started at this table. Try again in a minute.")


class Starter(NamedTuple):
    """Who starts a game. `here` is true for the table's own computer and the admin, `seated` for a player."""

    address: str = ""
    here: bool = False
    seated: bool = False


class Starts:
    """Counts the games that were started, by who started them."""

    def __init__(self) -> None:
        self._rest, self._here, self._seated, self._new = _bucket(), _bucket(), _bucket(), _bucket()
        self._own: dict[str, tuple[TokenBucket, float]] = {}
        self._came: dict[str, float] = {}
        """Address -> when it last counted as new. The limit of new addresses also bounds their number."""

    def check(self, starter: Starter, now: float) -> None:
        """Raise `UserError` if too many games have started for another one by this starter."""
        self._limit(starter, now)

    def count(self, starter: Starter, now: float) -> None:
        """Count a game that was started at the time of a successful `check`."""
        limit = self._limit(starter, now)
        limit.spend(1, now)
        if limit is self._new:
            self._came[starter.address] = now

    def _limit(self, starter: Starter, now: float) -> TokenBucket:
        """Return the limit on which a game that starts now counts. Raises `UserError` if all are used up."""
        for limit in self._limits(starter, now):
            if limit.seconds_to_wait(now) <= 0:
                return limit
        raise UserError("not-now", TOO_MANY)

    def _limits(self, starter: Starter, now: float) -> Iterator[TokenBucket]:
        """Yield the limits of someone who starts a game."""
        if starter.here:
            yield self._here
        yield self._of_address(starter.address, now)
        self._came = {address: at for address, at in self._came.items() if now - at < NEW_AFTER}
        if starter.address not in self._came:
            yield self._new
        if starter.seated:
            yield self._seated

    def _of_address(self, address: str, now: float) -> TokenBucket:
        """Return an address's own limit, if there is room; drop those that are full again."""
        self._own = {other: it for other, it in self._own.items() if now - it[1] < STARTS / STARTS_PER_S}
        if address not in self._own and len(self._own) >= MOST_ADDRESSES:
            return self._rest
        limit, _ = self._own.get(address, (_bucket(), now))
        self._own[address] = limit, now
        return limit


def _bucket() -> TokenBucket:
    return TokenBucket(STARTS_PER_S, STARTS, 1 / STARTS_PER_S)
