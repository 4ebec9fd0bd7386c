"""Estimate the probability that the sniper wins at the start of its turn, by logistic regression.

The weights were fitted to games of the strong bots with random errors. Each game continued from a state in which
places, wounds and secrets were changed at random; otherwise features that occur together would get wrong weights.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log

from games.sniper_elite.bots._belief import Guess
from games.sniper_elite.bots._fields import detours, step_table, strikes
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import SNIPER

LONGEST_PATH = 14  # Upper limit of a path length
STRIDE = 2.0  # Average spaces per turn
DISTANCE_DECAY = 0.65  # Factor per step by which a unit counts less for an objective

WEIGHTED = {
    "constant": 2.43,
    "completed": 0.13,
    "wounds": -0.89,
    "way": -0.63,
    "late": 0.82,
    "slack": 0.01,
    "hidden": 0.21,
    "believed": 0.02,
    "strikers": -0.18,
    "units": 0.20,
    "guarded": 0.40,
    "guards": -0.64,
}
"""Feature name -> weight."""
NAMES, WEIGHTS = tuple(WEIGHTED), tuple(WEIGHTED.values())


def outcome_facts(truth: Picture, whereabouts: Whereabouts, guess: Guess, public: Picture) -> tuple[float, ...]:
    """Return the features in the order of `NAMES`."""
    ground, me = whereabouts.ground, truth.mine
    goals = [truth.sites.objectives[number] for number in me.objectives if number not in truth.completed]
    occupied, standing = (
        ground.bits(truth.units.values()),
        [ground.index[space] for space in truth.units.values() if space],
    )
    # Before the entry, the sniper is as good as on the space of its arrow.
    start = truth.sites.entries[me.entry] if me.space is None and me.entry is not None else me.space
    first, between = (0.0, 0.0) if start is None else _tour(whereabouts, start, goals, occupied)
    way, slack = first + between, truth.countdown - 1 - first / STRIDE
    belief = guess.belief(whereabouts, public)
    here = 0 if start is None else ground.bit[start]
    strikers = sum(bool(spaces & here) for spaces in strikes(ground, truth.units).values())
    index = 0 if start is None else ground.index[start]
    return (
        1.0,
        float(len(truth.completed)),
        float(truth.wounds),
        min(way, LONGEST_PATH) / 4,
        min(0.0, slack),
        min(slack, 5.0) if slack > 0 else 0.0,
        # Halving the possible spaces costs the sniper about the same, however many there were.
        log(max(1, belief.possible.bit_count())),
        belief.likely[index],
        float(strikers),
        sum(space is not None for space in truth.units.values()) / 3,
        float(sum(truth.unit_on(goal) is not None for goal in goals)),
        sum(DISTANCE_DECAY ** step_table(ground)[ground.index[goal]][unit] for goal in goals for unit in standing),
    )


def _tour(whereabouts: Whereabouts, start: str, goals: list[str], occupied: int) -> tuple[float, float]:
    """Return the steps to the nearest goal, and from there to the other one."""
    index = whereabouts.ground.index
    ways = [detours(whereabouts.ground, index[goal], occupied) for goal in goals]
    if not goals:
        return 0.0, 0.0
    first = float(min(way[index[start]] for way in ways))
    return first, 0.0 if len(goals) == 1 else float(ways[0][index[goals[1]]])


def probability(weights: Iterable[float], row: Iterable[float]) -> float:
    """Return the probability that the sniper wins, from weights and features."""
    return 1 / (1 + exp(-sum(weight * fact for weight, fact in zip(weights, row, strict=True))))


def outcome(truth: Picture, whereabouts: Whereabouts, guess: Guess, public: Picture) -> float:
    """Return the probability that the sniper wins, 0 or 1 once the game is over."""
    if truth.over is not None:
        return float(truth.over.winner == SNIPER)
    return probability(WEIGHTS, outcome_facts(truth, whereabouts, guess, public))
