"""A hand full of Aids can be committed in more ways than a screen can list: some acts of each type are listed."""

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
    assert {type(command) for command in legal} == set(kinds), "every type of act is listed"
    assert of_viewer(referee, "player-1")["legal"] == legal
