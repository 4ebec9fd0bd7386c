"""The recorded games still come out as they were written down; `python -m tests.games.remake` makes them anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.games import find, names
from tests.games.playthrough import files, remade

ENDINGS = {"sniper-elite": {("sniper", "objectives"), ("defenders", "wounds"), ("defenders", "countdown")}}
"""Every way in which a game can end; each must be in a recorded game."""
ENDING = re.compile(r'game-over \{"winner": "(\w+)", "reason": "(\w+)"\}')


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_a_recorded_game_comes_out_as_it_was_written_down(file: Path) -> None:
    text = file.read_text("utf-8")
    assert remade(text) == text


@pytest.mark.parametrize("name", names())
def test_every_way_to_end_is_in_a_recorded_game(name: str) -> None:
    texts = [file.read_text("utf-8") for file in files() if f"game {name}\n" in file.read_text("utf-8")]
    assert {ending for text in texts for ending in ENDING.findall(text)} == ENDINGS[find(name).name]
