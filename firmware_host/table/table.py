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

import games
from engine.chance import Chance
from engine.game import Command
from engine.graph import Map
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.admin.choices import Choices
from firmware_host.admin.logbook import MAKERS
from firmware_host.admin.machine import UNSEEN, Machine
from firmware_host.admin.upkeep import HALTED, Upkeep
from firmware_host.app.settings import Settings
from firmware_host.board.hands.facts import Facts
from firmware_host.board.picking import Offer
from firmware_host.board.presses import Wish
from firmware_host.board.side import BoardSide
from firmware_host.board.tabletop import Tabletop
from firmware_host.board.wellness import Line
from firmware_host.records.journal import CannotWrite, Journal
from firmware_host.seats.claims import SeatWish
from firmware_host.seats.guesses import Attempt
from firmware_host.seats.identity import Holder, Requester
from firmware_host.seats.players import GaveUp, Players
from firmware_host.seats.repeats import Repeats
from firmware_host.seats.seating import Seating
from firmware_host.table import maps
from firmware_host.table.errors import UserError
from firmware_host.table.followers import Followers
from firmware_host.table.lobby import Lobby, Snapshot
from firmware_host.table.play import TAKE_BACK, Play
from firmware_host.table.session import Stage, resumed
from firmware_host.table.viewers import Viewers
from hardware.ports import Note, Press

GAME = "sniper-elite"
TAKE_BACK_ACTION = {"type": "take-back"}
NOT_FREED = Text("A game is running. A seat changes hands with its PIN only.")
STALE = Text("The game has moved on since your picture was drawn. Look again, then act.")

log = logging.getLogger("firmware_host")


