"""Turns: the acts of bots, the replacement of bots that fail, and the turn clock.

The clock is only a reminder. It restarts when other seats are to act, stops during a pause, and is not shown if one
seat plays alone or if only bots are to act. Only the loop's thread comes here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from engine.referee import Referee
from engine.seats import secret_seats
from engine.text import Text
from firmware_host.admin.upkeep import Upkeep
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import fault_in
from firmware_host.core.logbook import MAKERS
from firmware_host.records.journal import CannotWrite
from firmware_host.seats.players import BotFailed, BotPlayers
from firmware_host.seats.seating import Seating
from firmware_host.table.session import TableSession

Turn = tuple[int, tuple[str, ...]]
"""The number of a game, and the seats that are to act."""

READING = 60.0
"""Seconds that bots wait for a player who reads a briefing. A closed page doesn't say that it has been read."""

log = logging.getLogger("firmware_host")


def hurriable_seats(session: TableSession, bots: Mapping[str, str]) -> set[str]:
    """Return the seats without secrets at which bots are to act now; these bots can be hurried."""
    play = session.play
    acting = set(play.to_act) if play is not None and session.running else set()
    # A hidden bot keeps its pace, because its pause covers what it does in secret.
    return acting.intersection(bots) - secret_seats(session.seats)


class TurnClock:
    """Tracks whose turn it is. `clock` is that of the table, in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._turn: Turn | None = None
        self._spent = 0.0
        self._since: float | None = None
        self._began = 0

    def facts(
        self, session: TableSession, bots: Mapping[str, str], players: BotPlayers, minutes: int, readers: list[str]
    ) -> dict[str, Any]:
        """Return what every screen shows of the turn. `clock` is None, or the `seconds` of a turn and when it `began`,
        in whole seconds of the table's clock (see `TableInterface.clock`). `bots_act` is None at the turn of a person
        or a hidden seat, else whether the bots `hurry`. `readers` are the seats that bots wait for at their turn.
        """
        play = session.play
        acting = tuple(play.to_act) if play is not None and session.running else ()
        people = [seat for seat in acting if seat not in bots]
        resting = session.interruption.is_active
        # Bots need no clock, and in a game for one player, no one waits.
        timed = bool(minutes and people) and len(session.seats) > 1
        self._follow((play.number, acting) if play is not None and timed else None, resting)
        clock = None if not timed or resting else {"seconds": 60 * minutes, "began": self._began}
        hurry = players.hurried if hurriable_seats(session, bots) and not people and not resting else None
        bots_act = None if hurry is None else {"hurry": hurry}
        return {"clock": clock, "bots_act": bots_act, "readers": readers if acting and not people else []}

    def _follow(self, turn: Turn | None, resting: bool) -> None:
        now = self._clock()
        if turn != self._turn:
            self._turn, self._spent, self._since = turn, 0.0, None
        if resting and self._since is not None:
            self._spent += now - self._since
            self._since = None
        elif not resting and self._since is None:
            self._since = now
            # Subtract the pauses, so that screens can simply count from this moment.
            self._began = round(now - self._spent)


class BotTurns:
    """The bots of a table. Like people, they wait until the miniatures have been moved, and for players who read a
    briefing. `clock` is that of the table, in seconds.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        players: BotPlayers,
        session: TableSession,
        seating: Seating,
        upkeep: Upkeep,
    ) -> None:
        self._clock = clock
        self._players, self._session, self._seating, self._upkeep = players, session, seating, upkeep
        self._readers: dict[str, float] = {}
        """The seats whose players read a briefing, and until when bots wait for them."""
        self._tried_again: tuple[Referee, int, int] | None = None
        """The moment of the game at which the last bot of a seat has failed once; see `TableGame.moment`."""

    def _can_act(self) -> bool:
        play = self._session.play
        if play is None or self._upkeep.halted or self._session.interruption.is_active or self.due() is not None:
            return False
        return self._session.board.settled(play)

    def wait_for(self, seat: str, reading: bool) -> None:
        """Wait while a player reads a briefing, or go on."""
        self._readers.pop(seat, None)
        if reading:
            self._readers[seat] = self._clock() + READING

    def due(self) -> float | None:
        """Return until when bots wait for players who read a briefing; None if they don't."""
        now = self._clock()
        self._readers = {seat: until for seat, until in self._readers.items() if until > now}
        return max(self._readers.values(), default=None)

    @property
    def readers(self) -> list[str]:
        """The seats whose players read a briefing that bots wait for."""
        self.due()
        return [*self._readers]

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
        except CannotWrite:  # the failed act may be secret, so no one is told
            self._upkeep.check_disk()
            self._players.rest()
            return False

    def skip_pauses(self) -> None:
        """Let the bots without secrets act without long pauses until it is a person's turn. Raises `UserError`."""
        if not hurriable_seats(self._session, self._seating.claims.bots):
            raise UserError("not-now", Text("No bot is about to act."))
        self._players.hurried = True

    def _replace(self, fault: BotFailed) -> None:
        """Let another bot take over at once. Each bot fails only once; without another one, it tries again."""
        log.error("%s", fault)
        log.error("%s", fault.where, extra=MAKERS)
        play, cause = self._session.play, fault_in(fault)
        if play is not None and not self._seating.has_replacement(fault):
            # A single fault, for example while memory is short, must not end the evening.
            again = self._tried_again != play.moment
            self._tried_again = play.moment
            if again or (cause is not None and cause.may_pass):
                self._players.leave()
                if not again and cause is not None:
                    self._session.let_wait(cause)  # the game waits for the next start, and keeps this bot
                return
        # A seat with secrets cannot stay free, and no other bot is left for it.
        if not self._seating.replace(fault):
            self._session.put_away()
        self._players.sit(self._seating.claims.bots)
