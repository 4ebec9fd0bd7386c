"""SNAFU: of all that a defender could do, what is worst for the sniper happens (SO-SNF-01, SO-R-05, SO-R-60).

An outcome is a defender and the space on which it ends. It is judged as it would play out: with the mine that it sets
off, and with the hit that its arrival gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.events import Event
from games.sniper_elite.rules.events import Killed, MineTriggered, Moved
from games.sniper_elite.rules.words import UNITS
from games.sniper_elite_solo.rules.events import Attracted, Deployed, Outcome, Snafu
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.telling import Telling, hit
from games.sniper_elite_solo.rules.terrain import NO_WAY

Badness = tuple[int, int, int, int, int, int, int]
"""The list of SO-R-05; greater is worse."""
Way = type[Moved] | type[Deployed] | type[Attracted]
"""How a defender comes to a space: the event that tells of it, made from unit, start and end."""

WALK: Way = Moved
DEPLOY: Way = Deployed
NOISE: Way = Attracted
HITS: dict[type[Event], str] = {Deployed: "deploy", Attracted: "noise"}
"""What gives a hit on arriving, and its cause (SO-SUM-01); a walk gives none (SO-KEY-10)."""


def badness(view: Picture, outcome: Outcome, way: Way | None) -> Badness:
    """How bad an outcome is; `way` None places the defender without any effect (SO-R-21, SO-R-33)."""
    unit, space = outcome
    arrives = way is not None and space != view.units[unit]
    mined = arrives and space in view.mines
    units = {**view.units, unit: None if mined else space}
    hurt = arrives and not mined and way in HITS and space == view.space
    defeated, wounded, hits = _hurt(view) if hurt else (0, 0, 0)
    terrain, standing = view.terrain, list(units.values())
    near = not terrain.within_reach(view.space).isdisjoint(standing)
    goals = [terrain.objectives[number] for number in view.undone]
    held = sum(goal in standing for goal in goals)
    tables = [terrain.distances(space) for space in standing]
    guards = sum(min(table.get(goal, NO_WAY) for table in tables) for goal in goals)
    closing = sum(table.get(view.space, NO_WAY) for table in tables)
    return defeated, wounded, hits, int(near), held, -guards, -closing


def _hurt(view: Picture) -> tuple[int, int, int]:
    """Whether one more hit defeats, whether it wounds, and whether it counts (SO-HIT-02..05)."""
    if view.hits >= view.numbers.hit_cap or view.wounded:
        return 0, 0, 0
    if view.stack:
        return 0, 0, 1
    return int(view.wounds == 1), 1, 1


def choose(telling: Telling, outcomes: Iterable[Outcome], judge: Callable[[Outcome], Badness]) -> Outcome:
    """The worst of some outcomes; any of them where several are equally bad. There has to be one."""
    order = telling.truth.terrain.order
    found = sorted(set(outcomes), key=lambda outcome: (UNITS.index(outcome[0]), order[outcome[1]]))
    judged = [judge(outcome) for outcome in found]
    worst_of_all = max(judged)
    among = tuple(outcome for outcome, bad in zip(found, judged, strict=True) if bad == worst_of_all)
    if len(among) == 1:
        return among[0]
    chosen: Outcome = telling.chance.order("snafu", among, "SO-SNF-01")[0]
    telling.to_all(Snafu(among, chosen))
    return chosen


def worst(telling: Telling, outcomes: Iterable[Outcome], way: Way) -> Outcome:
    """The worst of what defenders could do in this `way`."""
    view = telling.truth
    return choose(telling, outcomes, lambda outcome: badness(view, outcome, way))


def carry_out(telling: Telling, outcome: Outcome, way: Way) -> None:
    """A defender does it, with what follows (SO-R-33)."""
    unit, space = outcome
    start = telling.truth.units[unit]
    if start is None or start == space:
        return
    event = way(unit, start, space)
    telling.to_all(event)
    if arrived_on_mine(telling, unit, space):
        return
    cause = HITS.get(type(event))
    if cause is not None and space == telling.truth.space:
        hit(telling, cause, unit)


def arrived_on_mine(telling: Telling, unit: str, space: str) -> bool:
    """A defender has ended a movement on `space`: a mine there kills it (SO-LDO-03, SO-R-32)."""
    if space not in telling.truth.mines:
        return False
    telling.to_all(MineTriggered(unit, space))
    telling.to_all(Killed(unit, "mine"))
    return True


def least(distances: dict[str, int]) -> list[str]:
    """Those with the least distance."""
    best = min(distances.values(), default=NO_WAY)
    return [name for name, distance in distances.items() if distance == best]


def most(distances: dict[str, int]) -> list[str]:
    """Those with the greatest distance."""
    best = max(distances.values(), default=0)
    return [name for name, distance in distances.items() if distance == best]
