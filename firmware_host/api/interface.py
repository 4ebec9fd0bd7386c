"""The interface of a running table: everything that the web panel may ask of it, and the types that it needs for that.

Any method may be called from any thread and may raise `UserError`. What each waits for is said by its decorator
(`calls.py`). How long an answer takes must not tell what the loop is doing: what can be is read from what the table has
laid out, and all else goes through `Loop.call_paced`.

Pictures are JSON text, ready to send, each made for one viewer alone and in the language of one screen. What else is
said to people (`Text`) is English that remembers how it was made. A viewer is a seat of the game, `table` (the public
view) or `board` (what its lamps show, and where a simulated board's miniatures stand). What a game brings for its
screens lies in the game's folder, which `game_folder` finds by the game's name.
"""

from __future__ import annotations

from typing import Any

from engine.game import TABLE
from engine.refusal import RuleError
from engine.seats import Seat
from engine.text import PLACE, Text, capitalized, comma_list
from firmware_host.admin.access import AdminAccess
from firmware_host.admin.page import AdminPage
from firmware_host.api.admin import AdminInterface
from firmware_host.api.board import BoardInterface
from firmware_host.api.calls import goes_through_loop, reads_snapshot, runs_beside_loop
from firmware_host.api.club import Club, ClubInterface
from firmware_host.api.held_seat import NOT_HELD, HeldSeat
from firmware_host.api.legend import lamps, marks
from firmware_host.api.lessons import LessonInterface
from firmware_host.api.map_svg import map_svg
from firmware_host.api.network import NetworkInterface, TableNetwork
from firmware_host.api.past_games import PastInterface
from firmware_host.api.rights import CheckedCalls
from firmware_host.api.workshop import WorkshopInterface
from firmware_host.core.encoding import Translate
from firmware_host.core.errors import UserError
from firmware_host.core.game_files import SEAT, game_folder, own_screen
from firmware_host.core.generic import brings_all_screens
from firmware_host.core.installed import GameError, check_art
from firmware_host.core.installed import names as game_names
from firmware_host.core.rulebook import RulebookError, book_of, html_entries
from firmware_host.core.sizes import TooLarge, whole_file
from firmware_host.seats.claims import SeatRequest, check_pin
from firmware_host.seats.drafts import Drafts
from firmware_host.seats.identity import ANONYMOUS, Holder, Requester
from firmware_host.seats.pins import new_salt, place, worked
from firmware_host.table.followers import BOARD, Follower
from firmware_host.table.lanes import ADMIN, MACHINE, STRANGERS, Lane, by_address
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table

__all__ = [
    "ADMIN",
    "ANONYMOUS",
    "BOARD",
    "MACHINE",
    "NOT_HELD",
    "PLACE",
    "PUBLIC",
    "SEAT",
    "STRANGERS",
    "TABLE",
    "AdminInterface",
    "ClubInterface",
    "Follower",
    "GameError",
    "HeldSeat",
    "Holder",
    "Lane",
    "NetworkInterface",
    "Requester",
    "Seat",
    "TableInterface",
    "Text",
    "TooLarge",
    "Translate",
    "UserError",
    "WorkshopInterface",
    "brings_all_screens",
    "by_address",
    "capitalized",
    "check_art",
    "comma_list",
    "game_folder",
    "game_names",
    "own_screen",
    "whole_file",
]

PUBLIC = (TABLE, BOARD)
"""The viewers whose pictures everyone may see."""


