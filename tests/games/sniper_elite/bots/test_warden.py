"""How the warden plays the defenders, in positions with an obvious best act."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import TABLE, Command
from engine.graph import Map
from engine.referee import Referee
from firmware_host.core import maps
from firmware_host.seats.players import BotPlayer
from games.sniper_elite import GAME
from games.sniper_elite.bots._guard_turn import Guard, Style
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts
from lab.arena import Match, play_game
from tests.games.sniper_elite.duel import GRID, BotTurn, defenders_turn

TEAM = {"yellow": {"card": "medic"}, "red": {"card": "scout"}, "black": {"card": "jaeger"}}


class Watch(BotTurn):
    """The warden in a described defenders' turn. `seen` is where the sniper was just revealed."""

    def __init__(self, sniper: str, seen: str | None = None, board: Map = GRID, **more: Any) -> None:
        standard = {"specialists": TEAM, "units": {}, "hand": ()}
        super().__init__("warden", "defenders", defenders_turn(sniper, board, **standard | more))
        if seen is not None:
            self.revealed_on(seen)


def test_sniper_seen_in_reach_is_attacked() -> None:
    watch = Watch("c4", seen="c4", units={"red-1": "c6"})
    assert watch.acts() == c.MoveUnit("red-1", "c4")
    assert watch.acts() == c.Attack("red-1")
    assert watch.view.wounds == 1


def test_jaeger_attacks_an_adjacent_sniper() -> None:
    watch = Watch("c4", seen="c4", units={"black-officer": "c5"})
    assert watch.acts() == c.Attack("black-officer", "c4", use="jaeger")


def test_distant_unit_comes_nearer() -> None:
    watch = Watch("d5", seen="d5", units={"red-1": "d1"}, done={"red-officer": ["dismiss"]})
    moves = [act for act in watch.turn() if isinstance(act, c.MoveUnit) and act.unit == "red-1"]
    assert [move.to for move in moves] == ["d3"]


def test_fallen_units_are_deployed() -> None:
    watch = Watch("f8", units={"red-officer": "b6"})
    assert {type(act) for act in watch.turn()} >= {c.Deploy}


def test_medic_saves_a_soldier() -> None:
    watch = Watch("c4")
    legal = [c.Save("yellow-1"), c.Save("yellow-2"), c.Decline()]
    assert watch.bot.choose(watch.view, legal, watch.chance) == c.Save("yellow-1")


@pytest.mark.parametrize(
    ("style", "ways"), [(Style(hunts=0.0), ["b2"]), (Style(hunts=0.0, holds=0.0), []), (Style(), ["c2"])]
)
def test_free_unit_guards_the_objective_near_the_sniper(style: Style, ways: list[str]) -> None:
    """The sniper was seen on its way to b2. Yellow can get there first, but cannot reach the sniper."""
    watch = Watch("d2", units={"yellow-1": "b3", "yellow-2": "a8", "yellow-officer": "b8"})
    watch.bot = Guard(GAME, watch.view, style)
    watch.revealed_on("d2")
    moves = [act for act in watch.turn() if isinstance(act, c.MoveUnit) and act.unit == "yellow-1"]
    assert [move.to for move in moves] == ways


def test_answered_question_is_not_asked_again() -> None:
    watch = Watch("f8", units={"yellow-1": "a2", "red-1": "a7", "black-1": "d2"})
    asked = [act.space for act in watch.turn() if isinstance(act, c.Spot)]
    assert len(set(asked)) == len(asked)


def test_turn_ends_when_the_cubes_are_spent() -> None:
    watch = Watch("f8", units={"yellow-1": "a2", "red-1": "a7", "black-1": "d2"})
    turn = watch.turn()
    assert isinstance(turn[-1], c.EndDefendersTurn)
    assert 1 < len(turn) <= 8


@pytest.mark.parametrize("number", range(1, 9))
def test_ghost_is_hunted_without_knowing_the_bag(number: int) -> None:
    options = GAME.read_options({"nest": {"ally": "ghost", "gear": True}})
    match = Match(
        "sniper-elite", maps.load("launch-facility"), options, {"sniper": "prowler", "defenders": "warden"}, 1
    )
    assert play_game(match, number).ending.winners


LEVELS = pytest.mark.parametrize("name", ["recruit", "sentry", "warden"])


def asked(view: Picture, act: Command) -> set[str] | None:
    """Return the spaces that an act asks about or attacks, or None for other acts."""
    match act:
        case c.Attack(unit, space):
            return {space or str(view.units[unit])}
        case c.Spot(_, space):
            return {space}
        case c.Sweep(unit, spaces):
            return {str(view.units[unit]), *spaces}
        case c.GatherIntel(squad):
            return {name for name, space in view.map.spaces.items() if space.sector == squad}
    return None


@LEVELS
@pytest.mark.parametrize("number", [1, 3])
def test_no_level_acts_on_impossible_spaces_or_known_answers(name: str, number: int) -> None:
    """The test computes the possible spaces again, from the table's events."""
    board, options = maps.load("launch-facility"), GAME.read_options({})
    referee, chance = Referee(GAME, GAME.blank(board, options)), Chance(Random(number))
    players = {
        seat: BotPlayer(bot, GAME, seat, referee.pictures[seat], Chance(Random(f"{number} {seat}")))
        for seat, bot in {"sniper": "skulker", "defenders": name}.items()
    }
    view = referee.pictures[TABLE]
    known, heard, acts = Whereabouts.begin(view), 0, 0
    referee.tell(GAME.setup(board, options, chance))
    while referee.to_act:
        seat = referee.to_act[0]
        act = players[seat].ask(referee)
        told = referee.told[TABLE]
        for event in told[heard:]:
            known, view = known.after(view, event), GAME.fold(view, event)
        heard = len(told)
        spaces = asked(view, act)
        if spaces is not None:
            acts += 1
            possible = set(known.spaces(view))
            assert spaces & possible, f"{act} where the sniper cannot be"
            assert isinstance(act, c.Attack) or not possible <= spaces, f"{act} asks what is known"
        referee.submit(seat, act, chance)
    assert acts


def test_any_three_of_the_six_specialists_are_chosen() -> None:
    watch = Watch("c4")
    legal: list[Command] = [c.ChooseSpecialists({"yellow": "scout", "red": "medic", "black": "sniper"})]
    chosen = [watch.bot.choose(watch.view, legal, Chance(Random(seed))) for seed in range(40)]
    teams = {frozenset(act.squads.values()) for act in chosen if isinstance(act, c.ChooseSpecialists)}
    assert all(len(team) == 3 for team in teams)
    assert len(frozenset.union(*teams)) == 6
