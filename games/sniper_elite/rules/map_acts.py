"""The commands that depend on the map alone, made once for each map and shared: `legal` picks from them.

Units and cards are left aside here: the rule modules leave out what the position forbids.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from engine.graph import Map
from engine.lazy import Lazy
from games.sniper_elite.rules.commands import Ability, Attack, Mark, Move, MoveUnit, Spot, Sweep
from games.sniper_elite.rules.reach import Gait, sniper_paths, unit_reach
from games.sniper_elite.rules.words import UNITS, officer_of, soldiers_of

Movement = tuple[Move, int]
"""A movement of the sniper's, and the spaces of its path as a set of bits (see `MapActs.bit`). No named tuple, for the
garbage collector need not follow plain ones.
"""


class MapActs:
    """The commands of one map. Ask for it with `acts_of`.

    `bit` gives every space of the map a bit of its own. The tables are keyed by unit or squad and the space it is on,
    `moves` by whether R-08 is off (see `limit`) as well, `movements` by the sniper's start, arrow and gait.
    """

    def __init__(self, board: Map) -> None:
        self.bit = {space: 1 << index for index, space in enumerate(board.spaces)}
        self.enterable = frozenset(board.enterable)
        self.marks = {space: Mark(space) for space in board.enterable}
        self._board = board
        self.moves = Lazy(self._moves)
        self.spots = Lazy(self._spots)
        self.sweeps = Lazy(self._sweeps)
        self.movements = Lazy(self._movements)
        self.scouted = Lazy(self._scouted)
        self.beside = Lazy(self._beside)
        self.aimed = Lazy(self._aimed)

    def bits(self, spaces: Iterable[str | None]) -> int:
        """Spaces as a set of bits; None is left out."""
        found = 0
        for space in spaces:
            if space is not None:
                found |= self.bit[space]
        return found

    def _moves(self, key: tuple[str, str, bool]) -> dict[str | None, MoveUnit]:
        unit, here, cumulative = key
        return {to: MoveUnit(unit, to) for to in unit_reach(self._board, cumulative)[here]}

    def _spots(self, key: tuple[str, str]) -> tuple[Spot, ...]:
        unit, here = key
        return tuple(Spot(unit, space) for space in self._board.adjacent[here] if space in self.enterable)

    def sweepable(self, here: str) -> list[str]:
        """The spaces that a sweep from `here` can cover, in the map's order (MP-ACT-10, MP-ACT-12)."""
        around = self._board.matching[here]
        return [space for space in self._board.spaces if space in around]

    def _sweeps(self, key: tuple[str, str]) -> tuple[Sweep, ...]:
        unit, here = key
        around = self.sweepable(here)
        return tuple(Sweep(unit, spaces) for spaces in combinations(around, min(2, len(around))))

    def _movements(self, key: tuple[str | None, str | None, Gait]) -> tuple[Movement, ...]:
        start, entry, gait = key
        found = sniper_paths(self._board, start, entry, gait)
        return tuple((Move(path), self.bits(path)) for path in found if path[-1] in self.enterable)

    def _scouted(self, squad: str) -> dict[str, dict[str | None, Ability]]:
        """Soldier -> space -> the Scout's relocation there (MP-SPEC-16)."""
        return {
            unit: {space: Ability(squad, unit, to=space) for space in self._board.enterable}
            for unit in soldiers_of(squad)
        }

    def _beside(self, key: tuple[str, str]) -> tuple[Attack, ...]:
        """The Jaeger's attacks of a squad whose officer is on a space (MP-SPEC-08)."""
        squad, here = key
        around = [space for space in self._board.adjacent[here] if space in self.enterable]
        return tuple(Attack(officer_of(squad), space, use="jaeger") for space in around)

    def _aimed(self, key: tuple[str, str, int]) -> tuple[Attack, ...]:
        """The specialist's shots of a squad whose officer is on a space, by how many may be drawn (MP-SPEC-23)."""
        squad, here, most = key
        return tuple(
            Attack(officer_of(squad), space, draw, "sniper")
            for space in self._board.enterable
            if (distance := self._board.distance(here, space)) is not None
            for draw in range(distance, most + 1)
        )


def acts_of(board: Map) -> MapActs:
    """The commands of a map, made once."""
    return board.derived(MapActs)


ATTACKS = {unit: Attack(unit) for unit in UNITS}
"""Each unit's attack on its own space (MP-ACT-06)."""
