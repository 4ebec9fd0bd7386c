"""Any file in the journal's place is read as it was written, or set aside as a whole, or left alone."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any, cast

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_host.records import layout, record, salvage
from firmware_host.records.journal import CannotWrite, Journal, JournalError, SavedAct
from firmware_host.records.recheck import recheck
from tests.depth import DEPTH
from tests.firmware_host.saved import saved_acts
from tests.toys import grid

FIXTURE = Path(__file__).parent / "journals" / "version-1.sqlite"
"""Three games on the toy grid, written by the last code of version 1."""
MOVE = {"type": "move", "unit": "red-1", "to": "R4"}
LOG_HEADER, LOG_FRAME = 32, 24 + 4096
"""Bytes of the header of a log, and of a frame in it."""
Contents = tuple[Any, ...]


@cache
def sample() -> tuple[bytes, Contents]:
    """Return the file of a journal with two games, acts taken back, and small values; and its contents."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        journal = Journal(path)
        for name in ("first", "second"):
            setup = [{"event": {"type": "set-up"}, "to": None}]
            number = journal.begin("toy", name, "abc", {"random_setup": True}, setup)
            for step in range(12):
                told = [{"event": {"type": "moved", "step": step}, "to": ["sniper"]}] * (1 + step % 3)
                journal.write(number, SavedAct("defenders", MOVE, told))
                if step % 5 == 4:
                    journal.take_back(number, "defenders")
        journal.store_value("claims", [{"seat": "sniper", "device": "Ada's phone"}])
        found = contents(journal)
        journal.close()
        return path.read_bytes(), found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir()
    return tmp_path / "state" / "games.sqlite"


@pytest.fixture(autouse=True)
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """No journal here has more rows than this. Each unreadable one after the last costs a query."""
    monkeypatch.setattr(salvage, "_MOST_UNREADABLE", 500)


def filled(path: Path) -> Contents:
    """Put a copy of the sample in place; return its contents. Each commit to a disk would take as long as a test."""
    data, found = sample()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(data)
    return found


