"""How likely the sniper is to win, seen at the start of its turn: a logistic sum of a few facts.

The weights were fitted, by logistic regression, to 1,500 games on both maps, with both decks, of bots that erred at
random.
"""

from __future__ import annotations

from math import exp

from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.options import chosen_deck
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.terrain import NO_WAY

LONGEST = 20
"""A way is not counted as any longer."""
STRIDE = 2.0
"""Spaces that a turn brings, about."""
CLOSE = (1.0, 1.0, 0.6, 0.35, 0.15)
"""What a defender counts that stands so many spaces away."""
GUARDING = 0.6
"""An objective counts as guarded by this power of the way of the defender nearest to it."""

WEIGHTS = {
    "constant": 1.52,
    "two to do": -2.28,
    "health": 0.11,
    "health after a wound": 0.28,
    "wounds": -1.75,
    "way": -0.06,
    "way to the first": -0.2,
    "late": 1.44,
    "turns to spare": 0.16,
    "defenders close by": -0.17,
    "objectives held": 0.27,
    "objectives guarded": -0.62,
    "aim": -0.06,
    "noise": -0.28,
    "hand": -0.07,
    "defenders": 0.38,
    "possible": 0.08,
    "veteran deck": -2.13,
}


def facts(p: Picture) -> dict[str, float]:
    """What the weights are for, of a game that goes on."""
    terrain, units = p.terrain, tuple(p.on_board.values())
    goals = [terrain.objectives[number] for number in p.undone]

    def leg(start: str | None, to: str) -> int:
        return min(terrain.distance(start, to), LONGEST)

    first = min(leg(p.space, goal) for goal in goals)
    between = leg(goals[0], goals[-1])
    spare = p.deck_size - (first + 1) / STRIDE
    away = [terrain.distance(unit, p.space) for unit in units]
    guards = [min((terrain.distance(unit, goal) for unit in units), default=NO_WAY) for goal in goals]
    return {
        "constant": 1.0,
        "two to do": float(len(goals) == 2),
        "health": float(len(p.stack) * (p.wounds == 0)),
        "health after a wound": float(len(p.stack) * (p.wounds == 1)),
        "wounds": float(p.wounds),
        "way": float(first + between),
        "way to the first": float(first),
        "late": min(0.0, spare),
        "turns to spare": min(max(spare, 0.0), 5.0),
        "defenders close by": sum(CLOSE[steps] for steps in away if steps < len(CLOSE)),
        "objectives held": float(sum(guard == 0 for guard in guards)),
        "objectives guarded": sum(GUARDING**guard for guard in guards),
        "aim": float(p.bag["aim"]),
        "noise": float(p.bag["noise"]),
        "hand": float(len(p.hand)),
        "defenders": float(len(units)),
        "possible": float(len(p.possible)),
        "veteran deck": float(chosen_deck(p.options) == "veteran"),
    }


def outcome(p: Picture) -> float:
    """How likely the sniper is to win, from 0 to 1; certain once the game is over."""
    if p.over is not None:
        return float(p.over.winner == SNIPER)
    return 1 / (1 + exp(-sum(WEIGHTS[name] * fact for name, fact in facts(p).items())))
