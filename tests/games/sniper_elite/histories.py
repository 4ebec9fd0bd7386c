"""Brute force over all secret histories that fit the public events: the oracle for `whereabouts.py`.

It knows no rules. It lets the game play every legal act from every possible truth, and keeps the results that give the
table the same events. This is fast enough only on a tiny board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from engine.chance import Chance
from engine.events import Event, Told
from engine.game import REFEREE, TABLE, Command
from engine.graph import Map, Space
from engine.referee import Referee
from engine.refusal import Refused
from games.sniper_elite import GAME
from games.sniper_elite.map_rules import sites_of
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.commands import Shoot
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts
from tests.toys import STARTS, make

DOORS = [("b1", "b2"), ("b3", "b4")]
ENCLOSED, DIFFICULT = ("b2", "b3"), ("c2", "c3")
NUMBERS = {"a2": 1, "a4": 2, "c4": 3, "c1": 4, "b1": 5}
SECTORS = {"a1": "yellow", "a2": "yellow", "b1": "yellow", "a3": "red", "a4": "red", "b4": "red"}
ENTRIES = {"yellow": "a1", "red": "a3", "white": "c1", "black": "c4"}


@cache
def tiny() -> Map:
    """Return three rows of four: a house of two spaces with a door on each side, and two difficult spaces below."""
    names = [f"{row}{column}" for row in "abc" for column in "1234"]
    spaces = {name: _space(name) for name in names}
    edges = [(a, b) for a, b in combinations(names, 2) if _beside(a, b)]
    walk = [pair for pair in edges if spaces[pair[0]].kind == spaces[pair[1]].kind or pair in DOORS]
    return make(spaces, edges, walk, DOORS, entries=ENTRIES, starts=dict.fromkeys(STARTS, "b4"))


def _space(name: str) -> Space:
    x, y = int(name[1]) * 100, ord(name[0]) * 100
    enclosed = name in ENCLOSED
    return Space(
        id=name, kind="enclosed" if enclosed else "open", outline=((x, y), (x + 90, y), (x, y + 90)), spot=(x, y),
        sector=SECTORS.get(name, "white" if name[1] < "3" else "black"), area="house" if enclosed else None,
        difficult=name in DIFFICULT, properties={"objective": NUMBERS[name]} if name in NUMBERS else {},
    )  # fmt: skip


def _beside(a: str, b: str) -> bool:
    return abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1


class Followed:
    """A game whose sniper is followed from the table's seat.

    With `in_progress` it starts in the middle, with nothing known.
    """

    def __init__(self, referee: Referee, seed: int, *, in_progress: bool = False) -> None:
        self.referee = referee
        self.chance = Chance(Random(seed))
        start = Whereabouts.anywhere if in_progress else Whereabouts.before_entry
        self.known = start(self.table)

    @property
    def table(self) -> Picture:
        """The public picture."""
        public: Picture = self.referee.pictures[TABLE]
        return public

    @property
    def truth(self) -> Picture:
        """The referee's picture."""
        truth: Picture = self.referee.truth
        return truth

    @property
    def spaces(self) -> tuple[str, ...]:
        """The spaces where the sniper can be."""
        return self.known.spaces(self.table)

    def act(self, seat: str, command: Command) -> list[Event]:
        """Play an act and return the table's events."""
        return self.tell(self.referee.consider(seat, command, self.chance))

    def tell(self, telling: Iterable[Told]) -> list[Event]:
        """Send events to all viewers, and return those of the table."""
        heard = []
        for told in telling:
            if told.audience.includes(TABLE):
                heard.append(told.event)
                self.known = self.known.after(self.table, told.event)
            self.referee.tell([told])
        return heard

    def hears(self, *told: Event) -> set[str]:
        """Send events to the table without checking that they are true. Return where the sniper can be then."""
        for event in told:
            self.known = self.known.after(self.table, event)
            self.referee.pictures[TABLE] = GAME.fold(self.table, event)
        return set(self.spaces)


class Histories:
    """All truths that fit a game as the table knows it, from a position whose secrets are open except for the hand."""

    def __init__(self, board: Map, options: Any, position: dict[str, Any]) -> None:
        self.truths: dict[Any, Picture] = {}
        self._rested = False
        for held in combinations(sorted(sites_of(board).objectives), 2):
            secret = {**position, "sniper": {**position["sniper"], "objectives": held}}
            try:
                self._add(GAME.position(board, options, secret, Chance(Random(0)))[REFEREE])
            except Refused:
                continue  # two objectives of one suit, or no arrow left

    @property
    def spaces(self) -> set[str]:
        """Return the sniper's space in each truth."""
        return {truth.mine.space for truth in self.truths.values() if truth.mine.space is not None}

    def rest(self) -> None:
        """Add everything that the sniper can have done without a public event since the last one."""
        waiting = [] if self._rested else list(self.truths.values())
        while waiting:
            truth = waiting.pop()
            for command in self._commands(truth, []):
                for after in self._outcomes(truth, command, []):
                    if self._add(after):
                        waiting.append(after)
        self._rested = True

    def hear(self, seat: str, command: Command, heard: list[Event]) -> None:
        """Keep the truths that explain the event `heard`. The defenders' `command` is known, the sniper's is not."""
        if seat == "sniper":
            self.rest()
        truths, self.truths, self._rested = list(self.truths.values()), {}, False
        for truth in truths:
            for way in self._commands(truth, heard) if seat == "sniper" else [command]:
                for after in self._outcomes(truth, way, heard):
                    self._add(after)

    def _commands(self, truth: Picture, heard: list[Event]) -> Iterator[Command]:
        """Yield the sniper's legal acts. Of shots, yield only those that match the declared one."""
        declared = [event for event in heard if isinstance(event, e.ShotDeclared)]
        for command in GAME.legal(truth, "sniper"):
            shot = isinstance(command, Shoot) and command.draw is not None
            if not shot or [(one.draw, one.second) for one in declared] == [(command.draw, command.second)]:
                yield command

    def _outcomes(self, truth: Picture, command: Command, heard: list[Event]) -> Iterator[Picture]:
        """Yield the truths after an act, if the table gets exactly `heard`."""
        drawn = [("draw", event.tokens) for event in heard if isinstance(event, e.Drew)]
        found, told = truth, []
        try:
            for one in GAME.decide(truth, command, Chance(Random(0), drawn)):
                found = GAME.fold(found, one.event)
                if one.audience.includes(TABLE):
                    told.append(one.event)
        except Refused:
            return  # the public draw does not fit this act
        if told == heard:
            yield found

    def _add(self, truth: Picture) -> bool:
        """Add a truth. Return False if it is already there. For cards in hand only the kinds count."""
        me, waits = truth.mine, truth.pending
        secret = (me.space, me.entry, me.objectives, frozenset(me.looted), me.moved, me.masked, tuple(sorted(me.mines)))
        key = (*secret, tuple(sorted(me.face_down)), None if waits is None else waits.name)
        return self.truths.setdefault(key, truth) is truth