class TableInterface:
    """The table that `loop` runs. `admin`, `network`, `workshop`, `board`, `past`, `lessons` and `club` are the parts
    for the admin page, the network page, the workshop, the board, past games, lessons and the other tables.

    Where a `requester` is wanted and people sit at the table, it has to be one of them, or somebody with the admin PIN.
    """

    def __init__(
        self,
        loop: Loop,
        access: AdminAccess,
        page: AdminPage | None = None,
        network: TableNetwork | None = None,
        drafts: Drafts | None = None,
        club: Club | None = None,
    ) -> None:
        """`access` guards the admin page and the network page; without a `page`, a `network` or a `club` there is none.
        `drafts` may outlive the table.
        """
        self._loop, self._calls = loop, CheckedCalls(loop, access)
        self._drafts = Drafts() if drafts is None else drafts
        self.admin = AdminInterface(loop, access, page, self._calls)
        self.network = NetworkInterface(access, network)
        self.board = BoardInterface(loop, self._calls)
        self.workshop = WorkshopInterface(loop, access, self._calls)
        self.past = PastInterface(loop, self._calls, access)
        self.lessons = LessonInterface()
        self.club = ClubInterface(club)

    # --- what is laid out -----------------------------------------------------------------------------------------

    @reads_snapshot
    def alive(self) -> bool:
        """Whether the table goes on; when it has stopped, what it showed last can still be looked at."""
        return self._loop.alive

    @reads_snapshot
    def picture(self, viewer: str, translate: Translate) -> str:
        """Return the picture of a `PUBLIC` viewer in the language of `translate`. A seat's is read by `HeldSeat`."""
        return self._loop.followers.latest(_public(viewer)).picture.text(translate)

    @reads_snapshot
    def follow(self, viewer: str, translate: Translate) -> Follower:
        """Follow a `PUBLIC` viewer in that language; the first `next` returns the current picture."""
        return self._loop.followers.follow(_public(viewer), lambda shown: shown.picture.text(translate))

    @reads_snapshot
    def lobby(self) -> dict[str, Any]:
        """Public facts for the front page: what is being played or offered, and who sits where."""
        return self._loop.read(lambda table: table.snapshot.front)

    @reads_snapshot
    def seats(self) -> tuple[Seat, ...]:
        """The seats of what is played, or offered in the lobby, in order."""
        return self._loop.read(lambda table: table.snapshot.seats)

    @reads_snapshot
    def holder(self, key: str) -> Holder | None:
        """Who holds this key, or None if it opens nothing (any more)."""
        return self._loop.read(lambda table: table.seating.claims.holder(key))

    @reads_snapshot
    def lane(self, requester: Requester) -> Lane:
        """The lane of a requester: see `lanes.py`."""
        return self._calls.lane(requester)

    @reads_snapshot
    def held_seat(self, key: str) -> HeldSeat:
        """The seat that this key opens. Raises `UserError` (no-seat) where it opens none."""
        return HeldSeat(self._loop, key, self._drafts)

    # --- what stays as it is while the table runs -----------------------------------------------------------------

    @runs_beside_loop
    def map_svg(self, slug: str, language: str = "", say: Translate = str) -> str:
        """A map drawn as SVG, with its names and words in a language. Raises `UserError` for an unknown map."""
        return map_svg(slug, language, say)

    @runs_beside_loop
    def legend(self) -> dict[str, Any]:
        """What the map on the table shows and what its lamps mean: `map` (its slug, empty for none), `marks` and
        `lamps`, as `legend.py` makes them.
        """
        front = self.lobby()
        # In the lobby another map may still lie on the board than the one that was chosen.
        slug = front["selection"]["map"] if front["stage"] == "lobby" else front["map"]
        colours = self._loop.read(lambda table: table.snapshot.palette)
        try:
            return {"map": slug, "marks": marks(slug), "lamps": lamps(front["game"], colours)}
        except RuleError as error:
            raise UserError(error.code, error.sentence) from error

    @runs_beside_loop
    def rules(self, tongue: str, game: str = "") -> list[dict[str, Any]]:
        """Every rule in the order of the book: `id`, `kind`, `group`, what the group is `about`, `text` (paragraphs
        parted by an empty line, without markup), `off`, `mentions`, and the `tongue` that it is told in: the one asked
        for, else English. Without `game` the book is that of the game on the table. Raises `UserError` where there is
        no book, and `LookupError` for no such game.
        """
        try:
            return html_entries(book_of(game or self.lobby()["game"], tongue))
        except RulebookError as error:
            raise UserError("no-rules", Text("The rules cannot be read. {why}", why=str(error))) from error

    # --- seats ----------------------------------------------------------------------------------------------------

    @goes_through_loop
    def claim(
        self, seat: str, pin: str, device: str, squads: tuple[str, ...] = (), requester: Requester = ANONYMOUS
    ) -> str:
        """Take a seat that is free; the returned token is its key. An empty `pin` is none; the house may forbid it."""
        if pin or self._loop.read(lambda table: table.choices.settings.seat_pins):
            check_pin(pin)
        self._loop.read(lambda table: table.seating.check_free(seat, device, squads))
        slow = pin and worked(pin, [new_salt()])  # beside the loop, and only where the seat is free
        return self._calls.paced(requester, lambda table: table.seating.claim(seat, slow, device, squads))

    @goes_through_loop
    def take_over(
        self,
        seat: str,
        pin: str,
        device: str,
        squads: tuple[str, ...] = (),
        requester: Requester = ANONYMOUS,
        *,
        share: bool = False,
        instead: int | None = None,
    ) -> str:
        """Take a claimed seat with its PIN; the old key stops working, unless both devices are to `share` it, which a
        seat with parts allows: then this one leads `squads`, or all that the other does beside it. `instead` is the
        number of the device whose place it is, where several have that PIN. After a few wrong PINs, whoever tried them,
        the next try has to wait; a device that has held the seat is counted for itself. Without a `pin` the place of
        the only person at the table can be taken, if that one has none.
        """
        if not pin:
            return self._calls.paced(
                requester,
                lambda table: table.seating.replace_alone(seat, device),
                lambda table: table.seating.check_alone_at(seat),
            )
        return self._with_pin(SeatRequest(seat, device, squads, share, instead), pin, requester)

    @goes_through_loop
    def release(self, seat: str, requester: Requester = ANONYMOUS, pin: str = "") -> None:
        """Free a seat again: from the device that sits there, with its PIN (see `take_over`), or with the admin key.

        A bot is sent away by those who sit here; by anybody where none do. While a game is running, a device may only
        leave a seat at which others stay.
        """
        checked = self._calls.checked(requester)

        def released(table: Table) -> bool:
            if pin and not table.frees(seat, checked):
                return False  # a PIN is looked at only where the seat is not freed without it
            table.release(seat, checked)
            return True

        def check(table: Table) -> None:
            if not pin:
                table.check_release(seat, checked)

        if not self._calls.paced(checked, released, check):
            self._with_pin(SeatRequest(seat, frees=True), pin, requester)

    @goes_through_loop
    def seat_bot(self, seat: str, bot: str, requester: Requester = ANONYMOUS) -> None:
        """Give a free seat to a bot that can play there; before a game anybody may."""
        checked = self._calls.checked(requester)

        def check(table: Table) -> None:
            if table.session.running:
                table.seating.admit(checked)
            table.seating.check_bot(seat, bot)

        def seated(table: Table) -> None:
            check(table)
            table.seating.seat_bot(seat, bot)

        self._calls.paced(checked, seated, check)

    def _with_pin(self, wish: SeatRequest, pin: str, requester: Requester) -> str:
        """What a seat's PIN opens. All that can be wrong beside the PIN is answered first. Then the try is counted as a
        wrong one, before its hashes are worked out beside the loop; a right PIN gives it back. The place for that work
        is taken before anything is counted, so who finds none has lost no try.
        """
        check_pin(pin)
        self._loop.read(lambda table: table.seating.check_budget(wish, requester))
        with place() as work:
            attempt = self._calls.paced(requester, lambda table: table.seating.attempt(wish, requester))
            try:
                slow = work(pin, attempt.salts)
            except UserError:
                self._calls.paced(requester, lambda table: table.seating.guesses.withdraw(attempt))
                raise
        return self._calls.paced(requester, lambda table: table.grant(wish, attempt, slow))

    # --- the game -------------------------------------------------------------------------------------------------

    @goes_through_loop
    def choose(self, choice: dict[str, Any], requester: Requester = ANONYMOUS) -> None:
        """Choose what the next game is to be: any of `game`, `map`, `options` (all of them), and `possible_hints`, if
        the settings allow them. Who sits on a seat that another game has just so stays there.
        """
        self._calls.of_players(requester, lambda table: table.choose(choice), lambda table: table.check_lobby())

    @goes_through_loop
    def start(self, choice: dict[str, Any], requester: Requester = ANONYMOUS) -> None:
        """Start the chosen game once its seats are taken; or, where `choice` names anything, one chosen by it alone."""
        self._calls.of_players(requester, lambda table: table.start(choice), lambda table: table.session.check_free())

    @goes_through_loop
    def play_alone(
        self,
        seat: str,
        device: str,
        choice: dict[str, Any],
        bots: dict[str, str],
        requester: Requester = ANONYMOUS,
    ) -> str:
        """Take a seat and start at once, with bots on all others (`bots`: seat -> bot, those not named as the table
        likes) and without the board; the key of the seat. Nobody else may sit at the table.
        """
        return self._calls.of_players(
            requester,
            lambda table: table.play_alone(seat, device, choice, bots, self._calls.checked(requester)),
            lambda table: table.session.check_free(),
        )

    @goes_through_loop
    def play_again(self, swapped: bool, requester: Requester = ANONYMOUS) -> None:
        """Start the chosen game anew with those who sit here; `swapped`: each on the next seat, with the same key."""
        again = lambda table: table.play_again(swapped)  # noqa: E731
        self._calls.of_players(requester, again, lambda table: table.session.check_free())

    @goes_through_loop
    def abandon(self, requester: Requester = ANONYMOUS) -> None:
        """End the running game and go back to the lobby."""
        self._calls.of_players(requester, lambda table: table.abandon())

    @goes_through_loop
    def hurry(self, requester: Requester = ANONYMOUS) -> None:
        """Let the bots act without long pauses until a person is to act."""
        self._calls.of_players(requester, lambda table: table.hurry())

    @goes_through_loop
    def pause(self, paused: bool, requester: Requester = ANONYMOUS) -> None:
        """Call a time-out of the running game, in which nobody can act, or end it."""
        self._calls.of_players(requester, lambda table: table.session.pause(paused, table.seating.called(requester)))


def _public(viewer: str) -> str:
    """Return `viewer`. Raises `LookupError` if its pictures are not for everyone."""
    if viewer not in PUBLIC:
        raise LookupError(f"{viewer!r} is not a public viewer")
    return viewer
