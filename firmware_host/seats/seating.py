"""Who sits where at this table, people and bots, and who may change that. `claims.py` says what a claim is.

A seat that receives no secrets may be free while a game runs. A secret seat may not: anyone who took it would learn
everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.game import Command, Game
from engine.seats import Seat, seat_names, secret_seats
from engine.text import Text, comma_list
from firmware_host.core import bots
from firmware_host.core.errors import UserError
from firmware_host.core.person_names import name_key
from firmware_host.play.game import TableGame
from firmware_host.records.journal import Journal
from firmware_host.seats.absence import Absence
from firmware_host.seats.changes import ChangesLog
from firmware_host.seats.claims import GUEST, Claim, Claims, led_by, left_to_bot, opened_claims
from firmware_host.seats.guesses import Guesses
from firmware_host.seats.identity import ANONYMOUS, Checked, Holder, Requester
from firmware_host.seats.players import BotFailed

NO_LONGER_HELD = Text("This device no longer holds a seat. Take one in the lobby.")
FREE_AGAIN = Text("Take the seat, or give it to another bot; the game goes on from here.")
NOT_YOURS = Text("{device} sits there. Free the seat from there, with its PIN, or with the admin PIN.")
IN_USE = Text(
    "That seat is in use. Go on playing on its device, or wait until no one has played there for five minutes (for an "
    "hour while the game is paused)."
)
THEIR_TABLE = Text("People sit at this table: only they may do that, or an admin with the admin PIN.")
NOT_FREED = Text("A game is running. A seat changes hands with its PIN only.")
NEEDS_PIN = Text(
    "{device} has a seat without a PIN, but a game with others needs one. Free that seat, on that device or with the "
    "admin PIN, then take it again with a PIN."
)
NO_BOT_LEFT = Text("No other bot is left to play on, so the game has been put away.")
CLAIMS_KEY = "claims"
"""The journal's key for who sits where."""