@cache
def logged(acts: int) -> tuple[bytes, bytes, list[Any]]:
    """Return the file and the log of a journal in a game after some acts, and the entries of the game."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        journal = Journal(path)
        number = journal.begin("toy", "first", "abc", {}, [])
        for step in range(acts):
            journal.write(number, SavedAct("defenders", MOVE, [{"event": {"step": step}, "to": None}]))
        found = path.read_bytes(), Path(f"{path}-wal").read_bytes(), [*journal.entries(number)]
        journal.close()
        return found


def put_down(folder: Path, file: bytes, log: bytes) -> Path:
    """Write the file and log of a journal; return the path of the file."""
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / "games.sqlite-wal").write_bytes(log)
    (folder / "games.sqlite").write_bytes(file)
    return folder / "games.sqlite"


def opened(folder: Path, file: bytes, log: bytes) -> Journal:
    """Open a journal with this file and log."""
    return Journal(put_down(folder, file, log))


def contents(journal: Journal) -> Contents:
    """Return everything in a journal."""
    games = journal.games()
    return games, [journal.entries(game.id) for game in games], journal.running(), journal.stored_value("claims")


EMPTY: Contents = ([], [], None, None)


def set_aside_files(path: Path) -> dict[str, bytes]:
    """Return what was set aside, by name."""
    return {file.name: file.read_bytes() for file in path.parent.glob("*.set-aside*") if file.is_file()}


def check_set_aside(path: Path, was: bytes) -> str:
    """Check that the file was set aside unchanged and replaced by an empty journal; return the message."""
    journal = Journal(path)
    assert contents(journal) == EMPTY
    assert set_aside_files(path)["games.set-aside.sqlite"] == was
    journal.begin("toy", "third", "abc", {}, [])
    journal.close()
    again = Journal(path)
    assert again.notices == []
    assert len(again.games()) == 1
    again.close()
    (notice,) = journal.notices
    return notice


def check_saved(path: Path, was: bytes, whole: Contents, lost: set[int], seated: bool = True) -> list[str]:
    """Check that the file was set aside unchanged and that a new journal has all games but the `lost`; return the
    messages.

    Without `seated`, the seats could not be read, and the running game was put away.
    """
    games, entries, running, claims = whole
    journal = Journal(path)
    saved = [(game, rows) for game, rows in zip(games, entries, strict=True) if game.id not in lost]
    assert journal.games() == [game for game, _ in saved]
    for game, rows in saved:
        ended = [] if seated or game != running else ["put-away"]
        assert journal.entries(game.id)[: len(rows)] == rows
        assert [entry.kind for entry in journal.entries(game.id)[len(rows) :]] == ended
    assert journal.running() == (running if seated and running.id not in lost else None)
    assert journal.stored_value("claims") == (claims if seated else None)
    assert set_aside_files(path)["games.set-aside.sqlite"] == was
    left = {file.name for file in path.parent.iterdir() if not file.name.endswith(("-wal", "-shm", "-journal"))}
    assert left == {path.name, "games.set-aside.sqlite"}
    number = journal.begin("toy", "third", "abc", {}, [])
    assert number > max(game.id for game in games), "no number is used twice"
    notices = journal.notices
    journal.close()
    again = Journal(path)
    assert (again.notices, again.damaged) == ([], ())
    again.close()
    return notices


# --- foreign files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [b"this is no database, " * 100, b"x", b"SQLite format 3\0", b"SQLite format 3\0" * 50]
)
def test_file_that_is_no_journal_is_set_aside_and_reported(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    said = check_set_aside(path, text)
    assert said.startswith("The journal games.sqlite is ")
    assert "kept as games.set-aside.sqlite" in said


@pytest.mark.parametrize("version", [0, 1, 2, 99])
@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_database_of_another_program_is_set_aside_unchanged(path: Path, version: int, mode: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(f"PRAGMA journal_mode = {mode}; CREATE TABLE photos (name TEXT)")
        db.executescript(f"PRAGMA user_version = {version}; INSERT INTO photos VALUES ('a cat')")
    assert "is another program's" in check_set_aside(path, path.read_bytes())


def test_folder_in_place_of_journal_is_set_aside_with_contents(path: Path) -> None:
    path.mkdir()
    (path / "letter").write_text("dear diary")
    journal = Journal(path)
    assert "is not a file" in journal.notices[0]
    assert (path.parent / "games.set-aside.sqlite" / "letter").read_text() == "dear diary"


def test_pipe_in_place_of_journal_is_set_aside_without_waiting(path: Path) -> None:
    os.mkfifo(path)
    assert "is not a file" in Journal(path).notices[0]
    assert stat.S_ISFIFO((path.parent / "games.set-aside.sqlite").stat().st_mode)


@pytest.mark.parametrize("empty", [False, True])
def test_log_without_its_journal_is_kept_next_to_earlier_ones(path: Path, empty: bool) -> None:
    for earlier in ("games.set-aside.sqlite", "games.set-aside.sqlite-wal"):
        path.with_name(earlier).write_bytes(b"earlier")
    Path(f"{path}-wal").write_bytes(b"acts of a game")
    if empty:
        path.touch()
    with closing(Journal(path)) as journal:
        assert "has lost its beginning" in journal.notices[0]
    assert set_aside_files(path) == {
        "games.set-aside.sqlite": b"earlier",
        "games.set-aside.sqlite-wal": b"earlier",
        "games.set-aside-2.sqlite-wal": b"acts of a game",
        **({"games.set-aside-2.sqlite": b""} if empty else {}),
    }


def test_empty_file_is_a_new_journal(path: Path) -> None:
    path.touch()
    assert Journal(path).notices == []


# --- damage -------------------------------------------------------------------------------------------------------


@settings(max_examples=40 * DEPTH)
@given(st.data())
def test_flipped_bits_are_harmless_or_close_what_they_hit(draw: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        data, whole = sample()
        bits = bytearray(data)
        places = st.one_of(st.integers(0, 99), st.integers(0, len(bits) - 1))
        for place, bit in draw.draw(st.lists(st.tuples(places, st.integers(0, 7)), min_size=1, max_size=4)):
            bits[place] ^= 1 << bit
        path.write_bytes(bits)
        believed_or_closed(path, bytes(bits), whole)


@settings(max_examples=16 * DEPTH)
@given(st.floats(0, 1, exclude_max=True), st.booleans())
def test_journal_cut_anywhere_has_no_wrong_data(share: float, fill: bool) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        data, whole = sample()
        cut = max(1, int(len(data) * share))
        path.write_bytes(data[:cut] + (bytes(len(data) - cut) if fill else b""))
        believed_or_closed(path, path.read_bytes(), whole)


def believed_or_closed(path: Path, was: bytes, whole: Contents) -> None:
    """Check that every game is unchanged or reported as damaged, or that the whole file is set aside."""
    try:
        journal = Journal(path)
    except JournalError as error:
        assert "written by a newer version" in str(error)
        assert path.read_bytes() == was
        return
    if journal.set_aside:
        check_all_as_it_was(journal, whole)
        assert set_aside_files(path)["games.set-aside.sqlite"] == was
        journal.begin("toy", "third", "abc", {}, [])
        journal.close()
        Journal(path).close()
    else:
        check_closed(path, journal, whole, {game.number for game in journal.damaged})


def check_all_as_it_was(journal: Journal, whole: Contents) -> None:
    """Check that saved data is unchanged. A game goes on only if all data of its seats is known."""
    games, entries, running, claims = whole
    known = dict(zip([game.id for game in games], zip(games, entries, strict=True), strict=True))
    for saved in journal.games():
        game, rows = known[saved.id]
        found = journal.entries(saved.id)
        # The whole sentence: everyone reads it, and a number of entries would tell how often a secret seat has acted.
        if f"The last actions of game {saved.id} could not be read. It was saved without them." in journal.set_aside:
            rows = rows[: sum(entry.kind != "put-away" for entry in found)]
        assert saved == game
        assert found[: len(rows)] == rows
        assert [entry.kind for entry in found[len(rows) :]] in ([], ["put-away"])
    assert journal.stored_value("claims") in (None, claims)
    assert journal.running() in (None, running)
    assert journal.running() is None or journal.stored_value("claims") == claims


def check_closed(path: Path, journal: Journal, whole: Contents, closed: set[int]) -> None:
    """Check that the games of these numbers, and no others, are reported as damaged and appear in no query. Everything
    else is there for every reader, and stays so when play goes on and the journal is opened again.
    """
    games, entries, running, claims = whole
    left = [(game, rows) for game, rows in zip(games, entries, strict=True) if game.id not in closed]
    expected = [it for it, _ in left], [rows for _, rows in left], None if running.id in closed else running, claims
    looks = [Journal.open_read_only(path), Journal.open_read_only(path, journal.checks)]
    for look in (journal, *looks):
        assert contents(look) == expected
        assert {game.number for game in look.damaged} == closed
    for look in looks:
        look.close()
    assert [game.id in closed for game in games] == [f"{game.id} (" in "".join(journal.lost) for game in games]
    assert any("starts in the lobby" in said for said in journal.lost) == (running.id in closed)
    rows = raw(path, closed)
    assert journal.begin("toy", "third", "abc", {}, []) == len(games) + 1
    journal.close()
    again = Journal(path)
    assert {game.number for game in again.damaged} == closed
    assert raw(path, closed) == rows, "a closed game is not written to"
    assert [game.id for game in again.games()] == [*(it.id for it, _ in left), len(games) + 1]
    again.close()


def raw(path: Path, games: set[int]) -> list[Any]:
    """Return the rows of some games, to the byte."""
    db = sqlite3.connect(path)
    db.text_factory = bytes
    found = []
    for number in sorted(games):
        found += db.execute("SELECT * FROM games WHERE id = ?", (number,)).fetchall()
        found += db.execute("SELECT * FROM entries WHERE game = ? ORDER BY number", (number,)).fetchall()
    db.close()
    return found


MOVED = "substr(telling, 1, instr(telling, ',\"to\"') - 1)"


@pytest.mark.parametrize(
    ("change", "closed"),
    [
        ("UPDATE entries SET telling = '[]' WHERE game = 1 AND number = 3", {1}),
        ("UPDATE entries SET telling = CAST(x'ff5b5d' AS TEXT) WHERE game = 1 AND number = 3", {1}),
        ("UPDATE entries SET at = at + 1 WHERE game = 2 AND number = 5", {2}),
        ("UPDATE entries SET seat = 'sniper' WHERE game = 1 AND number = 3", {1}),
        ("UPDATE entries SET kind = 'taken-back' WHERE game = 1 AND number = 2", {1}),
        ("UPDATE entries SET kind = 'act' WHERE kind = 'put-away'", {1}),
        ("UPDATE entries SET number = 99 WHERE game = 1 AND number = (SELECT MAX(number) FROM entries)", {1}),
        (
            f"UPDATE entries SET command = command || ',' || {MOVED}, telling = substr(telling, length({MOVED}) + 2)"
            " WHERE game = 2 AND number = 1",
            {2},
        ),
        ("DELETE FROM entries WHERE game = 1 AND number = 4", {1}),
        ("DELETE FROM entries WHERE game = 1 AND number = 0", {1}),
        ("DELETE FROM entries WHERE game = 2", {2}),
        ("UPDATE games SET started = started - 1 WHERE id = 1", {1}),
        ("UPDATE games SET started = started - 1", {1, 2}),
        ("UPDATE games SET options = '{}' WHERE id = 2", {2}),
        ("UPDATE games SET options = 'x'", {1, 2}),
        ("UPDATE games SET hash = 'another' WHERE id = 2", {2}),
    ],
)
def test_game_with_changed_added_or_missing_row_is_closed_alone(path: Path, change: str, closed: set[int]) -> None:
    whole = filled(path)
    alter(path, change)
    journal = Journal(path)
    assert not journal.set_aside
    check_closed(path, journal, whole, closed)


def spoil_types(path: Path, table: str, name: str, where: str, value: str) -> None:
    """Write a value of a type that the table does not allow, as a flipped bit in the type of a value leaves it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        (before,) = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        change = "UPDATE sqlite_master SET sql = ? WHERE name = ?"
        after = before.replace(" NOT NULL", "").replace(" STRICT", "")
        for sql, then in ((after, f"UPDATE {table} SET {name} = {value} WHERE {where}"), (before, "SELECT 1")):
            db.execute("PRAGMA writable_schema = ON")
            db.execute(change, (sql, table))
            db.execute("PRAGMA writable_schema = RESET")
            db.execute(then)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


