"""What is on the table: a game that is played or lies finished, the hint it is played with, a time-out or a step of a
past game; or nothing, and then the table is in the lobby. Only the loop's thread comes here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from engine.chance import Chance
from engine.cues import show_of
from engine.game import TABLE, Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.refusal import RuleError
from engine.seats import Seat, secret
from engine.text import Text
from firmware_host.board.side import WITHOUT_BOARD, BoardSide
from firmware_host.records.journal import Journal
from firmware_host.table import maps
from firmware_host.table.capabilities import capabilities, miniatures
from firmware_host.table.errors import UserError
from firmware_host.table.interruption import Interruption, ReplayStep
from firmware_host.table.play import Play
from firmware_host.table.possible import Possible

HINTS = "possible_hints"
"""What the journal calls it that a game is played with the hint of where those in hiding can be."""

log = logging.getLogger("firmware_host")


def resumed(journal: Journal, chance: Chance) -> Play | None:
    """The game that was running when the journal was last written. Raises `MapError` if its map has changed since."""
    saved = journal.running()
    if saved is None:
        return None
    if not saved.map:
        return Play.resume(saved, None, journal, chance)
    board = maps.load(saved.map)
    if board.source != saved.source:
        raise MapError(saved.map, ["the map has changed since the running game began. Put the old map back."])
    return Play.resume(saved, board, journal, chance)


class TableSession:
    """What is on the table, over `board`; at first the game that was resumed, if any."""

    def __init__(
        self,
        game: Game,
        play: Play | None,
        board: BoardSide,
        journal: Journal,
        chance: Chance,
        clock: Callable[[], float],
    ) -> None:
        self.game, self.play, self.board = game, play, board
        self._journal, self._chance, self._clock = journal, chance, clock
        self._offered = game.seats(game.read_options({}))
        self._hold_miniatures()
        self.interruption = Interruption(journal)
        self.possible = self._hint(bool(journal.kept(HINTS)))
        if not self.running:
            self.interruption.end()

    def _hint(self, wanted: bool) -> Possible | None:
        """The hint of the game that has just been begun or resumed, where it is played with one."""
        play = self.play
        deducing = None if play is None or play.board is None else capabilities(play.game).deducing
        return Possible(play, deducing) if wanted and play is not None and deducing is not None else None

    def _hold_miniatures(self) -> None:
        """Tell the board which miniatures there are: those of the game on the table, else of the one offered."""
        if self.play is not None:
            self.board.hold(miniatures(self.play.game, self.play.public))
        if self.play is not None or capabilities(self.game).on_board is None:
            return
        with suppress(RuleError):  # this map is too small for the game, which will say so when it is to begin there
            blank = self.game.blank(self.board.map, self.game.read_options({}))
            self.board.hold(miniatures(self.game, blank[TABLE]))

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
        """The seats of the game on the table; in the lobby those of a game with the options that nobody has changed."""
        return self._offered if self.play is None else self.play.seats

    @property
    def hiding(self) -> frozenset[str]:
        """The seats that may be acting in secret now."""
        return frozenset() if self.play is None else secret(self.seats).intersection(self.play.referee.to_act)

    @property
    def map(self) -> str:
        """The name of the map that the screens show; empty while a game without a map is on the table."""
        if self.interruption.replay is not None:
            return self.interruption.replay.map
        return "" if self.play is not None and self.play.board is None else self.board.map.slug

    @property
    def sealed(self) -> dict[str, str | None] | None:
        """What is promised and sealed of the game; see `Play.sealed`."""
        return None if self.play is None else self.play.sealed

    # --- one thing after another --------------------------------------------------------------------------------

    def begin(self, board: Map | None, options: Any, hinted: bool) -> None:
        """A game begins; one without a map leaves the board as it is. Raises `UserError` where its board cannot be
        laid, or `CannotWrite`; then, as on any other fault, the old one stays.
        """
        before = self.board.map
        if board is not None:
            self.board.lay(board)
        try:
            self.play = Play.begin(self.game, board, options, self._journal, self._chance, {HINTS: hinted})
        except BaseException:
            self.board.lay(before)
            raise
        self._hold_miniatures()
        self.interruption.end()
        self.possible = self._hint(hinted)
        log.info("A game begins on %s.", "the screens" if board is None else board.slug)

    def put_away(self) -> None:
        """The game is not played on, or looked at any more."""
        if self.play is not None:
            self.play.put_away()
            log.info("The game was put away.")
        self.play = self.possible = None
        self.interruption.end()

    def pause(self, paused: bool, who: str) -> None:
        """A time-out of the running game by the device `who`, or its end. Raises `UserError` where no game runs."""
        if not self.running:
            raise UserError("not-now", Text("No game is running."))
        if paused:
            self.interruption.pause(who)
            self.board.stop_asking()
        else:
            self.interruption.resume()

    def replay(self, step: ReplayStep | None) -> None:
        """Show a step of a past game on the board, or no more. Raises `UserError` while a game is running."""
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
        self.interruption.show(step, self._clock())

    def light(self, now: float) -> None:
        """Show on the board what everybody knows."""
        step = self.interruption.replay
        if step is not None:
            self.board.show(step.cues, now, show_of(self.game))
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
        self.board.tidy(self.play.standing)
