"""The journal's file: private, whole, ours and of this version before anything is written to it.

What is not whole or not ours is set aside under another name, with all that lies beside it, and never written to. What
a newer version wrote is left alone. What an older one wrote is migrated; the old file is kept as a backup. One damaged
game in a whole file is named, and no more (`judging.py`).
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import quote

from engine.text import Text
from firmware_host.records import chain, judging, version_1
from firmware_host.records.judging import DamagedGame

VERSION = 2
APPLICATION = 0x536E6A31
"""What tells our files from other programs'."""
LOCK = "in-use.lock"

TABLES = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, started REAL NOT NULL, game TEXT NOT NULL, map TEXT NOT NULL, source TEXT NOT NULL,
    options TEXT NOT NULL, hash TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games(id), number INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL,
    seat TEXT NOT NULL, command TEXT NOT NULL, telling TEXT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT;
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
"""

_MAGIC, _HEADER = b"SQLite format 3\0", 100
_WRITE_FORMAT = 18
_BESIDE = ("-wal", "-shm", "-journal")
_OUTSIDE = {
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
}  # fmt: skip
"""What SQLite says when not the file is at fault but what lies around it."""
_PASSING = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read-only", errno.EIO: "failing"}
"""What the system says of a disk that can be well again."""


class JournalError(Exception):
    """The journal cannot be used; the sentence says why and what to do."""


class CannotWrite(JournalError):
    """Nothing can be written just now, and nothing was; the same may be tried again.

    `why` is full, read-only or failing.
    """

    def __init__(self, sentence: str, why: str) -> None:
        super().__init__(sentence)
        self.why = why


def passing(error: OSError | sqlite3.Error, path: Path) -> str | None:
    """Why nothing can be written to the journal at `path` just now; None where the fault is the journal's own."""
    if isinstance(error, OSError):
        return _PASSING.get(error.errno or 0)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code not in _OUTSIDE:
        return None
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM) or _only_to_read(path.parent):
        return "read-only"
    return "full" if code == sqlite3.SQLITE_FULL else "failing"


def _only_to_read(folder: Path) -> bool:
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _error(sentence: str, error: OSError | sqlite3.Error, path: Path) -> JournalError:
    why = passing(error, path)
    return JournalError(sentence) if why is None else CannotWrite(sentence, why)


class NotAJournal(Exception):
    """The file cannot be a journal of ours; the words go on after "The journal"."""

    def __init__(self, words: Text) -> None:
        super().__init__(words)
        self.words = words


# --- the state folder -------------------------------------------------------------------------------------------


def private(folder: Path) -> None:
    """Make the folder, for the service user alone. Raises `JournalError`, for a folder that all users share too: taking
    their rights to it away would break other programs.
    """
    try:
        if folder.is_dir() and folder.stat().st_mode & stat.S_ISVTX:
            sentence = f"{folder}: a folder that all users share. Choose a folder of its own, as {folder}/sniperboard."
            raise JournalError(sentence)
        folder.mkdir(parents=True, exist_ok=True)
        os.chmod(folder, 0o700)
    except OSError as error:
        sentence = f"{folder}: cannot be written ({error.strerror}). Choose another state folder."
        raise _error(sentence, error, folder / LOCK) from error


def only_one(state: Path) -> IO[str]:
    """The state folder's lock, held until it is closed or the process ends. Raises `JournalError`.

    Two tables writing one journal would tear the game between them.
    """
    private(state)
    try:
        lock = os.fdopen(os.open(state / LOCK, os.O_CREAT | os.O_RDWR, 0o600), "w")
    except OSError as error:
        sentence = f"{state}: cannot be written ({error.strerror}). Choose another state folder."
        raise _error(sentence, error, state / LOCK) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise JournalError(
            f"{state}: another table is using this folder. Stop it, or choose another --state."
        ) from error
    return lock


# --- opening ----------------------------------------------------------------------------------------------------


class OpenedJournal(NamedTuple):
    """A journal to be written, the damaged games in it, and in a sentence each what was set aside or brought up to date
    for it; public.
    """

    db: sqlite3.Connection
    damaged: tuple[DamagedGame, ...]
    set_aside: str | None
    migrated: str | None


