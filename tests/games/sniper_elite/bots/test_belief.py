"""How likely bots consider each space where the sniper can be."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from firmware_host.core import maps
from games.sniper_elite import GAME
from games.sniper_elite.bots._belief import Follower, Guess, in_public
from games.sniper_elite.bots._searching import Line
from games.sniper_elite.bots._sneak_turn import Style, Turn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.events import TurnEnded
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import DEFENDERS, SNIPER
from tests.games.sniper_elite.bots.test_searching import Followed

NEST = {"nest": {"ally": "ghost", "gear": True}}


def gains(board: str, seed: str) -> Iterator[float]:
    """Yield, before each turn of the defenders, by how many bits the guess beats a uniform one."""
    chance, drawn, last = Chance(Random(seed)), maps.load(board), ""
    truth = GAME.blank(drawn, GAME.read_options({}))[SNIPER]
    public = in_public(truth)
    known = Whereabouts.begin(public)
    line = Line(GAME, truth, public, known, Guess([1.0] * known.ground.size), chance)
    for event in GAME.setup(drawn, GAME.read_options({}), chance):
        line.apply(event)
    while (seat := line.to_act) is not None:
        space = line.truth.mine.space
        if seat == DEFENDERS and last == SNIPER and space is not None:
            belief = line.guess.belief(line.whereabouts, line.public)
            yield log2(belief.likely[line.whereabouts.ground.index[space]]) + log2(belief.possible.bit_count())
        last = seat
        line.act(line.next_command(seat))


@pytest.mark.parametrize("board", ["launch-facility", pytest.param("submarine-pens", marks=pytest.mark.nightly)])
def test_guess_is_better_than_a_uniform_one(board: str) -> None:
    """A part of the gain is luck: 30 games give about 180 turns, whose mean errs by less than 0.15."""
    found = [gain for number in range(30) for gain in gains(board, f"test/{number}")]
    assert len(found) > 100
    assert sum(found) / len(found) > 0.3


@pytest.mark.parametrize("options", [{}, NEST], ids=["standard", "a ghost with gear"])
def test_forecast_is_the_belief_after_the_turn(options: Any) -> None:
    game, compared = Followed(options, seed=2), 0
    for act in game.turns(SNIPER, 60):
        if not isinstance(act, c.EndSniperTurn):
            continue
        forecast = game.guess.forecast(game.known, game.view)
        ended = TurnEnded(SNIPER)
        view, known = GAME.fold(game.view, ended), game.known.after(game.view, ended)
        believed = game.guess.after(game.view, ended, known, view).belief(known, view).likely
        assert forecast == pytest.approx(believed)
        compared += 1
    assert compared > 3


def test_forecast_ignores_gear_that_ends_with_the_turn() -> None:
    game, compared = Followed({"nest": {"gear": True}}, seed=2), 0
    for act in game.turns(SNIPER, 40):
        if isinstance(act, c.EndSniperTurn):
            geared = replace(game.view, active="climbing-gear")
            fresh = Guess(game.guess._field)
            assert fresh.forecast(game.known, geared) == game.guess.forecast(game.known, game.view)
            compared += 1
    assert compared > 3


@pytest.mark.parametrize("options", [{}, NEST], ids=["standard", "a ghost with gear"])
def test_sniper_forecasts_from_public_events_only(options: Any) -> None:
    """The sniper's seat knows its ally and gear. The defenders do not."""
    game = Followed(options, seed=3)
    follower, heard, compared = Follower(GAME, game.referee.pictures[SNIPER]), 0, 0
    for _ in game.turns(SNIPER, 40):
        told = game.referee.told[SNIPER]
        for event in told[heard:]:
            follower.told(event)
        heard = len(told)
        if game.view.pending is None:
            assert follower._whereabouts == game.known
            public = in_public(game.referee.pictures[SNIPER])
            forecast = game.guess.forecast(game.known, game.view)
            assert follower._guess.forecast(follower._whereabouts, public) == forecast
            own = game.referee.pictures[SNIPER]
            turn = Turn(own, game.known, game.guess, game.referee.legal(SNIPER), Style())
            assert turn._forecast(()) == forecast
            compared += 1
    assert compared > 10
