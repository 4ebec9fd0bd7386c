"""A hand full of Aids has more ways to commit than a screen can list: it gets some of each kind of act, never all."""

from __future__ import annotations

from random import Random

from engine.chance import Chance
from engine.referee import Referee
from firmware_host.play.pictures import MOST_OF_A_KIND, bounded, of_viewer
from games.stalingrad import GAME


def test_picture_limits_acts_of_each_type() -> None:
    options = GAME.read_options({"players": 1})
    referee = Referee(GAME, GAME.blank(None, options))
    referee.tell(GAME.setup(None, options, Chance(Random(1))))
    legal = GAME.legal(referee.pictures["player-1"], "player-1")
    many = [command for command in legal for _ in range(MOST_OF_A_KIND + 1)]
    found = bounded(many)
    kinds = [type(command) for command in found]
    assert {kinds.count(kind) for kind in kinds} == {MOST_OF_A_KIND}
    assert {type(command) for command in legal} == set(kinds), "no kind of act is lost"
    assert of_viewer(referee, "player-1")["legal"] == legal
