"""How likely the sniper is to win: what the weights say, and the tool that fits them."""

from __future__ import annotations

from math import isclose
from random import Random

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from firmware_host.core import maps
from games.sniper_elite import GAME
from games.sniper_elite.bots._fields import steps
from games.sniper_elite.bots._outcome import NAMES, WEIGHTS, outcome, probability
from games.sniper_elite.rules.words import SNIPER
from lab.belief import start_line
from lab.outcome import fitted, observed, shake, surprise
from tests.games.sniper_elite.bots.test_searching import Followed


def test_a_wound_and_guards_at_an_objective_make_the_sniper_less_likely_to_win() -> None:
    game, compared = Followed(seed=5), 0
    for _ in game.turns("sniper", 12):
        truth = game.referee.pictures["sniper"]
        if truth.mine.space is None or truth.wounds or not truth.mine.objectives:
            continue
        goal = truth.sites.objectives[next(n for n in truth.mine.objectives if n not in truth.completed)]
        ground = game.known.ground
        ways = steps(ground)[ground.index[goal]]
        beside = next(name for name in ground.names if ways[ground.index[name]] == 1 and truth.unit_on(name) is None)
        places = {unit: ways[ground.index[space]] for unit, space in truth.units.items() if space is not None}
        farthest = max(places, key=lambda unit: places[unit])

        def told(**change: object) -> float:
            return outcome(replace(truth, **change), game.known, game.guess, game.view)  # noqa: B023

        assert told(wounds=1) < told()
        assert told(units={**truth.units, farthest: beside}) < told()
        compared += 1
    assert compared


def test_it_is_certain_once_the_game_is_over() -> None:
    game = Followed(seed=5)
    list(game.turns("sniper", 500))
    truth = game.referee.pictures["sniper"]
    assert truth.over is not None
    assert outcome(truth, game.known, game.guess, game.view) == float(truth.over.winner == SNIPER)


def test_the_weights_behind_rows_are_found_and_surprise_least() -> None:
    weights, luck = (0.5, -1.0, 2.0), Random(1)
    facts = [(1.0, luck.uniform(-2, 2), luck.uniform(-2, 2)) for _ in range(4000)]
    rows = [(row, luck.random() < probability(weights, row)) for row in facts]
    found = fitted(rows)
    assert all(isclose(one, other, abs_tol=0.2) for one, other in zip(found, weights, strict=True))
    assert surprise(found, rows) < surprise((0.0, 0.0, 0.0), rows) == pytest.approx(1.0)


def test_a_game_gives_a_row_for_each_turn_of_the_sniper_after_the_change() -> None:
    rows = [row for number in range(6) for row in observed("launch-facility", f"test/{number}")]
    assert rows
    assert {len(row) for row, _ in rows} == {len(NAMES)} == {len(WEIGHTS)}
    assert observed("launch-facility", "test/1") == observed("launch-facility", "test/1")


def test_a_change_at_random_moves_units_and_wounds_and_leaves_the_sniper_where_it_can_be() -> None:
    luck = Random(3)
    line = start_line(GAME, maps.load("launch-facility"), Chance(luck))
    while line.to_act != "defenders" or len(line.known.spaces(line.public)) < 5:
        assert line.to_act is not None
        line.act(line.goes_on(str(line.to_act)))
    before, wounds, spaces = line.truth, set(), set()
    for _ in range(20):
        shake(line, luck)
        assert line.truth.units == line.public.units
        assert line.public.dossier is None
        assert line.truth.mine.space in line.known.spaces(line.public)
        places = [space for space in line.truth.units.values() if space]
        assert len(places) == len(set(places)) == sum(space is not None for space in before.units.values())
        wounds.add(line.truth.wounds)
        spaces.add(line.truth.mine.space)
    assert line.truth.units != before.units
    assert wounds == {0, 1}
    assert len(spaces) > 1
