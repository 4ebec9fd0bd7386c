"""The sniper's win probability, as estimated by the bots."""

from __future__ import annotations

from msgspec.structs import replace

from games.sniper_elite.bots._fields import step_table
from games.sniper_elite.bots._outcome import outcome
from games.sniper_elite.rules.words import SNIPER
from tests.games.sniper_elite.bots.test_searching import Followed


def test_wound_and_guarded_objective_lower_the_win_probability() -> None:
    game, compared = Followed(seed=5), 0
    for _ in game.turns("sniper", 12):
        truth = game.referee.pictures["sniper"]
        if truth.mine.space is None or truth.wounds or not truth.mine.objectives:
            continue
        goal = truth.sites.objectives[next(n for n in truth.mine.objectives if n not in truth.completed)]
        ground = game.known.ground
        ways = step_table(ground)[ground.index[goal]]
        beside = next(name for name in ground.names if ways[ground.index[name]] == 1 and truth.unit_on(name) is None)
        places = {unit: ways[ground.index[space]] for unit, space in truth.units.items() if space is not None}
        farthest = max(places, key=lambda unit: places[unit])

        def win_probability(**change: object) -> float:
            return outcome(replace(truth, **change), game.known, game.guess, game.view)  # noqa: B023

        assert win_probability(wounds=1) < win_probability()
        assert win_probability(units={**truth.units, farthest: beside}) < win_probability()
        compared += 1
    assert compared


def test_win_probability_is_certain_after_the_game() -> None:
    game = Followed(seed=5)
    list(game.turns("sniper", 500))
    truth = game.referee.pictures["sniper"]
    assert truth.over is not None
    assert outcome(truth, game.known, game.guess, game.view) == float(truth.over.winner == SNIPER)
