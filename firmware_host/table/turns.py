"""The turn clock, and whether bots are acting: what people who wait want to know of the turn.

The clock is only a reminder. It restarts when other seats are to act, stops during a pause, and is not shown if one
seat plays alone or if only bots are to act.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from engine.seats import secret_seats
from firmware_host.seats.players import BotPlayers
from firmware_host.table.session import TableSession

Turn = tuple[int, tuple[str, ...]]
"""The number of a game, and the seats that are to act."""


def hasty(session: TableSession, bots: Mapping[str, str]) -> set[str]:
    """Return the seats without secrets that bots are to act for now: the bots that can be hurried."""
    play = session.play
    acting = set(play.to_act) if play is not None and session.running else set()
    return acting.intersection(bots) - secret_seats(session.seats)


class Turns:
    """Tracks whose turn it is. `clock` is that of the table, in seconds; `wall` gives the time of day like
    `time.time`.
    """

    def __init__(self, clock: Callable[[], float], wall: Callable[[], float] = time.time) -> None:
        self._clock, self._wall = clock, wall
        self._turn: Turn | None = None
        self._spent = 0.0
        self._since: float | None = None
        self._began = 0

    def facts(
        self, session: TableSession, bots: Mapping[str, str], players: BotPlayers, minutes: int
    ) -> dict[str, Any]:
        """Return what every screen shows of the turn; public.

        `clock` is None, or the `seconds` of a turn and when it `began`, in whole seconds since 1970. `bots_act` is None
        if it is the turn of a person or a hidden seat, else whether the bots `hurry`.
        """
        play = session.play
        acting = tuple(play.to_act) if play is not None and session.running else ()
        people = [seat for seat in acting if seat not in bots]
        resting = session.interruption.on
        timed = bool(minutes and people) and len(session.seats) > 1
        self._follow((play.number, acting) if play is not None and timed else None, resting)
        clock = None if not timed or resting else {"seconds": 60 * minutes, "began": self._began}
        hurry = players.hurried if hasty(session, bots) and not people and not resting else None
        return {"clock": clock, "bots_act": None if hurry is None else {"hurry": hurry}}

    def _follow(self, turn: Turn | None, resting: bool) -> None:
        now = self._clock()
        if turn != self._turn:
            self._turn, self._spent, self._since = turn, 0.0, None
        if resting and self._since is not None:
            self._spent += now - self._since
            self._since = None
        elif not resting and self._since is None:
            self._since = now
            self._began = round(self._wall() - self._spent)
