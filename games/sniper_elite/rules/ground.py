"""A map as bit sets, so that whole sets of spaces can be moved, heard and seen at once.

The first bits are the spaces that can be entered, in the map's order. Each arrow is one more bit; the only step from it
leads to its entry space. Behind them come all other spaces, which only movements and hearing reach.

A spot is a space together with how the sniper's turn stands there: three times the bits of the ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from engine.graph import Map
from engine.lazy import Lazy
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules.reach import Gait, sniper_paths

CHUNK = 8  # Bits whose neighbours are looked up together

Movement = tuple[int, int, bool]
"""The spaces of a movement without its start, its end, and whether it is silent wherever it leads."""


class Ground:
    """The tables of a map. Ask for it with `ground_of`; `cumulative`: the ruling R-08 is switched off."""

    def __init__(self, board: Map, cumulative: bool) -> None:
        self.names = tuple(name for name, space in board.spaces.items() if space.enterable)
        self.index = {name: index for index, name in enumerate(self.names)}
        self.bit = {name: 1 << index for name, index in self.index.items()}
        self.board = (1 << len(self.names)) - 1
        self.arrow = {sector: 1 << index for index, sector in enumerate(sites_of(board).entries, len(self.names))}
        self.size = len(self.names) + len(self.arrow)
        others = (name for name, space in board.spaces.items() if not space.enterable)
        self._place = self.index | {name: index for index, name in enumerate(others, self.size)}
        self._map, self._cumulative = board, cumulative
        self.adjacent = {name: self._path_bits(board.adjacent[name]) for name in self.names}
        """What somebody on a space hears, with the spaces that nobody can enter on foot."""
        self._difficult = self.bits(name for name in self.names if board.spaces[name].difficult)
        entries = [self.bit[space] for space in sites_of(board).entries.values()]
        self.walk = (*(self.bits(board.walk[name]) for name in self.names), *entries)
        self._near = [self._chunk(start) for start in range(0, self.size, CHUNK)]
        self.movements = Lazy(self._movements)
        self._within = self._sights(board)
        self.sector = {
            sector: self.bits(name for name in self.names if board.spaces[name].sector == sector)
            for sector in board.sectors
        }

    def bits(self, spaces: Iterable[str | None]) -> int:
        """Return spaces as a set; None and spaces that cannot be entered are left out."""
        found = 0
        for space in spaces:
            found |= self.bit.get(str(space), 0)
        return found

    def spaces(self, found: int) -> tuple[str, ...]:
        """Return the names of a set, in the map's order."""
        return tuple(self.names[index] for index in ones(found & self.board))

    def near(self, found: int) -> int:
        """Return every space one step from one of `found`."""
        # Look up the neighbours of CHUNK bits at a time: one table entry per set of those bits.
        reached = 0
        for table in self._near:
            if not found:
                break
            reached |= table[found & (1 << CHUNK) - 1]
            found >>= CHUNK
        return reached

    def within(self, space: str, distance: int) -> int:
        """Return the spaces from which `space` is in sight at no more than `distance` (MP-DIST-01)."""
        seen = self._within[space]
        return seen[min(distance, len(seen) - 1)]

    def noisy(self, start: int, free: int) -> int:
        """Return where movements of two or three spaces end (MP-MOVE-01, MP-MOVE-09).

        Ways back to a space are not left out: where they lead, staying or a movement of one space leads as well.
        """
        # Difficult ground ends a movement after two spaces, so a third step goes over easy ground only.
        easy = free & ~self._difficult
        first = self.near(start) & free
        second = self.near(first & easy) & free
        second |= self.near(first & self._difficult) & (easy if self._cumulative else free)
        return second | self.near(self.near(first & easy) & easy) & easy

    # --- tables -------------------------------------------------------------------------------------------------

    def _chunk(self, start: int) -> list[int]:
        """Return for each set of the spaces from `start` on the neighbours of all of them."""
        steps = self.walk[start : start + CHUNK]
        table = [0]
        # Doubling: the second half of the table is the first half with one more bit set.
        for step in steps:
            table += [reached | step for reached in table]
        return table

    def _movements(self, key: tuple[Gait, int]) -> tuple[tuple[Movement, ...], ...]:
        """Return for each space and arrow the movements from there, units aside, by gait and silent length."""
        gait, silent = key
        starts: list[tuple[str | None, str | None]] = [(name, None) for name in self.names]
        starts += [(None, entry) for entry in sites_of(self._map).entries.values()]
        return tuple(
            tuple(
                (self._path_bits(path), self.bit[path[-1]], len(path) <= silent)
                for path in sniper_paths(self._map, start, entry, gait)
                if path[-1] in self.bit
            )
            for start, entry in starts
        )

    def _path_bits(self, path: Iterable[str]) -> int:
        """Return a set that may hold spaces that nobody can enter on foot."""
        return sum(1 << self._place[space] for space in path)

    def _sights(self, board: Map) -> dict[str, list[int]]:
        """Return for each space the sets that see it at no more than each distance, from 0 up."""
        exactly: dict[str, dict[int, int]] = {name: {1: self.bit[name]} for name in self.names}
        for one, seen in board.sights.items():
            for other, sight in seen.items():
                if one in self.bit and other in self.bit:
                    # `board.sights` has each pair once.
                    for a, b in ((one, other), (other, one)):
                        exactly[a][sight.distance] = exactly[a].get(sight.distance, 0) | self.bit[b]
        return {name: _summed(found) for name, found in exactly.items()}


