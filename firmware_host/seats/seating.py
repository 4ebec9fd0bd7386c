"""Who sits where at this table, people and bots, kept in the journal. What a claim is stands in `claims.py`.

A seat that is told nothing secret may be free in a running game. A secret one may not: whoever sat down there would be
told everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from engine.game import Command, Game
from engine.seats import Seat, seat_names, secret_seats
from engine.text import Text, comma_list
from firmware_host.core import bots
from firmware_host.core.errors import UserError
from firmware_host.records.journal import Journal
from firmware_host.seats.claims import WITHOUT_PIN, Claim, Claims, SeatRequest, named
from firmware_host.seats.guesses import Guesses, PinAttempt
from firmware_host.seats.identity import Holder, Requester
from firmware_host.seats.players import BotFailed

FREE_AGAIN = Text("Take the seat, or give it to another bot; the game goes on from here.")
NOT_YOURS = Text("{device} sits there. Free the seat from there, with its PIN, or with the house PIN.")
NOBODY_LEFT = Text("No other bot is left to play on, so the game has been put away.")


class Seating:
    """The seats of a game. Of each seat that a bot has left it keeps why, and of the running game which bots failed."""

    def __init__(
        self,
        game: Callable[[], Game],
        seats: Callable[[], tuple[Seat, ...]],
        journal: Journal,
        clock: Callable[[], float],
    ) -> None:
        """`game` and `seats` give those of what is played or chosen now, `clock` monotonic seconds."""
        self._game, self._seats, self._journal = game, seats, journal
        known = seat_names(seats())  # a game that is there no more may have had others
        kept = [claim for claim in msgspec.convert(journal.kept("claims") or [], list[Claim]) if claim.seat in known]
        self.claims = Claims(seats, kept)
        self.guesses = Guesses(self.claims, journal, clock)
        self._sat = tuple(kept)
        self._troubles: dict[str, str] = {}
        self._acted: dict[str, str | None] = {}
        self._failed: dict[str, tuple[str, ...]] = {}
        for seat, bot in self.claims.bots.items():
            if bot not in bots.fitting(game(), seat):
                self.replace(BotFailed(seat, bot))

    def shown(self) -> dict[str, Any]:
        """Who sits where, what became of it where a bot has failed, and who acted there last (a device, or None for
        somebody at the board), where all may see that; public.
        """
        return {
            seat.name: {
                "title": seat.title,
                "taken": bool(self.claims.taken(seat.name)),
                "devices": [_device(claim) for claim in self.claims.taken(seat.name)],
                "trouble": self._troubles.get(seat.name),
                "acted": {"device": self._acted[seat.name]} if seat.name in self._acted else None,
            }
            for seat in self._seats()
        }

    def people(self) -> list[tuple[str, str]]:
        """The seat and the name of everybody who plays, one after another; bots are left out."""
        taken = ((seat.name, self.claims.taken(seat.name)) for seat in self._seats())
        return [(seat, claim.device) for seat, claims in taken for claim in claims if not claim.bot]

    def holder(self, key: str) -> Holder:
        """Who holds a key. Raises `UserError`."""
        holder = self.claims.holder(key)
        if holder is None:
            raise UserError("no-seat", Text("This device holds no seat (any more). Take one in the lobby."))
        return holder

    def admit(self, requester: Requester) -> None:
        """Check that somebody may do what concerns all who play: once people sit here, only they and the administrator.

        Raises `UserError`.
        """
        if self.claims.anybody and not requester.admin_key and not any(map(self.claims.holder, requester.keys)):
            raise UserError(
                "no-seat", Text("People sit at this table: only they may do that, or the house with its PIN.")
            )

    def called(self, requester: Requester) -> str:
        """The name of the requester's device, if it holds a seat; else nothing."""
        return next((found.device for key in requester.keys if (found := self.claims.holder(key))), "")

    def check_part(self, holder: Holder, command: Command) -> None:
        """A device acts for the parts of its seat that it leads, and those that nobody leads. Raises `UserError`."""
        part = self._game().part(command)
        if part is not None and part in self.claims.led_by_others(holder):
            leader = next(claim.device for claim in self.claims.taken(holder.seat) if part in claim.squads)
            raise UserError("no-seat", Text("The {squad} squad is led by {leader}.", squad=Text(part), leader=leader))

    def check_full(self, seats: Iterable[Seat]) -> None:
        """Raises `UserError` while one of these seats is free."""
        for seat in seats:
            if not self.claims.taken(seat.name):
                raise UserError("not-now", Text("Nobody sits on the {seat}'s seat yet.", seat=seat.title))

    # --- people -------------------------------------------------------------------------------------------------

    def check_free(self, seat: str, device: str, squads: tuple[str, ...]) -> None:
        """Whether a device can have a seat, or these squads of it. Raises `UserError`."""
        self.claims.free(self._known(seat), squads)
        named(device)

    def claim(self, seat: str, pin: str, device: str, squads: tuple[str, ...]) -> str:
        """Take a free seat; the key."""
        key = self.claims.claim(self._known(seat), pin, device, squads)
        self._keep(seat)
        return key

    def check_budget(self, wish: SeatRequest, requester: Requester) -> None:
        """Whether a PIN would be listened to now, so that nobody waits for work that is refused afterwards. Any thread
        may ask. Raises `UserError`.
        """
        self._known(wish.seat)
        self.claims.check(wish)
        self.guesses.check(wish, requester.keys)

    def attempt(self, wish: SeatRequest, requester: Requester) -> PinAttempt:
        """Somebody has a PIN for a wish: whether it can be fulfilled at all is seen to first, then the try is counted.
        Raises `UserError`, and then nothing is counted.
        """
        self._known(wish.seat)
        self.claims.check(wish)
        return self.guesses.attempt(wish, requester.keys)

    def grant(self, wish: SeatRequest, attempt: PinAttempt, pin: str) -> str:
        """Fulfil a wish if the PIN is right; the new key, "" where a seat was freed. Raises `UserError`."""
        key = self.claims.grant(wish, pin, attempt.among)
        self._keep(wish.seat)
        return key

    def acknowledge(self, key: str, number: int) -> None:
        """Who holds a key has seen that so many wrong PINs were tried at that seat. Raises `UserError`."""
        self.guesses.acknowledge(self.holder(key).seat, number)

    def lead(self, key: str, squad: str, number: int) -> None:
        """Give a squad to the device of that number, or take it. Raises `UserError`."""
        self.holder(key)
        self.claims.lead(key, squad, number)
        self._write()

    def frees(self, seat: str, requester: Requester) -> bool:
        """Whether the requester frees a seat, or a part of it, without a PIN: as administrator, as holder, or since one
        person alone sits there who has none.
        """
        return (
            bool(requester.admin_key)
            or self._free_to_all(seat)
            or any(holder is not None and holder.seat == seat for holder in map(self.claims.holder, requester.keys))
        )

    def _free_to_all(self, seat: str) -> bool:
        """Whether one person alone sits there without a PIN: such a seat can be taken over without one, too."""
        alone = self.claims.alone
        return alone is not None and alone.seat == seat

    def release(self, seat: str, requester: Requester) -> None:
        """Free a seat without a PIN: the administrator the whole of it, a device that sits there its own part, whoever
        may do what concerns all a bot's, and anybody that of a person alone without a PIN. Raises `UserError`.
        """
        self.check_release(seat, requester)
        if requester.admin_key or self._free_to_all(seat) or not self.claims.release_own(seat, requester.keys):
            self.claims.release(seat)
        self._keep(seat)

    def check_release(self, seat: str, requester: Requester) -> None:
        """Whether `release` frees a seat. Any thread may ask. Raises `UserError`."""
        taken = self.claims.taken(self._known(seat))
        if self.frees(seat, requester) or not taken:
            return
        if seat not in self.claims.bots:
            raise UserError("no-seat", NOT_YOURS.with_(device=taken[0].device))
        self.admit(requester)

    def may_get_up(self, seat: str, requester: Requester) -> bool:
        """Whether the requester can leave a seat at which others stay."""
        holders = map(self.claims.holder, requester.keys)
        sits = any(holder is not None and holder.seat == seat for holder in holders)
        return sits and len(self.claims.taken(self._known(seat))) > 1

    def get_up(self, seat: str, requester: Requester) -> bool:
        """Whether the requester has left a seat at which others stay; what that device alone led, nobody leads now."""
        left = self.may_get_up(seat, requester) and self.claims.release_own(seat, requester.keys)
        if left:
            self._write()
        return left

    def check_alone_at(self, seat: str) -> None:
        """Whether the only person at the table, who has no PIN, sits there. Any thread may ask. Raises `UserError`."""
        if not self._free_to_all(self._known(seat)):
            raise UserError("wrong-pin", WITHOUT_PIN)

    def replace_alone(self, seat: str, device: str) -> str:
        """Take the place of the only person at the table, who has no PIN; the new key. Raises `UserError`."""
        key = self.claims.replace_alone(self._known(seat), device)
        self._keep(seat)
        return key

    def check_alone(self, requester: Requester) -> None:
        """Whether nobody sits here but the requester, and bots. Raises `UserError`."""
        held = {holder for key in requester.keys if (holder := self.claims.holder(key)) is not None}
        for claim in self.claims.all:
            if not claim.bot and not any((it.seat, it.number) == (claim.seat, claim.number) for it in held):
                raise UserError(
                    "seat-taken",
                    Text("{device} sits at this table. Play together, or free that seat.", device=claim.device),
                )

    def sit_alone(self, seat: str, device: str, playing: Mapping[str, str]) -> str:
        """One person on a seat, without a PIN, and a bot on each other one: `playing` is seat -> bot, those left out
        being chosen by the table. The key. Raises `UserError`, and then everybody sits where they sat.
        """
        others = [name for name in seat_names(self._seats()) if name != self._known(seat)]
        chosen = {other: playing.get(other) or bots.ranked(self._game(), other)[0] for other in others}
        for other, bot in chosen.items():
            self._fitting(other, bot)
        with self.restored_on_fault():
            self.claims.all = []
            key = self.claims.claim(seat, "", device, ())
            for other, bot in chosen.items():
                self.claims.seat_bot(other, bot)
            self._keep(seat)
        return key

    @contextmanager
    def restored_on_fault(self) -> Iterator[None]:
        """Everybody sits where they sat if what is done meanwhile raises anything."""
        before = self.claims.all
        try:
            yield
        except BaseException:
            self.claims.all = before
            self._write()
            raise

    def swap(self) -> None:
        """Everybody moves on to the next seat, the last to the first. Raises `UserError` where that cannot be."""
        seats = seat_names(self._seats())
        if len(seats) < 2 or any(len(self.claims.taken(seat)) > 1 for seat in seats):
            raise UserError("not-now", Text("Sides can be swapped where one device sits on each of them."))
        following = dict(zip(seats, (*seats[1:], seats[0]), strict=True))
        moved = {following[seat]: (seat, bot) for seat, bot in self.claims.bots.items()}
        self.claims.move(following, {seat: self._as_strong(*left, seat) for seat, left in moved.items()})
        self._write()

    def _as_strong(self, seat: str, bot: str, other: str) -> str:
        """The bot that plays another seat about as well as `bot` plays `seat`: of the same rank among those for it."""
        game = self._game()
        here, there = bots.ranked(game, seat), bots.ranked(game, other)
        return bot if bot in there else there[min(here.index(bot), len(there) - 1)]

    # --- bots ---------------------------------------------------------------------------------------------------

    def check_bot(self, seat: str, bot: str) -> None:
        """Whether a seat can be given to a bot. Any thread may ask. Raises `UserError`."""
        self._fitting(self._known(seat), bot)
        self.claims.free(seat, ())

    def seat_bot(self, seat: str, bot: str) -> None:
        """Give a free seat to a bot."""
        self.claims.seat_bot(self._known(seat), self._fitting(seat, bot))
        self._keep(seat)

    def hand_over(self, key: str, bot: str) -> None:
        """Leave one's own seat to a bot."""
        seat = self.holder(key).seat
        self.claims.hand_over(key, self._fitting(seat, bot))
        self._keep(seat)

    def follow(self, before: Iterable[Seat]) -> None:
        """Other seats may have been chosen in place of those of `before`: who sits on one that is as it was stays
        there, the others stand up. Raises `CannotWrite`.
        """
        same, playing = {*before} & {*self._seats()}, self._game()
        self.claims.all = [
            claim
            for claim in self.claims.all
            if claim.seat in seat_names(same) and (not claim.bot or claim.bot in bots.fitting(playing, claim.seat))
        ]
        self._write()
        self.begin()

    def begin(self) -> None:
        """A new game: what bots did in the last one is forgotten."""
        self._troubles, self._failed, self._acted = {}, {}, {}

    def acted(self, seat: str, device: str | None) -> None:
        """Who has just acted for a seat; None: somebody at the board. Of a secret seat nobody learns that it acted."""
        if seat not in secret_seats(self._seats()):
            self._acted[seat] = device

    def replace(self, fault: BotFailed) -> bool:
        """A bot has failed. In place of one that thinks the next weaker bot goes on. At a secret seat the next bot does
        that can play there, and has not failed in this game; another seat is free again. Whether the game can go on; if
        not, the seat is free too.
        """
        seat = fault.seat
        self._failed[seat] = (*self._failed.get(seat, ()), fault.name)
        left = [bot for bot in bots.ranked(self._game(), seat) if bot not in self._failed[seat]]
        hidden = seat in secret_seats(self._seats())
        heir = self._below(fault) or (left[0] if hidden and left else None)
        if heir is not None:
            self.claims.succeed(seat, heir)
            what = Text("The bot {name} has taken its place; the game goes on from here.", name=bots.quoted(heir))
        else:
            self.claims.release(seat)
            what = NOBODY_LEFT if hidden else FREE_AGAIN
        self._keep(seat)
        self._troubles[seat] = Text("{fault} {what}", fault=fault.sentence, what=what)
        return bool(left) or not hidden

    def _below(self, fault: BotFailed) -> str | None:
        """Who goes on in place of a bot that thinks and has failed."""
        game = self._game()
        if fault.name not in bots.fitting(game, fault.seat) or not bots.find(game, fault.name).thinks:
            return None
        return bots.below(game, fault.seat, fault.name)

    def _fitting(self, seat: str, bot: str) -> str:
        known = bots.fitting(self._game(), seat)
        if bot not in known:
            raise UserError(
                "not-understood",
                Text(
                    "No bot {bot} plays for the {seat}; these do: {known}.",
                    bot=repr(bot),
                    seat=Text(seat),
                    known=comma_list(known),
                ),
            )
        return bot

    def _known(self, seat: str) -> str:
        known = seat_names(self._seats())
        if seat not in known:
            raise UserError(
                "not-understood",
                Text("There is no seat {seat}; the seats are {known}.", seat=repr(seat), known=comma_list(known)),
            )
        return seat

    def _keep(self, seat: str) -> None:
        """Somebody sits there now, or nobody any more; what went wrong before is no news. Raises `CannotWrite`."""
        self._write()
        self._troubles.pop(seat, None)
        self._acted.pop(seat, None)

    def _write(self) -> None:
        """Keep who sits where. Raises `CannotWrite`; then, as on any other fault, everybody sits where they sat."""
        try:
            self._journal.keep("claims", msgspec.to_builtins(self.claims.all))
        except BaseException:
            self.claims.all = [*self._sat]
            raise
        self._sat = tuple(self.claims.all)
        self.guesses.forget()


def _device(claim: Claim) -> dict[str, Any]:
    """Who leads what. `pin` tells that a PIN opens the place, also where somebody has left it to a bot."""
    return {
        "number": claim.number,
        "device": claim.device,
        "squads": claim.squads,
        "bot": claim.bot or None,
        "pin": bool(claim.pin),
    }
