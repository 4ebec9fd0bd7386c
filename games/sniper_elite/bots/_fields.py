"""What bots reckon with: how far spaces are from each other on foot, and how likely something is on each of them.

Sets of spaces are bits of a `Ground`; a field is one number for each of its spaces, in its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from games.sniper_elite.rules.ground import Ground, ones

Field = Sequence[float]
FAR = 99
"""Further than anything on a board: there is no way."""


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


def stepped(ground: Ground, field: Field) -> list[float]:
    """A field after all of it went one step, to each neighbour alike."""
    found = [0.0] * ground.size
    for weight, ways in zip(field, ground.ways, strict=True):
        if weight:
            for other in ways:
                found[other] += weight / len(ways)
    return found


def masked(field: Field, spaces: int) -> list[float]:
    """The field on `spaces` alone, with a sum of 1; all alike where it was nought everywhere."""
    inside = [weight if spaces >> index & 1 else 0.0 for index, weight in enumerate(field)]
    total = sum(inside)
    if total <= 0:
        inside, total = [float(spaces >> index & 1) for index in range(len(inside))], spaces.bit_count() or 1
    return [weight / total for weight in inside]


def total(field: Field, spaces: int) -> float:
    """How much of a field lies on `spaces`."""
    return sum(field[index] for index in ones(spaces))


def ranking(field: Field) -> list[tuple[float, int]]:
    """Where a field is not nought: its numbers with their spaces as bits, the greatest first."""
    return sorted(((weight, 1 << index) for index, weight in enumerate(field) if weight), reverse=True)


def greatest(ranked: Iterable[tuple[float, int]], spaces: int, count: int) -> float:
    """The sum of a field's `count` greatest numbers on `spaces`."""
    found, left = 0.0, count
    for weight, space in ranked:
        if left and space & spaces:
            found += weight
            left -= 1
    return found


@lru_cache(maxsize=4)
def _closeness(ground: Ground, cooling: float) -> list[list[float]]:
    """For each space how near every space is: 1 where it is itself, `cooling` times as much with every step."""
    return [[cooling**steps for steps in distances(ground, 1 << index)] for index in range(ground.size)]


def warmth(ground: Ground, field: Field, cooling: float) -> list[float]:
    """How near a field's weight is to each space."""
    found = [0.0] * ground.size
    table = _closeness(ground, cooling)
    for index, weight in enumerate(field):
        if weight:
            found = [warm + weight * close for warm, close in zip(found, table[index], strict=True)]
    return found
