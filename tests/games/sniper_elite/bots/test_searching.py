"""Bots that play their acts on in their heads: what they may know there, and what they make of plain positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.game import TABLE, Command
from engine.referee import Referee
from engine.search.budget import Budget
from firmware_host.core import bots, maps
from firmware_host.seats.players import BotPlayer
from games.sniper_elite import GAME
from games.sniper_elite.bots._belief import Guess
from games.sniper_elite.bots._dealing import even_quantile, sample_truth
from games.sniper_elite.bots._line import Line
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.possible import require_possible
from games.sniper_elite.rules.whereabouts import Whereabouts
from tests.games.sniper_elite.bots.test_prowler import Night
from tests.games.sniper_elite.bots.test_warden import Watch
from tests.games.test_every_bot import OPTIONS

LINES = Budget(16)


class Followed:
    """A game between bots on a real map, followed as the table hears it."""

    def __init__(self, options: Any = None, seed: int = 1, **names: str) -> None:
        board, chosen = maps.load("launch-facility"), GAME.read_options(options or {})
        self.referee, self.chance = Referee(GAME, GAME.blank(board, chosen)), Chance(Random(seed))
        self.players = {
            seat: BotPlayer(name, GAME, seat, self.referee.pictures[seat], Chance(Random(f"{seed}{seat}")), LINES)
            for seat, name in ({"sniper": "prowler", "defenders": "warden"} | names).items()
        }
        self.view: Picture = self.referee.pictures[TABLE]
        self.known = Whereabouts.begin(self.view)
        self.guess, self._heard = Guess([1.0] * self.known.ground.size), 0
        self.referee.tell(GAME.setup(board, chosen, self.chance))

    def turns(self, seat: str, most: int) -> Iterator[Command]:
        """Before each act of a seat, the act."""
        made = 0
        while self.referee.to_act and made < most:
            mover = self.referee.to_act[0]
            command = self.players[mover].ask(self.referee)
            self._follow()
            if mover == seat:
                made += 1
                yield command
            self.referee.submit(mover, command, self.chance)

    def _follow(self) -> None:
        told = self.referee.told[TABLE]
        for event in told[self._heard :]:
            before, self.view = self.view, GAME.fold(self.view, event)
            self.known = self.known.after(before, event)
            self.guess = self.guess.after(before, event, self.known, self.view)
        self._heard = len(told)


@pytest.mark.parametrize("options", [{}, {"nest": {"ally": "ghost", "gear": True}}], ids=["standard", "ghost"])
def test_what_is_dealt_fits_all_that_the_defenders_know(options: Any) -> None:
    game = Followed(options, seed=2)
    for number, _ in enumerate(game.turns("defenders", 40)):
        if game.view.pending is not None:
            continue
        belief = game.guess.belief(game.known, game.view)
        truth = sample_truth(game.view, game.known, belief, Random(number), Random(number).random())
        require_possible(truth)
        assert truth.mine.space in game.known.spaces(game.view)
        assert replace(truth, dossier=None, ally=None, bag={}, hand_size=0, deck_size=0) == replace(
            game.view, ally=None, bag={}, hand_size=0, deck_size=0
        )


def test_quantiles_that_are_spread_evenly_deal_each_space_as_often_as_it_is_believed() -> None:
    game, rows, compared = Followed(seed=2), 100, 0
    for _ in game.turns("defenders", 40):
        if game.view.pending is not None:
            continue
        belief, index = game.guess.belief(game.known, game.view), game.known.ground.index
        places: Counter[int] = Counter()
        for number in range(rows):
            truth = sample_truth(game.view, game.known, belief, Random(number), (number + 0.5) / rows)
            places[index[str(truth.mine.space)]] += 1
        for place, weight in enumerate(belief.likely):
            assert abs(places[place] - rows * weight) <= 1
        compared += 1
    assert compared > 10


@pytest.mark.parametrize("rows", [2, 5, 12, 40])
def test_the_quantiles_of_so_many_rows_leave_no_wide_gap(rows: int) -> None:
    places = sorted(even_quantile(0.3, number) for number in range(rows))
    gaps = [later - earlier for earlier, later in pairwise([*places, places[0] + 1])]
    assert max(gaps) < 2 / rows


def test_the_rows_of_a_search_deal_truths_from_all_that_is_believed() -> None:
    """With as many rows as spaces, half of them believed alike, most spaces are dealt."""
    game, compared = Followed(seed=2), 0
    for _ in game.turns("defenders", 40):
        belief = game.guess.belief(game.known, game.view)
        if game.view.pending is not None or len(belief.ranked) < 8:
            continue
        dealt_at = {
            sample_truth(game.view, game.known, belief, Random(number), even_quantile(0.5, number)).mine.space
            for number in range(60)
        }
        likely = {
            space for space in game.known.spaces(game.view) if belief.likely[game.known.ground.index[space]] > 0.05
        }
        assert likely <= dealt_at
        compared += 1
    assert compared > 3


def test_the_defenders_of_a_line_act_alike_whatever_the_truth_is() -> None:
    game = Followed(seed=3)
    compared = 0
    for _ in game.turns("defenders", 60):
        if game.view.pending is not None:
            continue
        belief = game.guess.belief(game.known, game.view)
        acts = set()
        for number in range(4):
            truth = sample_truth(game.view, game.known, belief, Random(number), Random(number).random())
            line = Line(GAME, truth, game.view, game.known, game.guess, Chance(Random(0)))
            assert line.public.dossier is None
            acts.add(str(line.guards()))
        assert len(acts) == 1
        compared += 1
    assert compared > 10


def test_a_line_keeps_the_secrets_out_of_what_its_table_hears() -> None:
    game = Followed(seed=4)
    for _ in game.turns("sniper", 12):
        truth = game.referee.pictures["sniper"]
        line = Line(GAME, truth, game.view, game.known, game.guess, Chance(Random(5)))
        last = truth.round + 2
        line.play_until(lambda now, last=last: now.truth.round >= last)  # type: ignore[misc]
        assert line.public.dossier is None
        if line.truth.over is None and line.truth.mine.space is not None:
            assert line.truth.mine.space in line.known.spaces(line.public)


@pytest.mark.parametrize(("name", "seat"), [("phantom", "sniper"), ("marshal", "defenders")])
def test_the_same_lines_lead_to_the_same_acts(name: str, seat: str) -> None:
    one, other = (Followed(seed=6, **{seat: name}) for _ in range(2))
    assert list(one.turns(seat, 3)) == list(other.turns(seat, 3))


@pytest.mark.parametrize("number", [1, 3, 4], ids=["experienced", "Karl", "ghost"])
def test_it_searches_with_other_rules(number: int) -> None:
    game = Followed(OPTIONS["sniper-elite"][number], seed=number, sniper="phantom", defenders="marshal")
    for seat in ("sniper", "defenders"):
        assert list(game.turns(seat, 2))


def allowed(table: Any, name: str, seat: str, budget: Budget) -> None:
    """Another bot sits there, with a budget."""
    table.bot = bots.seated(name, GAME, seat, table.view)
    bots.set_budget(table.bot, budget)


def test_the_last_objective_is_completed_at_once() -> None:
    night = Night("b2", completed=[8])
    allowed(night, "phantom", "sniper", LINES)
    assert night.acts() == c.Complete(1)


def test_a_sniper_seen_within_reach_is_attacked() -> None:
    watch = Watch("c4", seen="c4", units={"red-1": "c6"})
    allowed(watch, "marshal", "defenders", Budget(60))
    assert [watch.acts(), watch.acts()] == [c.MoveUnit("red-1", "c4"), c.Attack("red-1")]


def test_the_specialists_are_any_of_the_six() -> None:
    watch = Watch("c4")
    legal: list[Command] = [c.ChooseSpecialists({"yellow": "scout", "red": "medic", "black": "sniper"})]
    chosen = [watch.bot.choose(watch.view, legal, Chance(Random(seed))) for seed in range(40)]
    assert len({card for act in chosen if isinstance(act, c.ChooseSpecialists) for card in act.squads.values()}) == 6


def test_few_lines_do_not_outweigh_what_is_held_of_the_acts() -> None:
    """Nobody has seen the sniper. Three lines of each act say little, whatever their luck."""
    watch = Watch("c4", units={"red-1": "c6", "yellow-1": "a2", "black-1": "f7"})
    allowed(watch, "marshal", "defenders", Budget(24))
    for event in watch.referee.told["defenders"]:
        watch.bot.told(event)
    legal = watch.referee.legal("defenders")
    chosen = {watch.bot.choose(watch.view, legal, Chance(Random(seed))) for seed in range(8)}
    assert chosen == {c.Deploy("yellow-officer", "b3")}