COLUMNS = {
    "games": ("started", "game", "map", "source", "options", "hash"),
    "entries": ("at", "kind", "seat", "command", "telling", "hash"),
}


@pytest.mark.parametrize("value", ["NULL", "x'41'"])
@pytest.mark.parametrize(("table", "name"), [(table, name) for table in COLUMNS for name in COLUMNS[table]])
def test_running_game_with_values_of_other_types_is_closed(path: Path, table: str, name: str, value: str) -> None:
    filled(path)
    spoil_types(path, table, name, "id = 2" if table == "games" else "game = 2 AND number = 0", value)
    with closing(Journal(path, later=True)) as journal:
        assert [game.number for game in journal.damaged] == [2]
        assert journal.running() is None
        assert [game.id for game in journal.games()] == [1]


@pytest.mark.parametrize(
    ("change", "called"),
    [
        ("map = CAST(x'ff' AS TEXT)", "1 ({day})"),
        ("map = 'a' || char(10)", "1 ({day})"),
        ("map = printf('%0100d', 0)", "1 ({day})"),
        ("started = 1e300", "1 (first)"),
        ("started = -1", "1 (first)"),
        ("started = 1e300, map = ''", "1"),
    ],
)
def test_map_and_date_of_damaged_game_are_named_if_readable(path: Path, change: str, called: str) -> None:
    filled(path)
    journal = Journal(path)
    day = time.strftime("%Y-%m-%d", time.localtime(journal.games()[0].started))
    journal.close()
    alter(path, f"UPDATE games SET {change} WHERE id = 1")
    (said,) = Journal(path).notices
    assert said.startswith(f"1 game in the journal is damaged: {called.format(day=day)}. It stays in the file")


