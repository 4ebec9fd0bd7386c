"""Acts of people, from a screen or on the board. Only the loop's thread comes here.

A command becomes an act or a refusal. An act is written to the journal, and the pictures of all viewers follow.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from engine.game import Command
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.admin.upkeep import Upkeep
from firmware_host.board.side import STALE, BoardSide, TableState
from firmware_host.core.errors import UserError, rules_refuse
from firmware_host.core.guarded import GameFault
from firmware_host.play.game import TAKE_BACK, TableGame
from firmware_host.records.journal import CannotWrite
from firmware_host.seats.identity import Holder
from firmware_host.seats.seating import Seating
from firmware_host.table.session import TableSession
from firmware_host.table.viewers import Viewers

TAKE_BACK_ACTION = {"type": "take-back"}

log = logging.getLogger("firmware_host")


class Acts:
    """The acts of people at one table. `refresh` updates the pictures of all viewers."""

    def __init__(
        self,
        session: TableSession,
        board: BoardSide,
        seating: Seating,
        viewers: Viewers,
        upkeep: Upkeep,
        refresh: Callable[[], None],
    ) -> None:
        self._session, self._board, self._seating, self._viewers = session, board, seating, viewers
        self._upkeep, self._refresh = upkeep, refresh

    def submit(self, holder: Holder, action: dict[str, Any], revision: int, request: str) -> None:
        """Act for a seat from a screen; `request` is stored with the act. Raises `UserError`, and then nothing has
        changed.
        """
        play = self._session.play
        if play is None:
            raise UserError("not-now", Text("No game is running."))
        self._session.interruption.check()
        # If the menu on the picture was another one, the act could mean something else now. Taking back always means
        # the last act.
        exact = action == TAKE_BACK_ACTION and revision != self._viewers.revision(holder.seat)
        if exact or not self._viewers.may_act_on(holder.seat, revision):
            raise UserError("stale", STALE)
        with rules_refuse():
            # Games do not know this command, so the table handles it.
            command: Command = TAKE_BACK
            if action != TAKE_BACK_ACTION:
                command = play.game.read_command(holder.seat, action)
                self._seating.check_part(holder, command)
                self._board.check_set_up(play, command)
            # Accept it only if it is offered: a different refusal would show whether someone has acted in secret.
            elif (last := play.retraction()) is not None and last.seat == holder.seat:
                self._seating.check_part(holder, last.command)
            self._act(play, holder.seat, command, holder.device, request)

    def _act(
        self, play: TableGame, seat: str, command: Command, device: str | None, request: str | None = None
    ) -> None:
        """Act for a seat, from a device or on the board (None). Raises `Refused`, `UserError` and `CannotWrite`, and
        then nothing has changed.
        """
        try:
            if command is TAKE_BACK:
                play.take_back(seat, request)
            else:
                play.act(seat, command, request)
        except GameFault as fault:
            fault.log()
            raise
        self._seating.acted(seat, device)
        self._refresh()
        self._viewers.acted(seat)

    def hear_board(self, now: float) -> None:
        """Make every act that people have made on the board."""
        while (act := self._board.next_act(self.state, now)) is not None:
            play = self._session.play
            assert play is not None, "there are acts on the board only in a game"
            try:
                try:
                    self._act(play, act.seat, act.command, None)
                except GameFault:  # otherwise the miniature would cause the same act again
                    log.error("The sensors are switched off, because the game failed at an act on the board.")
                    self._board.use_sensors(False)
                except (RuleError, UserError):
                    self._board.refuse(play, act.command)
            except (
                CannotWrite
            ) as error:  # everyone has seen the miniature move, so tell everyone why the act is refused
                self._upkeep.halt(error)
                raise

    @property
    def state(self) -> TableState:
        """The facts about the table that the board needs."""
        play = self._session.play
        revision = 0 if play is None or play.at_board is None else self._viewers.revision(play.at_board)
        resting = self._session.interruption.is_active or self._upkeep.halted is not None
        return TableState(play, revision, self._seating.claims.bots, resting)