def ground_of(board: Map, cumulative: bool) -> Ground:
    """Return the ground of a map, made once."""
    return board.derived(_grounds)[cumulative]


def _grounds(board: Map) -> Lazy[bool, Ground]:
    return Lazy(lambda cumulative: Ground(board, cumulative))


def ones(found: int) -> Iterator[int]:
    """Return the indices of a set's members."""
    while found:
        # The lowest bit that is set.
        low = found & -found
        yield low.bit_length() - 1
        found ^= low


def _summed(exactly: dict[int, int]) -> list[int]:
    found = [0]
    for distance in range(1, max(exactly) + 1):
        found.append(found[-1] | exactly.get(distance, 0))
    return found


# --- how the sniper can stand -----------------------------------------------------------------------------------


UNMOVED, MASKED, MOVED = range(3)
"""How a turn stands for a sniper on some space: may still move, may still move unheard, has moved."""


class Secret(NamedTuple):
    """Secrets on which the sniper's space depends; `looted` are bits, `maskings` counts the Sound Maskings laid."""

    objectives: tuple[int, ...]
    looted: int
    maskings: int


Stands = Mapping[int, frozenset[Secret]]
"""A set of spots -> the secrets, each of which goes with each of these spots."""


def merged(pairs: Iterable[tuple[int, Iterable[Secret]]]) -> dict[int, frozenset[Secret]]:
    """Return one entry for each set of spots, without those that are empty."""
    found: dict[int, frozenset[Secret]] = {}
    for spots, held in pairs:
        secrets = frozenset(held) if spots else frozenset()
        if secrets:
            found[spots] = found[spots] | secrets if spots in found else secrets
    return found


def spread(ground: Ground, spaces: int) -> int:
    """Return spaces with every state of the turn."""
    return spaces | spaces << MASKED * ground.size | spaces << MOVED * ground.size


def parts(ground: Ground, spots: int) -> tuple[int, int, int]:
    """Return the spaces of UNMOVED, MASKED and MOVED."""
    every = (1 << ground.size) - 1
    return spots & every, spots >> MASKED * ground.size & every, spots >> MOVED * ground.size


def together(stands: Stands) -> int:
    """Return the spots of all possibilities."""
    found = 0
    for spots in stands:
        found |= spots
    return found


def flat(ground: Ground, stands: Stands) -> int:
    """Return the spaces and arrows of all possibilities."""
    unmoved, masked, moved = parts(ground, together(stands))
    return unmoved | masked | moved
