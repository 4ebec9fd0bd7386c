"""What the solo game asks of a map, worked out once for each: distances, ways in, sectors, crosses, starting spaces.

All that the rules know of a map's sectors, objectives, entries and starts comes from here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from heapq import heappop, heappush

from engine.graph import Map
from engine.refusal import NotUnderstood, Refused, RuleError
from engine.text import Text
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules.words import SQUADS, officer_of, soldiers_of
from games.sniper_elite_solo.rules.words import NEUTRAL, SECTORS

NO_WAY = 999
"""The distance to where no way leads, and of a defender off the board (SO-R-07, SO-R-60)."""

KEPT = 1024
"""Sets of spaces to which the distances of a map are kept, and walks of a length from a space whose ends are."""


class Terrain:
    """A map's tables for the solo game. Lists of spaces are in the map's order."""

    def __init__(self, board: Map) -> None:
        self.map = board
        self.enterable = board.enterable
        self.order = {name: index for index, name in enumerate(board.spaces)}
        sites = sites_of(board)
        self.objectives = dict(sorted(sites.objectives.items()))
        self.entries = sites.entries
        self.marks = sites.marks
        self.crosses = {colour: sites.starts.get(officer_of(colour), "") for colour in SQUADS}
        self.sectors = {sector: self._of_sector(sector) for sector in SECTORS}
        ends = [(one, other) for one, near in board.walk.items() for other in near if self._divides(one, other)]
        self.access = self.sorted({one for one, _ in ends})
        self.ladders = self.sorted({one for pair in ends if self._elevated(pair) for one in pair})
        self.perimeter = tuple(name for name in self.enterable if self._at_border(name))
        self.beside_water = frozenset(
            name for name in self.enterable if any(board.spaces[near].kind == "water" for near in board.adjacent[name])
        )
        self._distances: dict[str, Mapping[str | None, int]] = {}
        self.ends = lru_cache(maxsize=KEPT)(self._ends)
        self.to_any = lru_cache(maxsize=KEPT)(self._all_to_any)

    # --- distance -----------------------------------------------------------------------------------------------

    def distance(self, start: str | None, to: str | None) -> int:
        """What a defender pays to walk from `start` to `to`, whoever stands there (SO-KEY-01, SO-R-07, SO-R-55).

        A space that it enters costs 1, a difficult one 2. `NO_WAY` without a way, or where one of the two is None.
        """
        return self.distances(start).get(to, NO_WAY)

    def distances(self, start: str | None) -> Mapping[str | None, int]:
        """Space -> its distance from `start`; those without a way are left out."""
        if start is None:
            return {}
        found = self._distances.get(start)
        if found is None:
            found = self._distances[start] = self._walked(start)
        return found

    def nearest(self, start: str | None, to: Iterable[str]) -> int:
        """The distance to the nearest of some spaces; `NO_WAY` where there are none."""
        return NO_WAY if start is None else self.to_any(tuple(to)).get(start, NO_WAY)

    def _all_to_any(self, to: tuple[str, ...]) -> dict[str, int]:
        """Space -> its distance to the nearest of some spaces. Kept, as steps of cards ask for every space of a map."""
        return {start: min((self.distance(start, space) for space in to), default=NO_WAY) for start in self.enterable}

    def _ends(self, start: str, n: int) -> tuple[tuple[str, int], ...]:
        """The other spaces that a walk of `n` can end on, with what each costs, in the map's order."""
        paid = ((space, self.distance(start, space)) for space in self.enterable)
        return tuple((space, cost) for space, cost in paid if 0 < cost <= n)

    def closest(self, spaces: Iterable[str], to: str) -> tuple[str, ...]:
        """Of `spaces` those with the least distance from there to `to`."""
        found = list(spaces)
        least = min((self.distance(space, to) for space in found), default=NO_WAY)
        return tuple(space for space in found if self.distance(space, to) == least)

    def _walked(self, start: str) -> Mapping[str | None, int]:
        found: dict[str | None, int] = {}
        waiting = [(0, start)]
        while waiting:
            paid, space = heappop(waiting)
            if space in found:
                continue
            found[space] = paid
            for near in self.map.walk[space]:
                if near not in found:
                    heappush(waiting, (paid + 1 + self.map.spaces[near].difficult, near))
        return found

    # --- spaces -------------------------------------------------------------------------------------------------

    def sorted(self, spaces: Collection[str]) -> tuple[str, ...]:
        """Spaces in the map's order."""
        return tuple(sorted(spaces, key=self.order.__getitem__))

    def sector_of(self, space: str) -> str:
        """The sector of a space that can be entered."""
        return str(self.map.spaces[space].sector)

    def beside(self, space: str | None) -> frozenset[str]:
        """The space and those that share an edge with it (SO-KEY-03)."""
        return frozenset() if space is None else frozenset((space, *self.map.adjacent[space]))

    def within_reach(self, space: str | None) -> frozenset[str]:
        """The space and those matching-adjacent to it (SO-EOT-01)."""
        return frozenset() if space is None else frozenset((space, *self.map.matching[space]))

    def access_of(self, objective: str) -> tuple[str, ...]:
        """The access spaces closest to an objective's space (SO-KEY-14, SO-R-55)."""
        if self.map.spaces[objective].kind == "open":
            return (objective,)
        return self.closest(self.access, objective)

    def objectives_in(self, sector: str | None) -> tuple[int, ...]:
        """The numbers of a sector, ascending."""
        return tuple(number for number, space in self.objectives.items() if self.sector_of(space) == sector)

    def objective_on(self, space: str | None) -> int | None:
        """The number of an objective's space."""
        return next((number for number, where in self.objectives.items() if where == space), None)

    def suit_of(self, objective: int) -> str:
        """The sector of an objective, which stands for the suit of its card."""
        return self.sector_of(self.objectives[objective])

    def same_suit(self, objectives: Iterable[int]) -> bool:
        """Whether objectives share a suit, and one has to go back (SO-SET-12)."""
        return len({self.suit_of(objective) for objective in objectives}) == 1

    def starts(self) -> dict[str, str]:
        """Where the defenders start (SO-SET-03, SO-R-68)."""
        left_over = [self.objectives[number] for number in self.objectives_in(NEUTRAL)]
        found: dict[str, str] = {}
        for colour in SQUADS:
            spaces = [self.objectives[number] for number in self.objectives_in(colour)]
            spaces += left_over if len(spaces) == 2 else []
            found |= dict(zip((officer_of(colour), *soldiers_of(colour)), spaces, strict=True))
        return found

    def _of_sector(self, sector: str) -> tuple[str, ...]:
        return tuple(name for name in self.enterable if self.map.spaces[name].sector == sector)

    def _divides(self, one: str, other: str) -> bool:
        """Whether a door or a ladder lies between two spaces that one may walk between."""
        a, b = self.map.spaces[one], self.map.spaces[other]
        return (a.kind, a.area) != (b.kind, b.area)

    def _elevated(self, pair: Iterable[str]) -> bool:
        return any(self.map.spaces[name].kind == "elevated" for name in pair)

    def _at_border(self, name: str) -> bool:
        near = (self.map.spaces[other] for other in self.map.adjacent[name])
        return any(space.enterable and space.sector != self.map.spaces[name].sector for space in near)


def terrain_of(board: Map) -> Terrain:
    """The terrain of a map, made once."""
    return board.derived(Terrain)


def map_faults(board: Map) -> list[Text]:
    """What a drawn map lacks for this game, each a sentence; [] where it fits."""
    try:
        require_layout(board)
    except RuleError as error:
        assert isinstance(error.sentence, Text), "people read it when they choose a map"
        return [error.sentence]
    return []


def require_layout(board: Map) -> Terrain:
    """The terrain of a map that this game can be played on (SO-R-44, SO-R-19). Raises `NotUnderstood` or `Refused`."""
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
