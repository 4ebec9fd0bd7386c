"""A map as bit sets, for moving, hearing and seeing with whole sets of spaces at once; movements that are noticed.

The first bits are the spaces that can be entered, in map order. Each arrow has a bit of its own; the only step from it
leads to its entry space. All other spaces follow. Only movements and hearing use them.

A spot is a space combined with the state of the sniper's turn, so a set of spots has three times the bits of the
ground.

A hidden ghost counts as the standard sniper. Of the allied snipers, only Wren moves differently: never farther, and
where she is quieter than others, that reveals her (EN-R-10).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from engine.graph import Map
from engine.lazy import Lazy
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules.map_acts import Gait, sniper_paths
from games.sniper_elite.rules.movement import must_stay, silent_length, sniper_gait
from games.sniper_elite.rules.picture import Picture

CHUNK = 8  # Number of bits whose neighbours are looked up together

Movement = tuple[int, int, bool]
"""The spaces of a movement without its start, its end, and whether it is silent in any case."""


class Ground:
    """The tables of a map. Get it with `ground_of`. `cumulative`: the ruling R-08 is off."""

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
        """The spaces that a unit on a space hears, including spaces that no one can enter on foot."""
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
        """Return spaces as a set. None and spaces that can't be entered are ignored."""
        bit_set, bits = 0, self.bit
        for space in spaces:
            if space in bits:
                bit_set |= bits[space]
        return bit_set

    def spaces(self, bit_set: int) -> tuple[str, ...]:
        """Return the names of a set, in map order."""
        return tuple(self.names[index] for index in ones(bit_set & self.board))

    def near(self, bit_set: int) -> int:
        """Return all spaces one step from a space in `bit_set`."""
        # Look up the neighbours of CHUNK bits at a time. The table has one entry for each combination of those bits.
        reached = 0
        for table in self._near:
            if not bit_set:
                break
            reached |= table[bit_set & (1 << CHUNK) - 1]
            bit_set >>= CHUNK
        return reached

    def within(self, space: str, distance: int) -> int:
        """Return the spaces that have `space` in sight at a distance of at most `distance` (MP-DIST-01)."""
        seen = self._within[space]
        return seen[min(distance, len(seen) - 1)]

    def noisy(self, start: int, free: int) -> int:
        """Return where movements of two or three spaces end (MP-MOVE-01, MP-MOVE-09).

        Paths that return to a space are included. Their ends are also reached by staying or by a movement of one space.
        """
        # Difficult terrain ends a movement after two spaces, so a third step crosses easy ground only.
        easy = free & ~self._difficult
        first = self.near(start) & free
        second = self.near(first & easy) & free
        # With R-08 off, two difficult spaces in a row are too many for a movement of two.
        second |= self.near(first & self._difficult) & (easy if self._cumulative else free)
        return second | self.near(self.near(first & easy) & easy) & easy

    def _chunk(self, start: int) -> list[int]:
        """Return a table with the neighbours of each set of spaces, for the CHUNK spaces from `start` on."""
        steps = self.walk[start : start + CHUNK]
        table = [0]
        # The table doubles with each bit: the second half is the first half with one more bit set.
        for step in steps:
            table += [reached | step for reached in table]
        return table

    def _movements(self, key: tuple[Gait, int]) -> tuple[tuple[Movement, ...], ...]:
        """Return the movements from each space and arrow, ignoring units. The key is gait and silent length."""
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
        """Return a set that can include spaces that no one can enter on foot."""
        return sum(1 << self._place[space] for space in path)

    def _sights(self, board: Map) -> dict[str, list[int]]:
        """Return, for each space, the sets that see it at a distance of at most 0, 1, 2 and so on."""
        # A space sees itself at distance 1.
        exactly: dict[str, dict[int, int]] = {name: {1: self.bit[name]} for name in self.names}
        for one, seen in board.sights.items():
            for other, sight in seen.items():
                if one in self.bit and other in self.bit:
                    # `board.sights` has each pair only once.
                    for a, b in ((one, other), (other, one)):
                        exactly[a][sight.distance] = exactly[a].get(sight.distance, 0) | self.bit[b]
        return {name: _cumulated(by_distance) for name, by_distance in exactly.items()}


def ground_of(board: Map, cumulative: bool) -> Ground:
    """Return the ground of a map. It is built once per map."""
    return board.derived(_grounds)[cumulative]


def _grounds(board: Map) -> Lazy[bool, Ground]:
    return Lazy(lambda cumulative: Ground(board, cumulative))


def ones(bit_set: int) -> Iterator[int]:
    """Yield the indices of a set's members."""
    while bit_set:
        # Isolate the lowest set bit.
        low = bit_set & -bit_set
        yield low.bit_length() - 1
        bit_set ^= low


def _cumulated(exactly: dict[int, int]) -> list[int]:
    within = [0]
    for distance in range(1, max(exactly) + 1):
        within.append(within[-1] | exactly.get(distance, 0))
    return within


UNMOVED, MASKED, MOVED = range(3)
"""The state of the sniper's turn: can still move, can still move masked, has moved."""


