"""What every game must do. The tests find games by scanning the folder of games, and name none of them."""

from __future__ import annotations

import pytest

from engine.game import Game
from games import find, names
from lab.authoring.checks import CHECKS, Check
from tests.games.random_play import sample_of

GAMES = [pytest.param(find(name), id=name) for name in names()]


@pytest.mark.parametrize("check", [pytest.param(check, id=name) for name, check in CHECKS.items()])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_keeps_the_contract(game: Game, check: Check) -> None:
    assert [*dict.fromkeys(check(sample_of(game)))] == []
