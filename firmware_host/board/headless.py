"""A game with piece tracking but without a table: sensing and referee, with a clock that the caller sets.

Its results are the lines of `board-hands/1`. `firmware_host/protocols/tracking.py` writes them to standard output, and
`lab/simulation/` checks them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from msgspec import Struct

from engine.chance import Chance
from engine.game import TABLE, Command, Game
from engine.graph import Map
from engine.graph.fault import did_you_mean
from engine.referee import Referee
from engine.refusal import NotUnderstood, no_such
from engine.seats import Seat, seat_for_board_command, seat_names
from firmware_host.board.sensor_health import health_of
from firmware_host.board.tracking.facts import Facts, public_facts
from firmware_host.board.tracking.hints import Hint
from firmware_host.board.tracking.sensing import Sensing
from firmware_host.board.wiring import default_wiring
from firmware_host.core.capabilities import board_game
from firmware_host.core.settings import Settings
from hardware.ports import Edge

SETUP_TIME = -1000.0
"""Milliseconds before time 0 at which the miniatures count as set down: long enough for all contacts to settle."""


class Done(Struct, frozen=True):
    """An act of a seat."""

    seat: str
    action: Command


class Line(Struct, frozen=True, omit_defaults=True):
    """A line of output at `t` milliseconds, a whole number if possible.

    It contains one of these: an act that was recognised and made, the miniatures in the air (names, or the possible
    lists of names), a hint for people at the board, and whether board and game agree.
    """

    t: float
    act: Done | None = None
    held: tuple[str, ...] | tuple[tuple[str, ...], ...] | None = None
    hint: Hint | None = None
    agreed: bool | None = None


class HeadlessTable:
    """One game. At time 0 every miniature stands where the game has it.

    Times are milliseconds and must not decrease. Each event happens at its own time. At equal times, edges come first,
    then what is due, then taps and acts.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        board: Map,
        referee: Referee,
        chance: Chance,
        settings: Settings,
        manual: Collection[str] = (),
    ) -> None:
        """Raises `NotUnderstood` for a game without miniatures on the board."""
        self.board = board
        self.referee = referee
        self.lines: list[Line] = []
        self.now = 0.0
        self._game, self._seats = board_game(game), seats
        self._chance = chance
        self._sensors = {space: number for number, space in enumerate(board.enterable)}
        self._sensing = Sensing(board.enterable, settings, health_of(board, default_wiring(board)))
        self._manual = frozenset(map(self.require_sensor, manual))
        self._known: tuple[Any, Facts] | None = None
        self._unthought = False
        self._thought_at = SETUP_TIME
        self._last_hint: Hint | None = None
        self._reported: tuple[Any, Hint | None, bool] = ((), None, True)
        # These contacts come long before tracking starts, so that they have settled by then.
        for space in self._game.standing(self._view).values():
            if space is not None:
                self._sensing.feed(Edge(self._sensors[space], True, 2 * SETUP_TIME / 1000))
        self._sensing.think(self.facts, SETUP_TIME / 1000)

    @property
    def _view(self) -> Any:
        return self.referee.pictures[TABLE]

    @property
    def facts(self) -> Facts:
        """The current public facts."""
        if self._known is None or self._known[0] is not self._view:
            self._known = self._view, public_facts(self._game, self._view, self.board, self._manual)
        return self._known[1]

    def require_sensor(self, space: str) -> str:
        """Return a space that has a sensor. Raises `NotUnderstood` for other names, with the nearest one."""
        if space not in self._sensors:
            guess = did_you_mean(space, [*self._sensors], 0.4)
            why = "there is no such space" if space not in self.board.spaces else "nobody can enter it"
            raise NotUnderstood(f"There is no sensor under {space!r}: {why} on {self.board.slug}.{guess}")
        return space

    def feed(self, t: float, space: str, down: bool) -> None:
        """Take a raw edge. Raises `NotUnderstood` for a space without a sensor."""
        sensor = self._sensors[self.require_sensor(space)]
        # Work that is due at the time of the edge comes after the edge.
        while (due := self._next_thinking()) is not None and due < t:
            self._think_at(due)
        self.now = t
        self._sensing.feed(Edge(sensor, down, t / 1000))
        self._unthought = True

    def wait(self, t: float) -> None:
        """Let time pass until `t`."""
        self._catch_up(t)
        self.now = t

    def pick(self, t: float, space: str) -> None:
        """Tap a space to answer the question, if there is one. Raises `NotUnderstood`."""
        self.require_sensor(space)
        self.wait(t)
        self._last_hint = None
        self._do(self._sensing.pick(self.facts, space, t / 1000))
        self._think()

    def act(self, t: float, seat: str, action: Any) -> None:
        """Act for a seat on a screen. If this raises `RuleError`, only what was due before has happened."""
        if seat not in (valid_seats := seat_names(self._seats)):
            raise NotUnderstood(no_such("seat", seat, valid_seats))
        # Read the command first: if it makes no sense, no time may pass.
        command = self._game.read_command(seat, action)
        self._catch_up(t)
        self.referee.submit(seat, command, self._chance)
        self.now = t
        self._think()

    def _next_thinking(self) -> float | None:
        """Return when to think next: not before now, and not twice at one time without news."""
        if self._unthought:
            return self.now
        if (due := self._sensing.due()) is None:
            return None
        # Round a float sum that is nearly a whole number.
        exact, near = due * 1000, round(due * 1000)
        # Wait at least a microsecond: without it, a time that has already come would be handled again and again.
        return max(self._thought_at + 0.001, self.now, near if abs(exact - near) < 1e-6 else exact)

    def _catch_up(self, t: float) -> None:
        """Do everything that is due until `t`, in the order of time."""
        while (due := self._next_thinking()) is not None and due <= t:
            self._think_at(due)

    def _think_at(self, t: float) -> None:
        self.now = t
        self._think()

    def _think(self) -> None:
        """Submit the acts that are recognised now, and report what is new."""
        self._unthought = False
        self._thought_at = self.now
        while (command := self._sensing.think(self.facts, self.now / 1000)) is not None:
            self._do(command)
        self._report()

    def _do(self, command: Command | None) -> None:
        if command is not None:
            seat = seat_for_board_command(self._seats, self.referee.to_act, self.referee.legal, command)
            assert seat is not None, "acts on the board are for seats on the board"
            self.referee.submit(seat, command, self._chance)
            self.lines.append(Line(self._milliseconds, act=Done(seat, command)))
            self._last_hint = None

    def _report(self) -> None:
        outcome = self._sensing.outcome
        # The protocol has a plain list if it is certain what is in the air.
        units = outcome.held[0] if len(outcome.held) == 1 else outcome.held
        before, self._reported = self._reported, (units, outcome.hint, outcome.agreed)
        if units != before[0]:
            self.lines.append(Line(self._milliseconds, held=units))
        if outcome.agreed != before[2]:
            self.lines.append(Line(self._milliseconds, agreed=outcome.agreed))
        if outcome.hint is not None and outcome.hint != self._last_hint:
            self.lines.append(Line(self._milliseconds, hint=outcome.hint))
            self._last_hint = outcome.hint
        # After agreement, the same hint is reported again.
        elif outcome.agreed:
            self._last_hint = None

    @property
    def _milliseconds(self) -> float:
        """Return the time in milliseconds, rounded to a microsecond."""
        stamp = round(self.now, 3)
        return int(stamp) if stamp == int(stamp) else stamp
