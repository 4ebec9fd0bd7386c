"""The state folder is private to its user, and its journal belongs to one table at a time."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.admin import pin
from firmware_host.app.cli import main
from firmware_host.records.journal import Journal, JournalError
from firmware_host.records.state_folder import LOCK, CannotWrite, only_one, resolve_folder, storage_error
from tests.firmware_host.test_journal_file import filled, set_aside_files
from tests.patience import PATIENCE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "games.sqlite"


def test_folder_shared_by_all_users_is_refused_and_left_unchanged(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    with pytest.raises(JournalError, match=r"all users share this folder. Choose another"):
        Journal(shared / "games.sqlite")
    assert [*shared.iterdir()] == []
    assert shared.stat().st_mode & 0o7777 == 0o1777


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o701, 0o777])
@pytest.mark.parametrize("inside", ["", "letter"])
def test_folder_open_to_others_is_refused_and_left_unchanged(tmp_path: Path, mode: int, inside: str) -> None:
    folder = tmp_path / "home of ada"
    folder.mkdir()
    if inside:
        (folder / inside).touch()
    folder.chmod(mode)
    with pytest.raises(JournalError, match="other users have rights to this folder") as caught:
        Journal(folder / "games.sqlite")
    assert f"Choose a new folder with --state, for example {folder}/sniperboard" in str(caught.value)
    assert (f"chmod 700 '{folder}'" in str(caught.value)) == (not inside), "a home folder must stay accessible"
    assert [file.name for file in folder.iterdir()] == [inside] * bool(inside)
    assert stat.S_IMODE(folder.stat().st_mode) == mode


USED = ("boards", "drafts", "games.sqlite", "games.sqlite-wal", "house-pin.json", "https.pem", "hung", LOCK)
"""The files that a table writes into its folder."""


def test_message_about_open_folder_explains_how_to_keep_games(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    for name in USED:
        (folder / name).touch()
    folder.chmod(0o755)
    with pytest.raises(JournalError) as caught:
        Journal(folder / "games.sqlite")
    assert str(caught.value).endswith(f"games hold secrets. To keep its games, run: chmod 700 {folder}")
    (folder / "letter").touch()
    with pytest.raises(JournalError) as caught:
        Journal(folder / "games.sqlite")
    assert "chmod" not in str(caught.value), "a home folder must stay accessible"
    assert str(caught.value).endswith(
        f"Choose a new folder with --state, for example {folder}/sniperboard, and move the table's files into it: "
        f"{', '.join(sorted(USED))}."
    )


def test_circular_links_are_refused_with_message(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    with pytest.raises(JournalError, match=r"one: leads nowhere \(links to itself\)\. Choose another state folder\."):
        resolve_folder(str(tmp_path / "one"))
    with pytest.raises(JournalError, match="leads nowhere"):
        Journal(tmp_path / "one")


@pytest.mark.parametrize("command", [("doctor",), ("games", "list"), ("games", "delete", "--yes", "1")])
def test_commands_report_folder_that_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for state in (tmp_path / "loop", tmp_path / ("x" * 300)):
        assert main([*command, "--state", str(state)]) in (2, 4)
        assert "leads nowhere" in capsys.readouterr().err


def test_doctor_reports_journal_that_cannot_be_read(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.parent.mkdir(mode=0o700)
    path.write_bytes(b"no journal" * 1000)
    assert main(["doctor", "--state", str(path.parent)]) == 1
    assert "BAD  journal: " in capsys.readouterr().out


def test_new_folder_is_private_whatever_umask_is_set(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        Journal(tmp_path / "new" / "state" / "games.sqlite").close()
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new" / "state").stat().st_mode) == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "ada"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)
    with pytest.raises(JournalError, match="this folder belongs to another user"):
        Journal(folder / "games.sqlite")


@pytest.mark.parametrize(
    ("number", "advice"),
    [(errno.ENOSPC, "Free some space"), (errno.EIO, "Its disk fails"), (errno.EROFS, "Make its disk writable")],
)
def test_no_start_sends_people_away_from_their_games(tmp_path: Path, number: int, advice: str) -> None:
    """In another folder, they would start without games."""
    error = storage_error(OSError(number, os.strerror(number), str(tmp_path / LOCK)), tmp_path)
    assert isinstance(error, CannotWrite)
    assert str(error).startswith(f"{tmp_path / LOCK}: cannot be used ({os.strerror(number)}). {advice}")
    assert "another" not in str(error)


@pytest.mark.parametrize("name", ["hung", LOCK, "games.sqlite.doubted"])
def test_folder_in_place_of_a_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    state = tmp_path / "state"
    (state / name).mkdir(parents=True)
    state.chmod(0o700)
    assert main(["run", "--simulate", "--port", "0", "--state", str(state)]) == 4
    assert f"{name}: cannot be used (Is a directory). Remove it, then start again." in capsys.readouterr().err


# --- one table at a time ----------------------------------------------------------------------------------------

HOLDS = (
    "import sys; from pathlib import Path; from firmware_host.records.journal import Journal\n"
    "journal = Journal(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read(); journal.close()"
)


@pytest.fixture
def held(path: Path) -> Iterator[Path]:
    """A journal that another process writes."""
    filled(path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield path
        process.communicate("")
        assert process.returncode == 0


def refused(path: Path) -> None:
    with pytest.raises(
        JournalError, match=r"another table is using this folder\. Stop it, or choose another --state\."
    ):
        Journal(path)


def test_journal_in_use_is_refused_by_every_path(held: Path, tmp_path: Path) -> None:
    refused(held)
    (tmp_path / "link").symlink_to(held.parent)
    refused(tmp_path / "link" / held.name)
    (tmp_path / "hard").mkdir(mode=0o700)
    os.link(held, tmp_path / "hard" / held.name)
    refused(tmp_path / "hard" / held.name)
    held.parent.rename(tmp_path / "renamed")
    refused(tmp_path / "renamed" / held.name)
    (tmp_path / "renamed").rename(held.parent)


def test_deleted_lock_file_lets_no_one_in(held: Path) -> None:
    with only_one(held.parent):
        (held.parent / LOCK).unlink()
    with only_one(held.parent):
        refused(held)


def test_damaged_journal_in_use_is_not_set_aside(held: Path) -> None:
    db = sqlite3.connect(held)
    db.execute("CREATE TABLE more (x)")
    db.close()
    refused(held)
    assert set_aside_files(held) == {}


def test_copy_of_journal_is_another_journal(held: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir(mode=0o700)
    other = tmp_path / "copy" / held.name
    other.write_bytes(held.read_bytes())
    Journal(other).close()


def test_lock_does_not_disturb_sqlite_locks(path: Path) -> None:
    """Another process cannot write in the middle of a transaction, and reads what was there before it."""
    filled(path)
    journal = Journal(path)
    script = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)\n"
        "print(db.execute('SELECT COUNT(*) FROM games').fetchone()[0])\n"
        "try: db.execute('BEGIN IMMEDIATE')\n"
        "except sqlite3.OperationalError as error: print(error)"
    )
    with journal._transaction():
        journal._add(2, "act", "defenders")
        done = subprocess.run([sys.executable, "-c", script, str(path)], check=True, capture_output=True, text=True)
    assert done.stdout.split("\n") == ["2", "database is locked", ""]
    journal.close()


def test_nothing_waits_for_a_pipe_in_place_of_the_admin_pin(tmp_path: Path) -> None:
    script = "import sys, pathlib; from firmware_host.admin import pin; print(pin.read_pin(pathlib.Path(sys.argv[1])))"
    os.mkfifo(tmp_path / pin.FILE)
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout == "None\n"


def test_unreadable_journal_needs_rights_and_no_other_folder(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    denied = PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    assert "Choose another state folder" in str(storage_error(denied, path))
    path.touch()
    assert "Let the user who runs the table read and write it" in str(storage_error(denied, path))