class Secret(NamedTuple):
    """What the sniper's space depends on. `looted` is a bit set, `maskings` the number of Sound Masking cards laid."""

    objectives: tuple[int, ...]
    looted: int
    maskings: int


Stands = Mapping[int, frozenset[Secret]]
"""Set of spots -> the secrets. Each secret is compatible with each of the spots."""


def merged(pairs: Iterable[tuple[int, Iterable[Secret]]]) -> dict[int, frozenset[Secret]]:
    """Return one entry for each set of spots, without empty ones."""
    secrets_of: dict[int, frozenset[Secret]] = {}
    for spots, secrets in pairs:
        non_empty = frozenset(secrets) if spots else frozenset()
        if non_empty:
            secrets_of[spots] = secrets_of[spots] | non_empty if spots in secrets_of else non_empty
    return secrets_of


def spread(ground: Ground, spaces: int) -> int:
    """Return spaces combined with every state of the turn."""
    return spaces | spaces << MASKED * ground.size | spaces << MOVED * ground.size


def spaces_by_state(ground: Ground, spots: int) -> tuple[int, int, int]:
    """Return the spaces of the states UNMOVED, MASKED and MOVED."""
    every = (1 << ground.size) - 1
    return spots & every, spots >> MASKED * ground.size & every, spots >> MOVED * ground.size


def all_spots(stands: Stands) -> int:
    """Return the spots of all possibilities."""
    union = 0
    for spots in stands:
        union |= spots
    return union


def all_places(ground: Ground, stands: Stands) -> int:
    """Return the spaces and arrows of all possibilities."""
    unmoved, masked, moved = spaces_by_state(ground, all_spots(stands))
    return unmoved | masked | moved


class Notice(NamedTuple):
    """What the defenders noticed of a movement, as sets of spaces.

    The movement touched each of `zones` (where an alerted unit hears) and `barks` (a barking dog), and none of `quiet`
    (dogs that didn't bark). Unless it was silent, it touched none of `deaf` (where the other units hear).
    """

    zones: tuple[int, ...]
    deaf: int
    barks: tuple[int, ...]
    quiet: int


def noticed(view: Picture, ground: Ground, units: Collection[str] = (), dogs: Collection[str] = ()) -> Notice:
    """Return the notice of a movement that exactly `units` heard and at which exactly `dogs` barked."""
    near = {unit: ground.adjacent[space] for unit, space in view.units.items() if space is not None}
    deaf = 0
    for unit, zone in near.items():
        # Units that weren't alerted rule out noisy movements in their surroundings.
        deaf |= 0 if unit in units else zone
    zones, barks = tuple(near[unit] for unit in units), tuple(ground.bit[dog] for dog in dogs)
    return Notice(zones, deaf, barks, ground.bits(dog for dog in view.dogs if dog not in dogs))


def is_special(view: Picture) -> bool:
    """Return whether the sniper can move in other ways than the standard sniper on foot."""
    return view.options.ally is not None or view.active in ("climbing-gear", "diving-gear")


def reached(view: Picture, ground: Ground, starts: int, notice: Notice, *, masked: bool) -> dict[int, int]:
    """Return for each space in `starts` where its movements end that match the notice, `masked` by a card or not."""
    if must_stay(view):
        return {}
    movements = ground.movements[sniper_gait(view), silent_length(view)]
    barred = ground.bits(view.units.values()) | notice.quiet
    ends_of: dict[int, int] = {}
    for start in ones(starts & ~notice.quiet):
        here, ends = 1 << start, 0
        # Any movement touches a zone that includes its start.
        missing = [zone for zone in (*notice.zones, *notice.barks) if not here & zone]
        for path, end, silent in movements[start]:
            # An alert proves that the movement was noisy. Without one, it was silent, masked or out of hearing.
            loud = not (silent or masked)
            if path & barred or (notice.zones and not loud) or (loud and (path | here) & notice.deaf):
                continue
            if all(path & zone for zone in missing):
                ends |= end
        ends_of[start] = ends
    return ends_of


def movement(
    view: Picture, ground: Ground, stood: int, units: Collection[str] = (), dogs: Collection[str] = ()
) -> Callable[[int], int]:
    """Return a function from spots to the spots after a movement that exactly `units` and `dogs` noticed.

    `stood` has all spots where the sniper can be before it.
    """
    notice = noticed(view, ground, units, dogs)
    unmoved, masked, _ = spaces_by_state(ground, stood)
    loud = reached(view, ground, unmoved, notice, masked=False)
    # A masked movement alerts no unit, so an alert rules it out.
    soft = {} if units else reached(view, ground, masked, notice, masked=True)

    def after(spots: int) -> int:
        unmoved, masked, _ = spaces_by_state(ground, spots)
        all_ends = 0
        for starts, ends in ((unmoved, loud), (masked, soft)):
            for start in ones(starts):
                all_ends |= ends.get(start, 0)
        # After a movement, every spot has the state MOVED.
        return all_ends << MOVED * ground.size

    return after