class Seating:
    """The seats of a game. Remembers why a bot left a seat, and which bots failed in the running game."""

    def __init__(
        self,
        game: Callable[[], Game],
        seats: Callable[[], tuple[Seat, ...]],
        journal: Journal,
        clock: Callable[[], float],
        play: Callable[[], TableGame | None],
        watched: Callable[[str], bool],
    ) -> None:
        """`game` and `seats` return those that are played or chosen now, and `play` what is on the table, if anything.

        `watched` returns whether a screen of a seat is open; `clock` returns monotonic seconds.
        """
        self._game, self._seats, self._journal, self._play = game, seats, journal, play
        stored, valid_seats = msgspec.convert(journal.stored_value(CLAIMS_KEY) or [], list[Claim]), seat_names(seats())
        # A game that is missing may have had other seats and bots. Claims on them stay stored until someone takes a
        # seat.
        claims = [it for it in stored if it.seat in valid_seats and (play() is not None or self._can_sit(it))]
        waiting = [] if play() is not None or journal.running() is None else [it for it in stored if not it.bot]
        # A person alone without a PIN could not be seen to leave.
        self._waiting = waiting if len(waiting) > 1 or any(it.pin for it in waiting) else []
        self.claims = Claims(seats, claims, self._store)
        self.absence = Absence(lambda: self.claims.alone, watched, play, clock)
        self.guesses = Guesses(self.claims, journal, clock)
        # Budgets whose removal could not be stored before the restart are removed now.
        self.guesses.forget(stored)
        self._troubles: dict[str, str] = {}
        self._acted: dict[str, str | None] = {}
        self._changes = ChangesLog(journal, play)
        self._failed: dict[str, tuple[str, ...]] = {}
        self._starting = False
        # A bot may have been removed since the last run.
        for claim in self.claims.all:
            # Treat a missing bot like one that failed: another one takes over, or the seat is free.
            if not self._can_sit(claim):
                self.replace(BotFailed(claim.seat, claim.bot))

    def _can_sit(self, claim: Claim) -> bool:
        """Return whether a claim is that of a person, or of a bot that can play there now."""
        return not claim.bot or claim.bot in bots.names_for(self._game(), claim.seat)

    def seat_facts(self) -> dict[str, Any]:
        """Return the public facts about each seat.

        They are its devices, why a bot failed there, and, if its acts are public, which device acted last (None for
        someone at the board). `left` are the devices that have left a secret seat in this game, because they know its
        secrets.
        """
        left = self._changes.current.seats
        return {
            seat.name: {
                "title": seat.title,
                "taken": bool(self.claims.taken(seat.name)),
                "devices": [_device_facts(claim) for claim in self.claims.taken(seat.name)],
                "trouble": self._troubles.get(seat.name),
                "left": _counted(left.get(seat.name, ())),
                "acted": {"device": self._acted[seat.name]} if seat.name in self._acted else None,
            }
            for seat in self._seats()
        }

    def people(self) -> list[tuple[str, str]]:
        """Return the seat and the name of every person who plays; the name of a guest is empty."""
        by_name = dict[tuple[str, str], tuple[str, str]]()
        for seat in self._seats():
            for first, *_ in _by_person((it for it in self.claims.taken(seat.name) if not it.bot), self._seats()):
                # A name at a seat is one person, also with several PINs.
                by_name.setdefault((seat.name, name_key(first.device)), (seat.name, first.device))
        return [*by_name.values()]

    def holder(self, key: str) -> Holder:
        """Return the holder of a key. Raises `UserError`."""
        holder = self.claims.holder(key)
        if holder is None:
            raise UserError("no-seat", NO_LONGER_HELD)
        return holder

    def claims_held_by(self, requester: Requester) -> list[Claim]:
        """Return the claims that the requester's keys open."""
        return self.claims.opened_by(requester.keys)

    def check_waiting(self, requester: Checked) -> None:
        """Raise `UserError` if a game has waited for people since the start of the table, perhaps at seats that the
        chosen game does not have, and the requester is none of them: taking or freeing a seat would end their game.
        """
        if self._waiting and not requester.admin and not opened_claims(self._waiting, requester.keys):
            raise UserError("no-seat", THEIR_TABLE)

    def _sits_at(self, seat: str, requester: Requester) -> bool:
        return any(claim.seat == seat for claim in self.claims_held_by(requester))

    def admit(self, requester: Checked) -> None:
        """Raise `UserError` unless the requester sits here or is the admin, or the people here don't need the table."""
        self.check_waiting(requester)
        free = not self.claims.people or self.absence.freeable_seat is not None
        if not free and not requester.admin and not self.claims_held_by(requester):
            raise UserError("no-seat", THEIR_TABLE)

    def name_of(self, requester: Requester) -> str:
        """Return the name that the requester has given at a seat; empty for a guest and for others."""
        return next((claim.device for claim in self.claims_held_by(requester)), "")

    def check_part(self, holder: Holder, *commands: Command) -> None:
        """Raise `UserError` if each of these commands is for a part of the seat that another device leads."""
        parts = [self._game().part(command) for command in commands]
        led = [(it, leader) for it in parts if it and (leader := self.claims.leader(holder, it)) is not None]
        if led and len(led) == len(parts):
            raise led_by(*led[0])

    def check_full(self, seats: Iterable[Seat], pins: bool) -> None:
        """Raise `UserError` if one of these seats is free, or if several people play, one of them without a PIN,
        although `pins` are required: no one could take over that person's seat.
        """
        without = [claim for claim in self.claims.all if not (claim.bot or claim.pin)]
        if pins and without and self.claims.people > 1:
            raise UserError("not-now", NEEDS_PIN.with_(device=without[0].person))
        for seat in seats:
            if not self.claims.taken(seat.name):
                raise UserError("not-now", Text("The {seat}'s seat is still free.", seat=seat.title))

    # --- people -------------------------------------------------------------------------------------------------

    def may_free(self, seat: str, requester: Checked) -> bool:
        """Return whether the requester may free a seat: as admin, as holder, or because its person may go."""
        return requester.admin or self.absence.freeable_seat == seat or self._sits_at(seat, requester)

    def release(self, seat: str, requester: Checked, running: bool) -> None:
        """Free a seat without a PIN. The holder frees its own claim only; otherwise the whole seat is freed. While a
        game is `running`, a device may only leave a seat at which others stay; its parts then have no leader.
        """
        self.check_release(seat, requester, running)
        frees_all = not running and (requester.admin or self.absence.freeable_seat == seat)
        # If several devices share a seat, only this one leaves it.
        if frees_all or not self.claims.release_own(seat, requester.keys):
            self.claims.release(seat)

    def check_release(self, seat: str, requester: Checked, running: bool) -> None:
        """Raise `UserError` if `release` would not free a seat. Any thread may ask."""
        claims = self.claims.taken(self.claims.seat(seat).name)
        self.check_waiting(requester)
        if running:
            if len(claims) < 2 or not self._sits_at(seat, requester):
                raise UserError("not-now", NOT_FREED)
        elif claims and not self.may_free(seat, requester):
            if seat not in self.claims.bots:
                raise UserError("no-seat", NOT_YOURS.with_(device=claims[0].person))
            self.admit(requester)

    def _freed_for(self, requester: Requester) -> str:
        """Return the seat that becomes free when the requester takes one between games, "" for none.

        It is the seat of the only person, if that person has left, finished or given up.
        """
        seat, play = self.absence.freeable_seat or "", self._play()
        running = play is not None and not play.over
        return "" if running or self._sits_at(seat, requester) else seat

    def check_claim(self, seat: str, parts: Sequence[str], requester: Checked = ANONYMOUS) -> None:
        """Raise `UserError` if `claim` would not give a seat. Any thread may ask."""
        self.check_waiting(requester)
        self.claims.check_free(seat, parts, self._freed_for(requester))
        play = self._play()
        # During a game, a seat is only free after its bots have failed.
        if play is not None and not play.over and seat in secret_seats(play.seats):
            raise UserError("not-now", NOT_FREED)

    def claim(self, seat: str, pin: str, device: str, parts: Sequence[str], requester: Checked = ANONYMOUS) -> str:
        """Claim a free seat, or parts of it, as `Claims.claim` does; a secret seat only before a game."""
        self.check_claim(seat, parts, requester)
        return self.claims.claim(seat, pin, device, parts, freed=self._freed_for(requester))

    def check_left(self, seat: str, requester: Requester) -> None:
        """Raise `UserError` if `replace_left` would not give a seat. Any thread may ask."""
        if any(claim.seat == seat for claim in left_to_bot(self.claims.all, requester.keys)):
            return
        self.claims.alone_at(seat)
        if self.absence.left_seat != seat:
            raise UserError("seat-taken", IN_USE)

    def replace_left(self, seat: str, device: str, requester: Requester) -> str:
        """Take back a seat from a bot, or take the place of the only person, who has left; see `Claims`. Return the new
        key. Raises `UserError`.
        """
        if (key := self.claims.return_from_bot(seat, requester.keys, device)) is not None:
            return key
        self.check_left(seat, requester)
        return self.claims.replace_alone(seat, device)

    def check_alone(self, requester: Requester) -> None:
        """Raise `UserError` if someone other than the requester is still at the table."""
        if self.absence.freeable_seat is not None:
            return
        own = self.claims_held_by(requester)
        for claim in self.claims.all:
            if not claim.bot and claim not in own:
                says = Text("{device} sits at this table. Play together, or free that seat.", device=claim.person)
                raise UserError("seat-taken", says)

    @contextmanager
    def stored_with_game(self) -> Iterator[None]:
        """Let the `with` block change claims and start a game that is stored together with them.

        If the block raises an error before that, nothing has changed: on a failing disk, earlier values could not be
        restored.
        """
        before, self._starting = self.claims.all, True
        try:
            yield
        except BaseException:
            if self._starting:
                self.claims.all = before
            raise
        finally:
            self._starting = False
        self._forget_gone(before, self.claims.all)

    def check_bots(self, playing: Mapping[str, str]) -> None:
        """Raise `UserError` unless a bot has each of these seats and the named bot can play there (seat -> bot)."""
        for seat, bot in playing.items():
            self._fitting(seat, bot)
            if seat not in self.claims.bots:
                raise UserError("not-now", Text("No bot sits at the {seat}'s seat.", seat=self.claims.seat(seat).title))

    def swap(self) -> None:
        """Move everyone to the next seat, the last to the first. Raises `UserError` if a seat has several PINs."""
        seats = seat_names(self._seats())
        if len(seats) < 2 or not all(map(self.claims.joined, seats)):
            raise UserError("not-now", Text("Sides can be swapped where one device or one PIN is on each of them."))
        # Claims keep their keys and PINs, so everyone's device still opens its new seat.
        following = dict(zip(seats, (*seats[1:], seats[0]), strict=True))
        moved = {following[seat]: (seat, bot) for seat, bot in self.claims.bots.items()}
        self.claims.move(following, {seat: self._equal_bot(*left, seat) for seat, left in moved.items()})

    def _equal_bot(self, seat: str, bot: str, other: str) -> str:
        """Return the bot for `seat` that is as good as `bot` is at another seat: the one of the same rank."""
        game = self._game()
        here, there = bots.ranked(game, seat), bots.ranked(game, other)
        return bot if bot in there else there[min(here.index(bot), len(there) - 1)]

    # --- bots ---------------------------------------------------------------------------------------------------

    def check_bot(self, seat: str, bot: str, requester: Checked = ANONYMOUS) -> None:
        """Raise `UserError` if a seat cannot be given to a bot. Any thread may ask."""
        self.check_waiting(requester)
        self._fitting(seat, bot)
        self.claims.check_free(seat, (), self._freed_for(requester))

    def seat_bot(self, seat: str, bot: str, requester: Requester = ANONYMOUS) -> None:
        """Give a free seat to a bot. Raises `UserError`."""
        self.claims.seat_bot(seat, self._fitting(seat, bot), self._freed_for(requester))

    def hand_over(self, key: str, bot: str) -> None:
        """Leave the seat of a key to a bot. Raises `UserError`."""
        self.claims.hand_over(key, self._fitting(self.holder(key).seat, bot))

    def claims_at(self, game: Game, seats: tuple[Seat, ...]) -> list[Claim]:
        """Return the claims at a game with these `seats`. People keep a seat of the same name; the others move, in
        order, to the seats that are free. Those for whom there is none lose theirs, and so do bots that cannot play
        there.
        """
        before = self._seats()
        same, order, names = seat_names({*before} & {*seats}), seat_names(before), seat_names(seats)
        unchanged = (game.name, seats) == (self._game().name, before)
        if unchanged and {claim.seat for claim in self.claims.all} <= {*order}:
            return self.claims.all
        people = [it for it in self.claims.all if not it.bot]
        # If the earlier game was closed, someone may also sit at a seat that is not in `before`.
        people.sort(key=lambda claim: [*order, claim.seat].index(claim.seat))
        staying, moving = list[Claim](), list[list[Claim]]()
        for person in _by_person(people, before):
            seat = person[0].seat
            taken = seat in (other.seat for other in staying)
            if seat in same or (seat in names and not taken):
                staying += person
            else:
                moving.append(person)
        free = [seat for seat in names if seat not in (claim.seat for claim in staying)]
        # Numbers are unique per seat; the devices of a moved person are alone on their new one.
        pairs = zip(moving, free, strict=False)
        moved = [replace(it, seat=to, number=i) for person, to in pairs for i, it in enumerate(person)]
        parts = {seat.name: seat.parts if seat.shared else () for seat in seats}
        settled = [it if it.seat in same else replace(it, parts=parts[it.seat]) for it in staying + moved]
        taken_seats = {claim.seat for claim in settled}
        bot_claims = [it for it in self.claims.all if it.bot and it.seat not in taken_seats and it.seat in same]
        return [*settled, *(it for it in bot_claims if it.bot in bots.names_for(game, it.seat))]

    def reseat(self, claims: list[Claim]) -> None:
        """Move everyone to the seats of the chosen game, which was stored with these claims."""
        if claims is self.claims.all:
            return
        self.claims.all = claims
        self._forget_bots()

    def begin(self) -> None:
        """Update everything after the start of a game that was stored with the claims."""
        self._starting, self._waiting = False, []
        self._forget_bots()

    def _forget_bots(self) -> None:
        """Forget what bots did in the last game, because a new one begins."""
        self._troubles, self._failed, self._acted = {}, {}, {}

    def acted(self, seat: str, device: str | None) -> None:
        """Note that a person acts. Remember which device (None: someone at the board) did so last for a seat whose acts
        are public.
        """
        self.absence.note(seat)
        if seat not in secret_seats(self._seats()):
            self._acted[seat] = device

    def has_replacement(self, fault: BotFailed) -> bool:
        """Return whether the game can go on without a bot."""
        return fault.seat not in secret_seats(self._seats()) or bool(self._others(fault))

    def _others(self, fault: BotFailed) -> list[str]:
        """Return the other bots for a seat that have not failed there in this game."""
        failed = (*self._failed.get(fault.seat, ()), fault.name)
        return [bot for bot in bots.ranked(self._game(), fault.seat) if bot not in failed]

    def replace(self, fault: BotFailed) -> bool:
        """Replace a bot that failed, and return whether the game can go on. The next weaker bot replaces one with a
        process. At a secret seat, any bot that has not failed in this game takes over. If there is none, and at any
        other seat, the seat becomes free.
        """
        seat, left = fault.seat, self._others(fault)
        self._failed[seat] = (*self._failed.get(seat, ()), fault.name)
        hidden = seat in secret_seats(self._seats())
        game, heir = self._game(), left[0] if hidden and left else None
        if fault.name in bots.names_for(game, seat) and bots.find(game, fault.name).apart:
            heir = bots.next_weaker(game, seat, fault.name) or heir
        if heir is not None:
            self.claims.replace_bot(seat, heir)
            what = Text("The bot {name} has taken its place; the game goes on from here.", name=bots.quoted_name(heir))
        else:
            self.claims.release(seat)
            what = NO_BOT_LEFT if hidden else FREE_AGAIN
        title = next(it.title for it in self._seats() if it.name == seat)
        self._troubles[seat] = Text("{fault} {what}", fault=fault.said(title), what=what)
        # People may take a free seat without secrets; a secret one cannot change hands in a game.
        return bool(left) or not hidden

    def _fitting(self, seat: str, bot: str) -> str:
        """Return `bot`. Raises `UserError` if it cannot play for the seat."""
        return _require_fitting_bot(self._game(), self.claims.seat(seat).name, bot)

    def _store(self, claims: list[Claim]) -> None:
        """Store claims, and forget what happened at seats that are free now or newly taken. Raises `CannotWrite`."""
        if self._starting:  # the start of the game will store them
            return
        self._changes.note(self.claims.all, claims)
        store(self._journal, stored_claims(claims), self._play())
        self._waiting = []
        self._forget_gone(self.claims.all, claims)

    def _forget_gone(self, before: Iterable[Claim], now: Sequence[Claim]) -> None:
        """Forget what happened at seats that are free now or newly taken."""
        for seat in {*self._troubles, *self._acted}:
            were, are = ({(it.keys, it.bot) for it in some if it.seat == seat} for some in (before, now))
            # Seats that are free, or have a new holder.
            if not are or are - were:
                self._troubles.pop(seat, None)
                self._acted.pop(seat, None)
        self.guesses.forget(now)

    @property
    def changed(self) -> bool:
        """Whether any seat of this game changed hands after the start."""
        return self._changes.current.players


