"""What is on the table: a game that is played or lies finished, the hint it is played with, a time-out or a step of a
past game; or nothing, and then the table is in the lobby. Only the loop's thread comes here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress

import msgspec

from engine.chance import Chance
from engine.cues import show_of
from engine.game import TABLE, Game
from engine.graph.fault import MapError
from engine.refusal import RuleError
from engine.seats import Seat, secret_seats
from engine.text import Text
from firmware_host.board.side import WITHOUT_BOARD, BoardSide
from firmware_host.core import installed, maps
from firmware_host.core.capabilities import capabilities, miniatures, shown_on
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import GameFault, isolated
from firmware_host.core.time_limit import START_LIMIT, TimeUp
from firmware_host.play.game import TableGame
from firmware_host.play.possible import Possible
from firmware_host.records import closed
from firmware_host.records.journal import CannotWrite, Journal, SavedGame
from firmware_host.table.interruption import Interruption, ReplayStep
from firmware_host.table.selection import HINTS, KEPT, Chosen

log = logging.getLogger("firmware_host")


def resumed(journal: Journal, chance: Chance, hung: str | None = None) -> tuple[TableGame | None, list[Text]]:
    """The game that was running when the journal was last written. One that cannot be played on is closed, with a
    sentence why; so is the game called `hung`, which did not end when it was called last.
    """
    saved = journal.running()
    if saved is None:
        return None, []
    try:
        if saved.game == hung:  # before any game is imported: that may be what hangs
            raise GameFault(hung, TimeUp())
        installed.installed()
        return isolated(saved.game, _resumed, saved, journal, chance, limit=START_LIMIT), []
    except (RuleError, MapError) as error:
        why = closed.of(saved.id, saved.game, None if saved.game == hung else error)
        if isinstance(error, GameFault):
            error.log()
        log.error("%s", why.sentence)
        closed.close(journal, why)
        return None, [why.sentence]


def _resumed(saved: SavedGame, journal: Journal, chance: Chance) -> TableGame:
    if not saved.map:
        return TableGame.resume(saved, None, journal, chance)
    board = maps.load(saved.map)
    if board.source != saved.source:
        raise MapError(saved.map, ["the map has changed since the running game began. Put the old map back."])
    return TableGame.resume(saved, board, journal, chance)


def _of_chosen(chosen: Chosen) -> tuple[str, ...]:
    """The miniatures of the chosen game; none where it cannot begin on that map, which it will say when it is to."""
    try:
        return miniatures(chosen.game, chosen.game.blank(chosen.board, chosen.options)[TABLE])
    except RuleError:
        return ()


class TableSession:
    """What is on the table, over `board`; at first the game that was resumed, if any, and `chosen` for the next one."""

    def __init__(
        self,
        chosen: Chosen,
        play: TableGame | None,
        board: BoardSide,
        journal: Journal,
        chance: Chance,
        clock: Callable[[], float],
    ) -> None:
        self.chosen, self.play, self.board = chosen, play, board
        self._journal, self._chance, self._clock = journal, chance, clock
        self.interruption = Interruption(journal)
        self.closed: list[Text] = []
        """Sentences about games that were closed because they could not be played on."""
        self.prepare: Callable[[], None] = lambda: None
        """Makes all that is shown of the game as it is now, to be shown next. May raise anything."""
        self.possible = None if play is None else self._hint(play, bool(journal.kept(HINTS)))
        if play is not None:
            play.rehearse = self._rehearse

    def open(self) -> None:
        """Go on with the game that was resumed, if it can be shown; else it is closed."""
        try:
            if self.play is not None:
                self.play.check()
            self._hold_miniatures()
            if not self.running:
                self.interruption.end()
        except GameFault as fault:
            self.close(fault)

    def _rehearse(self, play: TableGame) -> None:
        """Make all that is shown of a game, which need not be the one on the table yet. May raise anything."""
        before = self.play, self.possible
        if play is not self.play:
            self.play, self.possible = play, self._hint(play, self.chosen.hinted)
        try:
            miniatures(play.game, play.public)
            self.prepare()
        finally:
            self.play, self.possible = before

    @property
    def game(self) -> Game:
        """The game on the table; in the lobby the chosen one."""
        return self.chosen.game if self.play is None else self.play.game

    @property
    def shown(self) -> Game:
        """The game that the screens show: of a past one that is looked through, else the one on the table."""
        return self.game if self.interruption.replay is None else self.interruption.replay.played

    def _hint(self, play: TableGame, wanted: bool) -> Possible | None:
        """The hint of a game that begins or is resumed, where it is played with one."""
        deducing = None if play.board is None else capabilities(play.game).deducing
        return Possible(play, deducing) if wanted and deducing is not None else None

    def _hold_miniatures(self) -> None:
        """Tell the board which miniatures there are: those of the game on the table, else of the chosen one."""
        if self.play is not None:
            self.board.hold(miniatures(self.play.game, self.play.public))
        else:
            self.board.hold(_of_chosen(self.chosen))

    @property
    def name(self) -> str:
        """What the screens call it: lobby, playing or over."""
        if self.play is None:
            return "lobby"
        return "over" if self.play.over else "playing"

    @property
    def running(self) -> bool:
        """Whether a game is being played."""
        return self.play is not None and not self.play.over

    @property
    def finished(self) -> int | None:
        """The number of the game that lies finished on the table, if one does."""
        return self.play.number if self.play is not None and self.play.over else None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the game on the table; in the lobby those of the chosen one."""
        return self.chosen.seats if self.play is None else self.play.seats

    @property
    def hiding(self) -> frozenset[str]:
        """The seats that may be acting in secret now."""
        return frozenset() if self.play is None else secret_seats(self.seats).intersection(self.play.referee.to_act)

    @property
    def map(self) -> str:
        """The name of the map that the screens show; empty while a game without a map is on the table."""
        if self.interruption.replay is not None:
            return self.interruption.replay.map
        return "" if self.play is not None and self.play.board is None else self.board.map.slug

    @property
    def sealed(self) -> dict[str, str | None] | None:
        """What is promised and sealed of the game; see `TableGame.sealed`."""
        return None if self.play is None else self.play.sealed

    # --- one thing after another --------------------------------------------------------------------------------

    def choose(self, chosen: Chosen) -> None:
        """This is to be the next game. A finished one that has other seats is put away. Raises `CannotWrite`."""
        self._journal.keep(KEPT, msgspec.to_builtins(chosen.selection))
        self.chosen = chosen
        if self.play is not None and (self.play.game, self.play.seats) != (chosen.game, chosen.seats):
            self.put_away()
        self._hold_miniatures()

    def check_free(self) -> None:
        """Raises `UserError` while no game can begin: another one is running, or the workshop is open."""
        if self.running:
            raise UserError("not-now", Text("A game is running already."))
        self.interruption.check_workshop()

    def begin(self) -> None:
        """The chosen game begins. One without a map leaves the board as it is, unless it has a board of lamps. Raises
        `UserError` where its board cannot be laid, or `CannotWrite`; then, as on any other fault, the old one stays.
        """
        chosen, before = self.chosen, self.board.map
        another = self.play is not None
        board, kept = chosen.board, {HINTS: chosen.hinted}
        laid = board or self.board.lamp_board(shown_on(chosen.game, board, chosen.options))
        if laid is not None:
            self.board.lay(laid)
        try:
            game, options = chosen.game, chosen.options
            self.play = TableGame.begin(game, board, options, self._journal, self._chance, kept, self._rehearse)
        except BaseException:
            self.board.lay(before)
            raise
        self._hold_miniatures()
        self.interruption.end()
        if another:
            self.board.use_sensors(True)
        self.possible = self._hint(self.play, chosen.hinted)
        log.info("A game begins on %s: %s.", "the screens" if board is None else board.slug, chosen.game.title)

    def put_away(self) -> None:
        """The game is not played on, or looked at any more."""
        if self.play is not None:
            self.play.put_away()
            self.board.use_sensors(True)  # what one game was played without, the next may be played with
            log.info("The game was put away.")
        self.play = self.possible = None
        self.interruption.end()

    def close(self, fault: GameFault) -> None:
        """The game cannot be played on: it is put away, and everybody is told why."""
        play, self.play, self.possible = self.play, None, None
        assert play is not None, "a game has failed"
        why = closed.of(play.number, play.game.name, fault)
        closed.close(self._journal, why)
        self.closed.append(why.sentence)
        log.error("%s", why.sentence)
        with suppress(CannotWrite):
            self.board.use_sensors(True)
        self.interruption.end()

    def pause(self, paused: bool, who: str) -> None:
        """A time-out of the running game by the device `who`, or its end. Raises `UserError` where no game runs."""
        if not self.running:
            raise UserError("not-now", Text("No game is running."))
        self.interruption.check_workshop()
        if paused:
            self.interruption.pause(who)
            self.board.stop_asking()
        else:
            self.interruption.resume()

    def replay(self, step: ReplayStep | None) -> None:
        """Show a step of a past game on the board, or no more. Raises `UserError` while a game is running."""
        self.interruption.check_workshop()
        if self.running:
            raise UserError("not-now", Text("A game is running; the board shows past ones when it is over."))
        if step is None:
            self.interruption.end()
            return
        if step.map not in ("", self.board.map.slug):
            if self.play is not None and self.play.board is not None:
                raise UserError(
                    "not-now",
                    Text("That game was played on {map}. Put the game on the table away first.", map=Text(step.name)),
                )
            self.board.lay(maps.load(step.map))
        elif not step.map and (self.play is None or self.play.board is None):
            lamps = self.board.lamp_board(step.lamps or None)
            if lamps is not None:
                self.board.lay(lamps)
        self.interruption.show(step, self._clock())

    def end_replay_of(self, number: int) -> None:
        """Stop showing a step of game `number`, which is gone."""
        replay = self.interruption.replay
        if replay is not None and replay.shown["game"] == number:
            self.interruption.end_replay()

    def light(self, now: float) -> None:
        """Show on the board what everybody knows."""
        step = self.interruption.replay
        if step is not None:
            self.board.show(step.cues if step.lamps == self.board.map.slug else (), now, show_of(step.played))
        elif self.play is None:
            self.board.show((), now)
        else:
            hinted = [] if self.possible is None else self.possible.cues()
            self.board.light(self.play, hinted, now, dimmed=self.interruption.on)

    def tidy(self) -> None:
        """Put every miniature where the game has it, on a board that moves them by itself. Raises `UserError`."""
        if self.play is None:
            return
        if self.play.on_board is None:
            raise UserError("not-now", WITHOUT_BOARD)
        self.board.io.tidy(self.play.standing)
