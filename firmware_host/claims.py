"""Who sits where: one-time claims, PINs for taking over, keys that open one seat each.

Pure but for the random keys: the table's loop owns the claims and keeps them in the journal. Only hashes are kept.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.face import Holder, Slip

SHORTEST_PIN = 4
TRIES = 5
"""Wrong PINs before a seat is locked for a while."""
LOCK_SECONDS = 60.0
LONGEST_DEVICE = 40


class Claim(Struct, frozen=True):
    """A taken seat, or a part of the defenders' (`squads`); `key` and `pin` are hashes."""

    seat: str
    squads: tuple[str, ...]
    device: str
    key: str
    salt: str
    pin: str


class Lock(Struct, frozen=True):
    """Wrong PINs so far, and until when (monotonic seconds) no more are listened to."""

    wrong: int = 0
    until: float = 0.0


def _hash_key(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _hash_pin(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=1 << 14, r=8, p=1).hex()


def _checked(pin: str, device: str) -> str:
    if not SHORTEST_PIN <= len(pin) <= 64:
        raise Slip("not-understood", f"Choose a PIN of at least {SHORTEST_PIN} characters.")
    name = " ".join(device.split())[:LONGEST_DEVICE]
    if not name or not name.isprintable():
        raise Slip("not-understood", "Give this device a name, so that the others see who sits there.")
    return name


class Claims:
    """All claims of a table whose seats are led by one device each, the defenders' by one a squad."""

    def __init__(self, squads: Sequence[str], claims: Sequence[Claim] = ()) -> None:
        self._squads = tuple(squads)
        self.all = list(claims)
        self._locks: dict[str, Lock] = {}

    def taken(self, seat: str) -> list[Claim]:
        """The claims on a seat."""
        return [claim for claim in self.all if claim.seat == seat]

    def led_by_others(self, holder: Holder) -> set[str]:
        """The squads that other devices have claimed."""
        others = {squad for claim in self.taken(holder.seat) for squad in claim.squads}
        return others - set(holder.squads)

    def holder(self, key: str) -> Holder | None:
        """Who holds a key."""
        hashed = _hash_key(key)
        for claim in self.all:
            if hmac.compare_digest(claim.key, hashed):
                return Holder(claim.seat, claim.squads, claim.device)
        return None

    def claim(self, seat: str, pin: str, device: str, squads: Sequence[str]) -> str:
        """Take what is free; the key is returned once and never again."""
        wanted = self._wanted(seat, squads)
        for other in self.taken(seat):
            if not wanted or set(wanted) & set(other.squads):
                raise Slip("seat-taken", f"{other.device} has taken that seat. With its PIN you can take it over.")
        return self._add(seat, pin, device, wanted)

    def take_over(self, seat: str, pin: str, device: str, squads: Sequence[str], now: float) -> str:
        """Take a claimed seat with its PIN; the old key stops working."""
        lock = self._locks.get(seat, Lock())
        if now < lock.until:
            raise Slip("locked", f"Too many wrong PINs. Try again in {int(lock.until - now) + 1} seconds.")
        for claim in self.taken(seat):
            if hmac.compare_digest(claim.pin, _hash_pin(pin, claim.salt)):
                _checked(pin, device)
                self._locks.pop(seat, None)
                self.all.remove(claim)
                return self._add(seat, pin, device, claim.squads)
        wrong = lock.wrong + 1
        until = now + LOCK_SECONDS * (wrong // TRIES) if wrong % TRIES == 0 else 0.0
        self._locks[seat] = replace(lock, wrong=wrong, until=until)
        raise Slip("wrong-pin", "That is not the PIN of this seat.")

    def release(self, seat: str) -> None:
        """Free a seat altogether."""
        self.all = [claim for claim in self.all if claim.seat != seat]

    def _wanted(self, seat: str, squads: Sequence[str]) -> tuple[str, ...]:
        if seat != "defenders":
            return ()
        if any(squad not in self._squads for squad in squads):
            raise Slip("not-understood", f"The squads are {', '.join(self._squads)}.")
        return tuple(squad for squad in self._squads if squad in squads) or self._squads

    def _add(self, seat: str, pin: str, device: str, squads: tuple[str, ...]) -> str:
        name = _checked(pin, device)
        key, salt = secrets.token_urlsafe(32), secrets.token_hex(16)
        self.all.append(Claim(seat, squads, name, _hash_key(key), salt, _hash_pin(pin, salt)))
        return key
