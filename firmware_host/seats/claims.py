"""Who sits where: one-time claims, PINs for taking over, keys that open one seat each.

Pure but for the random keys: the table's loop owns the claims and keeps them in the journal. Only hashes are kept; the
slow ones are in `pins.py`, and how often somebody may be wrong in `lockout.py`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.said import Said, row
from firmware_host.face import Holder, Slip
from firmware_host.seats.pins import hashed, salt_for, same

SHORTEST_PIN, LONGEST_PIN = 4, 64
LONGEST_DEVICE = 40
MOST_DEVICES = 6
"""At one seat: more than people who play there."""
WRONG_PIN = Said("That is not the PIN of this seat.")


class Claim(Struct, frozen=True):
    """A taken seat, or a part of the defenders' (`squads`); `key` and `pin` are hashes.

    `bot` plays there instead of a person; `pin` is then that of the person who went, and "" if there was none.
    """

    seat: str
    squads: tuple[str, ...]
    device: str
    key: str
    salt: str
    pin: str
    bot: str = ""


def _hash_key(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _checked(pin: str, device: str) -> str:
    if not SHORTEST_PIN <= len(pin) <= LONGEST_PIN:
        raise Slip("not-understood", Said("Choose a PIN of at least {least} characters.", least=SHORTEST_PIN))
    name = " ".join(device.split())[:LONGEST_DEVICE]
    if not name or not name.isprintable():
        raise Slip("not-understood", Said("Give this device a name, so that the others see who sits there."))
    return name


def _taken(claim: Claim) -> Slip:
    if claim.pin:
        says = Said("{device} has taken that seat. With its PIN you can take it over.", device=claim.device)
    else:
        says = Said(
            "{device} has taken that seat. Before a game it can be sent away in the lobby.", device=claim.device
        )
    return Slip("seat-taken", says)


def bot_name(bot: str) -> str:
    """What a bot is called among the devices."""
    return f"bot: {bot}"


class Claims:
    """All claims of a table whose seats are led by one device each, the defenders' by one a squad.

    The list is never changed, only replaced: who holds a key can be asked from any thread, and waits for nobody.
    """

    def __init__(self, squads: Sequence[str], claims: Sequence[Claim] = ()) -> None:
        self._squads = tuple(squads)
        self.all = list(claims)

    def taken(self, seat: str) -> list[Claim]:
        """The claims on a seat."""
        return [claim for claim in self.all if claim.seat == seat]

    def led_by_others(self, holder: Holder) -> set[str]:
        """The squads that other devices have claimed."""
        others = {squad for claim in self.taken(holder.seat) for squad in claim.squads}
        return others - set(holder.squads)

    def holder(self, key: str) -> Holder | None:
        """Who holds a key."""
        claim = self._of(key)
        return None if claim is None else Holder(claim.seat, claim.squads, claim.device)

    def _of(self, key: str) -> Claim | None:
        hashed = _hash_key(key)
        return next((claim for claim in self.all if hmac.compare_digest(claim.key, hashed)), None)

    def claim(self, seat: str, pin: str, device: str, squads: Sequence[str]) -> str:
        """Take what is free; the key is returned once and never again."""
        return self._add(seat, pin, device, self.free(seat, squads))

    def free(self, seat: str, squads: Sequence[str]) -> tuple[str, ...]:
        """What somebody who asks for these squads of a seat would lead. Raises `Slip` where that is taken."""
        wanted = self._wanted(seat, squads)
        for other in self.taken(seat):
            if not wanted or set(wanted) & set(other.squads):
                raise _taken(other)
        return wanted

    def salts(self, seat: str) -> list[str]:
        """With what the PINs of a seat are salted."""
        return [claim.salt for claim in self.taken(seat) if claim.pin]

    def take_over(self, seat: str, pin: str, device: str, share: bool = False) -> str:
        """Take a claimed seat, or a part of it, with its PIN; the old key stops working, unless they are to `share`."""
        if share:
            self._may_share(seat)
        for claim in self.taken(seat):
            if same(pin, claim.salt, claim.pin):
                key = secrets.token_urlsafe(32)
                taken = replace(claim, device=_checked(pin, device), key=_hash_key(key), bot="")
                if share and not claim.bot:
                    self.all = [*self.all, taken]
                else:
                    self._replace(claim, taken)
                return key
        raise Slip("wrong-pin", WRONG_PIN)

    def _may_share(self, seat: str) -> None:
        if seat != "defenders":
            raise Slip("not-understood", Said("Only the defenders share a seat: what is secret stays on one device."))
        if len(self.taken(seat)) >= MOST_DEVICES:
            raise Slip(
                "seat-taken",
                Said("{number} devices play there already. Take one of them over instead.", number=MOST_DEVICES),
            )

    def release(self, seat: str) -> None:
        """Free a seat altogether."""
        self.all = [claim for claim in self.all if claim.seat != seat]

    def release_own(self, seat: str, keys: Sequence[str]) -> bool:
        """Free what one of these keys opens of a seat, and leave it to others who sit there; whether one opens it."""
        mine = next((claim for key in keys if (claim := self._of(key)) is not None and claim.seat == seat), None)
        self.all = [claim for claim in self.all if claim is not mine]
        return mine is not None

    def release_by_pin(self, seat: str, pin: str) -> None:
        """Free what was taken of a seat with this PIN, by all devices that share it. Raises `Slip`."""
        found = next((claim for claim in self.taken(seat) if same(pin, claim.salt, claim.pin)), None)
        if found is None:
            raise Slip("wrong-pin", WRONG_PIN)
        self.all = [claim for claim in self.all if (claim.seat, claim.salt) != (seat, found.salt)]

    # --- bots ---------------------------------------------------------------------------------------------------

    @property
    def bots(self) -> dict[str, str]:
        """Seat -> the bot that plays there."""
        return {claim.seat: claim.bot for claim in self.all if claim.bot}

    @property
    def anybody(self) -> bool:
        """Whether a person holds a seat."""
        return any(not claim.bot for claim in self.all)

    def seat_bot(self, seat: str, bot: str) -> None:
        """Give a free seat to a bot, the whole of it."""
        for other in self.taken(seat):
            raise _taken(other)
        self.all = [*self.all, Claim(seat, self._wanted(seat, ()), bot_name(bot), "", "", "", bot)]

    def hand_over(self, key: str, bot: str) -> None:
        """Whoever holds a seat alone leaves it to a bot, and can come back with the PIN. Unknown keys open nothing."""
        mine = self._of(key)
        if mine is None:
            return
        for other in self.taken(mine.seat):
            if other is not mine:
                raise Slip(
                    "seat-taken",
                    Said("{device} plays on that side too. A bot takes a whole seat or none.", device=other.device),
                )
        left = replace(mine, squads=self._wanted(mine.seat, ()), device=bot_name(bot), key="", bot=bot)
        self._replace(mine, left)

    def succeed(self, seat: str, bot: str) -> None:
        """A bot takes another bot's place; whoever may come back with a PIN still may."""
        self.all = [
            replace(claim, device=bot_name(bot), bot=bot) if claim.seat == seat and claim.bot else claim
            for claim in self.all
        ]

    def _replace(self, old: Claim, new: Claim) -> None:
        self.all = [new if claim is old else claim for claim in self.all]

    def _wanted(self, seat: str, squads: Sequence[str]) -> tuple[str, ...]:
        if seat != "defenders":
            return ()
        if any(squad not in self._squads for squad in squads):
            raise Slip("not-understood", Said("The squads are {known}.", known=row(self._squads)))
        return tuple(squad for squad in self._squads if squad in squads) or self._squads

    def _add(self, seat: str, pin: str, device: str, squads: tuple[str, ...]) -> str:
        name = _checked(pin, device)
        key, salt = secrets.token_urlsafe(32), salt_for(pin)
        self.all = [*self.all, Claim(seat, squads, name, _hash_key(key), salt, hashed(pin, salt))]
        return key
