"""Basic tools of the bots: walking distances between spaces, and fields.

A set of spaces is a bit mask of a `Ground`. A field has one number for each space of the ground, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter, mul

from engine.lazy import Lazy
from games.sniper_elite.rules.ground import Ground, ones
from games.sniper_elite.rules.words import SQUAD_OF, SQUADS

Field = Sequence[float]
FAR = 99  # Greater than any distance on a board: there is no path
GROUNDS = 8  # Number of grounds whose tables are cached


def distances(ground: Ground, goals: int, free: int = -1) -> list[int]:
    """Return for each space the steps to the nearest of `goals` over spaces in `free`, or `FAR` without a path."""
    distance_of = [FAR] * ground.size
    ring, seen, steps = goals, goals, 0
    while ring:
        for index in ones(ring):
            distance_of[index] = steps
        # Breadth-first search with bit sets: `ring` has all spaces at the current distance.
        ring = ground.near(ring) & free & ground.board & ~seen
        seen |= ring
        steps += 1
    return distance_of


@lru_cache(maxsize=GROUNDS)
def step_table(ground: Ground) -> Lazy[int, list[int]]:
    """Return a table: index of a goal -> for each space the steps to it, ignoring units."""
    return Lazy(lambda index: distances(ground, 1 << index))


@lru_cache(maxsize=GROUNDS)
def moved_to(ground: Ground) -> Lazy[str, int]:
    """Return a table: space -> roughly where a unit's Move from it can end, ignoring units."""
    return Lazy(lambda space: _two_steps(ground, ground.bit[space]))


def _two_steps(ground: Ground, here: int) -> int:
    near = ground.near(here)
    return (near | ground.near(near)) & ground.board


def strikes(ground: Ground, units: Mapping[str, str | None]) -> dict[str, int]:
    """Return squad -> the spaces that it can attack in its next turn, including after a Move."""
    reach = dict.fromkeys(SQUADS, 0)
    for unit, space in units.items():
        if space is not None:
            reach[SQUAD_OF[unit]] |= ground.bit[space] | moved_to(ground)[space]
    return reach


@lru_cache(maxsize=GROUNDS)
def around(ground: Ground) -> Lazy[int, int]:
    """Return a table: index of a space -> all spaces that the sniper can touch in one turn from there."""
    return Lazy(lambda index: _two_steps(ground, ground.near(1 << index)) | 1 << index)


@lru_cache(maxsize=1 << 15)
def noisy(ground: Ground, index: int, free: int) -> int:
    """Return `Ground.noisy` for one space. Limit `free` to the spaces `around` it, so the cache is effective."""
    return ground.noisy(1 << index, free)


@lru_cache(maxsize=1 << 12)
def members(spaces: int) -> tuple[int, ...]:
    """Return the indices of a set. Many sets come again, so the last ones are stored."""
    return tuple(ones(spaces))


def masked(field: Field, spaces: int, least: float = 0.0) -> list[float]:
    """Return the field restricted to `spaces`, scaled to a sum of 1. Where it is zero, all of them weigh the same.

    `least` is the minimum weight of each, as a share of the greatest.
    """
    inside = members(spaces)
    weights = [field[index] for index in inside]
    if least and weights:
        lowest = least * max(weights)
        weights = [max(lowest, weight) for weight in weights]
    total = sum(weights)
    # All weights are zero, so use equal weights for all spaces.
    if total <= 0:
        weights, total = [1.0] * len(inside), len(inside)
    scaled = [0.0] * len(field)
    for index, weight in zip(inside, weights, strict=True):
        scaled[index] = weight / total
    return scaled


def total(field: Field, spaces: int) -> float:
    """Return the sum of a field over `spaces`."""
    return sum(field[index] for index in ones(spaces))


def ranking(field: Field) -> list[tuple[float, int]]:
    """Return the nonzero weights of a field with their spaces as bits, greatest first."""
    return sorted(((weight, 1 << index) for index, weight in enumerate(field) if weight), reverse=True)


def sum_of_greatest(ranked: Iterable[tuple[float, int]], spaces: int, count: int) -> float:
    """Return the sum of the `count` greatest weights on `spaces`."""
    if not spaces or not count:
        return 0.0
    weight_sum, left = 0.0, count
    for weight, space in ranked:
        if space & spaces:
            weight_sum += weight
            left -= 1
            if not left:
                break
    return weight_sum


@lru_cache(maxsize=2 * GROUNDS)
def _closeness(ground: Ground, cooling: float) -> list[list[float]]:
    """Return for each space its closeness to every other: 1 for itself, times `cooling` per step."""
    # `distances` measures towards a goal, so transpose the table to look up by start.
    rows = [[cooling**count for count in distances(ground, 1 << index)] for index in range(ground.size)]
    return [list(column) for column in zip(*rows, strict=True)]


def warmth(ground: Ground, field: Field, cooling: float) -> Callable[[int], float]:
    """Return a function from a space's index to how near a field's weight is to it. Values are computed on demand."""
    table = _closeness(ground, cooling)
    somewhere = [index for index, weight in enumerate(field) if weight]
    weights = [field[index] for index in somewhere]
    # With fewer than two indices, `itemgetter` doesn't return a tuple.
    if len(somewhere) < 2:
        return lambda index: sum(weight * table[index][there] for there, weight in zip(somewhere, weights, strict=True))
    there = itemgetter(*somewhere)
    return Lazy[int, float](lambda index: sum(map(mul, weights, there(table[index])))).__getitem__


DETOUR_STEPS = 3  # Extra steps counted for a path through units, because they may have to be shot first


@lru_cache(maxsize=256)
def detours(ground: Ground, goal: int, occupied: int) -> list[int]:
    """Return the steps from every space to the index `goal`. Crossing an `occupied` one costs `DETOUR_STEPS` extra."""
    around, through = distances(ground, 1 << goal, ~occupied), step_table(ground)[goal]
    # A path around units can be long or missing, so compare it with one through them.
    return [min(one, other + DETOUR_STEPS) for one, other in zip(around, through, strict=True)]
