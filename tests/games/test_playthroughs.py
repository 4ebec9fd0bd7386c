"""The recorded games still come out as they were written down; `python -m tests.games.remake` makes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import names
from tests.games.playthrough import files, remade, replayed


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_a_recorded_game_comes_out_as_it_was_written_down(file: Path) -> None:
    text = file.read_text("utf-8")
    assert remade(text) == text


@pytest.mark.parametrize("name", names())
def test_every_game_has_a_recorded_game_that_is_played_to_its_end(name: str) -> None:
    texts = [text for file in files() if f"game {name}\n" in (text := file.read_text("utf-8"))]
    assert any(not replayed(text).referee.to_act for text in texts)