def test_message_names_limited_number_of_damaged_games(path: Path) -> None:
    journal = Journal(path)
    for _ in range(12):
        journal.end(journal.begin("toy", "first", "abc", {}, []))
    journal.close()
    alter(path, "UPDATE entries SET telling = '{}'")
    (said,) = Journal(path).notices
    assert said.startswith("12 games in the journal are damaged: 1 (first, ")
    assert ", 10 (first, " in said
    assert "), …. They stay" in said


@pytest.mark.parametrize(
    ("change", "lost", "seated"),
    [
        ("DELETE FROM games WHERE id = 1", {1}, True),
        ("UPDATE kept SET value = '[]'", set(), False),
        ("CREATE TABLE more (x)", set(), True),
        ("CREATE TRIGGER sly AFTER INSERT ON entries BEGIN DELETE FROM entries; END", set(), True),
        ("PRAGMA user_version = 0", set(), True),
        ("PRAGMA application_id = 7", set(), True),
    ],
)
def test_file_with_further_changes_is_set_aside_and_games_saved(
    path: Path, change: str, lost: set[int], seated: bool
) -> None:
    whole = filled(path)
    alter(path, change)
    said = check_saved(path, path.read_bytes(), whole, lost, seated)
    assert "It was kept as games.set-aside.sqlite, and what could be read of it was saved" in said[0]
    assert said[1] == ("1 game was saved." if lost else "2 games were saved.")
    assert ("1 game could not be saved: 1." in said) == bool(lost)
    assert ("Game 2, which had not ended, was put away." in said) == (not seated)


@pytest.mark.parametrize("name", [b"entries", b"sqlite_autoindex_games_1", b"STRICT", b"kept"])
def test_name_that_is_invalid_text_loses_no_game(path: Path, name: bytes) -> None:
    whole = filled(path)
    path.write_bytes(path.read_bytes().replace(name, b"\xd2" + name[1:]))
    assert "is damaged" in check_saved(path, path.read_bytes(), whole, set())[0]


def test_seats_that_are_invalid_text_end_running_game(path: Path) -> None:
    whole = filled(path)
    path.write_bytes(path.read_bytes().replace(b"claims", b"\xd2laims"))
    assert "is damaged" in check_saved(path, path.read_bytes(), whole, set(), seated=False)[0]


