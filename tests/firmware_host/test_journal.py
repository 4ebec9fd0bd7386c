"""Stored data stays stored, and what cannot be written or read is reported."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.records.journal import Journal, JournalError
from tests.firmware_host.saved import saved_acts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "games.sqlite"


def test_only_newest_game_is_running_until_put_away(path: Path) -> None:
    journal = Journal(path)
    journal.begin("toy", "first", "abc", {}, [])
    second = journal.begin("toy", "second", "abc", {}, [])
    running = journal.running()
    assert running is not None
    assert running.id == second
    journal.end(second)
    assert journal.running() is None
    journal.end(second)
    assert [entry.kind for entry in journal.entries(second)] == ["start", "put-away"]


def test_written_act_survives_killed_process(path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from firmware_host.records.journal import Journal, SavedAct\n"
        "j = Journal(Path(sys.argv[1])); n = j.begin('g', 'm', 's', {}, []); j.write(n, SavedAct('a', 1, []))\n"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert done.returncode == -9
    assert [act.seat for act in saved_acts(Journal(path), 1)] == ["", "a"]


def test_folder_and_file_are_private_to_service_user(path: Path) -> None:
    Journal(path)
    assert stat.S_IMODE(os.stat(path.parent).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file, not a folder")
    with pytest.raises(JournalError, match="Choose another state folder"):
        Journal(tmp_path / "state" / "games.sqlite")
