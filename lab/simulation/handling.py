"""A simulated board: where miniatures stand at each moment, and the raw edges of its sensors.

This is the physical truth of an episode, which the table does not know. It sends edges that bounce and drop out to a
table, records them as a trace, and checks each act against what really stands there. Times are whole milliseconds.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from engine.game import TABLE, Command, Placement
from engine.naming import tag_of
from engine.refusal import RuleError
from engine.seats import board_seat
from firmware_host.board.headless import HeadlessTable
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Hint
from firmware_host.play.game import END_TURN

LONGEST_BOUNCE = 15
"""Maximum milliseconds of chatter of a contact."""
SHORTEST_GAP = 3
"""Minimum milliseconds between two miniatures on one sensor, because bases cannot overlap."""
HANDLING_TIME = 600_000
"""Maximum milliseconds of an episode."""


class WrongAct(Struct, frozen=True):
    """An error of the table: an act that does not match the miniatures."""

    t: float
    what: str


class Commit(Struct, frozen=True):
    """An act with its latency after the last contact; `extendable`: the miniature could have slid on."""

    unit: str
    to: str
    t: float
    latency: float
    extendable: bool


class Endless(Exception):
    """The handling took too long."""


class WatchedTable(HeadlessTable):
    """A table with additional queries for simulated people and for the checks."""

    def __init__(self, *about: Any) -> None:
        """The arguments are those of `HeadlessTable`."""
        self.made_by: dict[Command, Placement] = {}
        """Act -> its placement, for each act that was legal at some time."""
        super().__init__(*about)

    @property
    def facts(self) -> Facts:
        """The current public facts."""
        before, facts = self._known, super().facts
        if self._known is not before:
            self.made_by |= {placement.command: placement for placement in facts.placements}
        return facts

    @property
    def hint(self) -> Hint | None:
        """The current hint."""
        return self._reported[1]

    @property
    def agreed(self) -> bool:
        """Whether board and game agree."""
        return self._reported[2]

    @property
    def to_act(self) -> str | None:
        """The seat that acts on the board now."""
        return board_seat(self._seats, self.referee.to_act)

    @property
    def end_of_turn(self) -> Command | None:
        """The act that ends the turn of that seat, if legal."""
        legal = self.referee.legal(self.to_act) if self.to_act in self.referee.to_act else []
        return next((command for command in legal if tag_of(command) == END_TURN), None)

    def removal_of(self, unit: str) -> Command | None:
        """Return an act of that seat that takes a miniature off the board."""
        seat = self.to_act
        for command in self.referee.legal(seat) if seat in self.referee.to_act else []:
            # Only a preview: the random state is restored.
            mark = self._chance.mark()
            # No one is notified: the events are only folded into a copy of the public picture.
            telling = self.referee.consider(str(seat), command, self._chance)
            self._chance.rewind(mark)
            view = self._view
            for told in telling:
                view = self._game.fold(view, told.event) if told.audience.includes(TABLE) else view
            if self._game.standing(view)[unit] is None:
                return command
        return None


class Handled:
    """Things on a board, and hands that move them. `places` is thing -> space, None in a hand or off the board."""

    def __init__(self, table: WatchedTable, random: Random, rest_ms: int) -> None:
        self.table = table
        self.random = random
        self.now = 0
        self.places: dict[str, str | None] = dict(self._standing)
        # Things at the start were placed long before.
        self.since: dict[str, int] = dict.fromkeys(self.places, -1000)
        self.trace: list[dict[str, Any]] = []
        self.wrongs: list[WrongAct] = []
        self.commits: list[Commit] = []
        self.bounces = True
        self._rest = rest_ms
        self._coming: list[tuple[int, int, str, bool]] = []
        self._order = 0
        self._said = {space: True for space in self.places.values() if space is not None}
        self._touched: dict[str, int] = {}
        self._left: dict[str, int] = {}
        self._faulty: dict[str, bool] = {}
        self._facts = table.facts

    @property
    def _standing(self) -> Mapping[str, str | None]:
        return self.table.facts.standing

    def on(self, space: str) -> list[str]:
        return [thing for thing, place in self.places.items() if place == space]

    def free(self, spaces: Iterable[str]) -> list[str]:
        """Return the empty ones of `spaces`."""
        occupied = set(self.places.values())
        return [space for space in spaces if space not in occupied]

    def look(self, thing: str | None) -> str | None:
        return None if thing is None else self.table.facts.look_of(thing)

    # --- hands --------------------------------------------------------------------------------------------------

    def lift(self, thing: str) -> None:
        left, self.places[thing] = self.places[thing], None
        if left is not None:
            self._left[left] = self.now
            self._bounce(left)

    def put(self, thing: str, space: str) -> None:
        """Set a thing down on a space, at least `SHORTEST_GAP` after another one left it."""
        if self._left.get(space) == self.now:
            self.wait(SHORTEST_GAP)
        if self.places.get(thing) is not None:
            self.lift(thing)
        self.places[thing], self.since[thing] = space, self.now
        self._bounce(space)

    def pick(self, space: str) -> None:
        self.trace.append({"t": self.now, "pick": {"space": space}})
        self.table.pick(self.now, space)
        self._check()

    def act(self, seat: str, action: dict[str, Any]) -> bool:
        """Submit an action on a screen; return whether it was legal."""
        try:
            self.table.act(self.now, seat, action)
        except RuleError:
            return False
        finally:
            self._check()
        self.trace.append({"t": self.now, "act": {"seat": seat, "action": action}})
        return True

    def on_screen(self, command: Command | None) -> bool:
        """Submit a command on the screen of the seat to act; return whether there is one and it was legal."""
        seat = self.table.to_act
        return seat is not None and command is not None and self.act(seat, msgspec.to_builtins(command))

    def end_turn(self) -> bool:
        """End the turn on a screen; return whether that was legal."""
        return self.on_screen(self.table.end_of_turn)

    def wait(self, least: int, most: int | None = None) -> None:
        """Let some milliseconds pass. Raises `Endless`."""
        end = self.now + (least if most is None else self.random.randint(least, most))
        if end > HANDLING_TIME:
            raise Endless
        while self._coming and self._coming[0][0] <= end:
            at, _, space, down = heapq.heappop(self._coming)
            self._say(at, space, down)
        self.table.wait(end)
        self.now = end
        self._check()

    # --- sensors ------------------------------------------------------------------------------------------------

    def is_down(self, space: str) -> bool:
        return self._faulty.get(space, bool(self.on(space)))

    def break_sensor(self, space: str, down: bool) -> None:
        """Make a sensor stuck (down) or dead."""
        self._faulty[space] = down
        self._bounce(space)

    def heals(self, space: str) -> None:
        self._faulty.pop(space, None)
        self._bounce(space)

    def report_opposite(self, space: str, after: int, length: int) -> None:
        """Make a sensor report the opposite for `length` ms: a ghost, or a weak magnet."""
        if space not in self._faulty:
            down = self.is_down(space)
            self._schedule(after, space, not down)
            self._schedule(after + length, space, down)

    def _bounce(self, space: str) -> None:
        """Open or close the contact of a space, with chatter; cancel its pending edges."""
        down = self.is_down(space)
        self._coming = [edge for edge in self._coming if edge[2] != space]
        heapq.heapify(self._coming)
        if down == self._said.get(space, False):
            return
        self._schedule(0, space, down)
        if self.bounces and space not in self._faulty:
            # An even number of bounces ends in the new state.
            times = sorted(self.random.sample(range(1, LONGEST_BOUNCE + 1), 2 * self.random.choice((0, 0, 1, 2, 3))))
            for number, after in enumerate(times):
                self._schedule(after, space, down == bool(number % 2))

    def _schedule(self, after: int, space: str, down: bool) -> None:
        self._order += 1
        # The counter keeps edges of the same moment in their order.
        heapq.heappush(self._coming, (self.now + after, self._order, space, down))

    def _say(self, at: int, space: str, down: bool) -> None:
        if down != self._said.get(space, False):
            self._said[space] = down
            self._touched[space] = at
            self.trace.append({"t": at, "space": space, "down": down})
            self.table.feed(at, space, down)
            self._check()

    # --- the truth ----------------------------------------------------------------------------------------------

    def _check(self) -> None:
        lines, self.table.lines = self.table.lines, []
        for line in lines:
            if line.act is not None:
                self._check_act(line.t, self.table.made_by[line.act.action])
        self._facts = self.table.facts

    def _check_act(self, t: float, placement: Placement) -> None:
        unit, to = placement.unit, placement.to
        # A miniature that is still moving must not have caused an act.
        things = [thing for thing in self.on(to) if t - self.since[thing] >= self._rest]
        if self.look(unit) not in map(self.look, things):
            self.wrongs.append(WrongAct(t, f"the table moved {unit} to {to}, where {self.on(to)} stands"))
        latency = t - self._touched.get(to, self.now)
        self.commits.append(Commit(unit, to, t, latency, self._facts.extendable(unit, to)))

    def trace_lines(self) -> Iterator[bytes]:
        yield from (msgspec.json.encode(line, enc_hook=str) for line in [*self.trace, {"t": self.now}])

    def astray(self) -> dict[str, str | None]:
        """Return space -> thing where board and game differ; None if a miniature is missing."""
        thing_on: dict[str, str | None] = {}
        spaces = {*self._standing.values(), *self.places.values()}
        for space in sorted(space for space in spaces if space is not None):
            # Look-alikes may stand in each other's places, so compare by look.
            missing_looks = [self.look(unit) for unit, home in self._standing.items() if home == space]
            things = [thing for thing in self.on(space) if thing in self._standing]
            for thing in [*things]:
                if self.look(thing) in missing_looks:
                    missing_looks.remove(self.look(thing))
                    things.remove(thing)
            if things or missing_looks:
                thing_on[space] = next(iter(things), None)
        return thing_on
