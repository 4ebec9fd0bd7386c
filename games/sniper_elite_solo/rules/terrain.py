"""A map's precomputed tables for the solo game: distances, access spaces, sectors, crosses and starts.

The rules read a map's sectors, objectives, entries and starts only from here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from heapq import heappop, heappush

from engine.graph import Map
from engine.lazy import Lazy
from engine.refusal import NotUnderstood, Refused, RuleError
from engine.text import Text
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules.words import SQUADS, officer_of, soldiers_of
from games.sniper_elite_solo.rules.words import NEUTRAL, SECTORS

NO_WAY = 999  # The distance if no path exists, and of a defender off the board (SO-R-07, SO-R-60)

WALK_CACHE_SIZE = 1024  # Cache size for distances to sets of spaces, and for the ends of walks


class Terrain:
    """A map's tables for the solo game. Lists of spaces are in map order.

    `sector_of`: space -> sector. `beside`: space -> itself and the spaces that share an edge with it (SO-KEY-03).
    `within_reach`: space -> itself and its matching-adjacent spaces (SO-EOT-01).
    """

    def __init__(self, board: Map) -> None:
        self.map = board
        self.enterable = board.enterable
        self.order = {name: index for index, name in enumerate(board.spaces)}
        self.sector_of = {name: str(space.sector) for name, space in board.spaces.items()}
        sites = sites_of(board)
        self.objectives = dict(sorted(sites.objectives.items()))
        self.entries = sites.entries
        self.marks = sites.marks
        self.crosses = {colour: sites.starts.get(officer_of(colour), "") for colour in SQUADS}
        self.sectors = self._by_sector(self.enterable)
        # A door or ladder connects spaces of different kinds or areas. Both of its ends are access spaces.
        ends = [(one, other) for one, near in board.walk.items() for other in near if self._is_access(one, other)]
        self.access = self.sorted({one for one, _ in ends})
        high = {name for name, space in board.spaces.items() if space.kind == "elevated"}
        self.ladders = self.sorted({one for pair in ends if not high.isdisjoint(pair) for one in pair})
        self.perimeter = tuple(name for name in self.enterable if self._at_border(name))
        self.beside_water = frozenset(
            name for name in self.enterable if any(board.spaces[near].kind == "water" for near in board.adjacent[name])
        )
        self.access_in = self._by_sector(self.access)
        self.enclosed_in = self._by_sector(name for name in self.enterable if board.spaces[name].kind == "enclosed")
        self._paid = Lazy(self._walking_costs)
        """Start -> space -> the walking cost from there, lowest first."""
        self.towards = Lazy(self._costs_to)
        """Space -> start, possibly None -> the distance from there."""
        self.approaches = lru_cache(maxsize=WALK_CACHE_SIZE)(self._walk_ends)
        self.to_any = lru_cache(maxsize=WALK_CACHE_SIZE)(self._all_to_any)
        """Tuple of spaces -> start, possibly None -> the distance to the nearest of them."""
        self.access_of = Lazy(self._nearest_access)
        """Space of an objective -> the access spaces closest to it (SO-KEY-14, SO-R-55)."""
        self.beside = Lazy(self._with_neighbours(board.adjacent))
        self.within_reach = Lazy(self._with_neighbours(board.matching))
        self._objective_on = sites.numbers

    def distance(self, start: str | None, to: str | None) -> int:
        """Return a defender's walking cost from `start` to `to` (SO-KEY-01, SO-R-07, SO-R-55).

        Each space entered costs 1, a difficult one 2, whether occupied or not. The result is `NO_WAY` if there is no
        path or a space is None.
        """
        return self.towards[to][start]

    def nearest(self, start: str | None, to: Iterable[str]) -> int:
        """Return the distance to the nearest of several spaces, or `NO_WAY` if there are none."""
        return self.to_any(tuple(to))[start]

    def _all_to_any(self, to: tuple[str, ...]) -> dict[str | None, int]:
        tables = [self.towards[space] for space in to] or [self.towards[None]]
        # Share the table of a single space instead of copying it.
        return tables[0] if len(tables) == 1 else {start: min(t[start] for t in tables) for start in tables[0]}

    def _walk_ends(self, start: str, to: tuple[str, ...], n: int) -> tuple[tuple[str, ...], ...]:
        """Return where a walk of `n` can end on a shortest path to the nearest of `to`.

        The result has the ends that are nearest to it first, then those with the next distance, and so on. It is empty
        if the walk starts on one of the spaces, or if no path leads to them.
        """
        # A space is on a shortest path if the cost to it plus the rest from it equals the whole distance.
        rest, paid = self.to_any(to), self._paid[start]
        if rest[start] in (0, NO_WAY):
            return ()
        ends: dict[int, list[str]] = {}
        for space, cost in paid.items():
            if cost > n:
                break
            if cost and cost + rest[space] == rest[start]:
                ends.setdefault(rest[space], []).append(space)
        return tuple(tuple(ends[distance]) for distance in sorted(ends))

    def closest(self, spaces: Iterable[str], to: str) -> tuple[str, ...]:
        """Return those of `spaces` with the shortest distance to `to`."""
        found = list(spaces)
        least = min((self.distance(space, to) for space in found), default=NO_WAY)
        return tuple(space for space in found if self.distance(space, to) == least)

    def _costs_to(self, to: str | None) -> dict[str | None, int]:
        # Every space and None are keys, so callers can index the table without checks.
        found: dict[str | None, int] = dict.fromkeys((*self.map.spaces, None), NO_WAY)
        if to is not None:
            found.update(self._walking_costs(to, back=True))
        return found

    def _walking_costs(self, start: str, *, back: bool = False) -> dict[str, int]:
        """Return the cost from `start` to every reachable space, with `back` from them to it (Dijkstra)."""
        found: dict[str, int] = {}
        waiting = [(0, start)]
        while waiting:
            paid, space = heappop(waiting)
            # A space can be queued several times. Its first entry has the lowest cost.
            if space in found:
                continue
            found[space] = paid
            for near in self.map.walk[space]:
                if near not in found:
                    # Entering difficult terrain costs more, so the direction of the walk matters.
                    entered = space if back else near
                    heappush(waiting, (paid + 1 + self.map.spaces[entered].difficult, near))
        return found

    def sorted(self, spaces: Collection[str]) -> tuple[str, ...]:
        """Return spaces in map order."""
        return tuple(sorted(spaces, key=self.order.__getitem__))

    def _with_neighbours(self, near: Mapping[str, Iterable[str]]) -> Callable[[str | None], frozenset[str]]:
        return lambda space: frozenset() if space is None else frozenset((space, *near[space]))

    def _nearest_access(self, objective: str) -> tuple[str, ...]:
        if self.map.spaces[objective].kind == "open":
            return (objective,)
        return self.closest(self.access, objective)

    def objectives_in(self, sector: str | None) -> tuple[int, ...]:
        """Return the numbers of a sector's objectives, in ascending order."""
        return tuple(number for number, space in self.objectives.items() if self.sector_of[space] == sector)

    def objective_on(self, space: str | None) -> int | None:
        """Return the number of the objective on a space, or None."""
        return None if space is None else self._objective_on.get(space)

    def starts(self) -> dict[str, str]:
        """Return where the defenders start (SO-SET-03, SO-R-68)."""
        # The colour with two objectives puts its third defender on the neutral objective.
        left_over = [self.objectives[number] for number in self.objectives_in(NEUTRAL)]
        found: dict[str, str] = {}
        for colour in SQUADS:
            spaces = [self.objectives[number] for number in self.objectives_in(colour)]
            # Every squad has three defenders.
            spaces += left_over if len(spaces) == 2 else []
            found |= dict(zip((officer_of(colour), *soldiers_of(colour)), spaces, strict=True))
        return found

    def _by_sector(self, spaces: Iterable[str]) -> dict[str | None, tuple[str, ...]]:
        """Return sector -> those of `spaces` in it, in the same order. The key None has no spaces."""
        listed = tuple(spaces)
        inside: dict[str | None, tuple[str, ...]] = {None: ()}
        for sector in SECTORS:
            inside[sector] = tuple(name for name in listed if self.sector_of[name] == sector)
        return inside

    def _is_access(self, one: str, other: str) -> bool:
        """Return whether a door or a ladder connects two spaces."""
        a, b = self.map.spaces[one], self.map.spaces[other]
        return (a.kind, a.area) != (b.kind, b.area)

    def _at_border(self, name: str) -> bool:
        near = (self.map.spaces[other] for other in self.map.adjacent[name])
        return any(space.enterable and space.sector != self.map.spaces[name].sector for space in near)


