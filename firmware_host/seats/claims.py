"""Claims: which device holds which seat, or which parts of a seat.

A free seat is claimed once, with or without a PIN. The PIN takes the claim over later, and a key opens one claim.
Claims contain hashes of PINs and keys only. `pins.py` computes the slow hashes; `lockout.py` limits wrong PINs.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.seats import Seat, seat_names
from engine.text import Text, comma_list
from firmware_host.core.errors import UserError
from firmware_host.core.person_names import person_name
from firmware_host.seats.identity import Holder
from firmware_host.seats.pins import hashed, is_stored_pin, salt_for

SHORTEST_PIN, LONGEST_PIN = 4, 64
MOST_DEVICES = 6
"""Devices at one seat: more than people who play there."""
MOST_FORMER_KEYS = 4
"""Earlier keys of a claim that are remembered, as hashes."""
GUEST = Text("Guest")
"""The name of a person who has given none. Only a person who plays alone needs no name."""
WRONG_PIN = Text("That is not the PIN of this seat.")
FREE = Text("That seat is free. Take it in the lobby.")
WITHOUT_PIN = Text("That seat was taken without a PIN. Only its device can free it, before a game also the admin PIN.")
WRONG_PLACE = Text("That is not the PIN of that device's place.")
WRONG_PARTS = Text("That is not the PIN with which these parts were taken.")


# The journal stores `parts` under their former name.
class Claim(Struct, frozen=True, rename={"parts": "squads"}):
    """A taken seat, or `parts` of one. `key`, `pin` and `former` are hashes; `pin` is "" if there is none. If `bot`
    plays there, `pin` belongs to the person who left the seat to it. `number` distinguishes the claims on one seat,
    `former` are keys that opened the claim before, the newest first.
    """

    seat: str
    parts: tuple[str, ...]
    device: str
    key: str
    salt: str
    pin: str
    bot: str = ""
    number: int = 0
    former: tuple[str, ...] = ()

    @property
    def person(self) -> str:
        """The name to show of the person or bot."""
        return self.device or GUEST

    @property
    def keys(self) -> tuple[str, ...]:
        """The hashes of the keys that open this claim now or did before, the newest first."""
        return tuple(filter(None, (self.key, *self.former)))


class SeatRequest(Struct, frozen=True):
    """A request that needs a seat's PIN: take the seat over, `share` it, or free it (`frees`). `instead` is the number
    of the device to replace, `parts` are those that the new device wants to lead.
    """

    seat: str
    device: str = ""
    parts: tuple[str, ...] = ()
    share: bool = False
    instead: int | None = None
    frees: bool = False

    @property
    def wrong_pin(self) -> UserError:
        """The refusal of a wrong PIN. It depends only on the request, so that it reveals nothing about other PINs."""
        if self.share and self.parts:
            return UserError("wrong-pin", WRONG_PARTS)
        return UserError("wrong-pin", WRONG_PIN if self.instead is None else WRONG_PLACE)


def hash_key(key: str) -> str:
    """Return the stored form of a key, by which it is looked up, so that the time reveals nothing about it."""
    # A key is long and random, so it needs no slow hash like a PIN.
    return hashlib.sha256(key.encode()).hexdigest()


def _claim_of(claims: Sequence[Claim], key: str) -> Claim | None:
    hashed = hash_key(key)
    # Compare in constant time, so that the time reveals nothing about a key.
    return next((claim for claim in claims if hmac.compare_digest(claim.key, hashed)), None)


def opened_claims(claims: Sequence[Claim], keys: Iterable[str]) -> list[Claim]:
    """Return those of the claims that these keys open."""
    return [claim for key in keys if (claim := _claim_of(claims, key)) is not None]


def left_to_bot(claims: Sequence[Claim], keys: Iterable[str]) -> list[Claim]:
    """Return the claims without a PIN that the holders of these keys have left to a bot.

    The same keys can take them back.
    """
    hashed = [hash_key(key) for key in keys]
    left = [it for it in claims if it.bot and it.former and not it.pin]
    return [it for it in left if any(hmac.compare_digest(it.former[0], key) for key in hashed)]


def holder_of(claims: Sequence[Claim], key: str) -> Holder | None:
    """Return who holds the claim that this key opens, None if it opens none."""
    claim = _claim_of(claims, key)
    return None if claim is None else Holder(claim.seat, claim.parts, claim.person, claim.number)


def check_pin(pin: str) -> None:
    """Raise `UserError` if a seat cannot have this PIN."""
    if not SHORTEST_PIN <= len(pin) <= LONGEST_PIN:
        says = Text("A seat's PIN has {shortest} to {longest} characters.", shortest=SHORTEST_PIN, longest=LONGEST_PIN)
        raise UserError("not-understood", says)


def bot_name(bot: str) -> str:
    """Return the device name of a bot."""
    return f"bot: {bot}"


def _taken_error(claim: Claim) -> UserError:
    name = Text("bot: {bot}", bot=Text(claim.bot)) if claim.bot and not claim.pin else claim.person
    what = Text("{device} has taken that seat. Before a game it can be sent away in the lobby.", device=name)
    if claim.pin:
        what = Text("{device} has taken that seat. With its PIN you can take it over.", device=name)
    return UserError("seat-taken", what)


def _without(claim: Claim, parts: Iterable[str]) -> Claim:
    return replace(claim, parts=tuple(part for part in claim.parts if part not in parts))


class Claims:
    """All claims of a table. One device holds a seat, or several that joined it with its PIN or share out its parts.

    The list `all` is replaced, never changed, so it can be published: see `Snapshot`. Each change is stored first: if
    that raises, no claim has changed.
    """

    def __init__(
        self,
        seats: Callable[[], Sequence[Seat]],
        claims: Sequence[Claim] = (),
        store: Callable[[list[Claim]], None] = lambda claims: None,
    ) -> None:
        """`seats` returns the current seats, which depend on the chosen game."""
        self._seats, self._store = seats, store
        self._all: list[Claim] = []
        for claim in claims:  # claims of older versions have no numbers
            is_numbered = claim.number not in (other.number for other in self.taken(claim.seat))
            self._all.append(claim if is_numbered else replace(claim, number=self._next_number(claim.seat)))

    @property
    def all(self) -> list[Claim]:
        """All claims, in the order in which they were made."""
        return self._all

    @all.setter
    def all(self, claims: list[Claim]) -> None:
        if claims == self._all:
            return
        # Store a change before it is visible: after a power cut, no device may have a key that the table does not know.
        self._store(claims)
        self._all = claims

    def seat(self, name: str) -> Seat:
        """Return the seat called `name`. Raises `UserError` if there is none."""
        seats = self._seats()
        for seat in seats:
            if seat.name == name:
                return seat
        unknown = Text("There is no seat {seat}; the seats are {known}.")
        # Shorten the name, because it comes from outside and is repeated in the answer.
        raise UserError("not-understood", unknown.with_(seat=repr(name[:40]), known=comma_list(seat_names(seats))))

    def taken(self, seat: str) -> list[Claim]:
        return [claim for claim in self.all if claim.seat == seat]

    def leader(self, holder: Holder, part: str) -> str | None:
        """Return the other device that leads a part of a holder's seat; None if the holder may act for the part."""
        if part in holder.parts:
            return None
        return next((claim.person for claim in self.taken(holder.seat) if part in claim.parts), None)

    def holder(self, key: str) -> Holder | None:
        return holder_of(self.all, key)

    def opened_by(self, keys: Iterable[str]) -> list[Claim]:
        """Return the claims that these keys open."""
        return opened_claims(self.all, keys)

    def claim(
        self, seat: str, pin: str, device: str, parts: Sequence[str], *, alone: bool = False, freed: str = ""
    ) -> str:
        """Claim a free seat or free parts of it, with a PIN or "" for none. Return the key, which is not stored.
        Someone who plays `alone` needs no name. The seat `freed` becomes free in the same change.
        """
        own_parts = self.check_free(seat, parts, freed)
        name = "" if alone and not device.strip() else person_name(device)
        number = self._next_number(seat)
        # The key has 256 random bits and cannot be guessed, so wrong keys need no limit.
        key, salt, stored = secrets.token_urlsafe(32), "", ""
        if pin:
            check_pin(pin)
            salt = salt_for(pin)
            stored = hashed(pin, salt)
        others = [it for it in self.all if it.seat != freed]
        self.all = [*others, Claim(seat, own_parts, name, hash_key(key), salt, stored, number=number)]
        return key

    def check_free(self, seat: str, parts: Sequence[str], freed: str = "") -> tuple[str, ...]:
        """Return the parts that a new claim would lead. Raises `UserError` if they are taken. The seat `freed` counts
        as free.
        """
        own_parts = self._valid_parts(seat, parts)
        for other in () if seat == freed else self.taken(seat):
            if not own_parts or set(own_parts) & set(other.parts):
                raise _taken_error(other)
        self._check_room(seat)
        return own_parts

    def salts(self, seat: str) -> list[str]:
        """Return the different salts of a seat's PINs."""
        return list(dict.fromkeys(claim.salt for claim in self.taken(seat) if claim.pin))

    def readers(self, seat: str) -> frozenset[str]:
        """Return the hashes of the keys that open a seat now."""
        return frozenset(claim.key for claim in self.taken(seat) if claim.key)

    def proven_key(self, seat: str, keys: Sequence[str]) -> tuple[str, str] | None:
        """Return the hash of the first of these keys that opens or opened a claim with a PIN, and the PIN's salt."""
        # Former keys count too: a device that has lost the seat still proves that it knew the PIN.
        for key in map(hash_key, keys):
            for claim in self.taken(seat):
                if claim.pin and key in claim.keys:
                    return key, claim.salt
        return None

    def check(self, request: SeatRequest) -> None:
        """Raise `UserError` if a request cannot be granted, even with the right PIN."""
        self.seat(request.seat)
        if request.frees:
            return
        person_name(request.device)
        if request.share:
            self._check_room(request.seat)
            self._valid_parts(request.seat, request.parts)
        elif request.instead not in (None, *(claim.number for claim in self.taken(request.seat))):
            raise UserError("not-understood", Text("That device no longer sits there."))

    def grant(self, request: SeatRequest, pin: str, among: Sequence[str] | None = None) -> str:
        """Grant a request if the PIN is right for one of the salts `among` (default: all). Return the new key, or "" if
        the request frees the seat. Raises `UserError`: `wrong-pin`, or as `check` does.
        """
        self.check(request)
        claims = self._with_pin(request, pin, among)
        if request.frees:
            salt = claims[0].salt
            # All devices that joined with this PIN have its salt, so they leave together.
            self.all = [claim for claim in self.all if (claim.seat, claim.salt) != (request.seat, salt)]
            return ""
        # A seat that was left to a bot is taken back as a whole.
        if request.share and not claims[0].bot:
            return self._share(request, claims)
        for claim in claims:
            if request.instead in (None, claim.number):
                return self._move(claim, person_name(request.device))
        raise request.wrong_pin

    def _move(self, claim: Claim, device: str) -> str:
        """Give a claim to another device. Return the new key; the old one stops working."""
        key = secrets.token_urlsafe(32)
        # The other devices of the seat see a new number as another device, whatever its name is.
        number = self._next_number(claim.seat) if len(self.taken(claim.seat)) > 1 else claim.number
        former = claim.keys[:MOST_FORMER_KEYS]
        # A new key shuts out the old device at once, also its open streams.
        moved = replace(claim, device=device, key=hash_key(key), bot="", number=number, former=former)
        self._replace(claim, moved)
        return key

    def _share(self, request: SeatRequest, sharers: Sequence[Claim]) -> str:
        """Add a device to those that have the PIN. It takes the parts that it names; if it names none or all, all of
        these devices lead them together. At a seat without parts, each of them acts for the seat. Parts that a device
        with another PIN leads are refused like a wrong PIN: another refusal would reveal that the PIN is right.
        """
        theirs = self._in_order(request.seat, (part for claim in sharers for part in claim.parts))
        own_parts = self._valid_parts(request.seat, request.parts) if request.parts else theirs
        # Parts with another PIN belong to people who have not agreed to share.
        others = {part for claim in self.taken(request.seat) if claim not in sharers for part in claim.parts}
        if request.parts and others & set(own_parts):
            raise request.wrong_pin
        key, number = secrets.token_urlsafe(32), self._next_number(request.seat)
        device = person_name(request.device)
        # Use the salt and the hash of the same PIN, which then opens both claims.
        added = replace(sharers[0], parts=own_parts, device=device, key=hash_key(key), number=number, former=())
        taken = own_parts if set(theirs) - set(own_parts) else ()
        self.all = [*(_without(it, taken) if it in sharers else it for it in self.all), added]
        return key

    def assign(self, key: str, part: str, number: int) -> None:
        """Give a part to the device of that number. The holder of the key must lead the part, unless no one does."""
        mine = _claim_of(self.all, key)
        parts = () if mine is None else self.parts(mine.seat)
        if mine is None or not parts:
            raise UserError("not-understood", Text("That seat has no parts to share."))
        self._valid_parts(mine.seat, [part])
        leaders = [claim for claim in self.taken(mine.seat) if part in claim.parts]
        if leaders and mine not in leaders:
            raise led_by(part, leaders[0].person)
        to = next((claim for claim in self.taken(mine.seat) if claim.number == number), None)
        if to is None:
            raise UserError("not-understood", Text("That device no longer leads any part."))
        extended = replace(to, parts=self._in_order(to.seat, [*to.parts, part]))
        # Replace the list once, so that no part ever has two leaders, or none, in between.
        self.all = [extended if it is to else _without(it, [part]) if it is mine else it for it in self.all]

    def _with_pin(self, request: SeatRequest, pin: str, among: Sequence[str] | None) -> list[Claim]:
        """Return the claims on a seat that have this PIN. Compares all, so that the time is always the same."""
        salts = self.salts(request.seat) if among is None else among
        fits = {claim.number: is_stored_pin(pin, claim.salt, claim.pin) for claim in self.taken(request.seat)}
        claims = [claim for claim in self.taken(request.seat) if fits[claim.number] and claim.salt in salts]
        if not claims:
            raise request.wrong_pin
        return claims

    def _next_number(self, seat: str) -> int:
        return 1 + max((claim.number for claim in self.taken(seat)), default=-1)

    def _check_room(self, seat: str) -> None:
        if len(self.taken(seat)) >= MOST_DEVICES:
            says = Text("{number} devices play there already. Take one of them over instead.", number=MOST_DEVICES)
            raise UserError("seat-taken", says)

    def release(self, seat: str) -> None:
        """Free a whole seat."""
        self.all = [claim for claim in self.all if claim.seat != seat]

    def release_own(self, seat: str, keys: Sequence[str]) -> bool:
        """Remove the claim on a seat that one of these keys opens. Return whether there was one."""
        mine = next((claim for claim in self.opened_by(keys) if claim.seat == seat), None)
        if mine is not None:
            self.all = [claim for claim in self.all if claim is not mine]
        return mine is not None

    # --- without a PIN ------------------------------------------------------------------------------------------

    def joined(self, seat: str) -> bool:
        """Return whether the devices at a seat have one PIN or are one device, and so can move together."""
        claims = self.taken(seat)
        return len(claims) < 2 or (bool(claims[0].pin) and len({claim.salt for claim in claims}) == 1)

    @property
    def alone(self) -> Claim | None:
        """The only person at the table, if that person has no PIN: then there is no one to keep secrets from. A person
        who left a seat to a bot counts, too.
        """
        people = [claim for claim in self.all if not claim.bot or claim.former]
        return people[0] if len(people) == 1 and not (people[0].pin or people[0].bot) else None

    def alone_at(self, seat: str) -> Claim:
        """Return the claim of the only person, if that person has this seat without a PIN. Raises `UserError`."""
        place, claim = self.seat(seat), self.alone
        if claim is None or claim.seat != place.name:
            raise UserError("wrong-pin", WITHOUT_PIN if self.taken(seat) else FREE)
        return claim

    def return_from_bot(self, seat: str, keys: Iterable[str], device: str) -> str | None:
        """Take a seat back from the bot that one of these keys has left it to, and return the new key. None if there is
        no such seat; see `left_to_bot`.
        """
        claim = next((it for it in left_to_bot(self.all, keys) if it.seat == seat), None)
        return None if claim is None else self._move(claim, person_name(device) if device.strip() else "")

    def forget_left(self) -> None:
        """Forget who has left seats without a PIN to bots, because another game begins."""
        self.all = [replace(it, former=()) if it.bot and not it.pin else it for it in self.all]

    def replace_alone(self, seat: str, device: str) -> str:
        """Take the place of the only person, who has no PIN, and keep the name if none is given. Return the new
        key. Raises `UserError`."""
        claim = self.alone_at(seat)
        return self._move(claim, person_name(device) if device.strip() else claim.device)

    def move(self, seats: Mapping[str, str], bots: Mapping[str, str]) -> None:
        """Move claims to other seats: `seats` maps the old seat to the new one.

        Keys stay valid. `bots` is seat -> bot after the move.
        """
        moved = [replace(it, seat=to, parts=self._valid_parts(to, ())) for it in self.all for to in [seats[it.seat]]]
        self.all = [replace(it, bot=bots[it.seat], device=bot_name(bots[it.seat])) if it.bot else it for it in moved]

    # --- bots ---------------------------------------------------------------------------------------------------

    @property
    def bots(self) -> dict[str, str]:
        """Seat -> the bot that plays there."""
        return {claim.seat: claim.bot for claim in self.all if claim.bot}

    @property
    def people(self) -> int:
        """The number of devices of people that hold a seat or parts of one."""
        return sum(not claim.bot for claim in self.all)

    def seat_bot(self, seat: str, bot: str, freed: str = "") -> None:
        """Give a whole free seat to a bot. The seat `freed` becomes free in the same change."""
        others = [it for it in self.all if it.seat != freed]
        for other in others:
            if other.seat == seat:
                raise _taken_error(other)
        self.all = [*others, Claim(seat, self._valid_parts(seat, ()), bot_name(bot), "", "", "", bot)]

    def hand_over(self, key: str, bot: str) -> None:
        """Leave a seat to a bot; the PIN gets it back, or this key if there is none. An unknown key changes nothing."""
        mine = _claim_of(self.all, key)
        if mine is None:
            return
        # Each device of a shared seat has its own key, and the others would lose theirs.
        for other in self.taken(mine.seat):
            if other is not mine:
                says = Text("{device} plays on that side too. A bot takes a whole seat or none.", device=other.person)
                raise UserError("seat-taken", says)
        # Without a key no device acts there. The former keys still prove later who knew the PIN.
        parts, former = self._valid_parts(mine.seat, ()), mine.keys[:MOST_FORMER_KEYS]
        self._replace(mine, replace(mine, parts=parts, device=bot_name(bot), key="", bot=bot, former=former))

    def replace_bot(self, seat: str, bot: str) -> None:
        """Let another bot play a bot's seat. A PIN that can take the seat back stays valid."""
        for claim in self.taken(seat):
            if claim.bot:
                self._replace(claim, replace(claim, device=bot_name(bot), bot=bot))

    def _replace(self, old: Claim, new: Claim) -> None:
        self.all = [new if claim is old else claim for claim in self.all]

    def _valid_parts(self, seat: str, names: Sequence[str]) -> tuple[str, ...]:
        """Return the wanted parts of a seat in order; all parts if none are named. Raises `UserError`."""
        parts = self.parts(seat)
        if parts and not set(names) <= set(parts):
            raise UserError("not-understood", Text("The parts are {known}.", known=comma_list(parts)))
        return self._in_order(seat, names) or parts

    def parts(self, seat: str) -> tuple[str, ...]:
        """Return the parts that devices can share out; empty if all devices act for the whole seat."""
        place = self.seat(seat)
        return place.parts if place.shared else ()

    def _in_order(self, seat: str, parts: Iterable[str]) -> tuple[str, ...]:
        led = set(parts)
        return tuple(part for part in self.parts(seat) if part in led)


def led_by(part: str, device: str) -> UserError:
    """Return the refusal to a device that acts for a part which another device leads."""
    return UserError("no-seat", Text("{leader} leads {part}.", leader=device, part=Text(part)))
