"""A seat as the device uses it that holds its key.

Reading and authorising are one step: what a call returns was made before the key was checked for the last time. So a
key that stops working while an answer is made gets nothing, however long that takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from engine.text import Text
from firmware_host.api.calls import goes_through_loop, reads_snapshot
from firmware_host.board.picking import Offer
from firmware_host.core.encoding import Translate
from firmware_host.core.errors import UserError
from firmware_host.seats.claims import hash_key
from firmware_host.seats.drafts import Draft, Drafts
from firmware_host.seats.identity import Holder
from firmware_host.seats.repeats import LONGEST_NAME
from firmware_host.table.followers import Follower, Published
from firmware_host.table.loop import Loop
from firmware_host.table.pacing import BUSY
from firmware_host.table.table import Table

T = TypeVar("T")
NOT_HELD = Text("This device does not hold that seat. Take it in the lobby.")


class HeldSeat:
    """What the holder of a seat's key may do there; the key stays inside. `holder` is who held it when this was made.

    Once the key does not open this seat any more, every call raises `UserError` (no-seat).
    """

    def __init__(self, loop: Loop, key: str, drafts: Drafts) -> None:
        """Raises `UserError` (no-seat) for a key that opens nothing."""
        self._loop, self._key, self._drafts = loop, key, drafts
        self.holder: Holder = loop.read(lambda table: table.seating.holder(key))

    @reads_snapshot
    def is_held(self) -> bool:
        """Whether the key still opens the seat: another device may have taken it over, or sides were swapped."""
        now = self._now()
        return now is not None and now.seat == self.holder.seat

    @reads_snapshot
    def read(self, make: Callable[[Holder], T]) -> T:
        """Return what `make` makes for the holder of the seat, if the key still opens the seat afterwards."""
        made = make(self.holder)
        self._check()
        return made

    @reads_snapshot
    def picture(self, translate: Translate) -> str:
        """Return the seat's picture in the language of `translate`.

        Raises `UserError` (busy) if the seat was taken so recently that its picture is not published yet.
        """
        found = self._text(self._loop.followers.latest(self.holder.seat), translate)
        if found is None:
            raise UserError("busy", BUSY)
        return found

    @reads_snapshot
    def follow(self, translate: Translate) -> Follower:
        """Follow the seat's pictures in the language of `translate`; the first `next` returns the current one."""
        return self._loop.followers.follow(self.holder.seat, lambda shown: self._text(shown, translate))

    def _text(self, shown: Published, translate: Translate) -> str | None:
        """Return a picture as text, None if it was published for other keys than this one."""
        text = shown.picture.text(translate)
        self._check()
        return text if shown.readers is not None and hash_key(self._key) in shown.readers else None

    @reads_snapshot
    def keep_draft(self, moment: str, draft: dict[str, Any]) -> None:
        """Keep what this device plans at a `moment` of the game. Raises `UserError` for one that is too long."""
        self._check()
        self._drafts.keep(self._draft_of, Draft(moment, draft))

    @reads_snapshot
    def draft(self) -> Draft | None:
        """What this device planned last, or None."""
        return self.read(lambda _: self._drafts.of(self._draft_of))

    @goes_through_loop
    def submit(self, action: dict[str, Any], revision: int, name: str) -> None:
        """Act for the seat. `revision` is that of the picture acted upon; an outdated one is refused as `stale`.

        An act has a `name` of its own, under which it may be asked for again: it gets the same answer, and is not done
        again.
        """
        self._call(lambda table: table.submit(self._key, action, revision, name))

    @goes_through_loop
    def offer(self, name: str, revision: int, spaces: dict[str, tuple[str, ...]]) -> None:
        """A screen of the seat that acts on the board, called `name`, lets people pick there as well: the spaces of
        `units`, or `choices`, of which `chosen` are picked already; no spaces at all end it. What is picked stands in
        that seat's picture (`picked`). `revision` is that of the picture the screen shows; it has to say so again from
        time to time.
        """
        if not 1 <= len(name) <= LONGEST_NAME:
            raise UserError(
                "not-understood", Text("A screen's id is a text of 1 to {longest} characters.", longest=LONGEST_NAME)
            )
        units, choices, chosen = (spaces.get(kind, ()) for kind in ("units", "choices", "chosen"))
        offer = Offer(name, revision, units=units, choices=choices, chosen=chosen)
        self._call(lambda table: table.offer(self._key, offer))

    @goes_through_loop
    def assign_squad(self, squad: str, number: int) -> None:
        """Give a squad that one leads, or that nobody does, to the seat's device of that number, or take it."""
        self._call(lambda table: table.seating.assign_part(self._key, squad, number))

    @goes_through_loop
    def acknowledge_wrong_pins(self, number: int) -> None:
        """So many wrong PINs that were tried at the seat (`wrong_pins` of its picture) have been seen, and need not be
        told of again.
        """
        self._call(lambda table: table.seating.acknowledge(self._key, number))

    @goes_through_loop
    def hand_over(self, bot: str) -> None:
        """Leave the seat to a bot; with the PIN one can come back."""
        self._call(lambda table: table.seating.hand_over(self._key, bot))

    def _now(self) -> Holder | None:
        return self._loop.read(lambda table: table.seating.claims.holder(self._key))

    def _check(self) -> None:
        """Raises `UserError` (no-seat) if the key does not open this seat any more."""
        if not self.is_held():
            raise UserError("no-seat", NOT_HELD)

    @property
    def _draft_of(self) -> str:
        """What its draft is kept under: a key moves to another seat when sides are swapped, and a plan does not."""
        return f"{self.holder.seat} {self._key}"

    def _call(self, call: Callable[[Table], None], seat: str | None = None) -> None:
        """Call the table if the key still opens this seat when the call's turn comes. It is paced as one of `seat`,
        this one by default.
        """

        def held(table: Table) -> None:
            self._check()
            call(table)

        self._check()
        self._loop.call_paced(held, self.holder.seat if seat is None else seat)
