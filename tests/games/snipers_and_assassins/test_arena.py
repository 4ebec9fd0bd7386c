"""The arena plays the race with the number of players that the board is made for, and counts wins by seat."""

from __future__ import annotations

import json

import pytest

from engine.game import Ending
from firmware_host.app import cli
from games.snipers_and_assassins import GAME
from tests.games.snipers_and_assassins.test_on_board import picture_of


def arena(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the arena's output for three parallel games on one core."""
    assert cli.main(["arena", "--game", GAME.name, "--games", "3", "--jobs", "1", *arguments]) == 0
    return capsys.readouterr().out


def test_arena_counts_wins_by_seat(capsys: pytest.CaptureFixture[str]) -> None:
    out = arena(
        capsys, "--map", "pathways-3", "--player-1", "racer", "--player-2", "hunter", "--player-3", "random", "--json"
    )
    *played, found = map(json.loads, out.splitlines())
    assert list(found["wins"]) == ["player-1", "player-2", "player-3"]
    for seat, share in found["wins"].items():
        assert share["wins"] == sum(game["winner"] == seat for game in played)
    assert {game["reason"] for game in played} == {"leader"}
    assert all(1 <= game["rounds"] <= game["acts"] for game in played)


def test_arena_takes_the_number_of_players_from_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    random = [word for number in range(1, 5) for word in (f"--player-{number}", "random")]
    lines = arena(capsys, "--map", "pathways-4", "--options", '{"players": null}', *random).splitlines()
    assert lines[0] == "Snipers and Assassins on Pathways for 4, 3 games, seed 1"
    assert [line.split()[:2] for line in lines[1:5]] == [[f"player-{number}", "random"] for number in range(1, 5)]
    assert cli.main(["arena", "--game", GAME.name, "--map", "pathways-4", "--options", '{"players": 3}']) == 1
    assert capsys.readouterr().err == "This board is for 4 players.\n"


@pytest.mark.rule("SA-R-46", "SA-WIN-01")
def test_ending_has_winner_reason_and_rounds() -> None:
    assert GAME.ending(picture_of(2)) is None
    assert GAME.ending(picture_of(2, round=9, over={"winner": "player-2", "reason": "leader"}, A2="AR")) == Ending(
        ("player-2",), "leader", 9
    )
    assert GAME.ending(picture_of(2, round=300, over={"winner": None, "reason": "rounds"})) == Ending((), "rounds", 300)
