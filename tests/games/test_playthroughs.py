"""The recorded games still give the recorded results; `python -m tests.games.remake` updates them."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import names
from tests.games.playthrough import files, remade, replayed


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_recorded_game_still_gives_the_recorded_results(file: Path) -> None:
    text = file.read_text("utf-8")
    assert remade(text) == text


@pytest.mark.parametrize("name", names())
def test_every_game_has_a_recorded_game_that_ends(name: str) -> None:
    texts = [text for file in files() if f"game {name}\n" in (text := file.read_text("utf-8"))]
    assert any(not replayed(text).referee.to_act for text in texts)
