"""The door: the table's face, kept by leaving notes in the loop's inbox. What each method means is in `face.py`.

How long an answer takes must not tell what the loop is doing: what can be is read from what the table has laid out, and
all else is asked for by `ask_unnoticing`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from engine.graph.fault import MapError
from engine.graph.svg import draw
from engine.seats import Seat
from engine.text import Text, row
from firmware_host.admin.house import House
from firmware_host.admin.keeper import Keeper
from firmware_host.board.picking import Offer
from firmware_host.records import past
from firmware_host.records.past import Past
from firmware_host.seats.claims import SeatWish, check_pin
from firmware_host.seats.pins import new_salt, place, worked
from firmware_host.seats.repeats import LONGEST_NAME
from firmware_host.table import maps
from firmware_host.table import pictures as screens
from firmware_host.table.followers import Followers
from firmware_host.table.interface import NOBODY, Asker, Follower, Holder, Say, UserError
from firmware_host.table.interlude import Still
from firmware_host.table.loop import Loop
from firmware_host.table.rulebook import RulebookError, html_entries, load
from firmware_host.table.table import Table

T = TypeVar("T")


class Door:
    """The `Face` of the table that `loop` runs."""

    def __init__(self, loop: Loop, followers: Followers, keeper: Keeper, house: House | None = None) -> None:
        """Without a `house` there is no house page."""
        self._loop, self._followers = loop, followers
        self._keeper, self._house = keeper, house
        self._past = Past(*loop.journal)

    def _of_the_table(self, asker: Asker, ask: Callable[[Table], T]) -> T:
        """Ask for what concerns all who play: their right to it is looked at in the same turn of the loop. Whoever has
        none is told so at once, and keeps nobody waiting.
        """
        vetted = self._vetted(asker)
        self._loop.look(lambda table: table.seating.admit(vetted))

        def asked(table: Table) -> T:
            table.seating.admit(vetted)
            return ask(table)

        return self._loop.ask_unnoticing(asked, self._seat_of(asker))

    def _seat_of(self, asker: Asker) -> str:
        """At which seat the asker is held back, if at any: at one that is not secret, where it holds several."""
        held = {holder.seat for key in asker.keys if (holder := self.holder(key)) is not None}
        ranked = sorted(self.seats(), key=lambda seat: seat.secret)
        return next((seat.name for seat in ranked if seat.name in held), "")

    def _by_hand(self, asker: Asker, ask: Callable[[Table], T]) -> T:
        """Ask for what concerns the board: whoever sits at the table's own machine could reach for that."""
        if asker.here:
            return self._loop.ask_unnoticing(ask, self._seat_of(asker))
        return self._of_the_table(asker, ask)

    def _vetted(self, asker: Asker) -> Asker:
        """The asker, with a key of the house only if that opens it."""
        return asker if self._keeper.holds(asker.house) else msgspec.structs.replace(asker, house="")

    def picture(self, viewer: str, say: Say) -> str:
        """See `Face`."""
        return self._followers.latest(viewer, say)[1]

    def follow(self, viewer: str, say: Say) -> Follower:
        """See `Face`."""
        return self._followers.follow(viewer, say)

    def alive(self) -> bool:
        """See `Face`."""
        return self._loop.alive

    def lobby(self) -> dict[str, Any]:
        """See `Face`."""
        return self._loop.look(lambda table: table.posted.front)

    def seats(self) -> tuple[Seat, ...]:
        """See `Face`."""
        return self._loop.look(lambda table: table.posted.seats)

    def map_svg(self, slug: str) -> str:
        """See `Face`."""
        return drawn(slug)

    def rules(self, tongue: str) -> list[dict[str, Any]]:
        """See `Face`. The book stays as it is while the table runs, and no table waits for it."""
        try:
            return html_entries(load(tongue=tongue))
        except RulebookError as error:
            raise UserError("no-rules", Text("The rules cannot be read. {why}", why=str(error))) from error

    def claim(self, seat: str, pin: str, device: str, squads: tuple[str, ...] = ()) -> str:
        """See `Face`. The slow work is done beside the loop, and only where the seat is free."""
        check_pin(pin)
        self._loop.ask_unnoticing(lambda table: table.seating.check_free(seat, device, squads))
        slow = worked(pin, [new_salt()])
        return self._loop.ask_unnoticing(lambda table: table.seating.claim(seat, slow, device, squads))

    def take_over(
        self,
        seat: str,
        pin: str,
        device: str,
        squads: tuple[str, ...] = (),
        asker: Asker = NOBODY,
        *,
        share: bool = False,
        instead: int | None = None,
    ) -> str:
        """See `Face`."""
        return self._with_pin(SeatWish(seat, device, squads, share, instead), pin, asker)

    def lead(self, token: str, squad: str, number: int) -> None:
        """See `Face`."""
        seat = self._loop.look(lambda table: table.seating.holder(token)).seat
        self._loop.ask_unnoticing(lambda table: table.seating.lead(token, squad, number), seat)

    def _with_pin(self, wish: SeatWish, pin: str, asker: Asker) -> str:
        """What a seat's PIN opens. All that can be wrong beside the PIN is answered first. Then the try is counted as a
        wrong one, before its hashes are worked out beside the loop; a right PIN gives it back. The place for that work
        is taken before anything is counted, so who finds none has lost no try.
        """
        check_pin(pin)
        self._loop.look(lambda table: table.seating.check_budget(wish, asker))
        with place() as work:
            attempt = self._loop.ask_unnoticing(lambda table: table.seating.attempt(wish, asker))
            try:
                slow = work(pin, attempt.salts)
            except UserError:
                self._loop.ask_unnoticing(lambda table: table.seating.guesses.withdraw(attempt))
                raise
        return self._loop.ask_unnoticing(lambda table: table.grant(wish, attempt, slow))

    def release(self, seat: str, asker: Asker = NOBODY, pin: str = "") -> None:
        """See `Face`. A PIN is looked at only where the seat is not freed without it."""
        vetted = self._vetted(asker)

        def released(table: Table) -> bool:
            if pin and not table.frees(seat, vetted):
                return False
            table.release(seat, vetted)
            return True

        if not self._loop.ask_unnoticing(released):
            self._with_pin(SeatWish(seat, frees=True), pin, asker)

    def acknowledge(self, token: str, number: int) -> None:
        """See `Face`."""
        seat = self._loop.look(lambda table: table.seating.holder(token)).seat
        self._loop.ask_unnoticing(lambda table: table.seating.acknowledge(token, number), seat)

    def seat_bot(self, seat: str, bot: str, asker: Asker = NOBODY) -> None:
        """See `Face`."""
        vetted = self._vetted(asker)

        def seated(table: Table) -> None:
            if table.stage.running:
                table.seating.admit(vetted)
            table.seating.seat_bot(seat, bot)

        self._loop.ask_unnoticing(seated)

    def hand_over(self, token: str, bot: str) -> None:
        """See `Face`."""
        self._loop.ask_unnoticing(lambda table: table.seating.hand_over(token, bot))

    def holder(self, token: str) -> Holder | None:
        """See `Face`."""
        return self._loop.look(lambda table: table.seating.claims.holder(token))

    def start(self, choice: dict[str, Any], asker: Asker = NOBODY) -> None:
        """See `Face`."""
        self._of_the_table(asker, lambda table: table.start(choice))

    def abandon(self, asker: Asker = NOBODY) -> None:
        """See `Face`."""
        self._of_the_table(asker, lambda table: table.abandon())

    def pause(self, paused: bool, asker: Asker = NOBODY) -> None:
        """See `Face`."""
        self._of_the_table(asker, lambda table: table.stage.pause(paused, table.seating.called(asker)))

    def submit(self, token: str, action: dict[str, Any], revision: int, name: str) -> None:
        """See `Face`."""
        holder = self.holder(token)
        seat = "" if holder is None else holder.seat
        self._loop.ask_unnoticing(lambda table: table.submit(token, action, revision, name), seat)

    def offer(self, token: str, name: str, revision: int, spaces: dict[str, tuple[str, ...]]) -> None:
        """See `Face`."""
        if not 1 <= len(name) <= LONGEST_NAME:
            raise UserError(
                "not-understood", Text("A screen's id is a text of 1 to {longest} characters.", longest=LONGEST_NAME)
            )
        units, choices, chosen = (spaces.get(kind, ()) for kind in ("units", "choices", "chosen"))
        offer = Offer(name, revision, units=units, choices=choices, chosen=chosen)
        holder = self.holder(token)
        self._loop.ask_unnoticing(lambda table: table.offer(token, offer), "" if holder is None else holder.seat)

    def answer(self, space: str, asker: Asker = NOBODY) -> None:
        """See `Face`."""
        self._by_hand(asker, lambda table: table.answer(space))

    def health(self) -> list[dict[str, Any]]:
        """See `Face`."""
        found: list[dict[str, Any]] = screens.plain(self._loop.look(lambda table: table.health()))
        return found

    def set_manual(self, space: str, manual: bool, asker: Asker = NOBODY) -> None:
        """See `Face`."""
        self._by_hand(asker, lambda table: table.board.set_manual(space, manual))

    def heed(self, heeding: bool, asker: Asker = NOBODY) -> None:
        """See `Face`."""
        self._by_hand(asker, lambda table: table.board.heed(heeding))

    # --- the house ----------------------------------------------------------------------------------------------

    def enter_house(self, pin: str, asker: Asker) -> str:
        """See `Face`."""
        return self._keeper.enter(pin, asker)

    def leave_house(self, asker: Asker) -> None:
        """See `Face`."""
        self._keeper.leave(asker)

    def house(self, asker: Asker) -> dict[str, Any]:
        """See `Face`."""
        house = self._open_house(asker)
        # By the same gate as `choose`: when a choice has landed must not be seen before its answer.
        facts = house.facts(self._loop.ask_unnoticing(lambda table: table.house()))
        return {**facts, "wrong_pins": self._keeper.wrong_pins}

    def choose(self, wanted: dict[str, Any], asker: Asker) -> None:
        """See `Face`."""
        self._open_house(asker)
        self._loop.ask_unnoticing(lambda table: table.choose(wanted))

    def report(self, asker: Asker) -> str:
        """See `Face`."""
        house = self._open_house(asker)
        return house.report(*self._loop.ask_unnoticing(lambda table: (table.house(), table.bench())))

    def change_house_pin(self, old: str, new: str, asker: Asker) -> str:
        """See `Face`."""
        return self._keeper.change(old, new, asker)

    def shut_down(self, power_off: bool, asker: Asker) -> None:
        """See `Face`."""
        self._open_house(asker).shut_down(power_off)

    def house_language(self) -> str:
        """See `Face`."""
        return self._loop.look(lambda table: table.choices.settings.language)

    def _open_house(self, asker: Asker) -> House:
        """Raises `UserError` for whoever has not shown the PIN."""
        self._keeper.need(asker)
        if self._house is None:
            raise UserError("not-now", Text("This table has no house page."))
        return self._house

    # --- the simulated board --------------------------------------------------------------------------------------

    def touch(self, miniature: str, space: str | None, asker: Asker = NOBODY) -> None:
        """See `Face`."""
        self._by_hand(asker, lambda table: table.board.top.touch(miniature, space))

    def tidy(self, asker: Asker = NOBODY) -> None:
        """See `Face`."""
        self._by_hand(asker, lambda table: table.stage.tidy())

    # --- past games: read beside the loop, which says only which one lies finished on the table -----------------

    def _finished(self) -> int | None:
        return self._loop.look(lambda table: table.posted.finished)

    def games(self, before: int | None = None) -> dict[str, Any]:
        """See `Face`."""
        return self._past.listed(self._finished(), before)

    def game(self, number: int) -> dict[str, Any]:
        """See `Face`."""
        return self._past.facts(number, self._finished())

    def course(self, number: int) -> dict[str, Any]:
        """See `Face`."""
        return self._past.whole(number, self._finished())

    def record(self, number: int) -> tuple[str, bytes]:
        """See `Face`."""
        return self._past.record(number, self._finished())

    def take_in(self, record: bytes, asker: Asker = NOBODY) -> int:
        """See `Face`. Judging it takes a while, writing it does not."""
        self._of_the_table(asker, lambda _: None)
        sent = self._past.checked(record)
        return self._of_the_table(asker, lambda table: past.keep(table.journal, sent))

    def replay(self, number: int | None, step: int = 0, asker: Asker = NOBODY) -> None:
        """See `Face`."""
        still = None if number is None else self._still(number, step)
        self._of_the_table(asker, lambda table: table.stage.replay(still))

    def _still(self, number: int, step: int) -> Still:
        history = self._past.history(number, self._finished())
        if not 0 <= step < len(history.steps):
            raise UserError("not-understood", Text("That game has the steps 0 to {last}.", last=len(history.steps) - 1))
        told = {"game": number, "step": step, "steps": len(history.steps), **history.shown(step)}
        cues = tuple(history.cues(step))
        return Still(history.board.slug, history.board.name, cues, told)


def drawn(slug: str) -> str:
    """A map drawn, on the asker's thread: no table waits for it. Raises `UserError`."""
    if slug not in maps.names():
        raise UserError(
            "not-understood",
            Text("There is no map {name}; known are {known}.", name=repr(slug), known=row(maps.names())),
        )
    try:
        board = maps.load(slug)
    except MapError as error:
        raise UserError("not-understood", maps.unusable(error)) from error
    with _DRAWING:
        if board.source not in _DRAWINGS:
            _DRAWINGS[board.source] = draw(board)
    return _DRAWINGS[board.source]


_DRAWINGS: dict[str, str] = {}
"""Source -> the drawing: a map's picture changes only with the map."""
_DRAWING = threading.Lock()
"""Drawing takes a small computer seconds: however many ask for a map, one draws it."""
