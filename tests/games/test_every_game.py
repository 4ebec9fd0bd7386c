"""What every game must do. The tests find games by scanning the folder of games, and name none of them."""

from __future__ import annotations

import pytest

from games import find, names
from lab.authoring import order, play, secrecy
from lab.authoring.check import AT_A_TABLE, PARTS, findings
from lab.authoring.file_checks import spoken
from lab.authoring.play import Sample
from tests.depth import DEPTH
from tests.games.random_play import board_of
from web_panel.language import DEFAULT, codes


@pytest.fixture(autouse=True)
def fewer_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play fewer games by day, and compare fewer processes."""
    if DEPTH == 1:
        monkeypatch.setattr(play, "GAMES", 3)
        monkeypatch.setattr(secrecy, "GAMES", 3)
        monkeypatch.setattr(secrecy, "RANDOM_GAMES", 3)
        monkeypatch.setattr(secrecy, "GAMES_WITH_OPTIONS", 1)
        monkeypatch.setattr(play, "MORE_ACTS", 1000)
        monkeypatch.setattr(order, "PROCESSES", 2)


@pytest.mark.long
@pytest.mark.parametrize("name", names())
def test_nothing_is_wrong_with_the_game(name: str) -> None:
    """The parts share the random games. `test_every_game_at_a_table.py` plays at tables, at length."""
    sample = Sample(find(name), board_of(find(name)))
    assert {part: found for part in PARTS if part != AT_A_TABLE and (found := findings(sample, part))} == {}


@pytest.mark.parametrize("name", names())
def test_games_of_the_project_are_in_every_language_of_the_table(name: str) -> None:
    assert {DEFAULT, *spoken(find(name))} >= {*codes()}