def opened(path: Path) -> OpenedJournal:
    """The journal at `path` to be written, made if there is none. Raises `JournalError`."""
    private(path.parent)
    with _sentences(path):
        set_aside = migrated = None
        try:
            version, damaged = _inspected(path)
        except NotAJournal as why:
            set_aside = _set_aside(path, why)
            version, damaged = None, ()
        if version is None:
            _put(path, None)
        elif version < VERSION:
            migrated = _migrated(path, version)
        _hide(path)
        db = _connected(path, "rw")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA temp_store = MEMORY")  # no file of SQLite's own outside the state folder
        return OpenedJournal(db, damaged, set_aside, migrated)


def opened_to_read(path: Path) -> tuple[sqlite3.Connection, tuple[DamagedGame, ...]]:
    """The journal at `path`, which may be in use, and the damaged games in it; nothing is set aside or migrated. Raises
    `JournalError`.
    """
    with _sentences(path):
        if not path.exists():
            raise JournalError(f"{path}: there is no journal. Name the table's folder with --state.")
        try:
            version, damaged = _inspected(path)
        except NotAJournal as why:
            raise JournalError(f"{path}: the journal {why}. Nothing was changed.") from why
        if version != VERSION:
            raise JournalError(f"{path}: of an older version. Start the table once; it brings the journal up to date.")
        return _connected(path, "ro"), damaged


def opened_beside(path: Path) -> sqlite3.Connection:
    """The journal at `path`, which this process writes and has inspected; it is looked at by SQLite alone, for whoever
    opened and closed the file otherwise would drop the process's locks on it. Raises `JournalError`.
    """
    with _sentences(path):
        return _connected(path, "ro")


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        sentence = f"{path}: cannot be used ({error.strerror}). Choose another state folder."
        raise _error(sentence, error, path) from error
    except sqlite3.Error as error:
        sentence = (
            f"{path}: cannot be used now ({error}). Nothing was changed. Make room, look after the folder's rights, "
            "then start again."
        )
        raise _error(sentence, error, path) from error


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    where = f"file:{quote(str(path))}?mode={mode}"
    return sqlite3.connect(where, uri=True, isolation_level=None, check_same_thread=False)


# --- looking before touching ------------------------------------------------------------------------------------


def _inspected(path: Path) -> tuple[int | None, tuple[DamagedGame, ...]]:
    """The version of a whole journal, or None if there is none yet, and the damaged games in it. Raises
    `NotAJournal`, and what lies outside the file.
    """
    if not os.path.lexists(path) or (path.is_file() and path.stat().st_size == 0):
        if any(_size(Path(f"{path}{ending}")) for ending in _BESIDE):
            raise NotAJournal(Text("has lost its beginning"))
        return None, ()
    _look_at_head(path)
    try:
        with closing(_connected(path, "ro")) as db:
            db.execute("BEGIN")  # one look at it, even while a table writes
            version = _checked(db, path)
            return version, judging.damaged(db) if version == VERSION else ()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _OUTSIDE:
            raise
        raise NotAJournal(Text("is damaged")) from error
    except UnicodeDecodeError as error:  # a name in the file, or SQLite's own sentence about it
        raise NotAJournal(Text("is damaged")) from error


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _look_at_head(path: Path) -> None:
    if not stat.S_ISREG(path.stat().st_mode):
        raise NotAJournal(Text("is not a file"))
    with path.open("rb") as file:
        head = file.read(_HEADER)
    if not head.startswith(_MAGIC):
        raise NotAJournal(Text("is no journal"))
    if len(head) < _HEADER or head[_WRITE_FORMAT] not in (1, 2):
        raise NotAJournal(Text("is damaged"))


