"""The rules of Mushrooms, each with a test that names its number."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from games.mushrooms import GAME

from engine.chance import Chance
from engine.game import TABLE
from engine.referee import Referee
from engine.refusal import Refused

BOARD = GAME.make_map(*GAME.map_names())


def position(**changed: Any) -> Referee:
    """Return a game at home, with these changes."""
    return Referee(GAME, GAME.position(BOARD, GAME.read_options({}), changed, Chance(Random(1))))


def act(game: Referee, find: int | None = None, **action: Any) -> None:
    """Make an act, with a forced find."""
    forced = [] if find is None else [("find", find)]
    game.submit("picker", GAME.read_command("picker", action), Chance(Random(1), forced))


@pytest.mark.rule("MU-WALK-01")
def test_picker_walks_to_neighbouring_spaces_only() -> None:
    game = position()
    with pytest.raises(Refused) as caught:
        act(game, type="walk", space="c3")
    assert caught.value.rule == "MU-WALK-01"
    act(game, 1, type="walk", space="b1")
    assert game.pictures[TABLE].at.at == "b1"


@pytest.mark.rule("MU-WALK-02")
def test_each_space_is_picked_once() -> None:
    game = position()
    act(game, 3, type="walk", space="b1")
    act(game, type="walk", space="a1")
    act(game, type="walk", space="b1")
    assert (game.pictures[TABLE].at.mushrooms, game.pictures[TABLE].at.toadstools) == (3, 0)


@pytest.mark.rule("MU-HOME-01")
def test_going_home_keeps_all_mushrooms() -> None:
    game = position(mushrooms=5, toadstools=1)
    act(game, type="go-home")
    assert GAME.score(game.pictures[TABLE]) == 5
    assert str(GAME.outcome(game.pictures[TABLE])) == "You come home with 5 mushrooms."
    with pytest.raises(Refused) as caught:
        act(game, type="go-home")
    assert caught.value.rule == "MU-HOME-01"


@pytest.mark.rule("MU-HOME-02")
def test_second_toadstool_leaves_half_of_the_mushrooms() -> None:
    game = position(mushrooms=5, toadstools=1)
    act(game, 0, type="walk", space="b1")
    assert GAME.score(game.pictures[TABLE]) == 2
    assert game.to_act == ()
