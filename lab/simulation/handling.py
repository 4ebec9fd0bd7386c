"""A board with people's hands on it, in memory: who stands where at each moment, and what raw sensors say of it.

This is the physical truth of an episode, and nothing that the table could know. It feeds a bench with edges that
bounce, drop out and spill over to neighbours, keeps them as the lines of a trace, and checks each act against what
really stands there. Times are whole milliseconds.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from engine.game import Command
from engine.refusal import RuleError
from firmware_host.board.headless import Acted, HeadlessTable

LONGEST_BOUNCE = 15
"""Milliseconds that a contact may chatter."""
SHORTEST_GAP = 3
"""Milliseconds between one miniature's leaving a sensor and the next one's coming: two bases do not overlap."""
HANDLING_TIME = 600_000
"""No episode is longer, in milliseconds."""


class Wrong(Struct, frozen=True):
    """Something that must never be: an act that the miniatures do not bear out, or agreement on what is not so."""

    t: float
    what: str


class Commit(Struct, frozen=True):
    """An act, and how long after the last contact it came; `extendable`: the miniature could have slid on."""

    unit: str
    to: str
    t: float
    latency: float
    extendable: bool


class Endless(Exception):
    """The hands went on for too long: nobody gets out of this."""


class Handled:
    """Things on a board and hands that move them. `places` is thing -> space, None in a hand or off the board."""

    def __init__(self, bench: HeadlessTable, random: Random, rest_ms: int) -> None:
        self.bench = bench
        self.random = random
        self.now = 0
        self.places: dict[str, str | None] = dict(self._standing)
        self.since: dict[str, int] = dict.fromkeys(self.places, -1000)
        self.trace: list[dict[str, Any]] = []
        self.wrongs: list[Wrong] = []
        self.commits: list[Commit] = []
        self.bounces = True
        self._rest = rest_ms
        self._coming: list[tuple[int, int, str, bool]] = []
        self._order = 0
        self._said = {space: True for space in self.places.values() if space is not None}
        self._touched: dict[str, int] = {}
        self._left: dict[str, int] = {}
        self._faulty: dict[str, bool] = {}
        self._facts = bench.facts

    @property
    def _standing(self) -> Mapping[str, str | None]:
        return self.bench.facts.standing

    def on(self, space: str) -> list[str]:
        """What stands on a space."""
        return [thing for thing, place in self.places.items() if place == space]

    def free(self, spaces: Iterable[str]) -> list[str]:
        """Those of `spaces` where nothing stands."""
        taken = set(self.places.values())
        return [space for space in spaces if space not in taken]

    def look(self, thing: str | None) -> str | None:
        """What a thing looks like."""
        return None if thing is None else self.bench.facts.look(thing)

    # --- hands --------------------------------------------------------------------------------------------------

    def lift(self, thing: str) -> None:
        """Into the hand."""
        left, self.places[thing] = self.places[thing], None
        if left is not None:
            self._left[left] = self.now
            self._changed(left)

    def put(self, thing: str, space: str) -> None:
        """Down on a space; if another one has left it just now, after the moment that this takes at least."""
        if self._left.get(space) == self.now:
            self.wait(SHORTEST_GAP)
        if self.places.get(thing) is not None:
            self.lift(thing)
        self.places[thing], self.since[thing] = space, self.now
        self._changed(space)

    def pick(self, space: str) -> None:
        """A tap on a screen."""
        self.trace.append({"t": self.now, "pick": {"space": space}})
        self.bench.pick(self.now, space)
        self._check()

    def act(self, seat: str, action: dict[str, Any]) -> bool:
        """Something on a screen; whether it was allowed."""
        try:
            self.bench.act(self.now, seat, action)
        except RuleError:
            return False
        finally:
            self._check()
        self.trace.append({"t": self.now, "act": {"seat": seat, "action": action}})
        return True

    def on_screen(self, command: Command | None) -> bool:
        """An act on the screen of the seat for which the hands act; whether there is one, and it was allowed."""
        seat = self.bench.to_act
        return seat is not None and command is not None and self.act(seat, msgspec.to_builtins(command))

    def end_turn(self) -> bool:
        """End the turn on a screen; whether it was allowed."""
        return self.on_screen(self.bench.end_of_turn)

    def wait(self, least: int, most: int | None = None) -> None:
        """Some milliseconds pass."""
        end = self.now + (least if most is None else self.random.randint(least, most))
        if end > HANDLING_TIME:
            raise Endless
        while self._coming and self._coming[0][0] <= end:
            at, _, space, down = heapq.heappop(self._coming)
            self._say(at, space, down)
        self.bench.wait(end)
        self.now = end
        self._check()

    # --- sensors ------------------------------------------------------------------------------------------------

    def is_down(self, space: str) -> bool:
        """What a sensor feels when all is quiet."""
        return self._faulty.get(space, bool(self.on(space)))

    def fails(self, space: str, down: bool) -> None:
        """From now on a sensor says the same for ever: stuck (down) or dead."""
        self._faulty[space] = down
        self._changed(space)

    def heals(self, space: str) -> None:
        """A sensor feels again."""
        self._faulty.pop(space, None)
        self._changed(space)

    def blips(self, space: str, after: int, length: int) -> None:
        """A sensor says the contrary of what is so, for `length` ms: a ghost, or a weak magnet."""
        if space not in self._faulty:
            down = self.is_down(space)
            self._later(after, space, not down)
            self._later(after + length, space, down)

    def _changed(self, space: str) -> None:
        """The contact of a space opens or closes, and chatters; what was still to come of it is over."""
        down = self.is_down(space)
        self._coming = [edge for edge in self._coming if edge[2] != space]
        heapq.heapify(self._coming)
        if down == self._said.get(space, False):
            return
        self._later(0, space, down)
        if self.bounces and space not in self._faulty:
            times = sorted(self.random.sample(range(1, LONGEST_BOUNCE + 1), 2 * self.random.choice((0, 0, 1, 2, 3))))
            for number, after in enumerate(times):
                self._later(after, space, down == bool(number % 2))

    def _later(self, after: int, space: str, down: bool) -> None:
        self._order += 1
        heapq.heappush(self._coming, (self.now + after, self._order, space, down))

    def _say(self, at: int, space: str, down: bool) -> None:
        if down != self._said.get(space, False):
            self._said[space] = down
            self._touched[space] = at
            self.trace.append({"t": at, "space": space, "down": down})
            self.bench.feel(at, space, down)
            self._check()

    # --- the truth ----------------------------------------------------------------------------------------------

    def _check(self) -> None:
        """Whether what the table has just understood is so."""
        said, self.bench.lines = self.bench.lines, []
        for line in said:
            if isinstance(line, Acted):
                self._check_act(line)
        self._facts = self.bench.facts

    def _check_act(self, line: Acted) -> None:
        placement = self.bench.made_by[line.act.action]
        unit, to = placement.unit, placement.to
        held = [thing for thing in self.on(to) if line.t - self.since[thing] >= self._rest]
        if self.look(unit) not in map(self.look, held):
            self.wrongs.append(Wrong(line.t, f"{unit} is said to have come to {to}; there stands {self.on(to)}"))
        latency = line.t - self._touched.get(to, self.now)
        self.commits.append(Commit(unit, to, line.t, latency, self._facts.extendable(unit, to)))

    def told(self) -> Iterator[bytes]:
        """The lines of the trace so far, without newlines."""
        yield from (msgspec.json.encode(line, enc_hook=str) for line in [*self.trace, {"t": self.now}])

    def astray(self) -> dict[str, str | None]:
        """Space -> who stands there, where look and game differ; None for what is missing."""
        found: dict[str, str | None] = {}
        spaces = {*self._standing.values(), *self.places.values()}
        for space in sorted(space for space in spaces if space is not None):
            wanted = [self.look(unit) for unit, home in self._standing.items() if home == space]
            things = [thing for thing in self.on(space) if thing in self._standing]
            for thing in [*things]:
                if self.look(thing) in wanted:
                    wanted.remove(self.look(thing))
                    things.remove(thing)
            if things or wanted:
                found[space] = next(iter(things), None)
        return found
