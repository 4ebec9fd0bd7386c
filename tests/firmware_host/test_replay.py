"""Replay is live: at any point of random play, reading the journal gives every viewer exactly what it has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine.chance import Chance
from engine.graph import Map
from firmware_host.play.game import TableGame
from firmware_host.records.journal import Journal
from games.sniper_elite import GAME
from games.sniper_elite.rules.words import SEATS
from tests.depth import seeds
from tests.games.random_play import RandomGame
from tests.games.sniper_elite.test_longhand import board, some_options


class NoChance(Random):
    """A random source that must not be used, because the journal has all results."""

    def random(self) -> float:
        raise AssertionError("replay rolled the dice")

    def getrandbits(self, k: int, /) -> int:
        raise AssertionError("replay rolled the dice")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    kept = Journal(tmp_path / "games.sqlite")
    yield kept
    kept.close()


def start_game(name: str, seed: int, journal: Journal) -> tuple[TableGame, RandomGame]:
    """Return a game in the journal, and a player that makes random acts."""
    random = Random(seed)
    options = some_options(random)
    play = TableGame.begin(GAME, board(name), GAME.read_options(options), journal, Chance(random))
    hand = RandomGame(GAME, board(name), seed, options)
    hand.referee = play.referee
    return play, hand


def resumed(where: Map, journal: Journal) -> TableGame:
    """Return the game as a restart finds it."""
    saved = journal.running()
    assert saved is not None
    return TableGame.resume(saved, where, journal, Chance(NoChance()))


def restarted(where: Map, journal: Journal) -> TableGame:
    """Return the game as another process finds it in the file."""
    again = Journal.open_read_only(journal.path)
    try:
        return resumed(where, again)
    finally:
        again.close()


def check_same(one: TableGame, other: TableGame) -> None:
    """Check that every viewer has the same picture, log, legal acts and step back."""
    assert one.referee.pictures == other.referee.pictures
    assert one.referee.told == other.referee.told
    assert one.referee.to_act == other.referee.to_act
    for seat in SEATS:
        assert one.referee.legal(seat) == other.referee.legal(seat)
    assert one.retraction() == other.retraction()


@pytest.mark.parametrize("name", ["grid", "launch-facility", "submarine-pens"])
def test_journal_read_at_any_point_is_running_game(name: str, journal: Journal) -> None:
    waits, backs = set(), 0
    for seed in seeds(4, by_day=2):
        play, hand = start_game(name, seed, journal)
        for number in range(160):
            if number % 9 == 0:
                check_same(resumed(board(name), journal), play)
            if hand.random.random() < 0.04:
                check_same(restarted(board(name), journal), play)
            if play.over:
                break
            hand.referee = play.referee
            seat = hand.random.choice(play.referee.to_act)
            play.act(seat, hand.choose(seat))
            if (last := play.retraction()) is not None and hand.random.random() < 0.2:
                play.take_back(last.seat)
                backs += 1
                check_same(restarted(board(name), journal), play)
            if (pending := play.referee.truth.pending) is not None and pending.name not in waits:
                waits.add(pending.name)
                check_same(resumed(board(name), journal), play)
        check_same(resumed(board(name), journal), play)
        play.put_away()
    assert waits
    assert backs


@pytest.mark.parametrize("name", ["launch-facility", "submarine-pens"])
def test_restart_after_any_act_keeps_exactly_same_step_back(name: str, journal: Journal) -> None:
    found: set[tuple[str, bool]] = set()
    for seed in seeds(2):
        play, hand = start_game(name, seed, journal)
        while not play.over and len(play.referee.told["table"]) < 150:
            hand.referee = play.referee
            seat = hand.random.choice(play.referee.to_act)
            play.act(seat, hand.choose(seat))
            again = resumed(board(name), journal)
            check_same(again, play)
            if (last := play.retraction()) is not None:
                found.add((last.seat, last.way is not None))
                if hand.random.random() < 0.3:  # the restarted process takes back an act of the one before
                    again.take_back(last.seat)
                    play = resumed(board(name), journal)
                    check_same(again, play)
                    assert play.retraction() == again.retraction()
        play.put_away()
    assert found >= {("sniper", False), ("defenders", True)}
