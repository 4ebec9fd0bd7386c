"""The toy map TM-1, and tables for testing the solo rules.

TM-1 is a grid of four rows and eight columns, `a1` … `d8`. Yellow is a1 to b4, red a5 to b8, black c5 to d8, white c1
to d4. `c2` and `c3` are a house with one door to `d3`, `d6` is difficult, `d7` water. Sight runs along rows and columns
through spaces that are not enclosed, and its distance is the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.events import Told
from engine.game import REFEREE
from engine.graph import Access, Entry, Map, Sight, Space
from engine.referee import Referee
from engine.refusal import Refused
from games.sniper_elite.map_rules import sites
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.rules.act import Telling
from games.sniper_elite_solo.rules.cards import AnyStep
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.steps import run_steps
from games.sniper_elite_solo.rules.turn import play_defenders_turn
from tests.games.sniper_elite.duel import plain

ROWS, COLUMNS = "abcd", range(1, 9)
SUITS = {"yellow": "diamonds", "red": "hearts", "black": "spades", "white": "clubs"}
OBJECTIVES = {"a2": 1, "a4": 2, "b3": 3, "a5": 4, "a7": 5, "b6": 6, "c6": 7, "d5": 8, "d2": 9}
CROSSES = {"yellow-officer": "b1", "red-officer": "b7", "black-officer": "c8"}
ENTRIES = {"yellow": "a1", "red": "a8", "black": "d8", "white": "d1"}
KINDS = {"c2": "enclosed", "c3": "enclosed", "d7": "water"}
DOORS = (("c3", "d3"),)
HOME = {
    "yellow-officer": "a2", "yellow-1": "a4", "yellow-2": "b3",
    "red-officer": "a5", "red-1": "a7", "red-2": "b6",
    "black-officer": "c6", "black-1": "d5", "black-2": "d2",
}  # fmt: skip
"""Where the defenders start on TM-1 (SO-SET-03)."""


def sector_of(name: str) -> str:
    """Return the sector of a space. Sectors are four blocks of two rows and four columns."""
    upper, left = name[0] in "ab", int(name[1]) <= 4
    return {(True, True): "yellow", (True, False): "red", (False, False): "black", (False, True): "white"}[upper, left]


def tm1(
    kinds: Mapping[str, str] | None = None,
    difficult: Iterable[str] = ("d6",),
    doors: Sequence[tuple[str, str]] = DOORS,
    marks: Any = None,
) -> Map:
    """Return the fixture map, optionally with other kinds of spaces or other doors."""
    kinds, rough = {**KINDS, **(kinds or {})}, set(difficult)
    names = [f"{row}{column}" for row in ROWS for column in COLUMNS]
    spaces = {name: _space(name, kinds.get(name, "open"), name in rough) for name in names}
    edges = [(a, b) for a in names for b in names if _beside(a, b)]
    alike = [(a, b) for a, b in edges if spaces[a].kind == spaces[b].kind and spaces[a].enterable]
    opened = {pair for door in doors for pair in (door, door[::-1])}
    board = Map(
        slug="tm1", name="TM-1", code="TM", size=(900, 500), sectors=tuple(SUITS), spaces=spaces,
        entries=tuple(Entry(space, (0, 0)) for space in ENTRIES.values()),
        accesses=tuple(Access("door", door, (0, 0)) for door in doors),
        adjacent=_near(names, edges), matching=_near(names, alike),
        walk=_near(names, [pair for pair in edges if pair in alike or pair in opened]),
        sights={a: {b: sight for b in names if a < b and (sight := _sight(spaces, a, b))} for a in names},
        members={"suits": SUITS},
    )  # fmt: skip
    return placed(board, marks=marks or {})


def placed(board: Map, **changes: Any) -> Map:
    """Return a copy of a map with the fixture's arrows, crosses, objectives and marks, or with the given ones."""
    numbers = {number: name for name, number in OBJECTIVES.items()}
    given = {"entries": ENTRIES, "starts": CROSSES, "objectives": numbers, **changes}
    copy = replace(board)
    copy.__dict__[sites._sites] = replace(sites.sites_of(copy), **given)
    return copy


def _space(name: str, kind: str, difficult: bool) -> Space:
    x, y = int(name[1]) * 100, (ord(name[0]) - ord("a") + 1) * 100
    ring = ((x - 50, y - 50), (x + 50, y - 50), (x + 50, y + 50), (x - 50, y + 50))
    enterable = kind in ("open", "enclosed", "elevated")
    return Space(
        id=name, kind=kind, outline=ring, spot=(x, y), sector=sector_of(name) if enterable else None,
        area="house" if kind == "enclosed" else None, difficult=difficult,
        properties={"objective": OBJECTIVES[name]} if enterable and name in OBJECTIVES else {},
    )  # fmt: skip


def _beside(a: str, b: str) -> bool:
    return abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1


