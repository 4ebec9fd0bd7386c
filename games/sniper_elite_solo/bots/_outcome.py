"""How likely the sniper is to win, seen at the start of its turn: a logistic sum of a few facts.

The weights were fitted, as `lab/solo_outcome.py` does it, to the ends of 9,400 games, each played on from a moment of
another game in which health, places, cards and tokens had been changed at random. Without the changes a fact would be
judged by what goes with it: a sniper who has shot many defenders has often been found by many.
"""

from __future__ import annotations

from math import exp
from typing import Final

from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.options import chosen_deck
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.terrain import NO_WAY

LONGEST: Final = 20
"""A way is not counted as any longer."""
STRIDE: Final = 2.0
"""Spaces that a turn brings, about."""
LOW: Final = 4
"""Hits that are left when each more matters most."""
UNWOUNDED: Final = 4
"""Hits that are left beyond the stack until the first wound."""

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


def facts(p: Picture) -> dict[str, float]:
    """What the weights are for, of a game that goes on."""
    terrain, units = p.terrain, tuple(p.on_board.values())
    goals = [terrain.objectives[number] for number in p.undone]
    ways = [min(terrain.distance(p.space, goal), LONGEST) for goal in goals]
    between = [min(terrain.distance(goal, other), LONGEST) for goal, other in zip(goals, reversed(goals), strict=True)]
    first = min(ways)
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
        "suspected": terrain.sector_of(str(p.space)) == p.lks,
        "guarded": sum(steps <= 1 for steps in guards),
        "aim": p.bag["aim"],
        "noise": p.bag["noise"],
        "hand": len(p.hand),
        "defenders": len(units),
        "possible": len(p.possible),
        "veteran deck": chosen_deck(p.options) == "veteran",
    }


def outcome(p: Picture) -> float:
    """How likely the sniper is to win, from 0 to 1; certain once the game is over."""
    if p.over is not None:
        return float(p.over.winner == SNIPER)
    return 1 / (1 + exp(-sum(WEIGHTS[name] * fact for name, fact in facts(p).items())))
