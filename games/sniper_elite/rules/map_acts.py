"""Commands that depend on the map alone, built once per map. `legal` selects from them.

The rule modules leave out what units and cards forbid.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from engine.graph import Map
from engine.lazy import Lazy
from games.sniper_elite.rules.commands import Ability, Attack, Mark, Move, MoveUnit, Spot, Sweep
from games.sniper_elite.rules.reach import Gait, sniper_paths, unit_reach
from games.sniper_elite.rules.words import SQUADS, UNITS, officer_of, soldiers_of

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
        found = 0
        for space in spaces:
            if space is not None:
                found |= self.bit[space]
        return found

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
        found = sniper_paths(self._board, *key)
        return tuple((Move(path), self.bits(path)) for path in found if path[-1] in self.enterable)

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