def stored_claims(claims: list[Claim]) -> dict[str, Any]:
    """Return the form in which the journal stores these claims."""
    return {CLAIMS_KEY: msgspec.to_builtins(claims)}


def store(journal: Journal, values: Mapping[str, Any], play: TableGame | None) -> None:
    """Store who sits where, and other values, while `play` is on the table. A game that waits for something that is
    missing ends if the claims change, because a seat of the same name would show its secrets to other people. Raises
    `CannotWrite`.
    """
    waiting = journal.running() if play is None and CLAIMS_KEY in values else None
    if waiting is not None and values[CLAIMS_KEY] != journal.stored_value(CLAIMS_KEY):
        journal.end(waiting.id, values)
    else:
        journal.store_values(values)


def _counted(names: Iterable[str]) -> list[str]:
    """Return each name with the number of its occurrences, because devices can have equal names."""
    counted = Counter(name or GUEST for name in names).items()
    return [name if times == 1 else Text("{name} ({times})", name=name, times=times) for name, times in counted]


def _by_person(claims: Iterable[Claim], seats: Iterable[Seat]) -> list[list[Claim]]:
    """Return the claims, grouped by person. Devices with the same PIN belong to one person. At a seat with parts, which
    several people with one PIN can share out, they also need the same name.
    """
    divided = {seat.name for seat in seats if seat.shared}
    by_person = dict[tuple[str, str | int, str], list[Claim]]()
    for claim in claims:
        name = name_key(claim.device) if claim.seat in divided else ""
        by_person.setdefault((claim.seat, claim.salt or claim.number, name), []).append(claim)
    return [*by_person.values()]


