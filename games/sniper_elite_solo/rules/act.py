"""The act being resolved, the sniper's hits, and the worst of several outcomes (SO-SNF-01, SO-R-05, SO-R-60).

An outcome is a defender and its final space. Its rating includes all consequences: the mine that it triggers and the
hit that its arrival causes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine import telling
from engine.chance import Chance
from engine.events import Event, only
from games.sniper_elite.rules.events import GameOver, Killed, MineTriggered, Moved, Wounded
from games.sniper_elite.rules.words import SNIPER, UNITS
from games.sniper_elite_solo.rules.events import Arrival, Attracted, Deployed, Hit, LksUpdated, Opened, Snafu
from games.sniper_elite_solo.rules.fold import fold
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.terrain import NO_WAY
from games.sniper_elite_solo.rules.words import WINNERS


class Telling(telling.Telling[Picture]):
    """An act being resolved. `truth` is the referee's picture after all events in `told`."""

    def __init__(self, truth: Picture, chance: Chance) -> None:
        super().__init__(truth, chance, fold)

    @property
    def over(self) -> bool:
        """Whether the game has ended. No event can follow."""
        return self.truth.over is not None

    def to_sniper(self, event: Event) -> None:
        """Send `event` to the player only."""
        self.tell(event, only(SNIPER))


def hit(telling: Telling, cause: str, by: str | None = None) -> None:
    """Give the sniper a hit, if the hit counts (SO-HIT-01..05)."""
    p = telling.truth
    if p.hits >= p.numbers.hit_cap or p.wounded:
        return
    telling.tell(Hit(cause, by, p.stack[-1] if p.stack else None))
    if p.stack:
        return
    telling.tell(Wounded(p.wounds + 1))
    if p.wounds + 1 == 2:
        finish(telling, "wounds")


def update_lks(telling: Telling) -> None:
    """Set the last known sector to the sniper's sector (SO-LKS-01)."""
    telling.tell(LksUpdated(telling.truth.terrain.sector_of[str(telling.truth.space)]))


def reveal(telling: Telling) -> None:
    """Reveal the sniper's position (SO-LKS-02)."""
    update_lks(telling)
    hit(telling, "reveal")


def finish(telling: Telling, reason: str) -> None:
    """End the game and reveal everything that was hidden."""
    telling.tell(GameOver(WINNERS[reason], reason))
    p = telling.truth
    assert p.deck is not None, "the referee knows the deck"
    telling.tell(Opened(p.mine, tuple(slot.card for slot in p.slots), p.deck))


Badness = tuple[int, int, int, int, int, int, int]
"""The criteria of SO-R-05 in order. Greater values are worse."""
ArrivalKind = type[Moved]  # How a defender reaches a space: the event class, called with unit, start and end

ORDER = {unit: number for number, unit in enumerate(UNITS)}
HITS: dict[type[Event], str] = {Deployed: "deploy", Attracted: "noise"}
"""Arrivals that hit -> the cause of the hit (SO-SUM-01). A walk doesn't hit (SO-KEY-10)."""


def badness(view: Picture, outcome: Arrival, way: ArrivalKind | None) -> Badness:
    """Return how bad an outcome is. If `way` is None, the defender is placed without any effect (SO-R-21, SO-R-33)."""
    return _judge(view, way)(outcome)


def _judge(view: Picture, way: ArrivalKind | None) -> Callable[[Arrival], Badness]:
    """Return `badness` for outcomes in one picture: what they have in common is worked out once."""
    units, towards, standing = view.units, view.terrain.towards, [*view.units.values()]
    reach, closeness = view.terrain.within_reach[view.space], towards[view.space]
    near, closing = len([space for space in standing if space in reach]), sum(map(closeness.__getitem__, standing))
    goals = []
    for distances in [towards[view.terrain.objectives[number]] for number in view.undone]:
        # If one of them is missing, the nearest is the second.
        least, second = sorted(map(distances.__getitem__, standing))[:2]
        goals.append((distances, least, second))

    def judge(outcome: Arrival) -> Badness:
        unit, space = outcome
        start, harm = units[unit], (0, 0, 0)
        end: str | None = space
        if way is not None and space != start:
            # A defender that dies on a mine neither hits the sniper nor stands anywhere afterwards.
            if space in view.mines:
                end = None
            elif space == view.space and way in HITS:
                harm = _hit_effect(view)
        # From here on, the criteria look at the board after the outcome.
        held = guards = 0
        for distances, least, second in goals:
            guard = min(distances[end], second if distances[start] == least else least)
            held += not guard
            guards += guard
        is_near = near - (start in reach) + (end in reach) > 0
        # Distances are negated: closer is worse for the sniper.
        return *harm, int(is_near), held, -guards, closeness[start] - closeness[end] - closing

    return judge


def _hit_effect(view: Picture) -> tuple[int, int, int]:
    """Return whether one more hit defeats, wounds and counts (SO-HIT-02..05)."""
    if view.hits >= view.numbers.hit_cap or view.wounded:
        return 0, 0, 0
    if view.stack:
        return 0, 0, 1
    return int(view.wounds == 1), 1, 1


def choose_worst(
    telling: Telling, outcomes: Iterable[Arrival], prepare: Callable[[], Callable[[Arrival], Badness]]
) -> Arrival:
    """Return the worst outcome. There must be at least one. Ties are broken at random."""
    different = {*outcomes}
    if len(different) == 1:
        return different.pop()
    order = telling.truth.terrain.order
    # A fixed order makes random choices repeatable from the same forced results.
    found = sorted(different, key=lambda outcome: (ORDER[outcome[0]], order[outcome[1]]))
    judged = [*map(prepare(), found)]
    bad = max(judged)
    # Everyone is told which outcomes were equally bad, and which of them was drawn.
    among = tuple(outcome for outcome, its in zip(found, judged, strict=True) if its == bad)
    if len(among) == 1:
        return among[0]
    chosen: Arrival = telling.chance.order("snafu", among, "SO-SNF-01")[0]
    telling.tell(Snafu(among, chosen))
    return chosen


def do_worst(telling: Telling, outcomes: Iterable[Arrival], way: ArrivalKind) -> tuple[str, bool]:
    """Carry out the worst outcome (SO-R-33). Return its defender and whether it changed its space."""
    view = telling.truth
    unit, space = choose_worst(telling, outcomes, lambda: _judge(view, way))
    start = view.units[unit]
    if start is None or start == space:
        return unit, False
    telling.tell(way(unit, start, space))
    if not trigger_mine(telling, unit, space) and way in HITS and space == telling.truth.space:
        hit(telling, HITS[way], unit)
    return unit, True


def trigger_mine(telling: Telling, unit: str, space: str) -> bool:
    """Kill a defender that ended its movement on a mine (SO-LDO-03, SO-R-32). Return whether there was one."""
    if space not in telling.truth.mines:
        return False
    telling.tell(MineTriggered(unit, space))
    telling.tell(Killed(unit, "mine"))
    return True


def nearest(distances: dict[str, int]) -> list[str]:
    """Return the names with the shortest distance."""
    shortest = min(distances.values(), default=NO_WAY)
    return [name for name, distance in distances.items() if distance == shortest]
