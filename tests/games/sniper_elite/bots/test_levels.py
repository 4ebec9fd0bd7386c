"""The levels of the bots: some games between those furthest apart, and the page that tells of all."""

from __future__ import annotations

import pytest

from engine.bots import LEVELS
from firmware_host.lab.arena import Match, play_all
from firmware_host.table import maps
from games.sniper_elite import GAME
from tools.levels import BOARDS, SIDES, Pairing, level, page


@pytest.mark.parametrize(("strong", "winner"), [("sniper", "sniper"), ("defenders", "defenders")])
def test_the_strongest_beats_the_weakest(strong: str, winner: str) -> None:
    seats = {seat: level(GAME, seat, LEVELS[-1] if seat == strong else LEVELS[0]) for seat in SIDES}
    match = Match(GAME.name, maps.load(BOARDS[0]), GAME.read_options({}), seats, 7)
    won = [winner in result.ending.winners for result in play_all(match, 8, 1)]
    assert sum(won) >= 6


def test_both_games_of_a_match_have_to_be_won() -> None:
    rows = {(BOARDS[0], SIDES[0]): (True, True, False), (BOARDS[0], SIDES[1]): (True, False, False)}
    pairing = Pairing("strong", "medium", {**rows, **{(BOARDS[1], side): (True,) for side in SIDES}})
    assert pairing.matches() == {2: 2, 1: 1, 0: 1}
    assert pairing.games().share == 0.625
    assert pairing.games(SIDES[0]).wins == 3
    assert "| strong | medium | 8 | 62.5% |" in page([pairing], 8, 1)
