"""Movement range and commands that depend on the map alone, built once per map (MP-MOVE-01..10, MP-ACT-01..04).

`legal` selects from the commands. The rule modules leave out what units and cards forbid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from engine.graph import Map
from engine.lazy import Lazy
from games.sniper_elite.rules.commands import Ability, Attack, Mark, Move, MoveUnit, Spot, Sweep
from games.sniper_elite.rules.words import SQUADS, UNITS, officer_of, soldiers_of

SNIPER_REACH = 3  # MP-MOVE-01
UNIT_REACH = 2  # MP-ACT-01


def limit(reach: int, difficult: int, cumulative: bool) -> int:
    """Return the maximum length of a movement over difficult terrain (MP-MOVE-09, MP-ACT-03).

    `difficult` is the number of difficult spaces entered. Difficult terrain reduces the length by one in total. With
    `cumulative` (R-08 is off), each space reduces it by one.
    """
    return reach - (difficult if cumulative else min(difficult, 1))


def unit_reach(board: Map, cumulative: bool) -> dict[str, tuple[str, ...]]:
    """Return where a unit's Move can lead from each space, ignoring units, in map order."""
    return board.derived(_unit_reaches)[cumulative]


def _unit_reaches(board: Map) -> Lazy[bool, dict[str, tuple[str, ...]]]:
    return Lazy(lambda cumulative: {start: _unit_reach(board, start, cumulative) for start in board.spaces})


def _unit_reach(board: Map, start: str, cumulative: bool) -> tuple[str, ...]:
    spaces, near = board.spaces, board.walk[start]
    far = (
        space
        for middle in near
        for space in board.walk[middle]
        if limit(UNIT_REACH, spaces[middle].difficult + spaces[space].difficult, cumulative) >= 2
    )
    ends = {*near, *far} - {start}
    return tuple(space for space in spaces if space in ends)


class Gait(NamedTuple):
    """How the sniper moves: maximum length, gear in use, and whether R-08 is off (see `limit`)."""

    reach: int = SNIPER_REACH
    gear: str | None = None
    cumulative: bool = False


def step_kind(board: Map, gear: str | None, here: str, space: str) -> str | None:
    """Return how the sniper enters an adjacent space: `walk`, `climb`, `dive`, or None (EN-D-05, EN-D-06)."""
    if space in board.walk[here]:
        return "walk"
    kinds = {board.spaces[here].kind, board.spaces[space].kind}
    if gear == "climbing-gear" and kinds == {"elevated", "open"}:
        return "climb"
    return "dive" if gear == "diving-gear" and "water" in kinds <= {"water", "open"} else None


def sniper_paths(board: Map, start: str | None, entry: str | None, gait: Gait) -> Iterator[tuple[str, ...]]:
    """Yield all movements from `start`, or over `entry` if it is None. They can end on water."""
    first = (str(entry),) if start is None else board.adjacent[start]
    return _longer(board, gait, start, (), first, climbed=False)


def _longer(
    board: Map, gait: Gait, start: str | None, path: tuple[str, ...], steps: Iterable[str], *, climbed: bool
) -> Iterator[tuple[str, ...]]:
    """Yield all movements that continue `path`. `climbed`: the climbing gear's only step is used up."""
    here = path[-1] if path else start
    for space in steps:
        step = "walk" if here is None else step_kind(board, gait.gear, here, space)
        if step is None or space == start or space in path or (step == "climb" and climbed):
            continue
        longer = (*path, space)
        # A longer path is never allowed more steps than a shorter one, so this check prunes the search.
        difficult = sum(board.spaces[space].difficult for space in longer)
        if len(longer) <= limit(gait.reach, difficult, gait.cumulative):
            yield longer
            up = climbed or step == "climb"
            yield from _longer(board, gait, start, longer, board.adjacent[space], climbed=up)


Movement = tuple[Move, int]
"""A movement of the sniper, and the spaces of its path as a bit set (see `MapActs.bit`)."""


