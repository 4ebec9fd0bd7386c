"""Bots that look ahead: which facts their search uses, and how they play simple positions."""

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
from engine.search.budget import Budget, timed
from engine.search.halving import Ended
from firmware_host.core import bots, maps
from firmware_host.seats.players import BotPlayer
from games.sniper_elite import GAME
from games.sniper_elite.bots._belief import Guess
from games.sniper_elite.bots._guard_turn import LEAST_VALUE
from games.sniper_elite.bots._guard_turn import Turn as GuardTurn
from games.sniper_elite.bots._searching import GUARDED, SNEAKED, Line, SniperSearch, even_quantile, sample_truth
from games.sniper_elite.bots._sneak_turn import Turn as SneakTurn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.possible import require_possible
from games.sniper_elite.rules.whereabouts import Whereabouts
from tests.games.sniper_elite.bots.test_prowler import Night
from tests.games.sniper_elite.bots.test_warden import Watch
from tests.games.test_every_bot import OPTIONS

LINES = Budget(8)


class Followed:
    """A game between bots on a real map, followed through the table's events."""

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
        """Yield each act of a seat before it is played."""
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
def test_sampled_truths_fit_all_that_the_defenders_know(options: Any) -> None:
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


def test_even_quantiles_sample_each_space_by_its_probability() -> None:
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
def test_quantile_sequence_has_no_wide_gap(rows: int) -> None:
    places = sorted(even_quantile(0.3, number) for number in range(rows))
    gaps = [later - earlier for earlier, later in pairwise([*places, places[0] + 1])]
    assert max(gaps) < 2 / rows


def test_search_lines_sample_truths_from_all_believed_spaces() -> None:
    """With as many lines as spaces, half of them equally likely, most spaces are sampled."""
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


def test_simulated_defenders_act_alike_for_every_truth() -> None:
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
            acts.add(str(line.defenders_command()))
        assert len(acts) == 1
        compared += 1
    assert compared > 10


@pytest.mark.parametrize("number", range(len(OPTIONS["sniper-elite"])))
def test_lines_play_the_first_act_with_the_highest_worth(number: int) -> None:
    """They don't rate all acts. The choice is the same."""
    options = OPTIONS["sniper-elite"][number]
    game = Followed(options, seed=number, sniper="rambler", defenders="recruit")
    compared: Counter[str] = Counter()
    for _ in (act for seat in ("sniper", "defenders") * 4 for act in game.turns(seat, 6)):
        if game.view.pending is not None:
            continue
        truth = game.referee.pictures["sniper"]
        line = Line(GAME, truth, game.view, game.known, game.guess, Chance(Random(5)))
        seat = str(line.to_act)
        legal = GAME.legal(truth if seat == "sniper" else game.view, seat)
        if seat == "sniper":
            turn: Any = SneakTurn(truth, game.known, game.guess, legal, SNEAKED)
        else:
            turn = GuardTurn(game.view, game.known, game.guess.belief(game.known, game.view), GUARDED)
        # Lines don't use the Scout.
        best = max((act for act in legal if type(act) is not c.Ability or act.to is None), key=turn.worth)
        end = c.EndSniperTurn() if seat == "sniper" else c.EndDefendersTurn()
        assert line.next_command(seat) == (best if end not in legal or turn.worth(best) > LEAST_VALUE else end)
        compared[seat] += 1
    assert compared["sniper"] > 3
    assert compared["defenders"] > 3


def test_line_hides_secrets_from_its_table() -> None:
    game = Followed(seed=4)
    for _ in game.turns("sniper", 12):
        truth = game.referee.pictures["sniper"]
        line = Line(GAME, truth, game.view, game.known, game.guess, Chance(Random(5)))
        last = truth.round + 2
        line.play_until(lambda now, last=last: now.truth.round >= last)  # type: ignore[misc]
        assert line.public.dossier is None
        if line.truth.over is None and line.truth.mine.space is not None:
            assert line.truth.mine.space in line.whereabouts.spaces(line.public)


@pytest.mark.parametrize(("name", "seat"), [("phantom", "sniper"), ("marshal", "defenders")])
def test_same_lines_lead_to_the_same_acts(name: str, seat: str) -> None:
    one, other = (Followed(seed=6, **{seat: name}) for _ in range(2))
    assert list(one.turns(seat, 2)) == list(other.turns(seat, 2))


@pytest.mark.parametrize("number", [1, 3, 4], ids=["experienced", "Karl", "ghost"])
def test_search_handles_other_rules(number: int) -> None:
    game = Followed(OPTIONS["sniper-elite"][number], seed=number, sniper="phantom", defenders="marshal")
    for seat in ("sniper", "defenders"):
        assert list(game.turns(seat, 2))


def allowed(table: Any, name: str, seat: str, budget: Budget) -> None:
    """Assert that another bot with a budget plays legal acts."""
    table.bot = bots.bot_at_seat(name, GAME, seat, table.view)
    bots.set_budget(table.bot, budget)


def test_last_objective_is_completed_at_once() -> None:
    night = Night("b2", completed=[8])
    allowed(night, "phantom", "sniper", LINES)
    assert night.acts() == c.Complete(1)


def test_sniper_seen_in_reach_is_attacked() -> None:
    watch = Watch("c4", seen="c4", units={"red-1": "c6"})
    allowed(watch, "marshal", "defenders", Budget(60))
    assert [watch.acts(), watch.acts()] == [c.MoveUnit("red-1", "c4"), c.Attack("red-1")]


def test_few_lines_do_not_outweigh_the_ratings() -> None:
    """The sniper has not been seen. Three lines of each act prove little, whatever their result."""
    watch = Watch("c4", units={"red-1": "c6", "yellow-1": "a2", "black-1": "f7"})
    allowed(watch, "marshal", "defenders", Budget(24))
    for event in watch.referee.told["defenders"]:
        watch.bot.told(event)
    legal = watch.referee.legal("defenders")
    chosen = {watch.bot.choose(watch.view, legal, Chance(Random(seed))) for seed in range(4)}
    assert chosen == {c.Deploy("yellow-officer", "b3")}


@pytest.mark.parametrize(("seconds", "rounds"), [(2.0, 1), (4.5, 2), (100.0, 3)])
def test_lines_end_earlier_with_time_for_few_of_them(seconds: float, rounds: int) -> None:
    """A line of three rounds takes one second."""
    ends, now = list[int](), 0.0

    class Recording(SniperSearch):
        def line_from(self, truth: Picture, luck: str) -> Line:
            nonlocal now
            now += 1.0
            return super().line_from(truth, luck)

        def ended(self, line: Line, certain: bool) -> Ended:
            if line.truth.over is None:
                ends.append(line.truth.round)
            return super().ended(line, certain)

    night = Night("a6")
    bot = Recording(GAME, night.view)
    bot.budget = timed(seconds, lambda: now)
    for _ in range(2):
        ends.clear()
        bot.choose(night.view, night.referee.legal("sniper"), Chance(Random(1)))
    assert max(ends) == night.view.round + rounds