def _near(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {name: [] for name in names}
    for a, b in pairs:
        found[a].append(b)
    return {name: tuple(sorted(near, key=names.index)) for name, near in found.items()}


def _sight(spaces: Mapping[str, Space], a: str, b: str) -> Sight | None:
    """Return the sight along a row or a column. Only spaces inside a house see through it."""
    if a[0] != b[0] and a[1] != b[1]:
        return None
    step = (ord(b[0]) > ord(a[0])) - (ord(b[0]) < ord(a[0])), (b[1] > a[1]) - (b[1] < a[1])
    between, (row, column) = [], (ord(a[0]) + step[0], int(a[1]) + step[1])
    while f"{chr(row)}{column}" != b:
        between.append(f"{chr(row)}{column}")
        row, column = row + step[0], column + step[1]
    for name in between:
        kind = spaces[name].kind
        if kind == "obstruction":
            return None
        if kind in ("enclosed", "elevated") and not spaces[a].kind == spaces[b].kind == kind:
            return None
    return Sight(len(between) + 1, ((0.0, 0.0), (0.0, 0.0)), tuple(between))


BOARD = tm1()


class Table:
    """A solo game on TM-1 from a position, by default with the defenders at home and objectives 4 and 7.

    `units` changes where single defenders stand; `chance` forces results; `told` are the events of the last act.
    """

    def __init__(
        self,
        space: str | None = "a1",
        *,
        board: Map = BOARD,
        units: Mapping[str, str | None] | None = None,
        only: Mapping[str, str | None] | None = None,
        options: Any = None,
        chance: Sequence[tuple[str, Any]] = (),
        seed: int = 1,
        sniper: Mapping[str, Any] | None = None,
        **parts: Any,
    ) -> None:
        standing = {**HOME, **(units or {})} if only is None else dict(only)
        me = {"space": space, "objectives": [4, 7], "hand": [], **(sniper or {})}
        raw = {"units": standing, "sniper": me, **parts}
        self.board = board
        self.chance = Chance(Random(seed))
        self.referee = Referee(GAME, GAME.position(board, GAME.read_options(options), raw, self.chance))
        self.chance.force(GAME.read_luck(board, chance))
        self.told: tuple[Told, ...] = ()

    @property
    def truth(self) -> Picture:
        """The referee's picture."""
        found: Picture = self.referee.pictures[REFEREE]
        return found

    def act(self, kind: str, chance: Sequence[tuple[str, Any]] | None = None, **fields: Any) -> list[dict[str, Any]]:
        """Play an act of the sniper and return its events without hidden ones."""
        if chance is not None:
            self.chance.force(GAME.read_luck(self.board, chance))
        command = GAME.read_command("sniper", {"type": kind, **fields})
        self.told = self.referee.submit("sniper", command, self.chance)
        return public_events(self.told)

    def refuses(self, rule: str, kind: str, **fields: Any) -> None:
        """Assert that an act of the sniper is refused by `rule`."""
        with refused(rule):
            self.act(kind, **fields)

    def legal(self, kind: str | None = None) -> list[dict[str, Any]]:
        """Return the legal commands as JSON."""
        found = plain(self.referee.legal("sniper"))
        return [command for command in found if kind in (None, command["type"])]

    def state(self) -> dict[str, Any]:
        """Return the truth as JSON."""
        return dict(plain(GAME.state(self.truth)))

    def view(self, viewer: str = "sniper") -> dict[str, Any]:
        """Return a viewer's view as JSON."""
        return dict(plain(GAME.view(self.referee.pictures[viewer])))

    def doing(self) -> Telling:
        """Return an act from the current picture, for calling single rules."""
        return Telling(self.truth, self.chance)

    def runs(self, *steps: Mapping[str, Any], chance: Sequence[tuple[str, Any]] = ()) -> list[dict[str, Any]]:
        """Run steps of a solo card and return their events."""
        self.chance.force(GAME.read_luck(self.board, chance))
        act = self.doing()
        run_steps(act, [msgspec.convert(step, AnyStep) for step in steps])
        self.referee.tell(act.told)
        return public_events(act.told)

    def defends(self, chance: Sequence[tuple[str, Any]] = ()) -> list[dict[str, Any]]:
        """Play the defenders' turn and return its events."""
        self.chance.force(GAME.read_luck(self.board, chance))
        act = self.doing()
        play_defenders_turn(act)
        self.referee.tell(act.told)
        return public_events(act.told)

    def where(self, unit: str) -> str | None:
        """Return the space of a defender."""
        return self.truth.units[unit]


def public_events(told: Iterable[Told]) -> list[dict[str, Any]]:
    """Return the events that any player got, as JSON."""
    return [plain(one.event) for one in told if one.audience.seats != ()]


def kinds(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the types of events."""
    return [str(event["type"]) for event in events]


def of(events: Iterable[Mapping[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Return the events of a type, without their type field."""
    return [
        {name: value for name, value in event.items() if name != "type"} for event in events if event["type"] == kind
    ]


def new(board: Map = BOARD, options: Any = None, chance: Sequence[tuple[str, Any]] = (), seed: int = 1) -> Table:
    """Return a new game at its first decision."""
    table = Table.__new__(Table)
    chosen = GAME.read_options(options)
    table.board, table.chance = board, Chance(Random(seed), GAME.read_luck(board, chance))
    table.referee = Referee(GAME, GAME.blank(board, chosen))
    table.told = tuple(GAME.setup(board, chosen, table.chance))
    table.referee.tell(table.told)
    return table


@contextmanager
def refused(rule: str) -> Iterator[None]:
    """Assert that the block is refused by `rule`."""
    with pytest.raises(Refused) as caught:
        yield
    assert caught.value.rule == rule, caught.value.sentence


def slots(*cards: str) -> dict[str, Any]:
    """Return the slots of a position, the last one face down."""
    return {"slots": [{"card": card, "face": "down" if number == 2 else "up"} for number, card in enumerate(cards)]}
