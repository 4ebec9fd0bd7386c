"""Wrong PINs: each makes the next try wait, then the door is shut for minutes; for the device that tries, not for all.

Devices are told apart by their network address. Whoever guesses locks out nobody but themselves: the rightful owner,
who has guessed nothing, is always heard. All guesses together have a limit too, beyond which a device gets one try an
hour: many addresses do not make many guesses.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from engine.said import Said
from firmware_host.face import Slip

WAITS = (0.0, 0.0, 0.0, 2.0, 5.0, 60.0, 120.0, 240.0, 480.0, 900.0)
"""Seconds to wait after so many wrong PINs, the last for all further ones."""
FORGET = 3600.0
"""Seconds after which a wrong PIN is forgotten."""
TOGETHER = 60
"""Wrong PINs of all devices in that time, before each gets one try only."""
ADDRESSES = 2000
"""Devices that are kept apart; more than any house has."""


class Tries(Struct, frozen=True):
    """How often a device was wrong at one door, and when last (monotonic seconds)."""

    wrong: int = 0
    last: float = 0.0


class Lockout:
    """The doors of one table, by name. Safe to use from any thread; `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._tries: dict[tuple[str, str], Tries] = {}
        self._recent: dict[str, deque[float]] = {}

    def attempt(self, door: str, address: str) -> None:
        """Somebody tries a PIN; it counts as wrong until `opened` says otherwise. Raises `Slip` if nobody listens."""
        now, who = self._clock(), (door, device(address))
        with self._guard:
            recent = self._recent.setdefault(door, deque(maxlen=TOGETHER))
            tries = self._tries.get(who, Tries())
            if now - tries.last >= FORGET:
                tries = Tries()
            wait = self._wait(tries, recent, now)
            if wait > 0:
                raise Slip(
                    "locked", Said("Too many wrong PINs. Try again in {span}.", span=_span(wait)), after=int(wait) + 1
                )
            self._tries.pop(who, None)
            self._tries[who] = Tries(tries.wrong + 1, now)
            recent.append(now)
            while len(self._tries) > ADDRESSES:
                del self._tries[next(iter(self._tries))]

    def _wait(self, tries: Tries, recent: deque[float], now: float) -> float:
        own = tries.last + WAITS[min(tries.wrong, len(WAITS) - 1)] - now
        if tries.wrong and len(recent) == TOGETHER and now - recent[0] < FORGET:
            own = max(own, tries.last + FORGET - now)
        return own if tries.wrong else 0.0

    def opened(self, door: str, address: str) -> None:
        """It was the right one: this device has been wrong no more."""
        with self._guard:
            if self._tries.pop((door, device(address)), None) is not None and self._recent[door]:
                self._recent[door].pop()


def device(address: str) -> str:
    """What tells devices apart: the address, or its network where a device has as many as it likes (IPv6)."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_link_local:
            return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def _span(seconds: float) -> Said:
    """A time in words, rounded up."""
    if seconds < 90:
        whole = int(seconds) + 1
        return Said("{number} second", "{number} seconds", number=whole)
    return Said("{number} minute", "{number} minutes", number=int(seconds / 60) + 1)
