"""The win probability, as estimated by the bots."""

from __future__ import annotations

from msgspec.structs import replace

from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._searching import win_probability
from tests.games.sniper_elite_solo.test_searching import Careful


def test_hits_and_wounds_lower_the_win_probability() -> None:
    game, compared = Careful("launch-facility", {"deck": "veteran"}, 1), 0
    for _ in game.acts():
        view = game.view
        if view.space is None or view.moved or view.pending is not None or not view.stack or view.wounds:
            continue
        now, goals = win_probability(view), [view.terrain.objectives[number] for number in view.undone]
        weaker = win_probability(replace(view, stack=view.stack[:-1]))
        assert 0 < win_probability(replace(view, wounds=1)) < weaker < now < 1
        nearest = min(goals, key=lambda goal: view.terrain.distance(view.space, goal))
        assert win_probability(replace(view, space=nearest)) >= now
        compared += 1
    assert compared > 3
    assert game.truth.over is not None, "after the game it is certain"
    assert win_probability(game.truth) == float(game.truth.over.winner == SNIPER)
