"""Who sits where: one-time claims, PINs for taking over, keys that open one seat each.

Pure but for the random keys: the table's loop owns the claims and keeps them in the journal. Only hashes are kept; the
slow ones are in `pins.py`, and how often somebody may be wrong in `lockout.py`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence

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
    """A taken seat, or a part of the defenders' (`squads`); `key` and `pin` are hashes, `number` tells those who sit at
    one seat apart.

    `bot` plays there instead of a person; `pin` is then that of the person who went, and "" if there was none.
    """

    seat: str
    squads: tuple[str, ...]
    device: str
    key: str
    salt: str
    pin: str
    bot: str = ""
    number: int = 0


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


def _led(squad: str, device: str) -> Slip:
    return Slip("no-seat", Said("The {squad} squad is led by {leader}.", squad=Said(squad), leader=device))


def bot_name(bot: str) -> str:
    """What a bot is called among the devices."""
    return f"bot: {bot}"


class Claims:
    """All claims of a table whose seats are held by one device each, the defenders' by several that lead its squads.

    The list is never changed, only replaced: who holds a key can be asked from any thread, and waits for nobody.
    """

    def __init__(self, squads: Sequence[str], claims: Sequence[Claim] = ()) -> None:
        self._squads = tuple(squads)
        self.all: list[Claim] = []
        for claim in claims:  # what was kept before there were numbers gets one
            known = claim.number not in (other.number for other in self.taken(claim.seat))
            self.all.append(claim if known else replace(claim, number=self._number(claim.seat)))

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
        return None if claim is None else Holder(claim.seat, claim.squads, claim.device, claim.number)

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

    def take_over(self, seat: str, pin: str, device: str, instead: int | None = None) -> str:
        """Take a claimed seat, or a part of it, with its PIN; the old key stops working. Of several with that PIN it is
        the one of the number `instead`, else the first.
        """
        found = self._with_pin(seat, pin)
        claim = next((claim for claim in found if claim.number == instead), found[0])
        key = secrets.token_urlsafe(32)
        self._replace(claim, replace(claim, device=_checked(pin, device), key=_hash_key(key), bot=""))
        return key

    def share(self, seat: str, pin: str, device: str, squads: Sequence[str]) -> str:
        """Sit down beside those who have that PIN, and lead some of their squads from now on in their place; with none
        named, or with all of them, both lead them. What nobody leads may be named too. Raises `Slip`.
        """
        self._may_share(seat)
        found = self._with_pin(seat, pin)
        if found[0].bot:
            return self.take_over(seat, pin, device)
        theirs = self._in_order(squad for claim in found for squad in claim.squads)
        wanted = self._wanted(seat, squads) if squads else theirs
        for other in self.taken(seat):
            if other not in found and (barred := [squad for squad in other.squads if squad in wanted]):
                raise _led(barred[0], other.device)
        name, key, number = _checked(pin, device), secrets.token_urlsafe(32), self._number(seat)
        if set(theirs) - set(wanted):
            for claim in found:
                self._replace(claim, replace(claim, squads=tuple(it for it in claim.squads if it not in wanted)))
        self.all = [*self.all, replace(found[0], squads=wanted, device=name, key=_hash_key(key), number=number)]
        return key

    def lead(self, key: str, squad: str, number: int) -> None:
        """Whoever leads a squad, or wants one that nobody leads, gives it to the device of that number, perhaps its
        own. Raises `Slip`.
        """
        mine = self._of(key)
        if mine is None or mine.seat != "defenders":
            raise Slip("not-understood", Said("Only the defenders lead squads."))
        if squad not in self._squads:
            raise Slip("not-understood", Said("The squads are {known}.", known=row(self._squads)))
        leaders = [claim for claim in self.taken(mine.seat) if squad in claim.squads]
        if leaders and mine not in leaders:
            raise _led(squad, leaders[0].device)
        to = next((claim for claim in self.taken(mine.seat) if claim.number == number), None)
        if to is None:
            raise Slip("not-understood", Said("That device leads no squads (any more)."))
        if to is not mine:
            self._replace(mine, replace(mine, squads=tuple(it for it in mine.squads if it != squad)))
        self._replace(to, replace(to, squads=self._in_order([*to.squads, squad])))

    def _with_pin(self, seat: str, pin: str) -> list[Claim]:
        """What was taken of a seat with this PIN. Raises `Slip` where nothing was."""
        found = [claim for claim in self.taken(seat) if same(pin, claim.salt, claim.pin)]
        if not found:
            raise Slip("wrong-pin", WRONG_PIN)
        return found

    def _number(self, seat: str) -> int:
        """What tells a new device from those who sit there."""
        return 1 + max((claim.number for claim in self.taken(seat)), default=-1)

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
        salt = self._with_pin(seat, pin)[0].salt
        self.all = [claim for claim in self.all if (claim.seat, claim.salt) != (seat, salt)]

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
        return self._in_order(squads) or self._squads

    def _in_order(self, squads: Iterable[str]) -> tuple[str, ...]:
        led = set(squads)
        return tuple(squad for squad in self._squads if squad in led)

    def _add(self, seat: str, pin: str, device: str, squads: tuple[str, ...]) -> str:
        name = _checked(pin, device)
        key, salt, number = secrets.token_urlsafe(32), salt_for(pin), self._number(seat)
        self.all = [*self.all, Claim(seat, squads, name, _hash_key(key), salt, hashed(pin, salt), number=number)]
        return key
