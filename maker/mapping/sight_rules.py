"""The rules of sight: the spaces that may lie between two others (MP-LOS-01..12, R-67..R-70).

A *look* is one way of looking: it defines which kinds of space a line may pass through, and the minimum number of
spaces in between for each pair. There is no geometry here; `sight.py` has the lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from engine.graph.coverage import stacked_pairs
from engine.graph.model import Map, Space

CLEAR, ENCLOSED, ELEVATED, BLOCKED, VOID = range(5)
"""The kinds of space that a line meets, as the rules of sight distinguish them; VOID is off the board."""
KINDS = {"open": CLEAR, "water": CLEAR, "enclosed": ENCLOSED, "elevated": ELEVATED, "obstruction": BLOCKED}

NEVER = 1 << 14
"""More spaces than any line crosses, which means that the pair does not see each other by this look."""

Least = Callable[[Space, Space], int]


class Look(Struct, frozen=True):
    """One way of looking.

    Where an elevated space lies over an `under` one, the line passes the lower one if `indoors`, else the upper one.
    The `shown` under spaces are ends of the line, so the line always passes them. `through` has the kinds that may lie
    in between, `least[a][b]` the minimum number of spaces in between (indices are the spaces in the file's order, and
    NOBODY). A `resort` is used only for pairs that don't see each other by any other look.
    """

    through: frozenset[int]
    least: list[list[int]]
    shown: frozenset[int] = frozenset()
    indoors: bool = False
    resort: bool = False


def possible_looks(surveyed: Map) -> list[Look]:
    """Return all looks that some pair of this map can use."""
    looks = _looks(surveyed, _under_ends(list(surveyed.spaces.values())))
    return [look for look in looks if any(least < NEVER for row in look.least for least in row)]


def looks_between(surveyed: Map, a: int, b: int) -> list[Look]:
    """Return the looks that two spaces, given by number, can use; none for a space and the one over it."""
    spaces = list(surveyed.spaces.values())
    visible = frozenset(number for number in (a, b) if spaces[number].under)
    return [look for look in _looks(surveyed, [visible]) if look.least[a][b] < NEVER]


def _looks(surveyed: Map, ends_below: Iterable[frozenset[int]]) -> list[Look]:
    apart = _Pairs(surveyed)
    looks = [Look(frozenset({ENCLOSED}), apart.least(_indoor_minimum), indoors=True)]
    for visible in ends_below:
        looks += [
            Look(frozenset({CLEAR}), apart.least(apart.outdoor_minimum, visible), visible),
            Look(frozenset({CLEAR, ENCLOSED, ELEVATED}), apart.least(_elevated_minimum, visible), visible),
            Look(
                frozenset({CLEAR, ENCLOSED, ELEVATED}), apart.least(_same_area_minimum, visible), visible, resort=True
            ),
        ]
    return looks


def _under_ends(spaces: Sequence[Space]) -> Iterator[frozenset[int]]:
    """Yield the sets of `under` spaces that the ends of a line can be: none, one or two."""
    below = [number for number, space in enumerate(spaces) if space.under]
    yield frozenset()
    yield from (frozenset({number}) for number in below)
    yield from (frozenset(pair) for pair in combinations(below, 2))


def _indoor_minimum(one: Space, other: Space) -> int:
    """Return the minimum by MP-LOS-06: enclosed spaces see each other through enclosed spaces only."""
    return 0 if one.kind == other.kind == "enclosed" else NEVER


def _elevated_minimum(one: Space, other: Space) -> int:
    """Return the minimum by MP-LOS-09: elevated spaces see each other over anything but obstructions."""
    return 0 if one.kind == other.kind == "elevated" else NEVER


def _same_area_minimum(one: Space, other: Space) -> int:
    """Return the minimum by R-68: within one building or room, even around a corner."""
    return 0 if one.kind == other.kind == "enclosed" and one.area == other.area else NEVER


class _Pairs:
    """The facts about two spaces besides their kinds that the rules use: ladders, and which space is over the other."""

    def __init__(self, surveyed: Map) -> None:
        self.spaces = list(surveyed.spaces.values())
        self.stacked = stacked_pairs(self.spaces)
        self.ladders = {frozenset(access.between) for access in surveyed.accesses if access.kind == "ladder"}

    def least(self, law: Least, visible: frozenset[int] | None = None) -> list[list[int]]:
        """Return the minimum numbers as a table, for pairs whose `under` spaces are exactly those in `visible` (None:
        any)."""
        everybody = range(len(self.spaces))
        below = frozenset(number for number in everybody if self.spaces[number].under)
        # The last row and column are for NOBODY.
        table = [[NEVER] * (len(self.spaces) + 1) for _ in range(len(self.spaces) + 1)]
        for a, b in combinations(everybody, 2):
            one, other = self.spaces[a], self.spaces[b]
            if (visible is None or below & {a, b} == visible) and (one.id, other.id) not in self.stacked:
                table[a][b] = table[b][a] = law(one, other)
        return table

    def outdoor_minimum(self, one: Space, other: Space) -> int:
        """Return the minimum by MP-LOS-01, over open ground and water, and MP-LOS-11, between a room and a walkway."""
        if one.kind == other.kind == "elevated":
            return NEVER
        if {one.kind, other.kind} == {"elevated", "enclosed"}:
            return 0 if frozenset((one.id, other.id)) in self.ladders else 1
        return 0
