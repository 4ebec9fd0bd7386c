"""The table: input from people, board and bots, and what follows from it. `loop.py` runs it.

Only the loop's thread calls these methods. Data flows one way: an edge or a command becomes an act or a refusal, is
written to the journal, folded into pictures, shown on the lamps and published.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec.structs import replace

from engine.chance import Chance
from engine.graph import Map
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.admin.choices import Choices
from firmware_host.admin.upkeep import UNSEEN, MachineChecks, Upkeep
from firmware_host.board.board_io import BoardIO
from firmware_host.board.picking import Offer
from firmware_host.board.sensor_health import SensorReport
from firmware_host.board.side import BoardAct, BoardSide
from firmware_host.core import installed
from firmware_host.core.capabilities import capabilities
from firmware_host.core.errors import UserError, rules_refuse
from firmware_host.core.guarded import GameFault, checked
from firmware_host.core.settings import Settings
from firmware_host.play.ending import results_of
from firmware_host.play.resuming import Lost, resumed
from firmware_host.records import results
from firmware_host.records.journal import CannotWrite, Journal
from firmware_host.seats.claims import SeatRequest
from firmware_host.seats.guesses import PinAttempt
from firmware_host.seats.identity import ANONYMOUS, Checked, Requester
from firmware_host.seats.players import BotPlayers
from firmware_host.seats.repeats import Repeats
from firmware_host.seats.seating import NOT_FREED, Seating, seated_alone, stored_claims
from firmware_host.table.acts import Acts
from firmware_host.table.lanes import least_streams
from firmware_host.table.lobby import Lobby, Snapshot
from firmware_host.table.pacing import Pace
from firmware_host.table.rematch import Rematch, own_claims
from firmware_host.table.selection import (
    SELECTION_KEY,
    Selection,
    changed,
    chosen,
    for_immediate_start,
    of_game,
    restored,
)
from firmware_host.table.session import TableSession, maps_of
from firmware_host.table.starts import Starter
from firmware_host.table.turns import BotTurns, TurnClock
from firmware_host.table.viewers import Viewers
from firmware_host.table.workshop import Workshop
from hardware.ports import Note, Press

NOT_ASKED = Text("Only the player whose miniature it is can answer this question.")
NOT_YOUR_MINIATURES = Text("Only the player whose turn it is can move miniatures now.")
MOST_DEALT = 32
"""Maximum number of random choices that are made for a person before a game.

