"""Every examination of a machine asks all puzzles of all games, which takes longer than the rest of a test."""

from __future__ import annotations

from functools import cache

import pytest

from firmware_host.play import puzzles

real_faults = puzzles.faults


@cache
def known_faults(name: str) -> tuple[object, ...]:
    """Return the faults of a game's puzzles, which no test here changes."""
    return (*real_faults(name),)


@pytest.fixture(autouse=True)
def quick_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examine the puzzles of each game once in this process."""
    monkeypatch.setattr(puzzles, "faults", known_faults)
