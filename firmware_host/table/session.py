"""What is on the table: a game that is played or lies finished, the hint it is played with, a time-out or a step of a
past game; or nothing, and then the table is in the lobby. Only the loop's thread comes here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from engine.chance import Chance
from engine.cues import show_of
from engine.game import Command, Deducing, Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.seats import Seat, at_board, mover, secret
from engine.text import Text
from firmware_host.board.side import BoardSide
from firmware_host.records.journal import Journal
from firmware_host.table import maps
from firmware_host.table.errors import UserError
from firmware_host.table.interlude import Interlude, Still
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
    board = maps.load(saved.map)
    if board.source != saved.source:
        raise MapError(saved.map, ["the map has changed since the running game began. Put the old map back."])
    return Play.resume(saved, board, journal, chance)


class Stage:
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
        self.interlude = Interlude(journal)
        self.possible = self._hint(bool(journal.kept(HINTS)))
        if not self.running:
            self.interlude.end()

    def _hint(self, wanted: bool) -> Possible | None:
        """The hint of the game that has just been begun or resumed, where it is played with one."""
        if not wanted or self.play is None or not isinstance(self.game, Deducing):
            return None
        return Possible(self.play, self.game)

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
        return secret(self.seats).intersection(self._to_act)

    @property
    def at_board(self) -> str | None:
        """The seat for which hands, buttons and picking act; see `engine.seats.at_board`."""
        return at_board(self.seats, self._to_act)

    def mover(self, command: Command) -> str | None:
        """The seat that gives a command which was made on the board; see `engine.seats.mover`."""
        return None if self.play is None else mover(self.seats, self._to_act, self.play.referee.legal, command)

    @property
    def _to_act(self) -> tuple[str, ...]:
        return () if self.play is None else self.play.referee.to_act

    @property
    def sealed(self) -> dict[str, str | None] | None:
        """What is promised and sealed of the game; see `Play.sealed`."""
        return None if self.play is None else self.play.sealed

    # --- one thing after another --------------------------------------------------------------------------------

    def begin(self, board: Map, options: Any, hinted: bool) -> None:
        """A game begins. Raises `UserError` where its board cannot be laid, or `CannotWrite`; then, as on any other
        fault, the old one stays.
        """
        before = self.board.map
        self.board.lay(board)
        try:
            self.play = Play.begin(self.game, board, options, self._journal, self._chance, {HINTS: hinted})
        except BaseException:
            self.board.lay(before)
            raise
        self.interlude.end()
        self.possible = self._hint(hinted)
        log.info("A game begins on %s.", board.slug)

    def put_away(self) -> None:
        """The game is not played on, or looked at any more."""
        if self.play is not None:
            self.play.put_away()
            log.info("The game was put away.")
        self.play = self.possible = None
        self.interlude.end()

    def pause(self, paused: bool, who: str) -> None:
        """A time-out of the running game by the device `who`, or its end. Raises `UserError` where no game runs."""
        if not self.running:
            raise UserError("not-now", Text("No game is running."))
        if paused:
            self.interlude.pause(who)
            self.board.stop_asking()
        else:
            self.interlude.resume()

    def replay(self, still: Still | None) -> None:
        """Show a step of a past game on the board, or no more. Raises `UserError` while a game is running."""
        if self.running:
            raise UserError("not-now", Text("A game is running; the board shows past ones when it is over."))
        if still is None:
            self.interlude.end()
            return
        if still.map != self.board.map.slug:
            if self.play is not None:
                raise UserError(
                    "not-now",
                    Text("That game was played on {map}. Put the game on the table away first.", map=Text(still.name)),
                )
            self.board.lay(maps.load(still.map))
        self.interlude.show(still, self._clock())

    def light(self, now: float) -> None:
        """Show on the board what everybody knows."""
        still = self.interlude.still
        if still is not None:
            self.board.top.light(still.cues, {}, now, show=show_of(self.game))
        elif self.play is None:
            self.board.top.light((), {}, now)
        else:
            hinted = [] if self.possible is None else self.possible.cues()
            self.board.light(self.play, hinted, now, dimmed=self.interlude.on)

    def tidy(self) -> None:
        """Simulated board: put every miniature where the game has it. Raises `UserError`."""
        if self.play is not None:
            self.board.top.tidy(self.play.standing)