class MapActs:
    """The commands of one map. Get them with `acts_of`.

    The tables are keyed by unit or squad and its space. `moves` is also keyed by whether R-08 is off (see `limit`).
    `movements` is keyed by the sniper's start, arrow and gait. `aimed` is also keyed by the maximum number of tokens.
    """

    def __init__(self, board: Map) -> None:
        self._board = board
        self.bit = {space: 1 << index for index, space in enumerate(board.spaces)}
        """Space -> its bit."""
        self.enterable = frozenset(board.enterable)
        self.marks = {space: Mark(space) for space in board.enterable}
        self.moves = Lazy(self._moves)
        self.spots = Lazy[tuple[str, str], tuple[Spot, ...]](
            lambda key: tuple(Spot(key[0], space) for space in self._beside(key[1]))
        )
        self.sweeps = Lazy(self._sweeps)
        self.movements = Lazy(self._movements)
        self.scouted = {squad: self._scout_acts(squad) for squad in SQUADS}
        """Squad -> soldier -> space -> the Scout's relocation there (MP-SPEC-16)."""
        self.beside = Lazy(self._attacks_beside)
        self.aimed = Lazy(self._aimed_attacks)

    def bits(self, spaces: Iterable[str | None]) -> int:
        """Return spaces as a bit set. None is ignored."""
        bit_set = 0
        for space in spaces:
            if space is not None:
                bit_set |= self.bit[space]
        return bit_set

    def sweepable(self, here: str) -> list[str]:
        """Return the spaces that a sweep from `here` can cover, in map order (MP-ACT-10, MP-ACT-12)."""
        around = self._board.matching[here]
        return [space for space in self._board.spaces if space in around]

    def _beside(self, here: str) -> list[str]:
        return [space for space in self._board.adjacent[here] if space in self.enterable]

    def _moves(self, key: tuple[str, str, bool]) -> dict[str | None, MoveUnit]:
        unit, here, cumulative = key
        return {to: MoveUnit(unit, to) for to in unit_reach(self._board, cumulative)[here]}

    def _sweeps(self, key: tuple[str, str]) -> tuple[Sweep, ...]:
        unit, here = key
        around = self.sweepable(here)
        # A unit with one fitting neighbour sweeps that one alone.
        return tuple(Sweep(unit, spaces) for spaces in combinations(around, min(2, len(around))))

    def _movements(self, key: tuple[str | None, str | None, Gait]) -> tuple[Movement, ...]:
        # A path may cross water or a wall with a card, but no move ends there.
        paths = sniper_paths(self._board, *key)
        return tuple((Move(path), self.bits(path)) for path in paths if path[-1] in self.enterable)

    def _scout_acts(self, squad: str) -> dict[str, dict[str | None, Ability]]:
        spaces = self._board.enterable
        return {unit: {to: Ability(squad, unit, to=to) for to in spaces} for unit in soldiers_of(squad)}

    def _attacks_beside(self, key: tuple[str, str]) -> tuple[Attack, ...]:
        """Return the Jaeger's attacks for a squad, by its officer's space (MP-SPEC-08)."""
        squad, here = key
        return tuple(Attack(officer_of(squad), space, use="jaeger") for space in self._beside(here))

    def _aimed_attacks(self, key: tuple[str, str, int]) -> tuple[Attack, ...]:
        """Return the aimed attacks for a squad, by its officer's space (MP-SPEC-23)."""
        squad, here, most = key
        return tuple(
            Attack(officer_of(squad), space, draw, "sniper")
            for space in self._board.enterable
            if (distance := self._board.distance(here, space)) is not None
            for draw in range(distance, most + 1)
        )


def acts_of(board: Map) -> MapActs:
    """Return the commands of a map. They are built once per map."""
    return board.derived(MapActs)


ATTACKS = {unit: Attack(unit) for unit in UNITS}  # Attack on the unit's own space (MP-ACT-06)