def _checked(db: sqlite3.Connection, path: Path) -> int:
    (application,), (version,) = (
        db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    if application == APPLICATION and version > VERSION:
        raise JournalError(
            f"{path}: written by a newer version of this program (journal version {version}, this one writes "
            f"{VERSION}). Install that version again, or choose another state folder. Nothing was changed."
        )
    whole = db.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)]
    shape = _shape(db)
    if application == APPLICATION and version == VERSION:
        if not (whole and shape == _shape_of(TABLES) and _fits(db)):
            raise NotAJournal(Text("is damaged"))
    elif application == 0 and version == version_1.VERSION and shape == _shape_of(version_1.TABLES):
        if not (whole and version_1.readable(db)):
            raise NotAJournal(Text("is damaged"))
    else:
        raise NotAJournal(Text("is another program's") if whole else Text("is damaged"))
    return int(version)


def _shape(db: sqlite3.Connection) -> list[tuple[str, str, str | None]]:
    return sorted(db.execute("SELECT type, name, sql FROM sqlite_master"), key=str)


def _shape_of(tables: str) -> list[tuple[str, str, str | None]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(tables)
        return _shape(db)


def _fits(db: sqlite3.Connection) -> bool:
    """Whether every entry has its game, and every small thing is what was written once: whoever sat down by a seat that
    was not given would be told everything.
    """
    if db.execute("PRAGMA foreign_key_check").fetchone():
        return False
    kept = db.execute("SELECT name, value, hash FROM kept")
    return all(seal == chain.seal(name, value) for name, value, seal in kept)


# --- putting aside, making, migrating ---------------------------------------------------------------------------


def _set_aside(path: Path, why: NotAJournal) -> Text:
    """Give the file, and all that SQLite laid beside it, another name; the sentence about it."""
    place = _free(path, "set-aside")
    for ending in ("", *_BESIDE):
        if os.path.lexists(f"{path}{ending}"):
            os.rename(f"{path}{ending}", f"{place}{ending}")
    _hide(place)
    _sync(path.parent)
    return Text(
        "The journal {name} {why}. It was set aside whole as {place}, and an empty one begun: games of before are not "
        "known here.",
        name=path.name,
        why=why.words,
        place=place.name,
    )


def _hide(path: Path) -> None:
    """Take from all others what rights they had to the file and to what SQLite laid beside it."""
    for ending in ("", *_BESIDE):
        beside = Path(f"{path}{ending}")
        if beside.is_file() and not beside.is_symlink() and (mode := stat.S_IMODE(beside.stat().st_mode)) & 0o077:
            os.chmod(beside, mode & 0o700)


def _free(path: Path, label: str) -> Path:
    """A name beside `path` that nothing has, with what SQLite would lay beside it."""
    for number in count(1):
        again = f"-{number}" if number > 1 else ""
        place = path.with_name(f"{path.stem}.{label}{again}{path.suffix}")
        if not any(os.path.lexists(f"{place}{ending}") for ending in ("", *_BESIDE)):
            break
    return place


def _put(path: Path, old: sqlite3.Connection | None) -> None:
    """A journal with what `old` holds, or an empty one, in place at a stroke: half of it is never there."""
    made = path.with_name(f"{path.name}.new")
    for ending in ("", *_BESIDE):
        Path(f"{made}{ending}").unlink(missing_ok=True)
    os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with closing(_connected(made, "rw")) as db:
        db.executescript(
            f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; PRAGMA application_id = {APPLICATION}; COMMIT;"
        )
        if old is not None:
            db.execute("BEGIN")
            version_1.copy(old, db)
            db.execute("COMMIT")
        db.execute("PRAGMA journal_mode = WAL")
    _sync(made)
    os.replace(made, path)
    _sync(path.parent)


def _migrated(path: Path, version: int) -> str:
    """Bring an older journal up to date; the sentence about it."""
    backup = _free(path, f"version-{version}")
    with closing(_connected(path, "rw")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if _size(Path(f"{path}-wal")):
        raise JournalError(f"{path}: another program has it open. Stop it, then start again.")
    copy = path.with_name(f"{path.name}.copy")
    copy.unlink(missing_ok=True)
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    shutil.copyfile(path, copy)
    _sync(copy)
    os.rename(copy, backup)
    with closing(_connected(backup, "ro")) as old:
        _put(path, old)
    return f"The journal was brought from version {version} to {VERSION}; the old one is kept as {backup.name}."


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
