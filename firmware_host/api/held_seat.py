"""The actions of a device that holds the key of a seat.

Each call checks the key once its answer is ready, so a key that stops working meanwhile gets no answer, however long
the call takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from engine.text import Text
from firmware_host.board.picking import Offer
from firmware_host.core.encoding import Translate
from firmware_host.core.errors import UserError
from firmware_host.seats.claims import hash_key
from firmware_host.seats.drafts import Draft, Drafts
from firmware_host.seats.identity import Holder
from firmware_host.seats.repeats import LONGEST_NAME
from firmware_host.seats.seating import NO_LONGER_HELD
from firmware_host.table.followers import Follower, Published
from firmware_host.table.loop import Loop
from firmware_host.table.pacing import BUSY
from firmware_host.table.table import Table

T = TypeVar("T")
NOT_HELD = Text("This device does not hold that seat. Take it in the lobby.")


class HeldSeat:
    """The actions that the holder of a seat's key may take.

    `holder` is the holder at the time of creation. The object keeps the key. Once the key no longer opens this seat,
    every call raises `UserError` (no-seat).
    """

    def __init__(self, loop: Loop, key: str, drafts: Drafts) -> None:
        """Raises `UserError` (no-seat) for a key that opens no seat."""
        self._loop, self._key, self._drafts = loop, key, drafts
        holder = loop.read(lambda table: table.snapshot.holder(key))
        if holder is None:
            raise UserError("no-seat", NO_LONGER_HELD)
        self.holder: Holder = holder
        # The name for drafts includes the seat, because a key belongs to another seat after sides are swapped.
        self._draft_of = f"{self.holder.seat} {key}"

    def is_held(self) -> bool:
        """Return whether the key still opens the seat: another device can take it over, and players can swap sides."""
        now = self._loop.read(lambda table: table.snapshot.holder(self._key))
        return now is not None and now.seat == self.holder.seat

    def read(self, make: Callable[[Holder], T]) -> T:
        """Return the result of `make`, which gets the holder.

        Raises `UserError` if the key no longer opens the seat by then.
        """
        value = make(self.holder)
        self._check()
        return value

    def picture(self, translate: Translate) -> str:
        """Return the seat's picture in the language of `translate`. Raises `UserError` (busy) if the seat was taken so
        recently that its picture is not published yet.
        """
        text = self._text(self._loop.followers.latest(self.holder.seat), translate)
        if text is None:
            raise UserError("busy", BUSY)
        return text

    def follow(self, translate: Translate) -> Follower:
        """Follow the seat's pictures in the language of `translate`; the first `next` returns the current one."""
        return self._loop.followers.follow(self.holder.seat, lambda published: self._text(published, translate))

    def _text(self, published: Published, translate: Translate) -> str | None:
        """Return a picture as text; None if it was published for other keys, and not for this one."""
        # Translated before the check: the key has to be valid when the answer is ready.
        text = published.picture.text(translate)
        # Refuse at once if possible. The loop checks the key again, because the seat may pass to another device
        # meanwhile.
        self._check()
        return text if published.readers is not None and hash_key(self._key) in published.readers else None

    def keep_draft(self, moment: str, draft: dict[str, Any]) -> None:
        """Save this device's draft for a `moment` of the game. Raises `UserError` if the draft is too long."""
        self._check()
        self._drafts.store(self._draft_of, Draft(moment, draft))

    def draft(self) -> Draft | None:
        """Return this device's latest draft, or None."""
        return self.read(lambda _: self._drafts.of(self._draft_of))

    def submit(self, action: dict[str, Any], revision: int, name: str) -> None:
        """Act for the seat, on the picture with this `revision`; an outdated one is refused as `stale`. A request that
        is repeated under the same `name` gets the same answer, and the act is done once.
        """
        self._call(lambda table: table.submit(self._key, action, revision, name))

    def offer(self, name: str, revision: int, spaces: dict[str, tuple[str, ...]]) -> None:
        """Let people pick on the board what the screen `name` offers: the spaces of `units`, or `choices`, some of them
        already `chosen`. An offer without spaces ends it. The screen has to repeat the offer from time to time. The
        seat's picture shows what was `picked`.
        """
        if not 1 <= len(name) <= LONGEST_NAME:
            says = Text("A screen's id is a text of 1 to {longest} characters.", longest=LONGEST_NAME)
            raise UserError("not-understood", says)
        units, choices, chosen = (spaces.get(kind, ()) for kind in ("units", "choices", "chosen"))
        offer = Offer(name, revision, units=units, choices=choices, chosen=chosen)
        self._call(lambda table: table.offer(self._key, offer))

    def assign_part(self, part: str, number: int) -> None:
        """Give a part that this device leads, or that no device leads, to the seat's device with this number."""
        self._call(lambda table: table.seating.claims.assign(self._key, part, number))

    def acknowledge_wrong_pins(self, number: int) -> None:
        """Confirm that the holder knows of this many wrong PINs (`wrong_pins` of the seat's picture)."""
        self._call(lambda table: table.seating.guesses.acknowledge(self.holder.seat, number))

    def read_briefing(self, reading: bool) -> None:
        """Report that the holder is reading the briefing, so that bots wait, or has finished reading it."""
        self._call(lambda table: table.bots.wait_for(self.holder.seat, reading))

    def hand_over(self, bot: str) -> None:
        """Leave the seat to a bot; its PIN gets the seat back."""
        self._call(lambda table: table.seating.hand_over(self._key, bot))

    def _check(self) -> None:
        if not self.is_held():
            raise UserError("no-seat", NOT_HELD)

    def _call(self, call: Callable[[Table], None]) -> None:
        """Call the table, if the key still opens this seat when the loop comes to the call."""

        def held(table: Table) -> None:
            self._check()
            call(table)

        self._check()
        self._loop.call_paced(held, self.holder.seat)
