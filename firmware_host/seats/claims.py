"""Who sits where: one-time claims, PINs for taking over, keys that open one seat each.

Pure but for the random keys: the table's loop owns the claims and keeps them in the journal. Only hashes are kept; the
slow ones are in `pins.py`, and how often somebody may be wrong in `lockout.py`.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.seats import Seat
from engine.text import Text, comma_list
from firmware_host.core.errors import UserError
from firmware_host.seats.identity import Holder
from firmware_host.seats.pins import hashed, salt_for, same

SHORTEST_PIN, LONGEST_PIN = 4, 64
LONGEST_DEVICE = 40
MOST_DEVICES = 6
"""At one seat: more than people who play there."""
FORMER = 4
"""So many devices that held a claim before are remembered, each by its key's hash."""
WRONG_PIN = Text("That is not the PIN of this seat.")
WITHOUT_PIN = Text("That seat was taken without a PIN. Free it from that device, or with the house PIN.")
WRONG_PLACE = Text("That is not the PIN of that device's place.")
WRONG_SQUADS = Text("That is not the PIN with which these squads were taken.")


class Claim(Struct, frozen=True):
    """A taken seat, or parts of one (`squads`); `key` and `pin` are hashes, `number` tells those who sit at
    one seat apart.

    `pin` is "" where there is none. `bot` plays there instead of a person; `pin` is then that of the person who went.
    `former` are hashes of the keys that opened it before, the newest first.
    """

    seat: str
    squads: tuple[str, ...]
    device: str
    key: str
    salt: str
    pin: str
    bot: str = ""
    number: int = 0
    former: tuple[str, ...] = ()


class SeatRequest(Struct, frozen=True):
    """What somebody wants of a taken seat with its PIN: to take it over, to `share` it, or to free it (`frees`).

    `instead` is the number of the device whose place it is to be, `squads` are those that one wants to lead.
    """

    seat: str
    device: str = ""
    squads: tuple[str, ...] = ()
    share: bool = False
    instead: int | None = None
    frees: bool = False

    @property
    def wrong(self) -> UserError:
        """The answer to a wrong PIN, and to the right one of somebody else: it depends on what was asked alone."""
        if self.share and self.squads:
            return UserError("wrong-pin", WRONG_SQUADS)
        return UserError("wrong-pin", WRONG_PIN if self.instead is None else WRONG_PLACE)


