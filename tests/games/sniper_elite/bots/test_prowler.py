"""How the prowler plays the sniper, in positions with an obvious best act."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import Command
from games.sniper_elite.bots._belief import Guess
from games.sniper_elite.bots._sneak_turn import Style, Turn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.movement import alerted
from games.sniper_elite.rules.whereabouts import Whereabouts
from tests.games.sniper_elite.duel import BotTurn, sniper_turn

TEAM = {"yellow": {"card": "kennel-master"}, "red": {"card": "scout"}, "black": {"card": "jaeger"}}
NOISE = {"aim": 0, "noise": 8, "recoil": 0, "suppression": 0}
"""A bag with which no shot can hit."""


class Night(BotTurn):
    """The prowler in a described turn, with objectives b2 in the yellow sector and f4 in the black one."""

    def __init__(self, space: str | None, **more: Any) -> None:
        standard = {"specialists": TEAM, "units": {}, "hand": ()}
        super().__init__("prowler", "sniper", sniper_turn(space, **standard | more))


def test_last_objective_is_completed_at_once() -> None:
    night = Night("b1", completed=[8])
    night.turn()
    assert night.view.over is not None
    assert night.view.over.winner == "sniper"


def test_first_objective_is_left_quickly() -> None:
    turn = Night("b2", units={"red-1": "b5"}).turn()
    assert [type(act) for act in turn] == [c.Complete, c.Move, c.EndSniperTurn]
    assert isinstance(turn[1], c.Move)
    assert len(turn[1].path) > 1


def test_objective_needs_a_way_out_unless_time_runs_out() -> None:
    night = Night("b2", units={"red-1": "b4", "yellow-1": "d2"}, moved=True, bag=NOISE)
    assert isinstance(night.acts(), c.EndSniperTurn)
    night = Night("b2", units={"red-1": "b4", "yellow-1": "d2"}, moved=True, countdown=1, round=10, bag=NOISE)
    assert night.acts() == c.Complete(1)


def test_prowler_moves_where_no_unit_hears_it() -> None:
    night = Night("e6", units={"red-1": "c6"}, bag=NOISE)
    move = night.acts()
    assert isinstance(move, c.Move)
    assert len(move.path) > 1
    assert alerted(sniper_turn("e6", units={"red-1": "c6"}).truth, "e6", move.path) == ()


@pytest.mark.parametrize("seed", range(5))
def test_prowler_enters_by_an_arrow_near_an_objective(seed: int) -> None:
    night = Night(None)
    night.chance = Chance(Random(seed))
    assert night.acts() in (c.ChooseEntry("white"), c.ChooseEntry("red"))
    assert isinstance(night.acts(), c.Move)


def test_unit_on_the_objective_is_shot_with_good_odds() -> None:
    night = Night("b1", completed=[8], units={"yellow-1": "b2"})
    shot = night.acts()
    assert isinstance(shot, c.Shoot)
    assert shot.target == "yellow-1"
    assert shot.draw is not None
    assert shot.draw > 1


def test_unit_on_the_objective_is_distracted_if_possible() -> None:
    night = Night("b1", completed=[8], units={"yellow-1": "b2"}, hand=["distraction"])
    first, *rest = night.turn()
    assert isinstance(first, c.Play)
    assert first.unit == "yellow-1"
    assert rest[-1] == c.Complete(1)


def test_good_loadout_is_kept() -> None:
    night = Night("a1")
    legal: list[Command] = [
        c.ChooseLoadout(("tommy-gun", "trench-gun", "s-mine")),
        c.ChooseLoadout(("sound-masking", "silenced-ammo", "distraction")),
    ]
    assert night.bot.choose(night.view, legal, night.chance) == legal[1]


def test_sniper_with_time_loots_its_space() -> None:
    night = Night("c1", objectives=(1, 8))
    assert c.Loot() in night.turn()


def test_mine_is_laid_where_the_sniper_was_seen() -> None:
    turn = Night("d5", units={"red-1": "d8"}, hand=["s-mine"]).revealed_on("d5").turn()
    kinds = [type(act) for act in turn]
    assert kinds.index(c.Play) < kinds.index(c.Move)


def test_sniper_about_to_win_does_not_loot() -> None:
    """The sniper can loot on c1, one step away, and on the last objective, b2."""
    turn = Night("b1", completed=[8]).turn()
    assert c.Loot() not in turn
    assert c.Complete(1) in turn


def test_distant_soldier_is_not_worth_a_likely_reveal() -> None:
    """Two drawn noise tokens reveal the sniper to the remaining units nearby. One alone does not."""
    units = {"red-1": "f5", "red-2": "d6", "black-1": "e4", "yellow-1": "d4"}
    bag = {"aim": 3, "noise": 6, "recoil": 0, "suppression": 0}
    turn = Night("e6", units=units, bag=bag).turn()
    assert [act.draw for act in turn if isinstance(act, c.Shoot)] == [1]


def test_sniper_that_can_win_this_turn_does_not_shoot_first() -> None:
    """The unit is an easy target, but a shot is the turn's only action."""
    turn = Night("b1", completed=[8], units={"red-1": "b4"}).turn()
    assert [type(act) for act in turn] == [c.Move, c.Complete]


def worth_of_nearing_a_squad(believed: str, style: Style) -> float:
    """Return the value of a step from e8 to e7, in reach of red, if the defenders believe the sniper on one space."""
    view = Night("e8", units={"red-1": "c7"}).view
    known = Whereabouts.begin(view)
    field = [float(index == known.ground.index[believed]) for index in range(known.ground.size)]
    return Turn(view, known, Guess(field), (), style).worth(c.Move(("e7",)))


def test_squad_is_avoided_more_if_defenders_guess_better() -> None:
    assert worth_of_nearing_a_squad("e8", Style()) < worth_of_nearing_a_squad("a1", Style())
    careless = Style(fear=0.0)
    assert worth_of_nearing_a_squad("e8", careless) == worth_of_nearing_a_squad("a1", careless)