def test_wrong_index_is_noticed_and_loses_nothing(path: Path) -> None:
    whole = filled(path)
    db = sqlite3.connect(path)
    (size,) = db.execute("PRAGMA page_size").fetchone()
    (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_entries_1'").fetchone()
    db.close()
    bits = bytearray(path.read_bytes())
    cells = (page - 1) * size + 3
    bits[cells : cells + 2] = (int.from_bytes(bits[cells : cells + 2], "big") - 1).to_bytes(2, "big")
    path.write_bytes(bits)
    assert "is damaged" in check_saved(path, bytes(bits), whole, set())[0]


@pytest.mark.parametrize("garbage", [False, True])
def test_change_that_another_program_left_unfinished_is_undone(path: Path, tmp_path: Path, garbage: bool) -> None:
    whole, undo = filled(path), Path(f"{path}-journal")
    if garbage:
        undo.write_bytes(b"x" * 600)
    else:
        (other := tmp_path / "other.sqlite").write_bytes(path.read_bytes())
        db = sqlite3.connect(other, isolation_level=None)
        db.executescript("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; UPDATE entries SET at = at + 1;")
        undo.write_bytes(Path(f"{other}-journal").read_bytes())
        path.write_bytes(other.read_bytes())
        db.close()
    assert undo.read_bytes()
    assert "is damaged" in check_saved(path, path.read_bytes(), whole, set())[0]


def long(path: Path) -> Contents:
    """Fill a journal with four games on dozens of pages, the last of which is running; return its contents."""
    journal = Journal(path)
    for name in ("first", "second", "third", "fourth"):
        number = journal.begin("toy", name, "abc", {}, [{"event": {"type": "set-up"}, "to": None}])
        for step in range(30):
            journal.write(
                number, SavedAct("defenders", MOVE, [{"event": {"step": step, "words": "x" * 300}, "to": []}])
            )
    journal.store_value("claims", [{"seat": "sniper", "device": "Ada's phone"}])
    found = contents(journal)
    journal.close()
    return found


def test_each_flipped_byte_costs_only_the_games_it_hit(path: Path) -> None:
    whole = long(path)
    data, random = path.read_bytes(), Random(3)
    saved, closed, aside, gone_on = 0, 0, 0, 0
    count = 100 * DEPTH
    for number in range(count):
        hit = path.parent / str(number) / path.name
        hit.parent.mkdir(mode=0o700)
        bits = bytearray(data)
        bits[random.randrange(100, len(bits))] ^= 1 << random.randrange(8)
        hit.write_bytes(bits)
        journal = Journal(hit)
        check_all_as_it_was(journal, whole)
        aside += bool(journal.set_aside)
        closed += len(journal.damaged)
        saved += len(journal.games())
        gone_on += journal.running() is not None
        journal.close()
        rmtree(hit.parent)
    assert aside > count / 40, "some of them hit more than one game's words"
    assert closed > count / 4, "most of them hit one game's words"
    assert saved + closed > 4 * count - aside, "a page holds rows of two games at most"
    assert gone_on > 0.65 * count


CUT_SHORT = """
import os, shutil, sys
from itertools import count
from pathlib import Path
from firmware_host.records.journal import Journal

def cut(real):
    def call(*args):
        if not left[0]: os._exit(9)
        left[0] -= 1
        return real(*args)
    return call

source, target = Path(sys.argv[1]), Path(sys.argv[2])
real = os.rename, os.replace
for step in count():
    shutil.copytree(source, target / str(step))
    if not (child := os.fork()):
        left = [step]
        os.rename, os.replace = map(cut, real)
        Journal(target / str(step) / "games.sqlite").close()
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        break
"""
"""Open a copy of a journal again and again, each time cut short one renamed file later, until it is opened."""


@pytest.mark.parametrize("log", [False, True])
def test_interrupted_salvage_is_finished_at_next_start(path: Path, tmp_path: Path, log: bool) -> None:
    whole = filled(path)
    alter(path, "CREATE TABLE more (x)")
    was = path.read_bytes()
    if log:
        Path(f"{path}-wal").write_bytes(b"what SQLite does not know")
    (cuts := tmp_path / "cuts").mkdir()
    subprocess.run([sys.executable, "-c", CUT_SHORT, str(path.parent), str(cuts)], check=True)
    for folder in cuts.iterdir():
        hit = folder / path.name
        journal = Journal(hit)
        assert contents(journal) == whole, folder.name
        assert "2 games were saved." in journal.set_aside, "also if an earlier start was to say so"
        assert set_aside_files(hit)["games.set-aside.sqlite"] == was
        assert set_aside_files(hit).get("games.set-aside.sqlite-wal", b"") == (
            b"what SQLite does not know" if log else b""
        )
        assert not [file for file in folder.iterdir() if file.name.endswith((".new", ".copy", ".saved"))]
        journal.close()
    assert len([*cuts.iterdir()]) > 4


def test_interrupted_salvage_with_a_damaged_place_is_finished(path: Path) -> None:
    whole = filled(path)
    path.rename(path.with_name("games.sqlite.saved"))
    with closing(sqlite3.connect(path.with_name("games.sqlite.saved"), isolation_level=None)) as db:
        db.execute("INSERT INTO kept VALUES ('salvaged', ?, 'no hash that fits')", ('{"place": "../elsewhere"}',))
    Path(f"{path}-wal").write_bytes(b"what the damaged one has left")
    with closing(Journal(path)) as journal:
        check_all_as_it_was(journal, whole)
    assert b"what the damaged one has left" in set_aside_files(path).values()


def alter(path: Path, change: str) -> None:
    """Write into the journal as another program."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(change)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


@settings(max_examples=15)
@given(st.floats(0, 1, exclude_max=True))
def test_acts_before_a_power_cut_in_log_are_exact(share: float) -> None:
    file, log, entries = logged(10)
    with TemporaryDirectory() as folder:
        cut = opened(Path(folder), file, log[: int(len(log) * share)])
        kept = cut.entries(1)
        assert cut.notices == []
        assert kept == entries[: len(kept)]
        cut.close()


@pytest.mark.parametrize(
    ("tree", "byte", "saved"),
    [
        ("sqlite_autoindex_entries_1", 4, ["2 games were saved."]),  # the number of rows
        ("sqlite_autoindex_entries_1", 8 + 2 * 17, ["2 games were saved."]),  # where a row of the second game is
        ("games", 4, ["1 game was saved.", "1 game could not be"]),
    ],
)
def test_page_that_hides_rows_is_found(path: Path, tree: str, byte: int, saved: list[str]) -> None:
    whole = filled(path)
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (tree,)).fetchone()
    data = bytearray(path.read_bytes())
    data[4096 * (page - 1) + byte] -= 1
    path.write_bytes(data)
    with closing(Journal(path, later=True)) as journal:
        check_all_as_it_was(journal, whole)
        for said, expected in zip(journal.notices[1:], saved, strict=True):
            assert said.startswith(expected)


@settings(max_examples=15)
@given(st.data())
def test_flipped_bit_in_log_is_reported_and_loses_no_act(draw: st.DataObject) -> None:
    file, whole, entries = logged(10)
    log = bytearray(whole)
    # Damage to the last commits looks like the trace of a power cut.
    place = draw.draw(st.integers(0, len(log) // 2))
    log[place] ^= 1 << draw.draw(st.integers(0, 7))
    with TemporaryDirectory() as folder:
        saved = opened(Path(folder), file, log)
        assert saved.entries(1) == entries
        assert saved.notices == [
            "The journal games.sqlite is damaged. It was kept as games.set-aside.sqlite, and what could be read of it "
            "was saved into a new one.",
            "1 game was saved.",
        ]
        assert set_aside_files(saved.path)["games.set-aside.sqlite-wal"] == log
        saved.close()


@cache
def logged_games() -> tuple[bytes, bytes, list[list[Any]]]:
    """Return the file and the log of a journal that has stored a part of three games in the file. The last one runs."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        journal = Journal(path)
        for game in (1, 2, 3):
            assert journal.begin("toy", f"m{game}", "abc", {}, []) == game
            for step in range(6):
                event = {"step": step, "text": "x" * 400}
                journal.write(game, SavedAct("defenders", MOVE, [{"event": event, "to": None}]))
                journal.store_value("claims", [f"key {game}-{step}"])
                if (game, step) == (1, 3):
                    journal._db.execute("PRAGMA wal_checkpoint(RESTART)")
        found = path.read_bytes(), Path(f"{path}-wal").read_bytes(), [journal.entries(game) for game in (1, 2, 3)]
        journal.close()
        return found


def test_lost_page_above_entries_costs_no_entry(path: Path) -> None:
    file, log, entries = logged_games()
    opened(path.parent, file, log).close()  # which moves the log into the file
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()
    data = bytearray(path.read_bytes())
    data[4096 * (root - 1) : 4096 * root] = bytes(4096)
    path.write_bytes(data)
    with closing(Journal(path)) as journal:
        assert [journal.entries(game) for game in (1, 2, 3)] == entries
        assert "3 games were saved." in journal.notices


@settings(max_examples=12 * DEPTH)
@given(st.floats(0, 1, exclude_max=True), st.sampled_from([512, 4096]), st.sampled_from([b"\0", b"\x5a"]))
@example(0.0, 512, b"\0")
@example(0.0, 4096, b"\0")
@example(0.0, 4096, b"\x5a")
@example(0.2315, 4096, b"\0")
@example(0.572, 4096, b"\0")
def test_lost_sector_of_log_costs_only_what_is_on_it(share: float, size: int, fill: bytes) -> None:
    file, whole, entries = logged_games()
    start = int(len(whole) * share) // size * size
    log = whole[:start] + fill * len(whole[start : start + size]) + whole[start + size :]
    with TemporaryDirectory() as folder:
        saved = opened(Path(folder), file, log)
        lost = sum(map(len, entries))
        for game in saved.games():
            was, kept = entries[game.id - 1], saved.entries(game.id)
            played = [entry for entry in kept if entry in was]
            assert played == was[: len(played)]
            assert [entry.kind for entry in kept[len(played) :]] in ([], ["put-away"])
            lost -= len(played)
        assert lost <= 8, "one page has at most so many entries, and a game's first entry can be on it"
        # The end of a log looks like the trace of a power cut.
        assert saved.notices or lost <= 2
        # A key of an earlier moment could belong to a person who has lost the seat.
        assert saved.running() is None or saved.stored_value("claims") in (["key 3-5"], ["key 3-4"])
        saved.close()


@pytest.mark.parametrize("part", [3, 7, 8, 16])  # the page, the commit, the salts and the checksums of a frame
def test_flipped_bit_in_head_of_frame_loses_no_act(tmp_path: Path, part: int) -> None:
    file, log, entries = logged(4)
    places = range(LOG_HEADER + part, len(log), LOG_FRAME)
    for place in places[:-2]:  # an act has two frames, and damage to the last one looks like a power cut
        saved = opened(tmp_path / str(place), file, log[:place] + bytes([log[place] ^ 1]) + log[place + 1 :])
        assert (saved.entries(1), len(saved.notices)) == (entries, 2), place
        saved.close()


def test_rests_of_failed_commits_in_log_are_no_damage(tmp_path: Path) -> None:
    file, first_log, _ = logged(0)
    logs = []
    for size in (10, 9_000, 30_000):
        path = put_down(tmp_path / str(size), file, first_log)
        # While someone reads, the log goes on where it ends.
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
        same = Journal(path)
        same.write(1, SavedAct("defenders", MOVE, [{"event": {"text": "x" * size}, "to": None}]))
        logs.append(Path(f"{same.path}-wal").read_bytes())
        reader.close()
        same.close()
    short, middle, long = logs
    # A disk that can't sync refuses the two longer acts. Each further one begins at the same place.
    rests = opened(tmp_path / "rests", file, short + middle[len(short) :] + long[len(middle) :])
    alone = opened(tmp_path / "alone", file, short)
    assert (contents(rests), rests.notices) == (contents(alone), [])
    rests.close()
    alone.close()


# --- versions ---------------------------------------------------------------------------------------------------


def test_journal_of_newer_version_is_refused_and_left_alone(path: Path) -> None:
    filled(path)
    alter(path, "ALTER TABLE entries ADD COLUMN more TEXT")
    alter(path, "PRAGMA user_version = 99")
    was = path.read_bytes()
    with pytest.raises(
        JournalError, match=r"newer version .*journal version 99, this one writes 3.* Install that version"
    ):
        Journal(path)
    assert path.read_bytes() == was
    assert set_aside_files(path) == {}


@pytest.mark.parametrize("bit", range(32))
def test_flipped_bit_in_number_of_version_is_damage(path: Path, bit: int) -> None:
    whole = filled(path)
    data = bytearray(path.read_bytes())
    data[63 - bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)
    with closing(Journal(path)) as journal:
        check_all_as_it_was(journal, whole)
        assert len(journal.games()) == len(whole[0])
        assert journal.set_aside


def old(path: Path) -> Any:
    """Put a journal of version 1 in place; return its contents."""
    path.write_bytes(FIXTURE.read_bytes())
    return json.loads(FIXTURE.with_suffix(".json").read_text("utf-8"))


def test_journal_of_version_1_is_migrated_and_kept_unchanged(path: Path) -> None:
    said = old(path)
    journal = Journal(path)
    assert journal.notices == [
        "The journal was migrated from version 1 to 3. The old one is kept as games.version-1.sqlite."
    ]
    backup = path.parent / "games.version-1.sqlite"
    assert backup.read_bytes() == FIXTURE.read_bytes()
    assert stat.S_IMODE(backup.stat().st_mode) == stat.S_IMODE(path.stat().st_mode) == 0o600
    for number, acts in said["games"].items():
        assert [msgspec.to_builtins(act) for act in saved_acts(journal, int(number))] == acts
    running = journal.running()
    assert running is not None
    assert running.id == said["running"]
    assert {name: journal.stored_value(name) for name in said["kept"]} == said["kept"]
    assert [entry.kind for entry in journal.entries(1)][-1] == "put-away"


def test_migration_that_fails_again_and_again_leaves_one_backup(path: Path) -> None:
    old(path)
    obstacle = path.with_name("games.sqlite.new")
    obstacle.mkdir()
    for _ in range(3):
        with pytest.raises(JournalError):
            Journal(path)
    obstacle.rmdir()
    assert "kept as games.version-1.sqlite" in Journal(path).notices[0]
    assert [file.name for file in path.parent.glob("*version*.sqlite")] == ["games.version-1.sqlite"]


def test_migrated_game_follows_rules_and_goes_on(path: Path) -> None:
    old(path)
    journal = Journal(path)
    for saved in journal.games():
        kept = record.record_of(saved, journal.entries(saved.id))
        record.check_chain(kept)
        recheck(kept, grid())
    journal.write(3, SavedAct("sniper", MOVE, []))
    journal.close()
    again = Journal(path)
    assert again.notices == []
    assert [act.command for act in saved_acts(again, 3)][-1] == MOVE


def test_only_options_without_value_may_be_missing_in_record(path: Path) -> None:
    old(path)
    saved = Journal(path).games()[0]
    kept = record.record_of(saved, Journal(path).entries(saved.id))
    recheck(msgspec.structs.replace(kept, options={**kept.options, "nest": None}), grid())
    for name in kept.options:
        fewer = {other: value for other, value in kept.options.items() if other != name}
        with pytest.raises(record.RecordError, match="options that cannot be chosen"):
            recheck(msgspec.structs.replace(kept, options=fewer), grid())


def test_last_acts_of_version_1_are_migrated_from_its_log(path: Path) -> None:
    said = old(path)
    script = (
        "import os, sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('''INSERT INTO acts VALUES (3, ?, 1.0, 'sniper', '{\"type\": \"loot\"}', '[]')''', [sys.argv[2]])\n"
        "os.kill(os.getpid(), 9)"
    )
    number = len(said["games"]["3"])
    subprocess.run([sys.executable, "-c", script, str(path), str(number)], check=False)
    assert Path(f"{path}-wal").stat().st_size > 0
    assert [act.seat for act in saved_acts(Journal(path), 3)][number:] == ["sniper"]


@pytest.mark.parametrize("name", ["a?b#c", "a%20b", os.fsdecode(b"\xff")])
def test_journal_is_found_in_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    journal = Journal(tmp_path / name / "games.sqlite")
    journal.begin("toy", "first", "abc", {}, [])
    journal.close()
    assert (tmp_path / name / "games.sqlite").stat().st_size > 0


def test_pipe_in_the_place_of_a_saved_journal_is_ignored(path: Path) -> None:
    os.mkfifo(f"{path}.saved")
    journal = Journal(path)
    assert journal.games() == []
    journal.close()


def test_start_makes_acts_independent_of_the_log(tmp_path: Path) -> None:
    """After each power cut, the log went on, and a log of zeros lost all games since the last stop."""
    file, log, entries = logged(3)
    interrupted = opened(tmp_path, file, log)
    file = (tmp_path / "games.sqlite").read_bytes()
    again = opened(tmp_path / "again", file, bytes(len(log)))
    assert again.entries(1) == entries
    interrupted.close()
    again.close()


@settings(max_examples=20 * DEPTH)
@given(st.integers(0, FIXTURE.stat().st_size - 1), st.integers(0, 7))
@example(18, 0)
@example(63, 1)
def test_damaged_journal_of_version_1_is_never_overwritten(place: int, bit: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        old(path)
        bits = bytearray(path.read_bytes())
        bits[place] ^= 1 << bit
        path.write_bytes(bits)
        journal = Journal(path)
        (notice,) = journal.notices
        (kept,) = path.parent.glob("games.*.sqlite")
        assert kept.name in notice
        assert kept.read_bytes() == bytes(bits)
        assert len(journal.games()) == (3 if "version-1" in kept.name else 0)
        journal.close()


# --- no space, no permission --------------------------------------------------------------------------------------

ACTS = (
    "import sys; from pathlib import Path; from firmware_host.records.journal import Journal, JournalError, SavedAct\n"
    "try:\n"
    "    j = Journal(Path(sys.argv[1])); n = j.begin('g', 'm', 's', {}, [])\n"
    "    for k in range(1000): j.write(n, SavedAct('a', k, ['x' * 500])); print(k, flush=True)\n"
    "except JournalError as error: sys.exit(str(error))"
)


def run(path: Path, before: Callable[[], None]) -> subprocess.CompletedProcess[str]:
    """Run a process that writes act after act and prints the number of each, until it cannot go on."""
    return subprocess.run(
        [sys.executable, "-c", ACTS, str(path)], check=False, capture_output=True, text=True, preexec_fn=before
    )


@pytest.mark.parametrize("room", [0, 3000, 60_000, 200_000])
def test_every_reported_act_is_stored_on_full_disk(path: Path, room: int) -> None:
    done = run(path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    assert done.returncode == 1
    assert "Free some space" in done.stderr
    assert "Traceback" not in done.stderr
    journal = Journal(path)
    assert journal.notices == []
    told = [int(line) for line in done.stdout.split()]
    kept = [act.command for act in saved_acts(journal, 1)][1:] if journal.games() else []
    assert kept[: len(told)] == told
    assert told or room < 60_000


def test_old_journal_stays_unchanged_on_full_disk(path: Path) -> None:
    old(path)
    done = run(path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000)))
    assert done.returncode == 1
    assert path.read_bytes() == FIXTURE.read_bytes()
    assert len(Journal(path).games()) == 3


def test_folder_without_write_permission_is_reported_and_nothing_set_aside(path: Path) -> None:
    filled(path)
    os.chmod(path.parent, 0o500)
    done = run(path, drop_capabilities)
    assert done.returncode == 1
    assert "Nothing was changed. Free some space, check the folder's permissions, then start again." in done.stderr
    assert not set_aside_files(path)


def drop_capabilities() -> None:
    """Drop root's capabilities to override file permissions."""
    prctl = ctypes.CDLL(None).prctl
    for capability in (0, 1, 2, 3):  # CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
        prctl(24, capability, 0, 0, 0)


def test_journal_without_write_permission_is_left_in_place(path: Path) -> None:
    filled(path)
    os.chmod(path, 0o400)
    done = run(path, drop_capabilities)
    assert done.returncode == 1
    assert "check the folder's permissions" in done.stderr or "Free some space" in done.stderr
    os.chmod(path, 0o600)
    assert len(Journal(path).games()) == 2


# --- little space -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("failing", ["INSERT INTO entries", "INSERT INTO games", "INSERT INTO kept"])
def test_full_disk_during_salvage_loses_no_game(path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    whole = filled(path)
    was = bytearray(path.read_bytes())
    was[36:40] = (1).to_bytes(4, "big")  # a free page that does not exist; all rows can be read
    path.write_bytes(was)
    save = salvage.recover_games
    full = Full(failing)

    def on_a_full_disk(old: sqlite3.Connection, new: sqlite3.Connection) -> Any:
        full.db = new
        return save(old, cast(sqlite3.Connection, full))

    monkeypatch.setattr(salvage, "recover_games", on_a_full_disk)
    with pytest.raises(CannotWrite, match="database or disk is full") as caught:
        Journal(path)
    assert caught.value.why == "full"
    assert path.read_bytes() == was
    assert {file.name for file in path.parent.glob("games*")} <= {path.name, f"{path.name}-wal", f"{path.name}-shm"}
    monkeypatch.setattr(salvage, "recover_games", save)
    check_saved(path, bytes(was), whole, set())


class Full:
    """A connection to a journal on a full disk: fails once, at a statement that starts with `failing`."""

    def __init__(self, failing: str) -> None:
        self.db: Any = None
        self._failing = failing

    def execute(self, statement: str, *values: Any) -> Any:
        if self._failing and statement.startswith(self._failing):
            self._failing = ""
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return self.db.execute(statement, *values)


class Circling:
    """A connection to a table with a damaged page: rows out of order, and then nothing more can be read."""

    asked = 0

    def execute(self, _: str, values: tuple[int]) -> Any:
        """Return the rows of the page, wherever the search begins."""
        self.asked += 1
        assert self.asked <= 2 * salvage._MOST_UNREADABLE, "endless loop"
        yield from [(7, "a"), (3, "b"), (4, "c")]
        raise sqlite3.DatabaseError("database disk image is malformed")


def test_rows_out_of_order_are_not_read_endlessly(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of 200 flipped bits caused this, and the table never started."""
    monkeypatch.setattr(salvage, "_MOST_UNREADABLE", 100)
    found = [*salvage._readable_rows(cast(sqlite3.Connection, Circling()), "entries")]
    assert {*found} == {("a",), ("b",), ("c",)}
    assert len(found) < 3 * 100


# --- version 2 ------------------------------------------------------------------------------------------------------


def without_requests(path: Path) -> Contents:
    """Turn a filled journal into one of version 2; return its contents."""
    whole = filled(path)
    old = sqlite3.connect(path.with_name("old"), isolation_level=None)
    old.executescript(layout.TABLES_2 + f"PRAGMA application_id = {layout.APPLICATION_ID}; PRAGMA user_version = 2;")
    old.execute("ATTACH ? AS new", (str(path),))
    for table, columns in (("games", "*"), ("entries", "game, number, at, kind, seat, command, telling, hash")):
        old.execute(f"INSERT INTO main.{table} SELECT {columns} FROM new.{table}")
    old.execute("INSERT INTO main.kept SELECT * FROM new.kept")
    old.close()
    layout.discard(path)
    path.with_name("old").rename(path)
    return whole


@pytest.mark.parametrize("later", [False, True])
def test_journal_of_version_2_is_changed_in_place(path: Path, later: bool) -> None:
    whole = without_requests(path)
    look = Journal.open_read_only(path)
    assert contents(look) == whole
    look.close()
    journal = Journal(path, later=later)
    assert (contents(journal), journal.notices) == (whole, [])
    journal.write(2, SavedAct("defenders", MOVE, [], "a request"))
    journal.close()
    again = Journal(path, later=later)
    assert again.requests() in ([("defenders", "a request")], [])
    assert again.entries(2)[-1].command == MOVE
    again.close()


def test_damaged_journal_of_version_2_is_saved(path: Path) -> None:
    whole = without_requests(path)
    alter(path, "DELETE FROM games WHERE id = 1")  # SQLite does not enforce its entries' references by default
    was = path.read_bytes()
    notices = check_saved(path, was, whole, {1})
    assert "1 game was saved." in notices
