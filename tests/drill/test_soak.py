"""Bots play game after game through the whole daemon, on a clock that does not wait: nothing accumulates.

`make soak` does the same with ten thousand games.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GAMES, EVERY = 8, 4
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.nightly
@pytest.mark.long
def test_daemon_keeps_only_its_journal_game_after_game(tmp_path: Path) -> None:
    """The table has its own process, because a test runner with thousands of tests grows by itself."""
    command = [sys.executable, "-m", "lab.soak", "--games", str(GAMES), "--every", str(EVERY)]
    done = subprocess.run(
        [*command, "--json", str(tmp_path / "soak.json")], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.stdout.count(" objects, ") == GAMES / EVERY
    assert (done.returncode, done.stderr.strip()) == (0, "Nothing grew, and the journal is intact.")
