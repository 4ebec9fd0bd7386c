"""The facts about a past game: the round that cost a loser most, and the events that decided it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

import games
from engine.game import TABLE, Costs, Detailed, Ending, Endings, Game, Progressing
from engine.text import Text
from firmware_host.core import sizes
from firmware_host.records.chain import written
from firmware_host.records.history import MOST_MOMENTS, History, PastAct, costliest_rounds, outcome, story_of
from games.sniper_elite.game import SniperElite
from games.sniper_elite.show import captions
from tests.games.random_play import RandomGame, board_of

TELLING = [name for name in games.names() if isinstance(games.find(name), Costs)]
PLAYED = 8
"""Random games of each kind."""


class Stopped(SniperElite):
    """A game whose every end counts as one by wounds: random players let time run out."""

    def ending(self, view: Any) -> Ending | None:
        return msgspec.structs.replace(captions.ending(view), winners=("defenders",), reason="wounds")


@cache
def histories(name: str) -> list[History]:
    return [*_played(games.find(name))]


def _played(game: Game) -> Iterator[History]:
    board = board_of(game)
    for seed in range(PLAYED):
        play = RandomGame(game, board, seed)
        tellings = [play.opening, *(telling for _, _, telling in play.steps())]
        acts = [PastAct("", float(n), msgspec.json.encode(written(it)).decode()) for n, it in enumerate(tellings)]
        yield History(game, board, game.read_options(None), acts)


def costs(history: History) -> Counter[tuple[str, int]]:
    """Return (seat, round) -> what its events cost, from the pictures of a past game."""
    game, found = history.game, Counter[tuple[str, int]]()
    assert isinstance(game, Costs) and isinstance(game, Endings) and isinstance(game, Progressing)
    ending, number = game.ending(history.last[TABLE]), 1
    assert ending is not None
    for step in history.steps():
        for told in step.telling:
            one = game.cost(ending, told.event)
            if one is not None and one.seat not in ending.winners:
                found[one.seat, number] += one.amount
        number = game.progress(step.public).round
    return found


@pytest.mark.parametrize("name", TELLING)
def test_no_other_round_cost_a_loser_more(name: str) -> None:
    named = 0
    for history in _played(Stopped()) if name == games.DEFAULT else histories(name):
        cost, steps = costs(history), [*history.steps()]
        for it in costliest_rounds(history):
            named += 1
            own = {number: amount for (seat, number), amount in cost.items() if seat == it["seat"]}
            assert it["round"] == min(number for number in own if own[number] == max(own.values()))
            there = [history.game.sentence(told.event) for told in steps[it["step"]].telling]
            assert it["told"][0]["sentence"] in there
    assert named


@pytest.mark.parametrize("name", TELLING)
def test_winners_are_left_out(name: str) -> None:
    for history in histories(name):
        game = history.game
        ending = game.ending(history.last[TABLE]) if isinstance(game, Endings) else None
        assert ending is not None
        assert not {it["seat"] for it in costliest_rounds(history)} & {*ending.winners}


def test_no_single_round_is_named_where_time_ran_out() -> None:
    """The hits on the way did not decide that."""
    reasons = set[str]()
    for name in ("sniper-elite", "sniper-elite-solo"):
        for history in histories(name):
            game = history.game
            ending = game.ending(history.last[TABLE]) if isinstance(game, Endings) else None
            assert ending is not None
            if ending.reason in ("countdown", "deck"):
                reasons.add(ending.reason)
                assert costliest_rounds(history) == []
    assert reasons


def test_few_sentences_are_kept_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round of very many long sentences filled the memory, at a stranger's request."""
    monkeypatch.setattr(sizes, "MOST_SENTENCES", 1)
    found = [it for history in _played(Stopped()) for it in costliest_rounds(history)]
    assert found
    assert {len(it["told"]) for it in found} == {1}


def dated(rounds: list[int], sentence: Text) -> Text:
    return Text("Round {round}: {sentence}", round=rounds[0], sentence=sentence) if rounds else sentence


@pytest.mark.parametrize("name", [name for name in games.names() if isinstance(games.find(name), Detailed)])
def test_story_has_the_weightiest_events_of_the_whole_game(name: str) -> None:
    """It knew only the last entries of a long log."""
    told = 0
    for history in histories(name):
        game = history.game
        assert isinstance(game, Detailed)
        events = [(n, it.event) for n, telling in enumerate(history.tellings()) for it in telling]
        weights = sorted((game.details(event).get("moment", 0) for _, event in events), reverse=True)
        progress = getattr(game, "progress", None)
        rounds = [progress(view).round for view, _ in history.public_acts()] if progress else []
        known = [(n, dated(rounds[n : n + 1], game.sentence(event)), game.details(event)) for n, event in events]
        found = story_of(history)
        told += len(found)
        assert [it["step"] for it in found] == sorted(it["step"] for it in found)
        weighed = [
            max(details["moment"] for n, words, details in known if (n, words) == (it["step"], it["sentence"]))
            for it in found
        ]
        assert sorted(weighed, reverse=True) == [it for it in weights[:MOST_MOMENTS] if it]
    assert told


class Joking(SniperElite):
    def details(self, event: Any) -> dict[str, Any]:
        return {"moment": [None, True, -1, "5", [5]][len(type(event).__name__) % 5]}


def test_moments_that_are_no_weights_are_left_out() -> None:
    for history in _played(Joking()):
        assert all(isinstance(it["step"], int) for it in story_of(history))


def test_rounds_of_a_finished_game_are_those_of_its_ending() -> None:
    class Short(SniperElite):
        def ending(self, view: Any) -> Ending | None:
            return msgspec.structs.replace(captions.ending(view), rounds=99)

    assert {outcome(history)["rounds"] for history in _played(Short())} == {99}
