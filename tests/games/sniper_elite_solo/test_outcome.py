"""The win probability, and the tool that fits its weights."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._dealing import Memory, sample_truth
from games.sniper_elite_solo.bots._outcome import WEIGHTS, win_probability
from games.sniper_elite_solo.rules.validation import validate_position
from lab.solo_outcome import observed, shaken
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
    assert game.truth.over is not None, "then it is certain"
    assert win_probability(game.truth) == float(game.truth.over.winner == SNIPER)


def test_shaken_picture_is_possible() -> None:
    game = Careful("submarine-pens", {"deck": "veteran"}, 3)
    for number, _ in enumerate(game.acts()):
        if game.view.space is not None and game.view.pending is None and not game.view.moved and not game.view.acted:
            start = shaken(game.view, Random(number))
            validate_position(sample_truth(start, Memory(), Random(number)))
            assert start.map is game.view.map


def test_observed_rows_are_deterministic() -> None:
    rows = observed("launch-facility", "veteran", "1")
    assert rows
    assert {len(row) for row, _ in rows} == {len(WEIGHTS)}
    assert observed("launch-facility", "veteran", "1") == rows
