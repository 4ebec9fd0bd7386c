"""A map as bits: sets of spaces as numbers, so that whole sets can be moved, heard and seen at once.

Every space that can be entered is a bit, in the map's order; behind them each arrow is one more, from which the only
step leads to its entry space. No rule is decided here that is not in `movement.py` or on the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.graph import Map
from engine.lazy import Lazy
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules.reach import SNIPER_REACH, limit

CHUNK = 8
"""Bits whose neighbours are looked up together."""

Path = tuple[int, int]
"""The spaces of a movement without its start, and its end."""


class Ground:
    """A map's tables as bits. `cumulative` is the switch R-08 put off."""

    def __init__(self, board: Map, cumulative: bool) -> None:
        self.names = tuple(name for name, space in board.spaces.items() if space.enterable)
        self.index = {name: index for index, name in enumerate(self.names)}
        self.bit = {name: 1 << index for name, index in self.index.items()}
        self.board = (1 << len(self.names)) - 1
        self.arrow = {sector: 1 << index for index, sector in enumerate(sites_of(board).entries, len(self.names))}
        self.size = len(self.names) + len(self.arrow)
        self.adjacent = {name: self.bits(board.adjacent[name]) for name in self.names}
        self._cumulative = cumulative
        self._difficult = self.bits(name for name in self.names if board.spaces[name].difficult)
        entries = [self.bit[space] for space in sites_of(board).entries.values()]
        self.walk = (*(self.bits(board.walk[name]) for name in self.names), *entries)
        self.ways = tuple(tuple(ones(steps)) for steps in self.walk)
        self._near = [self._chunk(start) for start in range(0, self.size, CHUNK)]
        self.long = tuple(tuple(self._paths(start)) for start in range(self.size))
        self._within = self._sights(board)
        self.sector = {
            sector: self.bits(name for name in self.names if board.spaces[name].sector == sector)
            for sector in board.sectors
        }

    def bits(self, spaces: Iterable[str | None]) -> int:
        """Spaces as a set; None and what cannot be entered are left out."""
        found = 0
        for space in spaces:
            found |= self.bit.get(str(space), 0)
        return found

    def spaces(self, found: int) -> tuple[str, ...]:
        """The names of a set, in the map's order."""
        return tuple(self.names[index] for index in ones(found & self.board))

    def near(self, found: int) -> int:
        """Every space one step from one of `found`."""
        reached = 0
        for table in self._near:
            if not found:
                break
            reached |= table[found & (1 << CHUNK) - 1]
            found >>= CHUNK
        return reached

    def within(self, space: str, distance: int) -> int:
        """The spaces from which `space` is in sight at no more than `distance` (MP-DIST-01)."""
        seen = self._within[space]
        return seen[min(distance, len(seen) - 1)]

    def quiet(self, start: int, free: int) -> int:
        """Where movements of one space from `start` end, entering `free` spaces only."""
        return self.near(start) & free

    def noisy(self, start: int, free: int) -> int:
        """Where movements of two or three spaces end (MP-MOVE-01, MP-MOVE-09).

        Ways back to a space are not left out: where they lead, staying or a movement of one space leads as well.
        """
        easy = free & ~self._difficult
        first = self.near(start) & free
        second = self.near(first & easy) & free
        second |= self.near(first & self._difficult) & (easy if self._cumulative else free)
        return second | self.near(self.near(first & easy) & easy) & easy

    # --- tables -------------------------------------------------------------------------------------------------

    def _chunk(self, start: int) -> list[int]:
        """For each set of the spaces from `start` on, the neighbours of all of them."""
        steps = self.walk[start : start + CHUNK]
        table = [0]
        for step in steps:
            table += [reached | step for reached in table]
        return table

    def _paths(self, start: int) -> Iterator[Path]:
        """The noisy movements from a space, by their difficult ground, units aside (MP-MOVE-01, 05, 09)."""
        waiting: list[_Way] = [((), 1 << start, 0, start)]
        while waiting:
            steps, been, difficult, here = waiting.pop()
            for index in ones(self.walk[here] & ~been):
                space = 1 << index
                entered = difficult + bool(space & self._difficult)
                if len(steps) < limit(SNIPER_REACH, entered, self._cumulative):
                    longer = (*steps, space)
                    waiting.append((longer, been | space, entered, index))
                    if len(longer) > 1:
                        yield sum(longer), space

    def _sights(self, board: Map) -> dict[str, list[int]]:
        """For each space the sets that see it at no more than each distance, from 0 up."""
        exactly: dict[str, dict[int, int]] = {name: {1: self.bit[name]} for name in self.names}
        for one, seen in board.sights.items():
            for other, sight in seen.items():
                if one in self.bit and other in self.bit:
                    for a, b in ((one, other), (other, one)):
                        exactly[a][sight.distance] = exactly[a].get(sight.distance, 0) | self.bit[b]
        return {name: _summed(found) for name, found in exactly.items()}


_Way = tuple[tuple[int, ...], int, int, int]
"""The steps of a movement, where it has been, the difficult spaces entered, and the last index."""


def ground_of(board: Map, cumulative: bool) -> Ground:
    """The ground of a map, made once."""
    return board.derived(_grounds)[cumulative]


def _grounds(board: Map) -> Lazy[bool, Ground]:
    return Lazy(lambda cumulative: Ground(board, cumulative))


def ones(found: int) -> Iterator[int]:
    """The indices of a set's members."""
    while found:
        low = found & -found
        yield low.bit_length() - 1
        found ^= low


def _summed(exactly: dict[int, int]) -> list[int]:
    found = [0]
    for distance in range(1, max(exactly) + 1):
        found.append(found[-1] | exactly.get(distance, 0))
    return found
