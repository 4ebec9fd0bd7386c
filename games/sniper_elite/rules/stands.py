"""How the sniper can stand: spaces, what is left of its turn there, and the secrets that go with them.

A spot is a space together with how the turn stands: three times the ground's bits. What follows from an event is the
business of `whereabouts.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from games.sniper_elite.rules.ground import Ground

UNMOVED, MASKED, MOVED = range(3)
"""How a turn stands for a sniper on some space: may still move, may still move unheard, has moved."""


class Secret(NamedTuple):
    """What the sniper's space can hang on; `looted` are bits, `maskings` counts the Sound Maskings laid."""

    objectives: tuple[int, ...]
    looted: int
    maskings: int


Stands = Mapping[int, frozenset[Secret]]
"""A set of spots -> the secrets, each of which goes with each of these spots."""


def merged(pairs: Iterable[tuple[int, Iterable[Secret]]]) -> dict[int, frozenset[Secret]]:
    """One entry for each set of spots; what is empty is no possibility any more."""
    found: dict[int, frozenset[Secret]] = {}
    for spots, held in pairs:
        secrets = frozenset(held) if spots else frozenset()
        if secrets:
            found[spots] = found[spots] | secrets if spots in found else secrets
    return found


def spread(ground: Ground, spaces: int) -> int:
    """Spaces, however the turn stands there."""
    return spaces | spaces << MASKED * ground.size | spaces << MOVED * ground.size


def parts(ground: Ground, spots: int) -> tuple[int, int, int]:
    """The spaces of UNMOVED, MASKED and MOVED."""
    every = (1 << ground.size) - 1
    return spots & every, spots >> MASKED * ground.size & every, spots >> MOVED * ground.size


def together(stands: Stands) -> int:
    """The spots of all possibilities."""
    found = 0
    for spots in stands:
        found |= spots
    return found


def flat(ground: Ground, stands: Stands) -> int:
    """The spaces and arrows of all possibilities."""
    unmoved, masked, moved = parts(ground, together(stands))
    return unmoved | masked | moved
