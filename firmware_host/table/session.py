"""What is on the table: a running or finished game with its hint, a time-out, or a step of a past game; otherwise the
table is in the lobby. Only the loop's thread comes here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from engine.chance import Chance
from engine.cues import show_of
from engine.game import TABLE, Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.refusal import RuleError
from engine.seats import Seat, secret_seats
from engine.text import Text
from firmware_host.board.side import SENSORS_USED_KEY, WITHOUT_BOARD, BoardSide, lamp_board
from firmware_host.core import installed, maps
from firmware_host.core.capabilities import capabilities, miniatures, shown_on
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import GameFault, fault_in
from firmware_host.core.settings import DEFAULT_MAP, Settings
from firmware_host.play.game import TableGame
from firmware_host.play.possible import Possible
from firmware_host.play.resuming import Lost, while_waiting
from firmware_host.records.journal import NOTHING, Journal
from firmware_host.seats.seating import store
from firmware_host.table.interruption import Interruption, ReplayStep
from firmware_host.table.selection import HINTS_KEY, SELECTION_KEY, Chosen
from firmware_host.table.starts import Starter, Starts

log = logging.getLogger("firmware_host")


def default_map(settings: Settings) -> Map:
    """Return the map of the settings.

    Another map replaces it if the game that makes it fails, or if it may be the map of a game that was left out.
    """
    try:
        return maps.load(settings.map)
    except MapError as error:
        by_game = fault_in(error) is not None or maps.is_generated(settings.map)
        if not (by_game or installed.installed().faults):
            raise
        log.warning("%s Until it can be used, the map %s replaces it.", error, DEFAULT_MAP)
        return maps.load(DEFAULT_MAP)


def maps_of(play: TableGame | None, settings: Settings) -> tuple[Map, Map]:
    """Return the map of the running game, or that of the settings, and the map whose lamps show the game."""
    played_on = default_map(settings) if play is None or play.board is None else play.board
    lamps = None if play is None or play.board is not None else lamp_board(play.shown_on, settings)
    return played_on, lamps or played_on


class TableSession:
    """What is on the table with this `board`: at first the resumed game, if any; `chosen` is the next game."""

    def __init__(
        self,
        chosen: Chosen,
        play: TableGame | None,
        board: BoardSide,
        journal: Journal,
        chance: Chance,
        clock: Callable[[], float],
        prepare: Callable[[], None],
    ) -> None:
        """`prepare` creates everything that is shown of the current game. It may raise any error."""
        self.chosen, self.play, self.board, self._prepare = chosen, play, board, prepare
        self._journal, self._chance, self._clock = journal, chance, clock
        self.interruption = Interruption(journal)
        self._starts = Starts()
        self.lost: list[Lost] = []
        """Return the sentences about games that could not continue since the start."""
        self.possible = None if play is None else self._hint(play, bool(journal.stored_value(HINTS_KEY)))
        if play is not None:
            play.rehearse = self._rehearse

    def open(self) -> None:
        """Continue the resumed game; if it cannot be shown, it waits for the next start."""
        try:
            if self.play is not None:
                self.play.check()
            elif self._journal.running() is not None:
                self._keep_waiting()
                return
            else:
                self.board.sensors_used = True  # the stored value is that of a game that has ended
            self._hold_miniatures()
            if not self.running:
                self.interruption.end()
        except GameFault as fault:
            self.let_wait(fault)

    def _keep_waiting(self) -> None:
        """Continue without a game, but keep the stored values of one that waits for the next start."""
        self.interruption.end_replay()
        self.interruption.paused, self.board.sensors_used = None, True
        self._hold_miniatures()

    def _rehearse(self, play: TableGame) -> None:
        """Create everything that is shown of a game, which may not be on the table yet. May raise any error."""
        # The pictures are made from the session, so the game is put on the table for this moment.
        before = self.play, self.possible
        if play is not self.play:
            self.play, self.possible = play, self._hint(play, self.chosen.hinted)
        try:
            miniatures(play.game, play.public)
            self._prepare()
        finally:
            self.play, self.possible = before

    @property
    def game(self) -> Game:
        """The game on the table; in the lobby, the chosen one."""
        return self.chosen.game if self.play is None else self.play.game

    @property
    def game_on_screens(self) -> Game:
        """The game that the public screens show: that of a replay, else the one on the table."""
        return self.game if self.interruption.replay is None else self.interruption.replay.played

    @property
    def map_on_screens(self) -> str:
        """The name of the map that the public screens show; empty for a game without a map."""
        return self.map if self.interruption.replay is None else self.interruption.replay.map

    def _hint(self, play: TableGame, hinting: bool) -> Possible | None:
        """Return the hint of a game, if it is played with one."""
        deducing = None if play.board is None else capabilities(play.game).deducing
        return Possible(play, deducing) if hinting and deducing is not None else None

    def _hold_miniatures(self) -> None:
        """Tell the board which miniatures there are in the current or chosen game."""
        play, chosen, names = self.play, self.chosen, tuple[str, ...]()
        if play is not None:
            names = miniatures(play.game, play.public)
        else:
            with suppress(RuleError):  # if the game cannot start on that map, its start will report that
                names = miniatures(chosen.game, chosen.game.blank(chosen.board, chosen.options)[TABLE])
        self.board.set_miniatures(names)

    @property
    def name(self) -> str:
        """The stage: lobby, playing or over."""
        if self.play is None:
            return "lobby"
        return "over" if self.play.over else "playing"

    @property
    def running(self) -> bool:
        """Whether a game is running."""
        return self.play is not None and not self.play.over

    @property
    def finished(self) -> int | None:
        """The number of the game that lies finished on the table, if one does."""
        return self.play.number if self.play is not None and self.play.over else None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the game on the table; in the lobby, of the chosen one."""
        return self.chosen.seats if self.play is None else self.play.seats

    @property
    def hiding(self) -> frozenset[str]:
        """The seats that may be acting in secret now, as far as everyone knows; and the seats that really are."""
        if self.play is None:
            return frozenset()
        return secret_seats(self.seats).intersection((*self.play.to_act, *self.play.referee.to_act))

    @property
    def map(self) -> str:
        """The name of the map of the game on the table, or of the chosen one; empty for a game without a map."""
        board = self.chosen.board if self.play is None else self.play.board
        return "" if board is None else board.slug

    @property
    def sealed(self) -> dict[str, str | None] | None:
        """What is sealed of the game; see `TableGame.sealed`."""
        return None if self.play is None else self.play.sealed

    # --- changes --------------------------------------------------------------------------------

    def choose(self, chosen: Chosen, stored: Mapping[str, Any] = NOTHING) -> None:
        """Set the next game, and store it together with `stored`. A finished game with other seats is put away. Raises
        `CannotWrite`, and then nothing has changed.
        """
        stored = {SELECTION_KEY: msgspec.to_builtins(chosen.selection), **stored}
        if self.play is not None and (self.play.game, self.play.seats) != (chosen.game, chosen.seats):
            self.put_away(stored)
        else:
            store(self._journal, stored, self.play)
        self.chosen = chosen
        self._hold_miniatures()

    def check_lobby(self) -> None:
        """Raise `UserError` while a game is running."""
        if self.running:
            raise UserError("not-now", Text("A game is already running."))

    def check_free(self) -> None:
        """Raise `UserError` while no game can start: another one is running, or the workshop is open."""
        self.check_lobby()
        self.interruption.check_workshop()

    def check_start(self, starter: Starter) -> None:
        """Raise `UserError` while the starter cannot start a game: as `check_free` does, or too many have started."""
        self.check_free()
        # A start is written to disk and costs every screen a new picture, so strangers get few.
        self._starts.check(starter, self._clock())

    def begin(self, starter: Starter, stored: Mapping[str, Any] = NOTHING, *, on_screens: bool = False) -> None:
        """Start the chosen game, `on_screens` without the sensors, and store it with `stored`. One without a map
        leaves the board as it is, unless it has a lamp board. Raises `UserError` if its board cannot be used or too
        many games have started (see `check_start`), or `CannotWrite`; after any error, the old game stays.
        """
        now = self._clock()
        chosen, before = self.chosen, self.board.map
        # As in `put_away`, which is not called for the finished game that this one replaces.
        sensors = not on_screens and (self.play is not None or self.board.sensors_used)
        board, stored = chosen.board, {HINTS_KEY: chosen.hinted, SENSORS_USED_KEY: sensors, **stored}
        laid = board or lamp_board(shown_on(chosen.game, board, chosen.options), self.board.look)
        if laid is not None:
            # Open the board first: if it cannot be used, nothing has been written yet.
            self.board.change_map(laid)
        try:
            game, options = chosen.game, chosen.options
            self.play = TableGame.begin(game, board, options, self._journal, self._chance, stored, self._rehearse)
        except BaseException:
            # The old game is still on the table and needs its map.
            self.board.change_map(before)
            raise
        self.board.sensors_used = sensors
        self._starts.count(starter, now)
        self._hold_miniatures()
        self.interruption.end()
        self.possible = self._hint(self.play, chosen.hinted)
        log.info("A game starts on %s: %s.", "the screens" if board is None else board.slug, chosen.game.title)

    def put_away(self, stored: Mapping[str, Any] = NOTHING) -> None:
        """End the game, or stop showing a finished one; store it together with `stored`. Raises `CannotWrite`, and then
        nothing has changed.
        """
        if self.play is None:
            self.interruption.end_replay()  # a time-out may still be stored for a game that waits
            return
        # Use one transaction: if the game ended only in the journal, all further acts would be lost.
        self.play.put_away({**stored, SENSORS_USED_KEY: True})
        self.board.sensors_used = True  # the next game may use the sensors again
        log.info("The game was put away.")
        self.play = self.possible = None
        self.interruption.end()

    def let_wait(self, fault: GameFault) -> None:
        """Take a game that cannot continue off the table, and tell everyone why. It waits; see `resumed`."""
        # Do this first, so that nothing below calls the failed game again.
        play, self.play, self.possible = self.play, None, None
        assert play is not None, "a game has failed"
        self.lost.append(while_waiting(self._journal, play.number, play.game.name, fault))
        self._keep_waiting()

    def pause(self, paused: bool, who: str) -> None:
        """Pause the running game for the device `who`, or resume it. Raises `UserError` if no game is running."""
        if not self.running:
            raise UserError("not-now", Text("No game is running."))
        self.interruption.check_workshop()
        self.interruption.pause(who if paused else None)
        if paused:
            # A button pressed after the pause must not end the turn.
            self.board.stop_asking()

    def replay(self, step: ReplayStep | None) -> None:
        """Show a step of a past game on the board, or end that (None). Raises `UserError` while a game is running."""
        self.interruption.check_workshop()
        if self.running:
            raise UserError("not-now", Text("A game is running. The board can show past games when it is over."))
        if step is None:
            self.interruption.end_replay()
            return
        if step.map not in ("", self.board.map.slug):
            if self.play is not None and self.play.board is not None:
                says = Text("That game was played on {map}. End the game on the table first.", map=Text(step.name))
                raise UserError("not-now", says)
            self.board.change_map(maps.load(step.map))
        elif not step.map and (self.play is None or self.play.board is None):
            lamps = lamp_board(step.lamps or None, self.board.look)
            if lamps is not None:
                self.board.change_map(lamps)
        self.interruption.show(step, self._clock())

    def end_replay_of(self, number: int) -> None:
        """Stop showing a step of game `number`, which was deleted."""
        replay = self.interruption.replay
        if replay is not None and replay.picture["game"] == number:
            self.interruption.end_replay()

    def light(self, now: float) -> None:
        """Show the public state on the board."""
        step = self.interruption.replay
        if step is not None:
            # On another map, the cues would light the wrong spaces.
            self.board.show(step.cues if step.lamps == self.board.map.slug else (), now, show_of(step.played))
        elif self.play is None:
            self.board.show((), now)
        else:
            hinted = [] if self.possible is None else self.possible.cues()
            self.board.light(self.play, hinted, now, dimmed=self.interruption.is_active)

    def tidy(self) -> None:
        """Move every miniature to where the game has it, on a board that can. Raises `UserError`."""
        if self.play is None:
            return
        if self.play.on_board is None:
            raise UserError("not-now", WITHOUT_BOARD)
        self.board.io.tidy(self.play.standing)
        self.board.mark_used()