def seated_alone(
    game: Game, seats: Sequence[Seat], seat: str, device: str, playing: Mapping[str, str]
) -> tuple[list[Claim], str]:
    """Return the claims of one person without a PIN and of a bot on each other seat of a game, and the person's key.
    `playing` is seat -> bot; the table chooses the bots that are missing there. Raises `UserError`.
    """
    # Use separate claims, so that nothing at the table changes if one of these steps is refused.
    claims = Claims(lambda: seats)
    key = claims.claim(seat, "", device, (), alone=True)
    for other in seat_names(seats):
        if other != seat:
            claims.seat_bot(other, _require_fitting_bot(game, other, playing.get(other) or bots.ranked(game, other)[0]))
    return claims.all, key


def _require_fitting_bot(game: Game, seat: str, bot: str) -> str:
    names = bots.names_for(game, seat)
    if bot not in names:
        unknown = Text("No bot {bot} plays for the {seat}; these do: {known}.")
        raise UserError("not-understood", unknown.with_(bot=repr(bot), seat=Text(seat), known=comma_list(names)))
    return bot


def _device_facts(claim: Claim) -> dict[str, Any]:
    """Return the public facts about a claim. `pin` is true if a PIN opens it, also after a bot took over;
    `guest` if the person has given no name.
    """
    return {
        "number": claim.number,
        "device": claim.person,
        "squads": claim.parts,
        "bot": claim.bot or None,
        "pin": bool(claim.pin),
        "guest": not claim.device,
    }
