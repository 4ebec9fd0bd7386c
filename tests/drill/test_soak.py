"""Bots play game after game through the whole daemon, on a clock that does not wait: nothing may pile up.

`make soak` does the same with ten thousand games.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.soak import soak, verified

GAMES, EVERY = 8, 4


@pytest.mark.long
def test_game_after_game_the_daemon_keeps_nothing_but_its_journal(tmp_path: Path) -> None:
    states = soak(tmp_path, GAMES, EVERY)

    assert len(states) == GAMES / EVERY
    assert states[-1].grown(states[0]) == []
    assert verified(tmp_path) == (True, "")
