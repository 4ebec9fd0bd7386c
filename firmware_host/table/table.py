"""The table: what comes in from people, hands and bots, and what becomes of it. Its loop is in `loop.py`.

Only the loop's thread comes here. One pass, downwards: an edge or a wish comes in, becomes an act or a refusal, is
written, told, lit and published.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from msgspec.structs import replace

from engine.chance import Chance
from engine.game import Command
from engine.graph import Map
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.admin.choices import Choices
from firmware_host.admin.machine import UNSEEN, MachineChecks
from firmware_host.admin.upkeep import HALTED, Upkeep
from firmware_host.board.board_io import BoardIO
from firmware_host.board.picking import Offer
from firmware_host.board.sensor_health import SensorReport
from firmware_host.board.side import STALE, BoardSide, TableState, has_lamp_boards
from firmware_host.core import installed, maps
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import GameFault, checked
from firmware_host.core.logbook import MAKERS
from firmware_host.core.settings import Settings
from firmware_host.play.game import TAKE_BACK, TableGame
from firmware_host.records import results
from firmware_host.records.journal import NOTHING, CannotWrite, Journal
from firmware_host.seats.claims import SeatRequest
from firmware_host.seats.guesses import PinAttempt
from firmware_host.seats.identity import Holder, Requester
from firmware_host.seats.players import BotFailed, BotPlayers
from firmware_host.seats.repeats import Repeats
from firmware_host.seats.seating import Seating
from firmware_host.table.followers import Followers
from firmware_host.table.lobby import Lobby, Snapshot
from firmware_host.table.selection import KEPT, Selection, changed, chosen, restored
from firmware_host.table.session import TableSession, resumed
from firmware_host.table.turns import Turns, hasty
from firmware_host.table.viewers import Viewers
from firmware_host.table.workshop import Workshop
from hardware.ports import Note

TAKE_BACK_ACTION = {"type": "take-back"}
NOT_FREED = Text("A game is running. A seat changes hands with its PIN only.")

log = logging.getLogger("firmware_host")


class Table:
    """Everything that is going on at one table."""

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
        make_bench: Callable[[Map], BoardIO] | None = None,
        hung: str | None = None,
    ) -> None:
        """`luck` is the bots' own; without it they share the game's `chance`. `make_bench` is as for `BoardSide`, and
        `hung` as for `resumed`.
        """
        self.settings, self.journal, self.chance = settings, journal, chance
        self.addresses: list[str] = []
        self._clock = clock
        play, closed = resumed(journal, chance, hung)
        played_on = maps.load(settings.map) if play is None or play.board is None else play.board
        selected = restored(journal.kept(KEPT), played_on.slug, settings)
        lamps = None if play is None or play.board is not None or not has_lamp_boards(settings) else play.shown_on
        board = played_on if lamps is None else maps.load(lamps)
        self._repeats = Repeats(journal)
        self.players = BotPlayers(settings.bot_pause_ms / 1000, luck or chance, settings.bot_thought_ms / 1000)
        self.choices = Choices(settings, journal)
        self.board = BoardSide(board, make_io, self.choices.settings, journal, clock, make_bench)
        self.session = TableSession(selected, play, self.board, journal, chance, clock)
        self._viewers = Viewers(first_revision)
        self.session.prepare = self._prepare
        self.session.open()
        self.seating = Seating(lambda: self.session.game, lambda: self.session.seats, journal, clock)
        self.workshop = Workshop(self.board, self.session, lambda: self.choices.settings, clock)
        self.upkeep = Upkeep(journal.try_writing, machine, clock())
        self._turns = Turns(clock)
        self.thinking = False
        """Whether a bot has acted in the last turn, and thinks on in the next."""
        self.heard: Callable[[bool], None] = lambda by_all: None
        """Hears whether what has been laid out is something new for everybody."""
        self._lobby = Lobby([*journal.lost, *closed, *(faulty.sentence for faulty in installed.installed().faults)])
        self._noted: int | None = None
        """The game whose results are kept."""
        self.refresh()
        self.snapshot = self._new_snapshot()

    @property
    def followers(self) -> Followers:
        """Where screens take their pictures from, in any thread."""
        return self._viewers.followers

    # --- the loop's side ----------------------------------------------------------------------------------------

    def open(self) -> None:
        """Begin to feel the board."""
        self.board.io.open()
        self.tick()

    def close(self) -> None:
        """Let go of the board and the journal, and end what bots think with."""
        self.players.leave()
        self.board.io.close()
        self.journal.close()

    def due(self) -> float:
        """When `tick` is wanted at the latest, in the clock's seconds."""
        if self.thinking:
            return self._clock()
        waits = [self.board.due(self._clock()), self.players.due(), self.upkeep.due(), self.session.interruption.until]
        waits.append(self.workshop.due(self._clock()))
        return min(wait for wait in waits if wait is not None)

    def cannot_write(self, error: CannotWrite) -> UserError:
        """A wish could not be written, and nothing has changed; what the requester hears of it."""
        self.upkeep.doubt()
        return UserError("halted", HALTED[error.why])

    # --- one pass -----------------------------------------------------------------------------------------------

    def feel(self, note: Note) -> None:
        """A driver said something."""
        self.board.feel(note)

    def submit(self, token: str, action: dict[str, Any], revision: int, name: str) -> None:
        """Act for a seat. Raises `UserError`, and then nothing has changed.

        The same act asked for again under the same `name` gets the same answer, and is not done again.
        """
        holder = self.seating.holder(token)
        self._check_room()
        self._repeats.once(holder.seat, name, action, lambda kept: self._submit(holder, action, revision, kept))

    def tick(self) -> None:
        """Do what has fallen due: acts made on the board, a bot's act, lamps, pictures, a bot's thoughts."""
        try:
            self._tick()
        except GameFault as fault:
            self.contain(fault)
            self.publish()

    def contain(self, fault: GameFault) -> None:
        """A game has failed outside of an act: it is closed, and the table goes on."""
        fault.log()
        if self.session.play is not None:
            self.session.close(fault)
        self.refresh()

    def _tick(self) -> None:
        now = self._clock()
        self.session.interruption.tick(now)
        self.upkeep.look(now)
        self.players.sit(self.seating.claims.bots)
        acted = False
        with suppress(CannotWrite):
            self._hear_board(now)
            acted = self._bots_acted(now)
            if acted:
                self.refresh()
                self._hear_board(now)
        self.board.tick(now)
        self._light(now)
        self.publish()
        self.board.keep_health(now)
        self._note_results()
        # Last, so that nobody can tell from a late picture that there was more to think about. And one act at a time:
        # whoever asks meanwhile waits for one of them at most.
        thought = not acted and self._thought(now)
        if thought:
            self.refresh()
            self.publish()
        self.thinking = acted or thought

    def _light(self, now: float) -> None:
        self.workshop.tick(now)
        if self.workshop.open:
            self.workshop.light()
        else:
            self.session.light(now)

    def _note_results(self) -> None:
        """Keep who has won, once a game is over."""
        play = self.session.play
        if play is None or not play.over or play.number == self._noted:
            return
        with suppress(CannotWrite):
            results.add(self.journal, play.number, play.results(self.seating.people()))
            self._noted = play.number

    def refresh(self) -> None:
        """The game has changed: every viewer's picture is made anew. Raises `GameFault`."""
        play = self.session.play
        if play is None:
            self._viewers.refresh(self.session)
        elif play.is_sound():
            checked(play.game.name, self._viewers.refresh, self.session)

    def _prepare(self) -> None:
        """Make all that is shown of the game as it is now, for the next `refresh`. May raise anything."""
        assert self.session.play is not None, "a game is prepared"
        self._viewers.prepare(self.session)
        self.board.prepare(self.session.play)

    def publish(self) -> None:
        """Show everybody how things are now: whoever is answered after this can read what its call has done."""
        self.update_snapshot()
        bots, minutes = self.seating.claims.bots, self.choices.settings.turn_minutes
        turn = self._turns.facts(self.session, bots, self.players, minutes)
        self._viewers.publish(self.session, self.seating, self.upkeep, turn)

    def update_snapshot(self) -> None:
        """Lay out what any thread may look at without asking the loop."""
        before, self.snapshot = self.snapshot, self._new_snapshot()
        self.workshop.lay_out()
        self.heard(self.snapshot.front is not before.front)

    def _new_snapshot(self) -> Snapshot:
        return self._lobby.snapshot(self.session, self.seating, self.addresses, self.choices.settings)

    def glow(self) -> None:
        """The lamps go on as they were, and so do the screens that show them, while an act is being written."""
        lamps = self.board.io.glow(self._clock())
        if lamps is not None:
            self._viewers.relight(lamps)
            self.snapshot = replace(self.snapshot, board=self.board.snapshot())

    # --- an act by screen ---------------------------------------------------------------------------------------

    def _submit(self, holder: Holder, action: dict[str, Any], revision: int, kept: Mapping[str, Any]) -> None:
        play = self.session.play
        if play is None:
            raise UserError("not-now", Text("No game is running."))
        self.session.interruption.check()
        if revision != self._viewers.revision(holder.seat):
            raise UserError("stale", STALE)
        try:
            self._act(play, holder.seat, self._command(play, holder, action), holder.device, kept)
        except RuleError as error:
            raise UserError(error.code, error.sentence, error.rule) from error

    def _command(self, play: TableGame, holder: Holder, action: dict[str, Any]) -> Command:
        """What a device wants to do, where it may do so now. Raises `UserError` and `RuleError`."""
        if action == TAKE_BACK_ACTION:
            return TAKE_BACK
        command = play.game.read_command(holder.seat, action)
        self.seating.check_part(holder, command)
        self.board.check_set_up(play, command)
        return command

    def _check_room(self) -> None:
        """Raises `UserError` while nothing can be written."""
        if (halted := self.upkeep.halted) is not None:
            raise UserError("halted", halted)

    # --- an act, by screen or by hand ---------------------------------------------------------------------------

    def _act(
        self, play: TableGame, seat: str, command: Command, device: str | None, kept: Mapping[str, Any] = NOTHING
    ) -> None:
        """A seat acts, from a device or (None) with its hands on the board; what is `kept` stands or falls with it.
        Raises `Refused`, `UserError` and `CannotWrite`, and then nothing has changed.
        """
        try:
            if command is TAKE_BACK:
                play.take_back(seat, kept)
            else:
                play.act(seat, command, kept)
        except GameFault as fault:
            fault.log()
            raise
        self.seating.acted(seat, device)
        self.refresh()

    def _hear_board(self, now: float) -> None:
        """Make every act that people have made on the board. Raises `CannotWrite`."""
        while (act := self.board.next_act(self._state(), now)) is not None:
            play = self.session.play
            assert play is not None, "the hands act only in a game"
            with self._seen_by_all():
                try:
                    self._act(play, act.seat, act.command, None)
                except (RuleError, UserError):  # the miniature would ask for the same again and again
                    log.error("The sensors count no more: the game fails at what was done on the board.")
                    self.board.use_sensors(False)

    def _state(self) -> TableState:
        """What the board has to know of the table."""
        play = self.session.play
        seat = None if play is None else play.at_board
        resting = self.session.interruption.on or self.upkeep.halted is not None
        revision = 0 if seat is None else self._viewers.revision(seat)
        return TableState(play, revision, self.seating.claims.bots, resting)

    @contextmanager
    def _seen_by_all(self) -> Iterator[None]:
        """Do what everybody sees. Raises `CannotWrite`, and then everybody knows why nothing happened."""
        try:
            yield
        except CannotWrite as error:
            self.upkeep.halt(error)
            raise

    def answer(self, space: str) -> None:
        """Somebody answered the board's question. Raises `CannotWrite`."""
        self.board.answer(space)
        self._hear_board(self._clock())

    def offer(self, token: str, offer: Offer) -> None:
        """A screen of the seat that acts on the board lets people pick there for a while. Raises `UserError`."""
        holder = self.seating.holder(token)
        self.board.offer(replace(offer, seat=holder.seat), self._state())

    # --- a bot's act --------------------------------------------------------------------------------------------

    @property
    def _ready(self) -> bool:
        """Whether a bot may go on: like people, it waits until the miniatures have been carried."""
        play = self.session.play
        if play is None or self.upkeep.halted or self.session.interruption.on:
            return False
        return self.board.settled(play)

    def _bots_acted(self, now: float) -> bool:
        """Make a bot's act that has fallen due; whether there was one."""
        if self.session.play is None or not self._ready:
            return False
        try:
            with self._seen_by_all():
                return self.players.act(self.session.play, now)
        except BotFailed as fault:
            self._replace(fault)
            return True

    def hurry(self) -> None:
        """The bots without secrets act without long pauses until a person is to act. Raises `UserError` where none of
        them is to.
        """
        if not hasty(self.session, self.seating.claims.bots):
            raise UserError("not-now", Text("No bot is about to act."))
        self.players.hurried = True

    def _thought(self, now: float) -> bool:
        """Let the bots think; whether that brought anything new: a secret act, or another bot for one that failed."""
        play = self.session.play
        if play is None:
            self.players.leave()
            return False
        if not self._ready:
            self.players.rest()
            return False
        try:
            return self._went_on(play, now)
        except CannotWrite:
            self.upkeep.doubt()
            self.players.rest()
            return False

    def _went_on(self, play: TableGame, now: float) -> bool:
        try:
            return self.players.think(play, now)
        except BotFailed as fault:
            self._replace(fault)
            return True

    def _replace(self, fault: BotFailed) -> None:
        """A bot has failed. Whoever sits there now goes on at once; each bot fails but once."""
        log.error("%s", fault)
        log.error("%s", fault.where, extra=MAKERS)
        if not self.seating.replace(fault):
            self.session.put_away()
        self.players.sit(self.seating.claims.bots)

    # --- what is on the table -----------------------------------------------------------------------------------

    def check_lobby(self) -> None:
        """Raises `UserError` while a game is running."""
        if self.session.running:
            raise UserError("not-now", Text("A game is running already."))

    def choose(self, choice: Mapping[str, Any]) -> None:
        """Choose what the next game is to be; see `selection.changed`. Raises `UserError`."""
        self.check_lobby()
        self._check_room()
        self._choose(changed(self.session.chosen.selection, choice, self.settings))

    def start(self, choice: Mapping[str, Any]) -> None:
        """Start the chosen game; or the one of `choice`, which leaves to the game whatever it does not name, and to the
        table the map that lies there. Raises `UserError`.
        """
        self.session.check_free()
        selection = self.session.chosen.selection
        if choice:
            bare = Selection(choice.get("game", selection.game), self.board.map.slug)
            selection = changed(bare, {"options": {}, **choice}, self.settings)
        self.seating.check_full(chosen(selection).seats)
        self._check_room()
        self._choose(selection)
        try:
            self.session.begin()
        except RuleError as error:
            raise UserError(error.code, error.sentence, error.rule) from error
        self.seating.begin()
        if self.settings.board == "simulated" and self.seating.claims.people == 1:
            self.board.use_sensors(False)  # nobody carries miniatures on a screen to play alone
        self.refresh()

    def play_alone(
        self, seat: str, device: str, choice: Mapping[str, Any], playing: Mapping[str, str], requester: Requester
    ) -> str:
        """Start a game at once: one person on a seat, bots on all others, without the board; see `Seating.sit_alone`.
        `choice` is as for `choose`. The key of the seat. Raises `UserError`, and then nothing has begun.
        """
        self.session.check_free()
        self._check_room()
        selection = changed(self.session.chosen.selection, choice, self.settings)
        if all(it.name != seat for it in chosen(selection).seats):
            raise UserError("not-understood", Text("That game has no such seat."))
        self.seating.check_alone(requester)
        with self.seating.restored_on_fault():
            self._choose(selection)
            key = self.seating.sit_alone(seat, device, playing)
            self.start({})
        self.board.use_sensors(False)
        self.refresh()
        return key

    def play_again(self, swapped: bool) -> None:
        """Start the chosen game anew with those who sit here; `swapped`: each on the next seat. Raises `UserError`."""
        self.session.check_free()
        used = self.board.sensors_used
        with self.seating.restored_on_fault():
            if swapped:
                self.seating.swap()
            self.start({})
        if not used:
            self.board.use_sensors(False)
        self.refresh()

    def _choose(self, selection: Selection) -> None:
        before = self.session.seats
        self.session.choose(chosen(selection, self.settings))
        if self.session.seats != before:
            self.seating.follow(before)
        self.refresh()

    def abandon(self) -> None:
        """Put the game away and go back to the lobby."""
        self.session.put_away()
        self.refresh()

    def release(self, seat: str, requester: Requester) -> None:
        """Free a seat; while a game is running, only one's own place beside others who stay. Raises `UserError`."""
        if not self.session.running:
            self.seating.release(seat, requester)
        elif not self.seating.get_up(seat, requester):
            raise UserError("not-now", NOT_FREED)

    def check_release(self, seat: str, requester: Requester) -> None:
        """Raise `UserError` where `release` refuses without a PIN whatever happens meanwhile; any thread may ask."""
        if not self.session.running:
            self.seating.check_release(seat, requester)
        elif not self.seating.may_get_up(seat, requester):
            raise UserError("not-now", NOT_FREED)

    def frees(self, seat: str, requester: Requester) -> bool:
        """Whether `release` says without a PIN what becomes of a seat."""
        return self.session.running or self.seating.frees(seat, requester)

    def grant(self, wish: SeatRequest, attempt: PinAttempt, pin: str) -> str:
        """Fulfil the wish of an attempt, if the PIN is right; the new key, if there is one. Raises `UserError`."""
        with self.seating.guesses.settling(wish, attempt):
            if wish.frees and self.session.running:  # a game has begun since the try was counted
                raise UserError("not-now", NOT_FREED)
            return self.seating.grant(wish, attempt, pin)

    # --- the admin page ----------------------------------------------------------------------------------------------

    def reload(self, settings: Settings) -> None:
        """The settings were read again: what a running table can take over counts from now on."""
        self.choices = Choices(settings, self.journal)
        self.settings = settings
        self.players.pause, self.players.thought = settings.bot_pause_ms / 1000, settings.bot_thought_ms / 1000
        self.board.adjust(self.choices.settings)

    def change_settings(self, wanted: Mapping[str, Any]) -> None:
        """Change settings on the admin page. Raises `UserError`, and then nothing has changed."""
        self.choices.choose(wanted)
        self.board.adjust(self.choices.settings)
        log.info("The house has chosen: %s.", ", ".join(f"{name} {value!r}" for name, value in wanted.items()))

    def health(self) -> list[SensorReport]:
        """How the sensors are, space by space, from what is laid out; public, and safe to ask from any thread."""
        return self.snapshot.board.lines(self._clock())

    def board_report(self) -> dict[str, Any]:
        """What a report tells of board and wiring, from what is laid out; public, and safe to ask from any thread."""
        return self.snapshot.board.bench(self._clock())

    def admin_facts(self) -> dict[str, Any]:
        """What the admin page shows of the table, from what is laid out; public, and safe to ask from any thread."""
        snapshot = self.snapshot
        return {
            **{name: snapshot.front[name] for name in ("stage", "map", "addresses")},
            "choices": self.choices.shown(),
            "board": snapshot.board.live(),
        }
