"""Match misplaced miniatures to free places, over short ways. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from firmware_host.board.thresholds import MAX_CARRIES_TRIED
from firmware_host.board.tracking.facts import Facts

Carry = tuple[str, str]
"""From a space to a space."""


def carries(facts: Facts, sources: Mapping[str, str | None], goals: Sequence[str]) -> list[Carry]:
    """Return as many carries as possible with the fewest steps in total, the shortest first."""
    pairs = [(space, goal) for space in sources for goal in goals if fits(facts, sources[space], goal)]
    best = _all_tried(facts, [*sources], goals, pairs) if max(len(sources), len(goals)) <= MAX_CARRIES_TRIED else []
    return sorted(best or _nearest_first(facts, pairs), key=lambda carry: (facts.steps(*carry), carry))


def _all_tried(facts: Facts, sources: Sequence[str], goals: Sequence[str], pairs: list[Carry]) -> list[Carry]:
    spare = max(0, len(sources) - len(goals))
    ways = ([*zip(sources, way, strict=True)] for way in permutations([*goals, *[""] * spare], len(sources)))
    fitting = ([carry for carry in way if carry in pairs] for way in ways)
    return min(fitting, key=lambda way: (-len(way), sum(facts.steps(*carry) for carry in way), way), default=[])


def _nearest_first(facts: Facts, pairs: Iterable[Carry]) -> list[Carry]:
    found: list[Carry] = []
    for start, goal in sorted(pairs, key=lambda carry: (facts.steps(*carry), carry)):
        if all(start != other and goal != taken for other, taken in found):
            found.append((start, goal))
    return found


def fits(facts: Facts, unit: str | None, goal: str) -> bool:
    """Return whether a miniature or a look-alike belongs on a space. An unknown piece (None) fits everywhere."""
    return unit is None or facts.belongs(unit, goal)
