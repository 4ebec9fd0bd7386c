"""What bots work with: how far spaces are from each other on foot, and how likely something is on each of them.

Sets of spaces are bits of a `Ground`; a field is one number for each of its spaces, in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter, mul

from engine.lazy import Lazy
from games.sniper_elite.rules.ground import Ground, ones
from games.sniper_elite.rules.words import SQUAD_OF, SQUADS

Field = Sequence[float]
FAR = 99  # Further than anything on a board: there is no way
GROUNDS = 8  # For how many grounds the tables are kept


def distances(ground: Ground, goals: int, free: int = -1) -> list[int]:
    """For each space the steps to the nearest of `goals`, through `free` spaces only; FAR where none leads there."""
    found = [FAR] * ground.size
    ring, seen, steps = goals, goals, 0
    while ring:
        for index in ones(ring):
            found[index] = steps
        ring = ground.near(ring) & free & ground.board & ~seen
        seen |= ring
        steps += 1
    return found


@lru_cache(maxsize=GROUNDS)
def steps(ground: Ground) -> Lazy[int, list[int]]:
    """Index of a goal -> for each space the steps to it, whatever stands in the way."""
    return Lazy(lambda index: distances(ground, 1 << index))


@lru_cache(maxsize=GROUNDS)
def moved_to(ground: Ground) -> Lazy[str, int]:
    """Space -> about where the Move of a unit on it can end, whatever stands there."""
    return Lazy(lambda space: _two_steps(ground, ground.bit[space]))


def _two_steps(ground: Ground, here: int) -> int:
    near = ground.near(here)
    return (near | ground.near(near)) & ground.board


def strikes(ground: Ground, units: Mapping[str, str | None]) -> dict[str, int]:
    """Squad -> the spaces that it can attack in its next turn, its Moves to begin with."""
    found = dict.fromkeys(SQUADS, 0)
    for unit, space in units.items():
        if space is not None:
            found[SQUAD_OF[unit]] |= ground.bit[space] | moved_to(ground)[space]
    return found


@lru_cache(maxsize=GROUNDS)
def around(ground: Ground) -> Lazy[int, int]:
    """Index of a space -> all spaces that the sniper can touch in a turn from there."""
    return Lazy(lambda index: _two_steps(ground, ground.near(1 << index)) | 1 << index)


@lru_cache(maxsize=1 << 15)
def noisy(ground: Ground, index: int, free: int) -> int:
    """`Ground.noisy` from one space; `free` are those `around` it alone, so that much the same is asked again."""
    return ground.noisy(1 << index, free)


def masked(field: Field, spaces: int) -> list[float]:
    """Return the field on `spaces` alone, with a sum of 1; all alike where it was zero everywhere."""
    inside = [0.0] * len(field)
    for index in ones(spaces):
        inside[index] = field[index]
    total = sum(inside)
    # Nothing was likely there: all spaces count alike.
    if total <= 0:
        inside, total = [float(spaces >> index & 1) for index in range(len(inside))], spaces.bit_count() or 1
    return [weight / total for weight in inside]


def total(field: Field, spaces: int) -> float:
    """Return how much of a field lies on `spaces`."""
    return sum(field[index] for index in ones(spaces))


def ranking(field: Field) -> list[tuple[float, int]]:
    """Return where a field is not zero: its numbers with their spaces as bits, the greatest first."""
    return sorted(((weight, 1 << index) for index, weight in enumerate(field) if weight), reverse=True)


def greatest(ranked: Iterable[tuple[float, int]], spaces: int, count: int) -> float:
    """Return the sum of a field's `count` greatest numbers on `spaces`."""
    if not spaces or not count:
        return 0.0
    found, left = 0.0, count
    for weight, space in ranked:
        if space & spaces:
            found += weight
            left -= 1
            if not left:
                break
    return found


@lru_cache(maxsize=2 * GROUNDS)
def _closeness(ground: Ground, cooling: float) -> list[list[float]]:
    """For each space how near it is to every other: 1 where it is itself, `cooling` times as much with every step."""
    rows = [[cooling**count for count in distances(ground, 1 << index)] for index in range(ground.size)]
    return [list(column) for column in zip(*rows, strict=True)]


def warmth(ground: Ground, field: Field, cooling: float) -> Callable[[int], float]:
    """Return how near a field's weight is to a space, by the space's index; computed when it is first asked for."""
    table = _closeness(ground, cooling)
    somewhere = [index for index, weight in enumerate(field) if weight]
    weights = [field[index] for index in somewhere]
    if len(somewhere) < 2:
        return lambda index: sum(weight * table[index][there] for there, weight in zip(somewhere, weights, strict=True))
    there = itemgetter(*somewhere)
    return Lazy[int, float](lambda index: sum(map(mul, weights, there(table[index])))).__getitem__


AROUND = 3
"""How many steps further a way counts that leads through units, as they may have to be shot first."""


@lru_cache(maxsize=256)
def detours(ground: Ground, goal: int, held: int) -> list[int]:
    """The steps from every space to the goal, an index, around the spaces `held`; through them where it is shorter."""
    around, through = distances(ground, 1 << goal, ~held), steps(ground)[goal]
    return [min(one, other + AROUND) for one, other in zip(around, through, strict=True)]
