"""Estimate the probability that the sniper wins, by logistic regression on a few features.

The estimate applies at the start of the sniper's turn. The weights were fitted to the results of 9,400 games. Each game
continued from a state of another game, with health, places, cards and tokens changed at random. Without these changes,
features that occur together would get wrong weights: a sniper who has shot many defenders has often been found by many.
"""

from __future__ import annotations

from math import exp
from typing import Final

from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.terrain import NO_WAY

LONGEST: Final = 20  # Upper limit of a path length
STRIDE: Final = 2.0  # Average spaces per turn
LOW: Final = 4  # Number of hits left from which on each one matters more
UNWOUNDED: Final = 4  # Additional hits left before the first wound

WEIGHTS: Final = {
    "constant": 2.67,
    "two to do": -2.58,
    "health": 0.22,
    "low health": 0.23,
    "way": -0.08,
    "way to the first": -0.15,
    "late": 1.18,
    "turns to spare": 0.08,
    "close by": -0.14,
    "near": -0.06,
    "suspected": -0.26,
    "guarded": -0.32,
    "aim": 0.1,
    "noise": -0.21,
    "hand": 0.07,
    "defenders": -0.15,
    "possible": 0.22,
    "veteran deck": -1.58,
}


def features(p: Picture) -> dict[str, float]:
    """Return the features that `WEIGHTS` applies to. The game must not be over."""
    terrain, units = p.terrain, tuple(p.on_board.values())
    goals = [terrain.objectives[number] for number in p.undone]
    ways = [min(terrain.distance(p.space, goal), LONGEST) for goal in goals]
    # With two goals, pairing the list with its reverse gives the distances in both directions.
    between = [min(terrain.distance(goal, other), LONGEST) for goal, other in zip(goals, reversed(goals), strict=True)]
    first = min(ways)
    # The deck limits the time: it loses one card a turn, and the last objective must be reached before it is empty.
    spare = p.deck_size - (first + 1) / STRIDE
    health = len(p.stack) + UNWOUNDED * (p.wounds == 0)
    away = [terrain.distance(unit, p.space) for unit in units]
    guards = [min((terrain.distance(unit, goal) for unit in units), default=NO_WAY) for goal in goals]
    return {
        "constant": 1,
        "two to do": len(goals) == 2,
        "health": health,
        "low health": min(health, LOW),
        "way": min(map(sum, zip(ways, between, strict=True))),
        "way to the first": first,
        "late": min(0.0, spare),
        "turns to spare": min(max(spare, 0.0), 6.0),
        "close by": sum(steps <= 2 for steps in away),
        "near": sum(2 < steps <= 5 for steps in away),
        "suspected": terrain.sector_of[str(p.space)] == p.lks,
        "guarded": sum(steps <= 1 for steps in guards),
        "aim": p.bag["aim"],
        "noise": p.bag["noise"],
        "hand": len(p.hand),
        "defenders": len(units),
        "possible": len(p.possible),
        "veteran deck": p.options.deck == "veteran",
    }


def win_probability(p: Picture) -> float:
    """Return the probability that the sniper wins. Return 0 or 1 once the game is over."""
    if p.over is not None:
        return float(p.over.winner == SNIPER)
    return 1 / (1 + exp(-sum(WEIGHTS[name] * value for name, value in features(p).items())))