class Table:
    """Everything that is going on at one table."""

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        make_top: Callable[[Map], Tabletop],
        clock: Callable[[], float],
        chance: Chance,
        first_revision: int = 0,
        luck: Chance | None = None,
        machine: Machine = UNSEEN,
        game: str = GAME,
    ) -> None:
        """`luck` is the bots' own; without it they share the game's `chance`. `game` names what is offered here."""
        self.settings, self.journal, self.chance = settings, journal, chance
        self.addresses: list[str] = []
        self._clock = clock
        self._game = games.find(game)
        play = resumed(journal, chance)
        board = maps.load(settings.map) if play is None else play.board
        self._repeats = Repeats(journal)
        self.players = Players(settings.bot_pause_ms / 1000, luck or chance)
        self.choices = Choices(settings, journal)
        self.board = BoardSide(board, make_top, self.choices.settings, journal, clock)
        self.stage = Stage(self._game, play, self.board, journal, chance, clock)
        self.seating = Seating(self._game, lambda: self.stage.seats, journal, clock)
        self.upkeep = Upkeep(journal.try_writing, machine, clock())
        self.thinking = False
        """Whether a bot has acted in the last turn, and thinks on in the next."""
        self.heard: Callable[[bool], None] = lambda by_all: None
        """Hears whether what has been laid out is something new for everybody."""
        self._lobby = Lobby(self._game, journal.lost)
        self._viewers = Viewers(first_revision)
        self.refresh()
        self.snapshot = self._new_snapshot()

    @property
    def followers(self) -> Followers:
        """Where screens take their pictures from, in any thread."""
        return self._viewers.followers

    # --- the loop's side ----------------------------------------------------------------------------------------

    def open(self) -> None:
        """Begin to feel the board."""
        self.board.top.open()
        self.tick()

    def close(self) -> None:
        """Let go of the board and the journal."""
        self.board.top.close()
        self.journal.close()

    def due(self) -> float:
        """When `tick` is wanted at the latest, in the clock's seconds."""
        if self.thinking:
            return self._clock()
        waits = [self.board.due(self._clock()), self.players.due(), self.upkeep.due(), self.stage.interlude.until]
        return min(wait for wait in waits if wait is not None)

    def cannot_write(self, error: CannotWrite) -> UserError:
        """A wish could not be written, and nothing has changed; what the requester hears of it."""
        self.upkeep.doubt()
        return UserError("halted", HALTED[error.why])

    # --- one pass -----------------------------------------------------------------------------------------------

    def feel(self, note: Note) -> None:
        """A driver said something."""
        if isinstance(note, Press):
            with suppress(CannotWrite):
                self._press(note.button)
        else:
            self.board.top.feel(note)

    def submit(self, token: str, action: dict[str, Any], revision: int, name: str) -> None:
        """Act for a seat. Raises `UserError`, and then nothing has changed.

        The same act asked for again under the same `name` gets the same answer, and is not done again.
        """
        holder = self.seating.holder(token)
        self._check_room()
        self._repeats.once(holder.seat, name, action, lambda kept: self._submit(holder, action, revision, kept))

    def tick(self) -> None:
        """Do what has fallen due: acts made on the board, a bot's act, lamps, pictures, a bot's thoughts."""
        now = self._clock()
        self.stage.interlude.tick(now)
        self.upkeep.look(now)
        self.players.sit(self.seating.claims.bots)
        acted = False
        with suppress(CannotWrite):
            self._hear_hands(now)
            acted = self._bots_acted(now)
            if acted:
                self.refresh()
                self._hear_hands(now)
        self.board.tick(now)
        self.stage.light(now)
        self.publish()
        self.board.keep_health(now)
        # Last, so that nobody can tell from a late picture that there was more to think about. And one act at a time:
        # whoever asks meanwhile waits for one of them at most.
        thought = not acted and self._thought(now)
        if thought:
            self.refresh()
            self.publish()
        self.thinking = acted or thought

    def refresh(self) -> None:
        """The game has changed: every viewer's picture is made anew."""
        self._viewers.refresh(self.stage)

    def publish(self) -> None:
        """Show everybody how things are now: whoever is answered after this can read what its call has done."""
        self.update_snapshot()
        self._viewers.publish(self.stage, self.seating, self.upkeep)

    def update_snapshot(self) -> None:
        """Lay out what any thread may look at without asking the loop."""
        before, self.snapshot = self.snapshot, self._new_snapshot()
        self.heard(self.snapshot.front is not before.front)

    def _new_snapshot(self) -> Snapshot:
        return self._lobby.snapshot(self.stage, self.seating, self.addresses, self.settings)

    def glow(self) -> None:
        """The lamps go on as they were, and so do the screens that show them, while an act is being written."""
        if self.board.top.glow(self._clock()):
            self._viewers.relight(self.board.top.on_screens)
            self.snapshot = replace(self.snapshot, board=self.board.glance())

    # --- an act by screen ---------------------------------------------------------------------------------------

    def _submit(self, holder: Holder, action: dict[str, Any], revision: int, kept: Mapping[str, Any]) -> None:
        play = self.stage.play
        if play is None:
            raise UserError("not-now", Text("No game is running."))
        self.stage.interlude.check()
        if revision != self._viewers.revision(holder.seat):
            raise UserError("stale", STALE)
        if action == TAKE_BACK_ACTION:
            play.take_back(holder.seat, kept)
        else:
            self._act(play, holder, action, kept)
        self.seating.acted(holder.seat, holder.device)
        self.refresh()

    def _act(self, play: Play, holder: Holder, action: dict[str, Any], kept: Mapping[str, Any]) -> None:
        try:
            command = self._game.read_command(holder.seat, action)
            self.seating.check_part(holder, command)
            self._check_board(play, command)
            play.act(holder.seat, command, kept)
        except RuleError as error:
            raise UserError(error.code, error.sentence, error.rule) from error

    def _check_board(self, play: Play, command: Command) -> None:
        """The first move waits for the miniatures, unless the sensors do not count."""
        top = self.board.top
        if self._counts and play.setting_up and self._game.begins(command) and not top.agreed:
            raise UserError("not-now", Text("The board is not set up yet. {what}", what=top.status()["sentence"]))

    def _check_room(self) -> None:
        """Raises `UserError` while nothing can be written."""
        if (halted := self.upkeep.halted) is not None:
            raise UserError("halted", halted)

    # --- an act on the board ------------------------------------------------------------------------------------

    def _hear_hands(self, now: float) -> None:
        play = self.stage.play
        by_bot = play is not None and self._led_by_bot and self.settings.board == "simulated"
        self.board.carry(play.standing if play is not None and by_bot else None)
        while (command := self._felt(now)) is not None:
            self._from_board(command)

    def _felt(self, now: float) -> Command | None:
        """The next act that the hands have made, if any; what they have picked meanwhile is taken in."""
        seat = self.stage.at_board
        if seat is not None:
            self.board.picking = self.board.picking.current(seat, self._viewers.revision(seat), now)
        command = self.board.top.think(self._facts(), now)
        self.board.picking = self.board.picking.after(self.board.top.outcome)
        return command

    def _facts(self) -> Facts | None:
        """What the hands may know. None while what they do does not count."""
        play = self.stage.play
        if play is None or not self._counts or self.stage.interlude.on:
            return None
        return self.board.facts(play, by_people=not self._led_by_bot, retracts=self._may_take_back())

    @property
    def _led_by_bot(self) -> bool:
        """Whether the hands would act for a bot."""
        return self.stage.at_board in self.seating.claims.bots

    @property
    def _counts(self) -> bool:
        """Whether the sensors count, and what they say can be written."""
        return self.board.counts and not self.upkeep.halted

    def _from_board(self, command: Command) -> None:
        """An act that somebody made with a miniature. The hands only offer what the public picture allows."""
        play = self.stage.play
        assert play is not None, "the hands act only in a game"
        seat = self._moved_last if command is TAKE_BACK else self.stage.mover(command)
        assert seat is not None, "the hands act only for seats on the board"
        with self._seen_by_all():
            if command is TAKE_BACK:
                play.take_back(seat)
            else:
                play.act(seat, command)
        self.seating.acted(seat, None)
        self.refresh()

    @contextmanager
    def _seen_by_all(self) -> Iterator[None]:
        """Do what everybody sees. Raises `CannotWrite`, and then everybody knows why nothing happened."""
        try:
            yield
        except CannotWrite as error:
            self.upkeep.halt(error)
            raise

    def answer(self, space: str) -> None:
        """Somebody answered the board's question."""
        command = self.board.top.pick(self._facts(), space, self._clock())
        if command is not None:
            self._from_board(command)

    def offer(self, token: str, offer: Offer) -> None:
        """A screen of the seat that acts on the board lets people pick there for a while. Raises `UserError` for a
        screen of another one, for a picture that is outdated, and for spaces that nobody can choose.
        """
        holder = self.seating.holder(token)
        if not any(seat.on_board for seat in self.stage.seats if seat.name == holder.seat):
            raise UserError("no-seat", Text("Only choices that all may see are shown on the board."))
        if holder.seat != self.stage.at_board:
            raise UserError("not-now", Text("It is not your turn."))
        if offer.revision != self._viewers.revision(holder.seat):
            raise UserError("stale", STALE)
        self.board.offer(replace(offer, seat=holder.seat))

    def _press(self, button: str) -> None:
        """Somebody pressed a button beside the board: whatever it does, it does for those who play there."""
        taps, end = self.board.top.taps, self._end_of_turn()
        wish = self.board.press(button, self._may_take_back(), end is not None)
        if wish in (Wish.FIRST, Wish.SECOND):
            self.answer(taps[0 if wish is Wish.FIRST else 1])
        elif wish is Wish.TAKE_BACK:
            self._from_board(TAKE_BACK)
        elif wish is Wish.END_TURN and end is not None:
            self._from_board(end)

    def _end_of_turn(self) -> Command | None:
        """The command that ends the turn on the board, if people may give it now."""
        play, seat = self.stage.play, self.stage.at_board
        if play is None or seat is None or self._led_by_bot or not self._ready:
            return None
        return play.end_of_turn(seat)

    def _may_take_back(self) -> bool:
        """Whether the last move was made on the board, by people, and can be taken back."""
        seat = self._moved_last
        if seat is None or seat in self.seating.claims.bots or self.upkeep.halted or self.stage.interlude.on:
            return False
        return self.stage.play is not None and self.stage.play.may_take_back(seat)

    @property
    def _moved_last(self) -> str | None:
        """The seat on the board whose act was the last, if that can be taken back."""
        last = None if self.stage.play is None else self.stage.play.retractable()
        return next((seat.name for seat in self.stage.seats if last and seat.on_board and seat.name == last[0]), None)

    # --- a bot's act --------------------------------------------------------------------------------------------

    @property
    def _ready(self) -> bool:
        """Whether a bot may go on: like people, it waits until the miniatures have been carried."""
        if self.stage.play is None or self.upkeep.halted or self.stage.interlude.on:
            return False
        return self.board.top.agreed or not self._counts

    def _bots_acted(self, now: float) -> bool:
        """Make a bot's act that has fallen due; whether there was one."""
        if self.stage.play is None or not self._ready:
            return False
        with self._seen_by_all():
            return self.players.act(self.stage.play, now)

    def _thought(self, now: float) -> bool:
        """Let the bots think; whether that brought anything new: a secret act, or another bot for one that failed."""
        play = self.stage.play
        if play is None or not self._ready:
            self.players.rest()
            return False
        try:
            return self._went_on(play, now)
        except CannotWrite:
            self.upkeep.doubt()
            self.players.rest()
            return False

    def _went_on(self, play: Play, now: float) -> bool:
        try:
            return self.players.think(play, now)
        except GaveUp as fault:  # whoever sits there now goes on at once; each bot fails but once
            log.error("%s", fault)
            log.error("%s", fault.where, extra=MAKERS)
            if not self.seating.replace(fault):
                self.stage.put_away()
            self.players.sit(self.seating.claims.bots)
            return True

    # --- what is on the table -----------------------------------------------------------------------------------

    def start(self, choice: Mapping[str, Any]) -> None:
        """Start a game. Raises `UserError`."""
        if self.stage.running:
            raise UserError("not-now", Text("A game is running already."))
        chosen = self._lobby.chosen(choice, self.board.map.slug, self.settings)
        self.seating.check_full(self._game.seats(chosen.options))
        self._check_room()
        self.stage.begin(chosen.board, chosen.options, chosen.hinted)
        self.seating.begin()
        self.refresh()

    def abandon(self) -> None:
        """Put the game away and go back to the lobby."""
        self.stage.put_away()
        self.refresh()

    def release(self, seat: str, requester: Requester) -> None:
        """Free a seat; while a game is running, only one's own place beside others who stay. Raises `UserError`."""
        if not self.stage.running:
            self.seating.release(seat, requester)
        elif not self.seating.get_up(seat, requester):
            raise UserError("not-now", NOT_FREED)

    def frees(self, seat: str, requester: Requester) -> bool:
        """Whether `release` says without a PIN what becomes of a seat."""
        return self.stage.running or self.seating.frees(seat, requester)

    def grant(self, wish: SeatWish, attempt: Attempt, pin: str) -> str:
        """Fulfil the wish of an attempt, if the PIN is right; the new key, if there is one. Raises `UserError`."""
        with self.seating.guesses.settling(wish, attempt):
            if wish.frees and self.stage.running:  # a game has begun since the try was counted
                raise UserError("not-now", NOT_FREED)
            return self.seating.grant(wish, attempt, pin)

    # --- the admin page ----------------------------------------------------------------------------------------------

    def reread(self, settings: Settings) -> None:
        """The settings were read again: what a running table can take over counts from now on."""
        self.choices = Choices(settings, self.journal)
        self.settings = settings
        self.players.pause = settings.bot_pause_ms / 1000
        self.board.adjust(self.choices.settings)

    def change_settings(self, wanted: Mapping[str, Any]) -> None:
        """Change settings on the admin page. Raises `UserError`, and then nothing has changed."""
        self.choices.choose(wanted)
        self.board.adjust(self.choices.settings)
        log.info("The house has chosen: %s.", ", ".join(f"{name} {value!r}" for name, value in wanted.items()))

    def health(self) -> list[Line]:
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
