"""Sentences of this game: how it ended, in every possible way, and what happened to a player."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import asdict

from engine.chance import Chance
from engine.refusal import NotUnderstood
from firmware_host.core import maps
from games.stalingrad import GAME
from games.stalingrad.rules import events as e
from games.stalingrad.rules.sentences import outcome, sentence
from tests.games.stalingrad.table import impossible, playing


def rank(number: int, stars: int) -> e.Rank:
    """Return a player's rank without the place."""
    return e.Rank(f"player-{number}", 1, stars, 0, False)


@pytest.mark.parametrize(
    ("winners", "ranking", "said"),
    [
        ((), (rank(1, 4),), "Player 1 is out with 4 stars, and nobody wins."),
        ((), (rank(1, 1),), "Player 1 is out with 1 star, and nobody wins."),
        (("player-1",), (rank(1, 7),), "Player 1 has earned 7 stars."),
        (("player-2",), (rank(2, 9), rank(1, 3)), "Player 2 wins with 9 stars!"),
        (
            ("player-1", "player-3"),
            (rank(1, 5), rank(3, 5), rank(2, 1)),
            "They share the win with 5 stars each: player 1 and player 3.",
        ),
    ],
)
def test_sentences_for_the_end(winners: tuple[str, ...], ranking: tuple[e.Rank, ...], said: str) -> None:
    assert outcome(winners, ranking) == said


def test_sentences_for_player_events() -> None:
    assert sentence(e.XpGained("player-2", 1)) == "Player 2 gains experience: 1 token in all."
    assert sentence(e.XpGained("player-2", 4)) == "Player 2 gains experience: 4 tokens in all."
    assert sentence(e.Eliminated("player-1", ())) == "Player 1 leaves the game."
    gone = sentence(e.Eliminated("player-1", ("C01",)))
    assert gone.startswith("Player 1 leaves the game and lays down ")


def test_zero_is_ten_except_on_the_wound_table() -> None:
    assert sentence(e.ShootRolled("player-1", "C05", 0, 5, False)) == (
        "Tank Leader: player 1 rolls 0 (ten) against 5 and misses."
    )
    assert "rolls 0 (ten) against" in sentence(e.EvadeRolled("player-1", "C09", 0, 4, False))
    assert "rolls 3 against" in sentence(e.EvadeRolled("player-1", "C09", 3, 4, True))
    assert sentence(e.Wounded("player-1", 0, "out", 0)) == "Player 1 rolls 0: out of action."


def test_board_is_not_understood_as_a_map() -> None:
    options = GAME.read_options({})
    with pytest.raises(NotUnderstood, match="played without a map"):
        GAME.blank(maps.load("tracks-2"), options)
    with pytest.raises(NotUnderstood, match="played without a map"):
        GAME.position(maps.load("tracks-2"), options, {}, Chance(Random(1)))


@pytest.mark.parametrize("players", range(1, 7))
def test_track_board_is_for_its_number_of_players(players: int) -> None:
    assert GAME.map_options(f"tracks-{players}") == {"players": players}
    assert GAME.lamp_board(GAME.read_options(GAME.map_options(f"tracks-{players}"))) == f"tracks-{players}"


def test_foreseen_value_is_never_negative() -> None:
    roll = playing(2, card="C02").view()["value"]
    view = GAME.position(None, GAME.read_options({}), {"card": "C02", "phase": "target"}, Chance(Random(1)))["player-1"]
    assert GAME.foresight(view, "player-1")["odds"]["value"] == roll == 6
    described = {"card": "C05", "phase": "target", "players": {"player-1": {"shoot": 1}}}
    low = GAME.position(None, GAME.read_options({}), described, Chance(Random(1)))["player-1"]
    assert low.value() == -1
    assert GAME.foresight(low, "player-1")["odds"]["value"] == 0


def test_position_limits_tokens() -> None:
    assert not impossible(2, p1={"xp": 10**9})
    assert impossible(2, p1={"xp": 10**9 + 1})


def test_turns_are_counted_from_the_first() -> None:
    view = GAME.blank(None, GAME.read_options({}))["table"]
    assert asdict(view)["turns"] == 0
    assert GAME.fold(view, e.TurnStarted("player-1")).turns == 1
