"""New games for tests of what authors use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from firmware_host.app import cli
from firmware_host.core import maps
from lab.authoring import order, play
from lab.authoring.create import TREASURE


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The folder of a new game, found like one in the current folder. Its parameter is the example that it is like.

    Its checks play few games and start no process: the faults of the tests are in each game, and most of the time is
    for rare ones. See also `another_process`.
    """
    monkeypatch.setattr(play, "MORE_ACTS", 0)
    monkeypatch.setattr(order, "PROCESSES", 0)
    monkeypatch.setattr(maps, "_maps_in_memory", {})  # another test can have made the board
    like = getattr(request, "param", TREASURE)
    assert cli.main(["game", "new", "lost-city", "--into", str(tmp_path), "--like", like]) == 0
    monkeypatch.chdir(tmp_path / "lost-city")
    before = [*games.__path__]
    games.__path__.append(str(tmp_path / "lost-city/games"))
    yield tmp_path / "lost-city" / "games" / "lost_city"
    games.__path__[:] = before
    for module in [name for name in sys.modules if name.startswith("games.lost_city")]:
        del sys.modules[module]
    vars(games).pop("lost_city", None)


@pytest.fixture
def another_process(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the check play the game in one more process."""
    monkeypatch.setattr(order, "PROCESSES", 1)


def change(file: Path, old: str, new: str) -> None:
    """Replace a part of a file, which must be there."""
    text = file.read_text("utf-8")
    assert old in text, f"{file.name} does not have {old!r}"
    file.write_text(text.replace(old, new), "utf-8")
