"""The game's interface besides the protocol: bots, foresight, endings, seats, and repeatable luck."""

from __future__ import annotations

from random import Random
from statistics import mean
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import TABLE, Endings, Foresight
from engine.referee import Referee
from firmware_host.core import bots
from games.stalingrad import GAME
from games.stalingrad.rules.picture import Picture
from tests.games.random_play import RandomGame
from tests.games.stalingrad.table import SWITCHES, described

NO_SWITCHES = dict.fromkeys(SWITCHES, False)


def play(kinds: list[str], seed: int, **options: Any) -> Picture:
    """Return the ending of a game between bots."""
    chosen, chance = GAME.read_options({"players": len(kinds), **options}), Chance(Random(seed))
    referee = Referee(GAME, GAME.blank(None, chosen))
    referee.tell(GAME.setup(None, chosen, chance))
    players = {
        seat: bots.bot_at_seat(kind, GAME, seat, referee.pictures[seat])
        for seat, kind in zip(chosen.seats, kinds, strict=True)
    }
    luck = Chance(Random(f"bots {seed}"))
    while referee.to_act:
        (seat,) = referee.to_act
        referee.submit(seat, players[seat].choose(referee.pictures[seat], referee.legal(seat), luck), chance)
    found: Picture = referee.pictures[TABLE]
    return found


def stars(view: Picture, seat: str) -> int:
    return view.players[seat].stars


@pytest.mark.parametrize("players", range(1, 7))
def test_bots_play_whole_games(players: int) -> None:
    for switches in ({}, NO_SWITCHES):
        assert play((["careful", "random"] * 3)[:players], players, switches=switches).over is not None


def test_careful_bot_beats_random_play() -> None:
    ends = [(number % 2, play(["careful", "random"][:: 1 - 2 * (number % 2)], number)) for number in range(300)]
    own = mean(stars(view, f"player-{1 + turned}") for turned, view in ends)
    other = mean(stars(view, f"player-{2 - turned}") for turned, view in ends)
    assert own > other + 0.3


@pytest.mark.rule("ST-R-31")
def test_games_have_about_the_expected_length() -> None:
    ends = {players: [play(["careful"] * players, seed) for seed in range(60)] for players in (2, 4)}
    turns = {players: mean(view.turns for view in found) for players, found in ends.items()}
    by_deck = {
        players: mean(view.over.reason == "deck" for view in found if view.over) for players, found in ends.items()
    }
    assert 7 < turns[2] < 12
    assert 11 < turns[4] < 15
    assert 0.4 < by_deck[2] < 0.85
    assert by_deck[4] > 0.9


@pytest.mark.rule("ST-R-26")
def test_ending_has_the_best_score() -> None:
    assert isinstance(GAME, Endings)
    for seed in range(5):
        view = play(["careful"], seed)
        ending = GAME.ending(view)
        assert ending is not None
        assert view.over is not None
        assert (ending.winners, ending.reason) == (("player-1",), view.over.reason)
        assert ending.counts == {"stars": stars(view, "player-1"), "kills": len(view.players["player-1"].kills)}
        assert ending.rounds == view.turns > 0
    assert GAME.ending(GAME.blank(None, GAME.read_options(None))[TABLE]) is None


@pytest.mark.rule("ST-R-22")
def test_seats_are_secret_only_if_hands_are_hidden() -> None:
    for value in (True, False):
        seats = GAME.seats(GAME.read_options({"players": 6, "switches": {"ST-R-22": value}}))
        assert [seat.name for seat in seats] == [f"player-{number}" for number in range(1, 7)]
        assert {seat.secret for seat in seats} == {not value}


@pytest.mark.parametrize("off", [{}, NO_SWITCHES], ids=["on", "off"])
def test_acts_repeat_with_the_luck_in_their_events(off: dict[str, bool]) -> None:
    options = {"players": 3, "switches": off}
    wounds = 0
    for seed in range(12):
        play = RandomGame(GAME, None, seed, options)
        again = Referee(GAME, GAME.blank(None, GAME.read_options(options)))
        telling = GAME.setup(None, GAME.read_options(options), Chance(Random(99), GAME.luck(play.opening)))
        assert tuple(telling) == play.opening
        again.tell(play.opening)
        for seat, command, told in play.steps():
            assert again.submit(seat, command, Chance(Random(99), GAME.luck(told))) == told
            wounds += any(kind == "wound" for kind, _ in GAME.luck(told))
    assert wounds > 20


# --- foresight --------------------------------------------------------------------------------------------------


def foreseen(number: int = 1, /, **parts: Any) -> dict[str, Any]:
    """Return a player's foresight in a position for two."""
    options = GAME.read_options(None)
    pictures = GAME.position(None, options, described(**parts), Chance(Random(1)))
    seat = f"player-{number}"
    assert isinstance(GAME, Foresight)
    return GAME.foresight(pictures[seat], seat)


def rules(found: dict[str, Any]) -> dict[str, str]:
    """Return act -> the rule that forbids it."""
    return {name: why["rule"] for name, why in found.items() if name != "odds"}


ACTS = ("play", "draw", "reveal", "commit", "buy", "discard", "end-turn")


@pytest.mark.rule("ST-TRN-01", "ST-SHO-01", "ST-GOL-02")
def test_foresight_names_impossible_acts() -> None:
    assert rules(foreseen(2)) == dict.fromkeys(ACTS, "ST-TRN-01")
    assert foreseen(2)["odds"] == {}
    assert rules(foreseen(deck=[])) == dict.fromkeys(ACTS, "ST-GOL-02")
    assert rules(foreseen(card="C03"))["reveal"] == "ST-SHO-01"
    assert "commit" not in rules(foreseen(card="C03"))


@pytest.mark.rule("ST-R-28", "ST-XP-05", "ST-STA-03", "ST-ESC-01")
def test_foresight_explains_why_an_act_is_forbidden_now() -> None:
    assert rules(foreseen(aid="C34", discard=["C34"]))["play"] == "ST-R-28"
    assert "play" not in rules(foreseen(p1={"hand": ["C34"]}))
    found = rules(foreseen(phase="escape", p1={"xp": 3, "shoot": 9}))
    assert {name: rule for name, rule in found.items() if rule != "ST-TRN-01"} == {
        "buy/shoot": "ST-STA-03", "discard": "ST-ESC-01",
    }  # fmt: skip
    found = rules(foreseen(phase="escape", p1={"hand": ["C17", "C18", "C19", "C20"]}))
    assert found["end-turn"] == "ST-ESC-01"
    assert found["buy/hunt"] == "ST-XP-05"
    assert "discard" not in found


@pytest.mark.rule("ST-R-05", "ST-R-16")
def test_foresight_has_the_value_of_a_draw_or_roll() -> None:
    assert foreseen(p1={"hand": ["C34", "C18"]})["odds"] == {"draw": 5, "aids": {"C34": 3}}
    assert foreseen(deck=["C01", "C02"])["odds"]["draw"] == 2
    assert foreseen(card="C08", p1={"shoot": 1, "hand": ["C01", "C18"]})["odds"] == {"value": 0, "aids": {"C01": 2}}
    assert foreseen(facedown=["C01"])["odds"] == {}
