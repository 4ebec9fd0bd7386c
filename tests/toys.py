"""Small maps for rule tests, as values: a readable grid, and the toy map T1.

Grid spaces are `a1` … `f8`: letter = row, number = column. Two spaces are adjacent when they share a side. Sight runs
along rows and columns, and its distance is the difference. That is enough for rules; geometry has its own tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from engine.graph import Access, Entry, Map, Sight, Space
from games.sniper_elite.map_rules import sites

ROWS, COLUMNS = "abcdef", range(1, 9)
SUITS = {"yellow": "diamonds", "red": "hearts", "black": "spades", "white": "clubs"}
OBJECTIVES = {"b2": 1, "c1": 2, "a4": 3, "b7": 4, "a6": 5, "c8": 6, "e2": 7, "f4": 8, "e7": 9}
"""Yellow 1 to 3, red 4 to 6, black 7 and 8, white 9."""
STARTS = {
    "yellow-officer": "b3", "yellow-1": "a2", "yellow-2": "c3",
    "red-officer": "b6", "red-1": "a7", "red-2": "c6",
    "black-officer": "e3", "black-1": "d2", "black-2": "f2",
}  # fmt: skip
ENTRIES = {"yellow": "a1", "red": "a8", "black": "f1", "white": "f8"}


def sector_of(name: str) -> str:
    """Return the sector of a space, four quarters: yellow and red above, black and white below."""
    left = int(name[1]) <= 4
    if name[0] in "abc":
        return "yellow" if left else "red"
    return "black" if left else "white"


def grid(
    kinds: Mapping[str, str] | None = None,
    difficult: Iterable[str] = (),
    doors: Iterable[tuple[str, str]] = (),
    starts: Mapping[str, str] = STARTS,
) -> Map:
    """Return the grid with spaces of other kinds (enclosed ones form one area), difficult spaces and doors."""
    kinds = dict(kinds or {})
    names = [f"{row}{column}" for row in ROWS for column in COLUMNS]
    spaces = {name: _space(name, kinds.get(name, "open"), name in set(difficult)) for name in names}
    edges = [(a, b) for a in names for b in names if a < b and _beside(a, b)]
    joined = {frozenset(door) for door in doors}
    walk = [pair for pair in edges if _walkable(spaces, pair, joined)]
    return make(spaces, edges, walk, [*doors], starts=starts)


def make(
    spaces: Mapping[str, Space],
    edges: Iterable[tuple[str, str]],
    walk: Iterable[tuple[str, str]],
    doors: Iterable[tuple[str, str]] = (),
    entries: Mapping[str, str] = ENTRIES,
    starts: Mapping[str, str] = STARTS,
) -> Map:
    """Return a map value made from its tables, with sight as on the grid, and between neighbours.

    `starts` may place several units on one space, which no drawing can express, so the game's sites are stored with it.
    """
    edges = list(edges)
    matching = [(a, b) for a, b in edges if spaces[a].kind == spaces[b].kind]
    board = Map(
        slug="toy", name="Toy", code="T", size=(800, 600), sectors=tuple(SUITS), spaces=dict(spaces),
        accesses=tuple(Access("door", (a, b), (0, 0)) for a, b in doors),
        entries=tuple(Entry(space, (0, 0)) for space in entries.values()),
        adjacent=_neighbours(spaces, edges), matching=_neighbours(spaces, matching), walk=_neighbours(spaces, walk),
        sights=_sights(spaces, edges), members={"suits": SUITS},
    )  # fmt: skip
    found = sites.sites_of(board)
    objectives = {number: name for name, number in found.numbers.items()}
    given = replace(found, entries=dict(entries), starts=dict(starts), objectives=objectives)
    board.__dict__[sites._sites] = given
    return board


def _space(name: str, kind: str, difficult: bool) -> Space:
    x, y = int(name[1]) * 100, (ord(name[0]) - ord("a") + 1) * 100
    ring = ((x - 50, y - 50), (x + 50, y - 50), (x + 50, y + 50), (x - 50, y + 50))
    solid = kind in ("water", "obstruction")
    return Space(
        id=name, kind=kind, outline=ring, spot=(x, y), sector=None if solid else sector_of(name),
        area="house" if kind == "enclosed" else None, difficult=difficult,
        properties={"objective": OBJECTIVES[name]} if name in OBJECTIVES else {},
    )  # fmt: skip


def _beside(a: str, b: str) -> bool:
    return abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1


def _walkable(spaces: Mapping[str, Space], pair: tuple[str, str], doors: set[frozenset[str]]) -> bool:
    one, other = spaces[pair[0]], spaces[pair[1]]
    if not one.enterable or not other.enterable:
        return False
    return one.kind == other.kind or frozenset(pair) in doors


def _neighbours(spaces: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {name: set() for name in spaces}
    for a, b in pairs:
        found[a].add(b)
        found[b].add(a)
    order = list(found)
    return {name: tuple(sorted(near, key=order.index)) for name, near in found.items()}


def _sights(spaces: Mapping[str, Space], edges: Iterable[tuple[str, str]]) -> dict[str, dict[str, Sight]]:
    sights: dict[str, dict[str, Sight]] = {name: {} for name in spaces}
    joined = {frozenset(edge) for edge in edges}
    names = list(spaces)
    for index, a in enumerate(names):
        for b in names[index + 1 :]:
            between = [] if {a, b} in joined else _between(a, b)
            if {a, b} in joined or (between and all(name in spaces and _clear(spaces[name]) for name in between)):
                line = (tuple(map(float, spaces[a].spot)), tuple(map(float, spaces[b].spot)))
                sights[a][b] = Sight(len(between) + 1, line, tuple(between))
    return sights


def _clear(space: Space) -> bool:
    return space.kind in ("open", "water")


def _between(a: str, b: str) -> list[str]:
    """Return what lies between two spaces of one row or column, from `a` to `b`; nothing if they share neither."""
    if a[0] == b[0]:
        return [f"{a[0]}{column}" for column in _inside(int(a[1]), int(b[1]))]
    if a[1] == b[1]:
        return [f"{chr(row)}{a[1]}" for row in _inside(ord(a[0]), ord(b[0]))]
    return []


def _inside(one: int, other: int) -> range:
    return range(one + 1, other) if one < other else range(one - 1, other, -1)


T1_KINDS = {"e1": "enclosed", "e2": "enclosed", "w1": "elevated", "w2": "elevated"}
T1_SECTORS = {"a5": "black", "w1": "white", "w2": "white"}
T1_OBJECTIVES = {"a1": 1, "a5": 2, "w2": 3}
T1_ADJACENT = "a1 a2, a2 a3, a3 a4, a4 a5, d1 a2, d1 d2, e1 a2, e1 a3, e1 e2, e2 a4, w1 a4, w1 w2, w2 a5"
T1_WALK = "a1 a2, a2 a3, a3 a4, a4 a5, d1 a2, d1 d2, e1 a3, e1 e2, w1 a4, w1 w2"


def t1() -> Map:
    """Return the toy map T1 of the rule book's worked examples.

    Units that it does not place start on a shared far space.
    """
    names = ["a1", "a2", "a3", "a4", "a5", "d1", "d2", "e1", "e2", "w1", "w2"]
    spaces = {name: _t1_space(name) for name in names}
    return make(
        spaces, _pairs(T1_ADJACENT), _pairs(T1_WALK), [("e1", "a3"), ("w1", "a4")],
        entries={"red": "a1", "black": "a5", "white": "w2"},
        starts={**dict.fromkeys(STARTS, "a5"), "red-officer": "a3", "black-officer": "a5"},
    )  # fmt: skip


def _t1_space(name: str) -> Space:
    kind = T1_KINDS.get(name, "open")
    index = int(name[1]) * 100 + (ord(name[0]) - ord("a")) * 1000
    return Space(
        id=name, kind=kind, outline=((index, 0), (index + 50, 0), (index, 50)), spot=(index, 0),
        sector=T1_SECTORS.get(name, "red"), area="house" if kind == "enclosed" else None,
        difficult=name.startswith("d"),
        properties={"objective": T1_OBJECTIVES[name]} if name in T1_OBJECTIVES else {},
    )  # fmt: skip


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(a, b) for a, b in (pair.split() for pair in text.split(", "))]