def hash_key(key: str) -> str:
    """Return what is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def check_pin(pin: str) -> None:
    """Raises `UserError` for a PIN that no seat can have."""
    if not SHORTEST_PIN <= len(pin) <= LONGEST_PIN:
        raise UserError(
            "not-understood",
            Text("A seat's PIN has {shortest} to {longest} characters.", shortest=SHORTEST_PIN, longest=LONGEST_PIN),
        )


def named(device: str) -> str:
    """What a device is called. Raises `UserError` where that is no name."""
    name = " ".join(device.split())[:LONGEST_DEVICE]
    if not name or not name.isprintable():
        raise UserError("not-understood", Text("Give this device a name, so that the others see who sits there."))
    return name


def _taken(claim: Claim) -> UserError:
    if claim.pin:
        says = Text("{device} has taken that seat. With its PIN you can take it over.", device=claim.device)
    else:
        name = Text("bot: {bot}", bot=Text(claim.bot)) if claim.bot else claim.device
        says = Text("{device} has taken that seat. Before a game it can be sent away in the lobby.", device=name)
    return UserError("seat-taken", says)


def _led(squad: str, device: str) -> UserError:
    return UserError("no-seat", Text("The {squad} squad is led by {leader}.", squad=Text(squad), leader=device))


def _former(claim: Claim) -> tuple[str, ...]:
    """The keys that opened a claim before, once its own does no more."""
    return tuple(key for key in (claim.key, *claim.former) if key)[:FORMER]


def bot_name(bot: str) -> str:
    """What a bot is called among the devices."""
    return f"bot: {bot}"


class Claims:
    """All claims of a table. A seat is held by one device; one whose parts can be shared out, by several.

    The list is never changed, only replaced: who holds a key can be asked from any thread, and waits for nobody.
    """

    def __init__(self, seats: Callable[[], Iterable[Seat]], claims: Sequence[Claim] = ()) -> None:
        """`seats` gives the seats as they are now: they depend on what is played."""
        self._seats = seats
        self.all: list[Claim] = []
        for claim in claims:  # what was kept before there were numbers gets one
            known = claim.number not in (other.number for other in self.taken(claim.seat))
            self.all.append(claim if known else replace(claim, number=self._number(claim.seat)))

    def taken(self, seat: str) -> list[Claim]:
        """The claims on a seat."""
        return [claim for claim in self.all if claim.seat == seat]

    def led_by_others(self, holder: Holder) -> set[str]:
        """The parts of a holder's seat that other devices have claimed."""
        others = {squad for claim in self.taken(holder.seat) for squad in claim.squads}
        return others - set(holder.squads)

    def holder(self, key: str) -> Holder | None:
        """Who holds a key."""
        claim = self._of(key)
        return None if claim is None else Holder(claim.seat, claim.squads, claim.device, claim.number)

    def _of(self, key: str) -> Claim | None:
        hashed = hash_key(key)
        return next((claim for claim in self.all if hmac.compare_digest(claim.key, hashed)), None)

    def claim(self, seat: str, pin: str, device: str, squads: Sequence[str]) -> str:
        """Take what is free, with a PIN or with "" for none; the key is returned once and never again."""
        return self._add(seat, pin, device, self.free(seat, squads))

    def free(self, seat: str, squads: Sequence[str]) -> tuple[str, ...]:
        """What somebody who asks for these parts of a seat would lead. Raises `UserError` where that is taken."""
        wanted = self._wanted(seat, squads)
        for other in self.taken(seat):
            if not wanted or set(wanted) & set(other.squads):
                raise _taken(other)
        self._check_room(seat)
        return wanted

    def salts(self, seat: str) -> list[str]:
        """With what the PINs of a seat are salted, each once."""
        return list(dict.fromkeys(claim.salt for claim in self.taken(seat) if claim.pin))

    def readers(self, seat: str) -> frozenset[str]:
        """Return the hashes of the keys that open a seat now."""
        return frozenset(claim.key for claim in self.all if claim.seat == seat and claim.key)

    def held(self, seat: str, keys: Sequence[str]) -> tuple[str, str] | None:
        """Hash of the first of these keys that opens a part of a seat or did before, and the salt of its PIN."""
        for key in map(hash_key, keys):
            for claim in self.taken(seat):
                if claim.pin and key in (claim.key, *claim.former):
                    return key, claim.salt
        return None

    @property
    def key_hashes(self) -> set[str]:
        """The hashes of all keys that open something, or did before."""
        return {key for claim in self.all for key in (claim.key, *claim.former)}

    def check(self, wish: SeatRequest) -> None:
        """Whether a wish can be fulfilled at all, whatever the PIN is. Raises `UserError`."""
        if wish.frees:
            return
        named(wish.device)
        if wish.share:
            self._may_share(wish.seat)
            self._wanted(wish.seat, wish.squads)
        elif wish.instead not in (None, *(claim.number for claim in self.taken(wish.seat))):
            raise UserError("not-understood", Text("That device does not sit there (any more)."))

    def grant(self, wish: SeatRequest, pin: str, among: Sequence[str] | None = None) -> str:
        """Fulfil a wish with the PIN of the seat, or of its parts with these salts; the new key, "" where a seat was
        freed. Raises `UserError` (wrong-pin) where the PIN is not that of what was asked for, else as `check` does.
        """
        self.check(wish)
        found = self._with_pin(wish, pin, among)
        if wish.frees:
            salt = found[0].salt
            self.all = [claim for claim in self.all if (claim.seat, claim.salt) != (wish.seat, salt)]
            return ""
        if wish.share and not found[0].bot:
            return self._shared(wish, found)
        claim = found[0] if wish.instead is None else next((it for it in found if it.number == wish.instead), None)
        if claim is None:
            raise wish.wrong
        return self._moved(claim, named(wish.device))

    def take_over(self, seat: str, pin: str, device: str, instead: int | None = None) -> str:
        """Take a claimed seat, or a part of it, with its PIN; the old key stops working. Of several with that PIN it is
        the one of the number `instead`, else the first.
        """
        return self.grant(SeatRequest(seat, device, instead=instead), pin)

    def _moved(self, claim: Claim, device: str) -> str:
        key = secrets.token_urlsafe(32)
        moved = replace(claim, device=device, key=hash_key(key), bot="", former=_former(claim))
        self._replace(claim, moved)
        return key

    def share(self, seat: str, pin: str, device: str, squads: Sequence[str]) -> str:
        """Sit down beside those who have that PIN, and lead some of their squads from now on in their place; with none
        named, or with all of them, both lead them. What nobody leads may be named too. Raises `UserError`.
        """
        return self.grant(SeatRequest(seat, device, tuple(squads), share=True), pin)

    def _shared(self, wish: SeatRequest, found: Sequence[Claim]) -> str:
        """Squads that somebody with another PIN leads are refused like a wrong PIN: any other refusal would tell that
        the PIN is right.
        """
        theirs = self._in_order(wish.seat, (squad for claim in found for squad in claim.squads))
        wanted = self._wanted(wish.seat, wish.squads) if wish.squads else theirs
        others = {squad for claim in self.taken(wish.seat) if claim not in found for squad in claim.squads}
        if wish.squads and others & set(wanted):
            raise wish.wrong
        key, number = secrets.token_urlsafe(32), self._number(wish.seat)
        if set(theirs) - set(wanted):
            for claim in found:
                self._replace(claim, replace(claim, squads=tuple(it for it in claim.squads if it not in wanted)))
        beside = replace(
            found[0], squads=wanted, device=named(wish.device), key=hash_key(key), number=number, former=()
        )
        self.all = [*self.all, beside]
        return key

    def lead(self, key: str, squad: str, number: int) -> None:
        """Whoever leads a squad, or wants one that nobody leads, gives it to the device of that number, perhaps its
        own. Raises `UserError`.
        """
        mine = self._of(key)
        parts = () if mine is None else self._parts(mine.seat)
        if mine is None or not parts:
            raise UserError("not-understood", Text("That seat leads no squads."))
        if squad not in parts:
            raise UserError("not-understood", Text("The squads are {known}.", known=comma_list(parts)))
        leaders = [claim for claim in self.taken(mine.seat) if squad in claim.squads]
        if leaders and mine not in leaders:
            raise _led(squad, leaders[0].device)
        to = next((claim for claim in self.taken(mine.seat) if claim.number == number), None)
        if to is None:
            raise UserError("not-understood", Text("That device leads no squads (any more)."))
        if to is not mine:
            self._replace(mine, replace(mine, squads=tuple(it for it in mine.squads if it != squad)))
        self._replace(to, replace(to, squads=self._in_order(to.seat, [*to.squads, squad])))

    def _with_pin(self, wish: SeatRequest, pin: str, among: Sequence[str] | None) -> list[Claim]:
        """What was taken of a seat with this PIN: all are compared. Raises `UserError` where none was."""
        salts = self.salts(wish.seat) if among is None else among
        fits = {claim.number: same(pin, claim.salt, claim.pin) for claim in self.taken(wish.seat)}
        found = [claim for claim in self.taken(wish.seat) if fits[claim.number] and claim.salt in salts]
        if not found:
            raise wish.wrong
        return found

    def _number(self, seat: str) -> int:
        """What tells a new device from those who sit there."""
        return 1 + max((claim.number for claim in self.taken(seat)), default=-1)

    def _may_share(self, seat: str) -> None:
        if not self._parts(seat):
            raise UserError("not-understood", Text("One device holds that seat alone."))
        self._check_room(seat)

    def _check_room(self, seat: str) -> None:
        if len(self.taken(seat)) >= MOST_DEVICES:
            raise UserError(
                "seat-taken",
                Text("{number} devices play there already. Take one of them over instead.", number=MOST_DEVICES),
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
        """Free what was taken of a seat with this PIN, by all devices that share it. Raises `UserError`."""
        self.grant(SeatRequest(seat, frees=True), pin)

    # --- without a PIN ------------------------------------------------------------------------------------------

    @property
    def alone(self) -> Claim | None:
        """The only person who has sat at the table, if it is one without a PIN: nobody else has a secret to gain. Who
        has left a seat to a bot has sat there.
        """
        people = [claim for claim in self.all if not claim.bot or claim.former]
        return people[0] if len(people) == 1 and not (people[0].pin or people[0].bot) else None

    def replace_alone(self, seat: str, device: str) -> str:
        """Take the place of the only person, who has no PIN; the new key. Raises `UserError` where there is none."""
        claim = self.alone
        if claim is None or claim.seat != seat:
            raise UserError("wrong-pin", WITHOUT_PIN)
        return self._moved(claim, named(device))

    def move(self, seats: Mapping[str, str], bots: Mapping[str, str]) -> None:
        """Everybody moves to the seat that `seats` names for theirs, and keeps the key; `bots` is who plays which seat
        where a bot sits there then.
        """
        moved = [replace(claim, seat=seats[claim.seat]) for claim in self.all]
        named_anew = [replace(it, bot=bots[it.seat], device=bot_name(bots[it.seat])) if it.bot else it for it in moved]
        self.all = [replace(it, squads=self._wanted(it.seat, ())) for it in named_anew]

    # --- bots ---------------------------------------------------------------------------------------------------

    @property
    def bots(self) -> dict[str, str]:
        """Seat -> the bot that plays there."""
        return {claim.seat: claim.bot for claim in self.all if claim.bot}

    @property
    def anybody(self) -> bool:
        """Whether a person holds a seat."""
        return self.people > 0

    @property
    def people(self) -> int:
        """How many devices of people hold a seat, or a part of one."""
        return sum(not claim.bot for claim in self.all)

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
                raise UserError(
                    "seat-taken",
                    Text("{device} plays on that side too. A bot takes a whole seat or none.", device=other.device),
                )
        left = replace(mine, squads=self._wanted(mine.seat, ()), device=bot_name(bot), key="", bot=bot)
        self._replace(mine, replace(left, former=_former(mine)))

    def succeed(self, seat: str, bot: str) -> None:
        """A bot takes another bot's place; whoever may come back with a PIN still may."""
        self.all = [
            replace(claim, device=bot_name(bot), bot=bot) if claim.seat == seat and claim.bot else claim
            for claim in self.all
        ]

    def _replace(self, old: Claim, new: Claim) -> None:
        self.all = [new if claim is old else claim for claim in self.all]

    def _wanted(self, seat: str, squads: Sequence[str]) -> tuple[str, ...]:
        parts = self._parts(seat)
        if not parts:
            return ()
        if any(squad not in parts for squad in squads):
            raise UserError("not-understood", Text("The squads are {known}.", known=comma_list(parts)))
        return self._in_order(seat, squads) or parts

    def _parts(self, seat: str) -> tuple[str, ...]:
        """What devices can share out at a seat; nothing where one holds it alone."""
        return next((it.parts for it in self._seats() if it.name == seat and it.shared), ())

    def _in_order(self, seat: str, squads: Iterable[str]) -> tuple[str, ...]:
        led = set(squads)
        return tuple(squad for squad in self._parts(seat) if squad in led)

    def _add(self, seat: str, pin: str, device: str, squads: tuple[str, ...]) -> str:
        name = named(device)
        key, number, salt, kept = secrets.token_urlsafe(32), self._number(seat), "", ""
        if pin:
            check_pin(pin)
            salt = salt_for(pin)
            kept = hashed(pin, salt)
        self.all = [*self.all, Claim(seat, squads, name, hash_key(key), salt, kept, number=number)]
        return key
