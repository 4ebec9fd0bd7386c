"""When bots act and look ahead, and who takes over from a bot that fails. Only the loop's thread comes here."""

from __future__ import annotations

import logging

from engine.text import Text
from firmware_host.admin.upkeep import Upkeep
from firmware_host.core.errors import UserError
from firmware_host.core.logbook import MAKERS
from firmware_host.records.journal import CannotWrite
from firmware_host.seats.players import BotFailed, BotPlayers
from firmware_host.seats.seating import Seating
from firmware_host.table.session import TableSession
from firmware_host.table.turns import hasty

log = logging.getLogger("firmware_host")


class BotTurns:
    """The bots of a table. Like people, they wait until the miniatures have been moved."""

    def __init__(self, players: BotPlayers, session: TableSession, seating: Seating, upkeep: Upkeep) -> None:
        self._players, self._session, self._seating, self._upkeep = players, session, seating, upkeep

    def _can_act(self) -> bool:
        play = self._session.play
        if play is None or self._upkeep.halted or self._session.interruption.on:
            return False
        return self._session.board.settled(play)

    def act(self, now: float) -> bool:
        """Make a bot's act that is due; return whether there was one. Raises `CannotWrite`."""
        play = self._session.play
        if play is None or not self._can_act():
            return False
        try:
            return self._players.act(play, now)
        except CannotWrite as error:
            self._upkeep.halt(error)
            raise
        except BotFailed as fault:
            self._replace(fault)
            return True

    def think(self, now: float) -> bool:
        """Let the bots look ahead; return whether there is news: a secret act, or another bot for one that failed."""
        play = self._session.play
        if play is None:
            self._players.leave()
            return False
        if not self._can_act():
            self._players.rest()
            return False
        try:
            try:
                return self._players.think(play, now)
            except BotFailed as fault:
                self._replace(fault)
                return True
        except CannotWrite:  # of a secret act as well, so no one is told
            self._upkeep.doubt()
            self._players.rest()
            return False

    def hurry(self) -> None:
        """Let the bots without secrets act without long pauses until it is a person's turn. Raises `UserError`."""
        if not hasty(self._session, self._seating.claims.bots):
            raise UserError("not-now", Text("No bot is about to act."))
        self._players.hurried = True

    def _replace(self, fault: BotFailed) -> None:
        """Let another bot take over at once. Each bot fails only once."""
        log.error("%s", fault)
        log.error("%s", fault.where, extra=MAKERS)
        if not self._seating.replace(fault):
            self._session.put_away()
        self._players.sit(self._seating.claims.bots)
