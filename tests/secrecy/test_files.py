"""All files on disk are private to the service user: the journal, SQLite's files next to it, copies and drafts."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from engine.chance import Chance
from firmware_host.app.cli import main
from firmware_host.core import maps
from firmware_host.play.game import TableGame
from firmware_host.records.journal import FILE, Journal
from games.sniper_elite import GAME
from tests.firmware_host.test_games_cli import play_on
from tests.web_panel.room import Daemon

OLD = Path(__file__).resolve().parents[1] / "firmware_host" / "journals"


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """A umask of 0, as from a careless start of the table."""
    mask = os.umask(0)
    yield
    os.umask(mask)


def modes(folder: Path) -> dict[str, int]:
    """Return the permissions of a folder and of everything in it."""
    return {path.name: stat.S_IMODE(path.lstat().st_mode) for path in [folder, *folder.rglob("*")]}


def assert_private(folder: Path) -> None:
    assert {name: oct(mode) for name, mode in modes(folder).items() if mode & 0o077} == {}


def test_files_of_a_running_table_are_private(tmp_path: Path) -> None:
    daemon = Daemon(tmp_path / "state")
    try:
        found = modes(daemon.state)
        assert {FILE, f"{FILE}-wal", f"{FILE}-shm"} <= {*found}
        assert_private(daemon.state)
    finally:
        daemon.stop()
    assert_private(daemon.state)


def test_world_readable_journal_is_made_private(tmp_path: Path) -> None:
    Journal(tmp_path / FILE).close()
    os.chmod(tmp_path / FILE, 0o666)
    with closing(Journal(tmp_path / FILE)) as journal:
        journal.store_value("small", 1)
        assert_private(tmp_path)


def test_files_set_aside_are_made_private(tmp_path: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        (tmp_path / f"{FILE}{ending}").write_bytes(b"the sniper is on L7")
    with closing(Journal(tmp_path / FILE)) as journal:
        assert journal.set_aside
        assert "games.set-aside.sqlite-wal" in modes(tmp_path)
        assert_private(tmp_path)


def test_backup_of_older_journal_is_private(tmp_path: Path) -> None:
    shutil.copyfile(OLD / "version-1.sqlite", tmp_path / FILE)
    os.chmod(tmp_path / FILE, 0o644)
    with closing(Journal(tmp_path / FILE)) as journal:
        assert journal.migrated
        assert "games.version-1.sqlite" in modes(tmp_path)
        assert_private(tmp_path)


def test_exported_record_has_usual_permissions(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "state" / FILE)) as journal:
        board, options = maps.load("launch-facility"), GAME.read_options({"random_setup": True})
        play_on(TableGame.begin(GAME, board, options, journal, Chance(Random(1))), 1, 5).put_away()
    file = tmp_path / "past.json"
    assert main(["games", "export", "1", str(file), "--state", str(tmp_path / "state")]) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
