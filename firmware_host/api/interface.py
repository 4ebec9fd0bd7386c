"""The interface of a running table: all that the web panel and MQTT may ask, and the types they need.

Any thread may call any method; any method may raise `UserError`. The time of an answer must not show what the loop is
doing. So methods read what the table has published wherever they can, or work on the calling thread. All other calls
go through `CheckedCalls` and `Loop.call_paced`, and wait for the loop.

A picture is JSON text, made for one viewer and one language. Other sentences for people (`Text`) are English that can
still be translated. A viewer is a seat of the game, `table` (the public view) or `board` (its lamps, and the miniatures
of a simulated board).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.game import TABLE
from engine.seats import Seat
from engine.text import Text, comma_list, fill_places, or_list
from firmware_host.admin.access import AdminAccess
from firmware_host.admin.page import AdminPage
from firmware_host.analysis.analyses import Analyses
from firmware_host.api.admin import AdminInterface, WorkshopInterface
from firmware_host.api.held_seat import NOT_HELD, HeldSeat
from firmware_host.api.legend import lamps, map_svg, marks
from firmware_host.api.network import NetworkInterface, TableNetwork
from firmware_host.api.rights import CheckedCalls
from firmware_host.api.training import GameTurns, LessonInterface, PuzzleInterface
from firmware_host.board.side import ATTENDED_S
from firmware_host.core import missions
from firmware_host.core.encoding import Translate
from firmware_host.core.errors import UserError, rules_refuse
from firmware_host.core.hang_note import PAST_GAMES
from firmware_host.core.person_names import person_name
from firmware_host.core.rulebook import Rulebook, RulebookError, book_of
from firmware_host.core.time_limit import WATCH
from firmware_host.play import pictures
from firmware_host.records import imports
from firmware_host.records.past import PastGames
from firmware_host.seats.claims import SeatRequest, check_pin, left_to_bot
from firmware_host.seats.drafts import Drafts
from firmware_host.seats.identity import ANONYMOUS, Holder, Requester
from firmware_host.seats.pins import QUEUE, hash_for, hash_in_turn, new_salt
from firmware_host.table.followers import BOARD, Follower, News, Ring
from firmware_host.table.interruption import replay_step
from firmware_host.table.lanes import ADMIN, MACHINE, STRANGERS, Lane, lane_for_address, least_streams
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table

__all__ = [
    "ADMIN",
    "MACHINE",
    "NOT_HELD",
    "PUBLIC",
    "STRANGERS",
    "AdminInterface",
    "Follower",
    "HeldSeat",
    "Lane",
    "NetworkInterface",
    "News",
    "Requester",
    "Ring",
    "Seat",
    "TableInterface",
    "Text",
    "Translate",
    "UserError",
    "WorkshopInterface",
    "comma_list",
    "fill_places",
    "lane_for_address",
    "least_streams",
    "or_list",
]

PUBLIC = (TABLE, BOARD)
"""The viewers whose pictures everyone may see."""


class TableInterface:
    """The table that `loop` runs. Its parts are `admin`, `network`, `workshop`, `past`, `analyses`, `lessons` and
    `puzzles`.

    If people sit at the table, a `requester` has to be one of them or to have the admin PIN.
    """

    def __init__(
        self,
        loop: Loop,
        access: AdminAccess,
        page: AdminPage | None = None,
        network: TableNetwork | None = None,
        drafts: Drafts | None = None,
        club: Callable[[], list[dict[str, Any]]] | None = None,
    ) -> None:
        """`access` guards the admin and network pages. Pages without a `page`, `network` or `club` do not exist.
        `drafts` may outlive the table. `club` returns the public facts of each table that a broker knows.
        """
        self._loop, self._calls = loop, CheckedCalls(loop, access)
        self._drafts = Drafts() if drafts is None else drafts
        self._imports = imports.turns()
        self.past = PastGames(*loop.journal, lambda: loop.read(lambda table: table.snapshot.finished))
        self.analyses = Analyses(loop.journal[0].parent, self.past)
        self.admin = AdminInterface(loop, access, page, self._calls, self.past, self.analyses)
        self.network = NetworkInterface(access, network)
        self.workshop = WorkshopInterface(loop, access, self._calls)
        turns = GameTurns()
        self.lessons, self.puzzles = LessonInterface(turns), PuzzleInterface(self._calls, turns)
        self.club = club

    # --- published data: never waits ----------------------------------------------------------------------------------

    def alive(self) -> bool:
        """Return whether the table runs. Screens of a stopped table still get its last pictures."""
        return self._loop.thread.is_alive()

    def picture(self, viewer: str, translate: Translate) -> str:
        """Return the picture of a `PUBLIC` viewer in the language of `translate`; for a seat, see `HeldSeat`."""
        return self._loop.followers.latest(_require_public(viewer)).picture.text(translate)

    def follow(self, viewer: str, translate: Translate) -> Follower:
        """Follow a `PUBLIC` viewer in that language; the first `next` returns the current picture."""
        return self._loop.followers.follow(_require_public(viewer), lambda published: published.picture.text(translate))

    def clock(self) -> float:
        """Return the table's time in seconds. It does not jump when someone or the network sets the machine's clock."""
        return self._loop.clock()

    def lobby(self, keys: Sequence[str] = ()) -> dict[str, Any]:
        """Return the public facts for the front page: the game, what can be chosen, and who sits where; `mine` are the
        seats that these keys open, `back` those that they have left to a bot and get back without a PIN.
        """
        snapshot = self._loop.read(lambda table: table.snapshot)
        holders = [holder for key in keys if (holder := snapshot.holder(key)) is not None]
        mine = {holder.seat: {"device": holder.device, "squads": holder.parts} for holder in holders}
        back = [claim.seat for claim in left_to_bot(snapshot.claims, keys)]
        return {**snapshot.front, "mine": mine, "back": back}

    def on_screens(self) -> tuple[str, str]:
        """Return the names of the game and the map that the `PUBLIC` viewers see; the map may be "".

        They are those of a replay if one is shown, else those of the table.
        """
        return self._loop.read(lambda table: table.snapshot.on_screens)

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats of the current game, or of the one chosen in the lobby, in order."""
        return self._loop.read(lambda table: table.snapshot.seats)

    def health(self) -> list[dict[str, Any]]:
        """Return the state of each sensor, see `SensorReport`."""
        reports: list[dict[str, Any]] = pictures.json_ready(self._loop.read(lambda table: table.health()))
        return reports

    def holder(self, key: str) -> Holder | None:
        """Return who holds this key, None if it opens no seat."""
        return self._loop.read(lambda table: table.snapshot.holder(key))

    def lane(self, requester: Requester) -> Lane:
        """Return the lane of a requester, see `lanes.py`."""
        return self._calls.lane(requester)

    def note_request(self, lane: Lane) -> None:
        """Record that someone in this lane is using the table; see `Absence`."""
        # Each request counts, so this shows no secret act.
        self._loop.used_at = self._loop.clock()
        self._loop.read(lambda table: table.seating.absence.note(lane.name))

    def held_seat(self, key: str) -> HeldSeat:
        """Return the seat that this key opens. Raises `UserError` (no-seat) if it opens none."""
        return HeldSeat(self._loop, key, self._drafts)

    # --- on the calling thread: never waits for the loop --------------------------------------------------------------

    def map_svg(self, slug: str, language: str = "", say: Translate = str) -> str:
        """Return a map as SVG, with its names and words in a language. Raises `UserError` for an unknown map."""
        return map_svg(slug, language, say)

    def legend(self) -> dict[str, Any]:
        """Return the legend: `map` (its slug, empty for none), `marks` and `lamps`, see `legend.py`."""
        game, slug = self.on_screens()
        colours = self._loop.read(lambda table: table.snapshot.palette)
        with rules_refuse():
            return {"map": slug, "marks": marks(slug), "lamps": lamps(game, colours)}

    def rules(self, language: str, game: str = "") -> Rulebook:
        """Return the rule book of a game, by default the current one, in `language` or in English. Raises
        `LookupError` if there is no such game.
        """
        try:
            return book_of(game or self.lobby()["game"], language)
        except RulebookError as error:
            raise UserError("no-rules", Text("The rules cannot be read. {why}", why=str(error))) from error

    def campaign(self) -> list[dict[str, Any]]:
        """Return the missions of all games, see `Mission.facts`."""
        return [mission.facts() for mission in missions.campaign()]

    # --- seats: through the loop --------------------------------------------------------------------------------------

    def claim(
        self, seat: str, pin: str, device: str, parts: tuple[str, ...] = (), requester: Requester = ANONYMOUS
    ) -> str:
        """Take a free seat and return its key. The settings say whether `pin` may be empty."""
        checked = self._calls.checked(requester)
        # Cheap checks come first, on published data: a hopeless request costs the loop nothing.
        if pin or self._loop.read(lambda table: table.choices.settings.seat_pins):
            check_pin(pin)
        self._loop.read(lambda table: table.seating.check_claim(seat, parts, checked))
        person_name(device)
        slow = pin and hash_for(pin, [new_salt()])  # hash outside the loop, and only for a free seat
        return self._calls.paced(checked, lambda table: table.seating.claim(seat, slow, device, parts, checked))

    def take_over(
        self,
        seat: str,
        pin: str,
        device: str,
        parts: tuple[str, ...] = (),
        requester: Requester = ANONYMOUS,
        *,
        share: bool = False,
        instead: int | None = None,
    ) -> str:
        """Take a claimed seat with its PIN and return the new key. The old key stops working. Without a `pin`, this
        works only for a seat that the requester has left to a bot, and for that of a lone person who has left.

        With `share`, both devices keep the seat: the new one leads `parts`, or all together with the other. `instead`
        is the number of the device to replace, if several have that PIN.
        """
        if not pin:
            return self._calls.paced(
                requester,
                lambda table: table.seating.replace_left(seat, device, requester),
                lambda table: table.seating.check_left(seat, requester),
            )
        return self._with_pin(SeatRequest(seat, device, parts, share, instead), pin, requester)

    def release(self, seat: str, requester: Requester = ANONYMOUS, pin: str = "") -> None:
        """Free a seat: from the device that sits there, with the seat's PIN, or with the admin key.

        Players may send a bot away, and anyone may if there are no players. During a game, others have to stay at the
        seat; but anyone may free the seat of a person who played alone and has left (see `left` in the lobby's facts),
        which ends the game.
        """
        checked = self._calls.checked(requester)

        def released(table: Table) -> bool:
            running = table.session.running
            if running and seat == table.seating.absence.left_seat:
                table.free_left_seat()
                return True
            if pin and not running and not table.seating.may_free(seat, checked):
                return False  # the PIN is only checked if the seat cannot be freed without it
            table.seating.release(seat, checked, running)
            return True

        def check(table: Table) -> None:
            if not pin and seat != table.seating.absence.left_seat:
                table.seating.check_release(seat, checked, table.session.running)

        if not self._calls.paced(checked, released, check):
            self._with_pin(SeatRequest(seat, frees=True), pin, requester)

    def seat_bot(self, seat: str, bot: str, requester: Requester = ANONYMOUS) -> None:
        """Give a free seat to a bot that can play there. Before a game, anyone may."""
        checked = self._calls.checked(requester)

        def check(table: Table) -> None:
            if table.session.running:
                table.seating.admit(checked)
            table.seating.check_bot(seat, bot, checked)

        def seated(table: Table) -> None:
            check(table)
            table.seating.seat_bot(seat, bot, checked)

        self._calls.paced(checked, seated, check)

    def _with_pin(self, request: SeatRequest, pin: str, requester: Requester) -> str:
        """Do what a request asks, if the PIN is right, and return the new key.

        Count the attempt as failed before hashing outside the loop, so that parallel guesses cannot skip the limit; a
        right PIN gives it back. Wait for a place to hash first: without a place, no attempt is counted.
        """
        check_pin(pin)
        self._loop.read(lambda table: table.seating.guesses.check(request, requester.keys))
        with QUEUE.next():
            attempt = self._calls.paced(
                requester, lambda table: table.seating.guesses.count_attempt(request, requester.keys)
            )
            try:
                slow = hash_in_turn(pin, attempt.salts)
            except UserError:
                self._calls.paced(requester, lambda table: table.seating.guesses.withdraw(attempt))
                raise
        return self._calls.paced(requester, lambda table: table.grant(request, attempt, slow))

    # --- the game: through the loop -----------------------------------------------------------------------------------

    def choose(self, choice: dict[str, Any], requester: Requester = ANONYMOUS) -> None:
        """Choose the next game: any of `game`, `map`, `options` (all of them), and `possible_hints`.

        Players keep their seats if the new game has seats of the same names.
        """
        self._calls.call_for_players(
            requester, lambda table: table.choose(choice), lambda table: table.session.check_lobby()
        )

    def start(self, choice: dict[str, Any], requester: Requester = ANONYMOUS) -> None:
        """Start the chosen game, if its seats are taken; a `choice` that is not empty replaces the chosen game."""
        start = lambda table: table.start(choice, self._calls.checked(requester))  # noqa: E731
        self._calls.call_for_players(requester, start, lambda table: table.session.check_free())

    def play_alone(
        self, seat: str, device: str, choice: dict[str, Any], bots: dict[str, str], requester: Requester = ANONYMOUS
    ) -> str:
        """Take a seat, start at once without the board, and return the seat's key. Bots play all other seats (`bots` by
        seat; the table chooses the rest). No one else may sit at the table.
        """
        return self._calls.call_for_players(
            requester,
            lambda table: table.play_alone(seat, device, choice, bots, self._calls.checked(requester)),
            lambda table: table.session.check_free(),
        )

    def play_again(self, swapped: bool, requester: Requester = ANONYMOUS) -> None:
        """Start the chosen game again with the same players; `swapped`: each on the next seat, with the same key."""
        again = lambda table: table.play_again(swapped, self._calls.checked(requester))  # noqa: E731
        self._calls.call_for_players(requester, again, lambda table: table.session.check_free())

    def offer_rematch(self, swapped: bool, bots: dict[str, str], requester: Requester = ANONYMOUS) -> None:
        """Offer to play the finished game again with the same people, or accept such an offer: it starts once people at
        all seats have agreed. `bots` (seat -> name) replace those that played.
        """
        offer = lambda table: table.offer_rematch(swapped, bots, self._calls.checked(requester))  # noqa: E731
        self._calls.call_for_players(requester, offer, lambda table: table.session.check_free())

    def decline_rematch(self, requester: Requester = ANONYMOUS) -> None:
        """Decline such an offer, or withdraw one's own."""
        self._calls.call_for_players(requester, lambda table: table.decline_rematch(self._calls.checked(requester)))

    def abandon(self, requester: Requester = ANONYMOUS) -> None:
        """End the running game and return to the lobby."""
        self._calls.call_for_players(requester, lambda table: table.abandon())

    def skip_bot_pauses(self, requester: Requester = ANONYMOUS) -> None:
        """Let the bots act without long pauses until it is a person's turn."""
        self._calls.call_for_players(requester, lambda table: table.bots.skip_pauses())

    def pause(self, paused: bool, requester: Requester = ANONYMOUS) -> None:
        """Pause the running game for everyone, or resume it."""
        self._calls.call_for_players(
            requester, lambda table: table.session.pause(paused, table.seating.name_of(requester))
        )

    # --- the board: through the loop, for players and for anyone at the table's own computer --------------------------

    def answer(self, space: str, requester: Requester = ANONYMOUS) -> None:
        """Answer the board's question with one of its spaces, for the seat whose act it is about."""
        self._calls.call_for_board(requester, lambda table: table.answer(space, self._calls.checked(requester)))

    def set_manual(self, space: str, manual: bool, requester: Requester = ANONYMOUS) -> None:
        """Set a space to manual: its sensor is ignored, and its moves are made on the screens."""
        self._calls.call_for_board(requester, lambda table: table.board.set_manual(space, manual))

    def use_sensors(self, use: bool, requester: Requester = ANONYMOUS) -> None:
        """Use the sensors, or play on the screens alone."""
        self._calls.call_for_board(requester, lambda table: table.board.use_sensors(use))

    def attend_board(self, attended: bool, requester: Requester = ANONYMOUS) -> None:
        """Simulated board: note that its page is open, for a while, or was closed. While no one uses the board, the
        game is played on the screens.
        """
        self._calls.call_for_board(requester, lambda table: table.board.mark_used(ATTENDED_S if attended else 0))

    def move_miniature(self, miniature: str, space: str | None, requester: Requester = ANONYMOUS) -> None:
        """Simulated board: put a miniature on a space, or take it off the board (None); not for another player."""
        call = lambda table: table.touch(miniature, space, self._calls.checked(requester))  # noqa: E731
        self._calls.call_for_board(requester, call)

    def reset_miniatures(self, requester: Requester = ANONYMOUS) -> None:
        """Simulated board: put every miniature where the game has it."""
        self._calls.call_for_board(requester, lambda table: table.session.tidy())

    # --- past games ---------------------------------------------------------------------------------------------------

    def import_record(self, record: bytes, requester: Requester = ANONYMOUS) -> int:
        """Import the record of a finished game into the journal; return its number here."""
        # The right is checked before the slow work, and again when the game is stored.
        self._calls.call_for_players(requester, lambda _: None)
        with self._imports.next(), WATCH.serving(PAST_GAMES):
            sent = imports.read_checked(record)  # slow, so not in the loop; writing is fast
            self.past.check_new(sent)
            return self._calls.call_for_players(requester, lambda table: imports.import_record(table.journal, sent))

    def start_analysis(self, number: int, requester: Requester = ANONYMOUS) -> None:
        """Analyse a finished game, see `Analyses.start`."""
        self._calls.call_for_players(requester, lambda _: None)
        self.analyses.start(number)

    def stop_analysis(self, number: int, requester: Requester = ANONYMOUS) -> None:
        """Stop the analysis of a game."""
        self._calls.call_for_players(requester, lambda _: None)
        self.analyses.stop(number)

    def replay(self, number: int | None, step: int = 0, requester: Requester = ANONYMOUS) -> None:
        """Show a step of a finished game on board and table view, or end that (None); not while a game runs."""
        replayed = None
        if number is not None:
            history, moment, cues = self.past.moment(number, step)
            replayed = replay_step(history, cues, {"game": number, "step": step, "steps": len(history), **moment})
        self._calls.call_for_players(requester, lambda table: table.session.replay(replayed))


def _require_public(viewer: str) -> str:
    """Return `viewer`. Raises `LookupError` if its pictures are not for everyone."""
    if viewer not in PUBLIC:
        raise LookupError(f"{viewer!r} is not a public viewer")
    return viewer