def terrain_of(board: Map) -> Terrain:
    """Return the terrain of a map. It is built once per map."""
    return board.derived(Terrain)


def map_faults(board: Map) -> list[Text]:
    """Return a sentence for each requirement of this game that the map doesn't meet."""
    try:
        require_layout(board)
    except RuleError as error:
        assert isinstance(error.sentence, Text), "screens show the sentence"
        return [error.sentence]
    return []


def require_layout(board: Map) -> Terrain:
    """Return the terrain of a map (SO-R-44, SO-R-19). Raises `NotUnderstood` or `Refused` for an unsuitable map."""
    terrain = terrain_of(board)
    if not all(terrain.crosses.values()):
        raise NotUnderstood(
            Text("{map} lacks the starting circle of an officer, to which defenders return.", map=Text(board.name))
        )
    numbers = {sector: len(terrain.objectives_in(sector)) for sector in SECTORS}
    if numbers[NEUTRAL] != 1 or sorted(numbers[colour] for colour in SQUADS) != [2, 3, 3]:
        raise Refused(
            "SO-R-44",
            Text(
                "{map} does not suit this game: it takes three, three and two objectives in the coloured sectors, and "
                "one in the white sector.",
                map=Text(board.name),
            ),
        )
    if set(terrain.entries.values()) & set(terrain.objectives.values()):
        raise Refused(
            "SO-R-19", Text("{map} does not suit this game: an arrow leads onto an objective.", map=Text(board.name))
        )
    return terrain