Each is written to disk, and the table waits meanwhile.
"""

log = logging.getLogger("firmware_host")


def _lobby(journal: Journal, lost: Lost) -> Lobby:
    """Return the lobby, which names the games that cannot continue, were left out or are damaged."""
    # Damaged games and faulty files are found while the table is open.
    return Lobby(lambda: [*journal.lost, *lost(), *(faulty.sentence for faulty in installed.installed().faults)])


class Table:
    """One table: its board, its game, its players and its screens."""

    thinking = False
    """Whether a bot has acted in this turn of the loop, and looks ahead in the next."""
    fault: GameFault | None = None
    """The error of the last turn of the loop, if any; the next turn tries again."""
    _noted: int | None = None
    """The number of the game whose results are saved."""
    rematch: Rematch | None = None

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        make_io: Callable[[Map], BoardIO],
        clock: Callable[[], float],
        chance: Chance,
        first_revision: int = 0,
        luck: Chance | None = None,
        machine: MachineChecks = UNSEEN,
        make_workshop_io: Callable[[Map], BoardIO] | None = None,
        spent: Callable[[], float] | None = None,
    ) -> None:
        """`luck` is the random source of the bots, by default the game's `chance`.

        For `make_workshop_io`, see `BoardSide`. `spent` returns the processor time of the thread, by default the time
        of the `clock`.
        """
        self.settings, self.journal, self.chance, self._clock = settings, journal, chance, clock
        self.addresses: list[str] = []
        play, lost = resumed(journal, chance)
        played_on, shown_on = maps_of(play, settings)
        selected = restored(journal.stored_value(SELECTION_KEY), played_on.slug, settings)
        if play is not None:
            selected = of_game(play, selected)
        self._repeats = Repeats(journal)
        self.players = BotPlayers(settings.bot_pause_ms / 1000, luck or chance, settings.bot_thought_ms / 1000)
        self.choices = Choices(settings, journal)
        self.pace = Pace()
        self.before_pictures: Callable[[], None] = lambda: None
        """Called before pictures are made while a seat may act in secret."""
        self.pad: Callable[[float, bool], None] = lambda began, noticed: None
        """Called when all pictures of an act that is not stored yet are made, if one is of a seat that may act in
        secret: with the time when they were `began`, and whether the act is `noticed` by others. It returns after a
        time that does not depend on how long they took: anyone can cause them, for example by a mark, and some listen
        to the connections of others.
        """
        self.board = BoardSide(shown_on, make_io, self.choices.settings, journal, clock, make_workshop_io)
        self.session = session = TableSession(selected, play, self.board, journal, chance, clock, self._prepare)
        self._viewers, self._turn_clock = Viewers(first_revision, spent or clock, self.pace), TurnClock(clock)
        self.followers = self._viewers.followers
        """Where screens get their pictures, in any thread."""
        session.open()
        watched = self.followers.watched
        self.seating = Seating(
            lambda: session.game, lambda: session.seats, journal, clock, lambda: session.play, watched
        )
        self.workshop = Workshop(self.board, self.session, lambda: self.choices.settings, clock)
        self.upkeep = Upkeep(journal.try_writing, machine, clock())
        self.bots = BotTurns(self._clock, self.players, self.session, self.seating, self.upkeep)
        self._acts = Acts(session, self.board, self.seating, self._viewers, self.upkeep, self.refresh)
        self._lobby = _lobby(journal, lost)
        self._show_first()

    def _show_first(self) -> None:
        """Create the pictures that screens show at the start. A game that fails twice waits, as in `fail`."""
        before: GameFault | None = None
        while True:
            try:
                self.refresh()
                self.snapshot = self._new_snapshot()
                return
            except GameFault as fault:
                fault.log()
                if (play := self.session.play) is None:
                    raise
                if before is None:
                    play.refold()
                else:
                    self.session.let_wait(fault)
                before = fault

    # --- the loop's side ----------------------------------------------------------------------------------------

    def open(self) -> None:
        """Start the board."""
        self.board.io.open()
        self.tick()

    def close(self) -> None:
        """Stop the bots and close board and journal."""
        self.players.leave()
        self.board.io.close()
        self.journal.close()

    def due(self) -> float:
        """Return the latest time for the next `tick` or the lamps' next frame, in the clock's seconds."""
        return min(self.work_due(), self.board.io.next_frame)

    def work_due(self) -> float:
        """Return the latest time for the next `tick`, in the clock's seconds. Lamps that glide go on without it."""
        now = self._clock()
        if self.thinking or self.fault is not None:
            return now
        absence = self.seating.absence.due()
        bots = (self.players.due(), self.bots.due())
        waits = [self.board.due(now), self.workshop.due(), *bots, self.upkeep.due(), absence]
        return min(wait for wait in (*waits, self.session.interruption.until) if wait is not None)

    # --- one pass -----------------------------------------------------------------------------------------------

    def feed(self, note: Note) -> None:
        """Take a report of a driver."""
        # Edges do not count as use of the table, because a sensor may flicker. Miniatures count when they make an act.
        if isinstance(note, Press):
            self.seating.absence.note(None)
        self.board.feed(note)

    def tick(self) -> None:
        """Do what is due: what `show` does, then what bots do."""
        self._do(self._show, self._let_bots_act)

    def show(self) -> None:
        """Do what is due except for bots: acts made on the board, lamps and pictures."""
        self._do(self._show)

    def let_bots_act(self) -> None:
        """Make an act of a bot that is due, or let bots look ahead."""
        self._do(self._let_bots_act)

    def _do(self, *parts: Callable[[], None]) -> None:
        try:
            if self.fault is not None:
                self._show_again(self.fault)
            for part in parts:
                part()
            self.fault = None
        except GameFault as fault:
            self.fail(fault)

    def fail(self, fault: GameFault) -> None:
        """Try again in the next turn, after a game has failed outside an act or after its commit; it waits for the next
        start if it fails twice in a row. A single fault, for example while memory is short, must not end the evening.
        """
        fault.log()
        play, before, self.fault = self.session.play, self.fault, None
        if play is not None and before is None:
            self.fault = fault
            play.refold()
            return
        if play is not None:
            self.session.let_wait(fault)
        self.refresh()
        self.publish()

    def _show_again(self, fault: GameFault) -> None:
        """Make all pictures from the game's events. Raises `GameFault`."""
        if self.session.play is not None and not self.session.play.is_sound():
            raise fault
        self.refresh()

    def _show(self) -> None:
        now = self._clock()
        self.session.interruption.tick(now)
        self.upkeep.check(now)
        self.seating.absence.check(self.session.interruption.caller is not None)
        self.players.sit(self.seating.claims.bots)
        # The called method has noted any failure to write. Lamps and pictures continue.
        with suppress(CannotWrite):
            self._acts.hear_board(now)
        self.board.tick(now)
        self.workshop.tick(now)
        if self.workshop.open:
            self.workshop.light()
        else:
            self.session.light(now)
        self.publish()
        self.board.keep_health(now)
        self._note_results()

    def _let_bots_act(self) -> None:
        now, acted = self._clock(), False
        with suppress(CannotWrite):
            acted = self.bots.act(now)
        # Let bots search last, so that a late picture does not show how much a bot had to consider. Make one act at a
        # time, so that a request waits for at most one act.
        self.thinking = acted or self.bots.think(now)
        if self.thinking:
            self.refresh()
            self._show()

    def free_left_seat(self) -> None:
        """Free all seats after the only person has left, and end their game. Raises `CannotWrite`."""
        if self.session.running:
            self.abandon()
        self.seating.claims.all = []

    def _note_results(self) -> None:
        """Save who has won, once a game is over."""
        play = self.session.play
        if play is None or not play.over or play.number == self._noted:
            return
        with suppress(CannotWrite):
            people, bots, changed = self.seating.people(), self.seating.claims.bots, self.seating.changed
            results.add(self.journal, play.number, results_of(play, people, bots, changed=changed))
            self._noted = play.number

    def refresh(self) -> None:
        """Update the pictures of all viewers, because the game has changed. Raises `GameFault`."""
        if (play := self.session.play) is None:
            self._viewers.refresh(self.session)
        elif play.is_sound():
            checked(play.game.name, self._viewers.refresh, self.session)

    def _prepare(self) -> None:
        """Create everything that is shown of the current game, for the next `refresh`. May raise any error."""
        play = self.session.play
        assert play is not None, "a game is prepared"
        if self.session.hiding:
            self.before_pictures()
        began = self._clock()
        remade, changed = self._viewers.prepare(self.session)
        hiding = self.session.hiding
        secret = remade & hiding
        self.board.prepare(play)
        if play.over:
            # This is called only to find a fault before the last act is written.
            results_of(play, [(seat.name, "") for seat in play.seats])
        if secret:
            self._viewers.translate(secret)
            self.pad(began, len(changed) > 1 or not changed <= hiding)

    def publish(self) -> None:
        """Publish the current state. A caller that is answered after this can read what its call has done."""
        before, self.snapshot = self.snapshot, self._new_snapshot()
        self.workshop.publish()
        # The lobby page is made again only if it has changed, so comparing identity is enough.
        self.pace.note_publication(self.snapshot.front is not before.front)
        bots, minutes = self.seating.claims.bots, self.choices.settings.turn_minutes
        turn = self._turn_clock.facts(self.session, bots, self.players, minutes, self.bots.readers)
        turn = {**turn, "rematch": self.offered}
        self._viewers.publish(self.session, self.seating, self.upkeep, turn)

    def _new_snapshot(self) -> Snapshot:
        return self._lobby.snapshot(self.session, self.seating, self.addresses, self.choices.settings)

    def repeat_lamps(self) -> None:
        """Continue the lamps, also on screens, while nothing else happens or an act is being written."""
        if self.board.io.animate(self._clock()):
            self._viewers.relight(self.board.io.on_screens)
            self.snapshot = replace(self.snapshot, board=self.board.snapshot())

    def _check_room(self) -> None:
        """Raise `UserError` while nothing can be written."""
        if (halted := self.upkeep.halted) is not None:
            raise UserError("halted", halted)

    # --- acts -------------------------------------------------------------------------------------------------------

    def submit(self, token: str, action: dict[str, Any], revision: int, name: str) -> None:
        """Act for a seat; once, if the request is repeated under the same `name`. Raises `UserError`, and then nothing
        has changed.
        """
        holder = self.seating.holder(token)
        self._check_room()
        act = partial(self._acts.submit, holder, action, revision)
        self._repeats.once(holder.seat, name, action, act)

    def answer(self, space: str, requester: Checked = ANONYMOUS) -> None:
        """Answer the board's question: from the table's own computer, as the admin, or from a screen that may give one
        of the acts of that answer. Raises `UserError` for another screen, and `CannotWrite`.
        """
        play = self.session.play
        if play is not None and (acts := self.board.acts_of_answer(play, space)):
            self._check_hand(requester, acts, NOT_ASKED)
        self.board.answer(space)
        self._acts.hear_board(self._clock())

    def touch(self, miniature: str, space: str | None, requester: Checked = ANONYMOUS) -> None:
        """Put a miniature of the simulated board on a space, or take it off the board (None). While a person is to act
        there, that may be an act of this person, so other devices may only correct. Raises `UserError`.
        """
        play = self.session.play
        if play is not None and not self.board.is_correction(play, miniature, space):
            acting = play.acting_on_board - self.seating.claims.bots.keys()
            if acting:
                acts = self.board.acts_of_touch(play, miniature, space)
                self._check_hand(requester, acts, NOT_YOUR_MINIATURES, acting)
        self.board.touch(miniature, space)

    def _check_hand(
        self, requester: Checked, acts: Sequence[BoardAct], refusal: Text, acting: Collection[str] = ()
    ) -> None:
        """Raise `UserError` for a device that may give none of these acts, because they are for other seats or
        for parts that other devices lead. If there are no acts, its seat has to be one of those `acting`.
        """
        own = [holder for key in requester.keys if (holder := self.seating.claims.holder(key)) is not None]
        if not own or requester.local or requester.admin:
            return
        seats = {act.seat for act in acts} or acting
        holder = next((it for it in own if it.seat in seats), None)
        if holder is None:
            raise UserError("not-now", refusal)
        self.seating.check_part(holder, *(act.command for act in acts if act.seat == holder.seat))

    def offer(self, token: str, offer: Offer) -> None:
        """Let people pick on the board for a while, for a screen of the seat that acts there. Raises `UserError`."""
        holder = self.seating.holder(token)
        self.board.offer(replace(offer, seat=holder.seat), self._acts.state)

    # --- what is on the table -----------------------------------------------------------------------------------

    def choose(self, choice: Mapping[str, Any]) -> None:
        """Choose the next game; see `selection.changed`. Raises `UserError`."""
        self.session.check_lobby()
        self._check_room()
        self._choose(changed(self.session.chosen.selection, choice, self.settings))

    def start(self, choice: Mapping[str, Any], requester: Checked = ANONYMOUS) -> None:
        """Start the chosen game, or that of `choice`.

        Raises `UserError`. Missing options get the game's defaults, and the chosen map is the default map.
        """
        self._start(choice, self._starter(requester), on_screens=False)

    def _starter(self, requester: Checked) -> Starter:
        here, seated = requester.local or requester.admin, bool(self.seating.claims_held_by(requester))
        return Starter(requester.address, here, seated)

    def _start(self, choice: Mapping[str, Any], starter: Starter, *, on_screens: bool) -> None:
        # Check this before the choice changes: a refused request must change nothing.
        self.session.check_start(starter)
        selection = self.session.chosen.selection
        if choice:
            bare = Selection(choice.get("game", selection.game), selection.map or self.settings.map)
            selection = changed(bare, {"options": {}, **choice}, self.settings)
        self.seating.check_full(chosen(selection).seats, self.choices.settings.seat_pins)
        self._check_room()
        self._choose(selection)
        self.seating.claims.forget_left()
        # A person who plays alone does not want to move miniatures on a screen.
        on_screens |= self.settings.board == "simulated" and len(self.seating.people()) == 1
        with rules_refuse():
            self.session.begin(starter, stored_claims(self.seating.claims.all), on_screens=on_screens)
        self.seating.begin()
        self.refresh()

    def play_alone(
        self, seat: str, device: str, choice: Mapping[str, Any], playing: Mapping[str, str], requester: Checked
    ) -> str:
        """Start a game at once, with one person, bots on all other seats, and without the board. Return the key of the
        seat. See `for_immediate_start` and `seated_alone`. Raises `UserError`, and then no one has got a seat.
        """
        starter = self._starter(requester)
        self.session.check_start(starter)
        self._check_room()
        selection = for_immediate_start(self.session.chosen.selection, choice, self.settings)
        self.seating.check_alone(requester)
        new = chosen(selection)
        claims, key = seated_alone(new.game, new.seats, seat, device, playing)
        # Outside the `with` statement: after a fault, everyone has to sit at the seats of the chosen game.
        self._choose(selection)
        with self.seating.stored_with_game():
            self.seating.claims.all = claims
            self._start({}, starter, on_screens=True)
        self._deal(seat)
        self.refresh()
        return key

    def _deal(self, seat: str) -> None:
        """Make at random those choices of a seat before the game for which the game allows that."""
        play = self.session.play
        dealing = None if play is None else capabilities(play.game).dealing
        with suppress(RuleError, CannotWrite):  # the person makes this choice
            if play is not None and dealing is not None:
                for _ in range(MOST_DEALT):
                    command = checked(play.game.name, dealing.dealt, play.referee.pictures[seat], seat)
                    if command is None:
                        return
                    play.act(seat, command)

    def play_again(self, swapped: bool, requester: Checked = ANONYMOUS) -> None:
        """Start the chosen game again with the same players; `swapped`: each on the next seat. Raises `UserError`."""
        self.session.check_free()
        with self.seating.stored_with_game():
            self._play_again(swapped, requester)

    def _play_again(self, swapped: bool, requester: Checked) -> None:
        alone = len(self.seating.people()) == 1 and not self.board.sensors_used
        if swapped:
            self.seating.swap()
        self._start({}, self._starter(requester), on_screens=alone)

    def offer_rematch(self, swapped: bool, bots: Mapping[str, str], requester: Checked) -> None:
        """Offer to play the finished game again, or accept such an offer. The game starts once people at all seats have
        agreed. `bots` (seat -> name) replace those that played. Raises `UserError`.
        """
        self.session.check_free()
        own, number = own_claims(self.seating.claims_held_by(requester)), self.session.finished
        if number is None:
            raise UserError("not-now", Text("No game has just ended. Start one in the lobby."))
        self.seating.check_bots(bots)
        offer = Rematch(number, self.session.chosen.selection, swapped, bots)
        offer = (self.rematch if self.rematch is not None and offer.is_same(self.rematch) else offer).accepted(own)
        if not offer.missing_seats(self.seating.claims.all):
            # Checked before sides are swapped, so that the message names the free seat. When it is taken, the last
            # player to agree can agree again.
            self.seating.check_full(self.session.seats, self.choices.settings.seat_pins)
            with self.seating.stored_with_game():
                for seat, bot in bots.items():
                    self.seating.claims.replace_bot(seat, bot)
                self._play_again(swapped, requester)
        self.rematch = offer

    def decline_rematch(self, requester: Requester) -> None:
        """Decline an offer, or withdraw one's own. Raises `UserError`."""
        own = [claim.seat for claim in own_claims(self.seating.claims_held_by(requester))]
        if self.rematch is not None:
            withdrawn = not self.rematch.agreed_seats(self.seating.claims.all).isdisjoint(own)
            self.rematch = None if withdrawn else replace(self.rematch, declined=own[0])

    @property
    def offered(self) -> dict[str, Any] | None:
        """The offer of another game on the screens, if there is one."""
        rematch, play, selected = self.rematch, self.session.play, self.session.chosen
        if rematch is None or play is None or rematch.number != self.session.finished:
            return None
        # Players who did not choose this themselves should know of it before they agree.
        other = of_game(play, selected) is not selected
        return {**rematch.facts(self.seating.claims.all), "changed": other}

    def _choose(self, selection: Selection) -> None:
        new = chosen(selection, self.settings)
        self._check_streams(len(new.seats))
        claims = self.seating.claims_at(new.game, new.seats)
        # In one transaction: people at the seats of another game would lose them at a restart.
        # If no one moves, nothing is stored, because a game that is missing ends when claims change.
        self.session.choose(new, {} if claims == self.seating.claims.all else stored_claims(claims))
        self.seating.reseat(claims)
        # People have agreed to the selection of that time.
        if self.rematch is not None and self.rematch.selection != selection:
            self.rematch = None
        self.refresh()

    def _check_streams(self, seats: int) -> None:
        """Raise `UserError` if not every seat of a game could have a screen."""
        if (least := least_streams(seats)) > self.settings.max_streams:
            says = Text(
                "The table allows too few screens for this game. Set max_streams to {least} or more in the settings "
                "file, then restart the table."
            )
            raise UserError("not-now", says.with_(least=least))

    def abandon(self) -> None:
        """End the game and return to the lobby."""
        self.session.put_away()
        self.refresh()

    def grant(self, request: SeatRequest, attempt: PinAttempt, pin: str) -> str:
        """Do what an attempt asked for, if the PIN is right; return the new key, if any. Raises `UserError`."""
        with self.seating.guesses.settling(request, attempt):
            if request.frees and self.session.running:  # a game may have started since the attempt was counted
                raise UserError("not-now", NOT_FREED)
            return self.seating.claims.grant(request, pin, attempt.among)

    # --- the admin page ----------------------------------------------------------------------------------------------

    def reload(self, settings: Settings) -> None:
        """Take over the settings that a running table can change."""
        self.choices = Choices(settings, self.journal)
        self.settings = settings
        self.players.pause, self.players.thought = settings.bot_pause_ms / 1000, settings.bot_thought_ms / 1000
        self.board.adjust(self.choices.settings)

    def change_settings(self, requested: Mapping[str, Any]) -> None:
        """Change settings on the admin page. Raises `UserError`, and then nothing has changed."""
        self.choices.choose(requested)
        self.board.adjust(self.choices.settings)
        changes = ", ".join(f"{name} {value!r}" for name, value in requested.items())
        log.info("Settings changed on the admin page: %s.", changes)

    def health(self) -> list[SensorReport]:
        """Return the state of each sensor, from published data; public, any thread may call this."""
        return self.snapshot.board.lines(self._clock())

    def board_report(self) -> dict[str, Any]:
        """Return what a bug report says of board and wiring, from published data; public, for any thread."""
        return self.snapshot.board.report(self._clock())

    def admin_facts(self) -> dict[str, Any]:
        """Return what the admin page shows of the table, from published data; public, for any thread."""
        front = {name: self.snapshot.front[name] for name in ("stage", "map", "addresses")}
        checking = self.journal.checks.progress
        return {
            **front,
            "choices": self.choices.page_facts(),
            "board": self.snapshot.board.live(),
            "checking": checking,
        }
