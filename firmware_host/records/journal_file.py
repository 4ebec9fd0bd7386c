"""The journal's file: private, whole, ours and of this version before anything is written to it.

What is not whole or not ours is set aside under another name, with all that lies beside it, and never written to. What
a newer version wrote is left alone. What an older one wrote is migrated; the old file is kept as a backup. One damaged
game in a whole file is named, and no more (`judging.py`).
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from engine.text import Text
from firmware_host.core.errors import JournalError
from firmware_host.records import chain, judging, salvage, version_1
from firmware_host.records.judging import DamagedGame
from firmware_host.records.layout import APPLICATION, TABLES, VERSION, begin, connected, shape, shape_of
from firmware_host.records.state_folder import (
    OUTSIDE,
    CannotWrite,
    FileLock,
    failure,
    only_one,
    passing,
    private,
)

__all__ = ["CannotWrite", "JournalError", "only_one", "passing", "private"]

_MAGIC, _HEADER = b"SQLite format 3\0", 100
_WRITE_FORMAT = 18
_BESIDE = ("-wal", "-shm", "-journal")


class NotAJournal(Exception):
    """The file cannot be a journal of ours; the words go on after "The journal"."""

    def __init__(self, words: Text) -> None:
        super().__init__(words)
        self.words = words


# --- opening ----------------------------------------------------------------------------------------------------


class OpenedJournal(NamedTuple):
    """A journal to be written and the lock on it, the damaged games in it, and in sentences what was set aside, saved
    or brought up to date for it; public.
    """

    db: sqlite3.Connection
    lock: FileLock
    damaged: tuple[DamagedGame, ...]
    set_aside: tuple[Text, ...]
    migrated: str | None


def opened(path: Path) -> OpenedJournal:
    """The journal at `path` to be written, made if there is none. Raises `JournalError`, where another process has it
    open to write, too.
    """
    private(path.parent)
    with _sentences(path), ExitStack() as undo:
        lock = FileLock(path) if path.is_file() else None  # before anything is changed
        if lock is not None:
            undo.callback(lock.close)
        version, damaged, set_aside = _whole(path)
        migrated = None
        if version is None:
            _put(path)
        elif version < VERSION:
            migrated = _migrated(path, version)
        _hide(path)
        if lock is None or not lock.holds:
            lock = FileLock(path)
            undo.callback(lock.close)
        db = connected(path, "rw")
        undo.callback(db.close)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA temp_store = MEMORY")  # no file of SQLite's own outside the state folder
        db.execute("PRAGMA secure_delete = ON")  # what was deleted is overwritten
        undo.pop_all()
        return OpenedJournal(db, lock, damaged, set_aside, migrated)


def _whole(path: Path) -> tuple[int | None, tuple[DamagedGame, ...], tuple[Text, ...]]:
    """The version of the journal and the damaged games in it, after what is no whole journal was set aside; and the
    sentences about that.
    """
    said = _finished(path)
    try:
        return *_inspected(path), said
    except NotAJournal as why:
        said = _salvaged(path, why)
    return *_inspected(path), said


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
        return connected(path, "ro"), damaged


def opened_beside(path: Path) -> sqlite3.Connection:
    """The journal at `path`, which this process writes and has inspected; it is looked at by SQLite alone, for whoever
    opened and closed the file otherwise would drop the process's locks on it. Raises `JournalError`.
    """
    with _sentences(path):
        return connected(path, "ro")


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        sentence = f"{path}: cannot be used ({error.strerror}). Choose another state folder."
        raise failure(sentence, error, path) from error
    except sqlite3.Error as error:
        sentence = (
            f"{path}: cannot be used now ({error}). Nothing was changed. Make room, look after the folder's rights, "
            "then start again."
        )
        raise failure(sentence, error, path) from error


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
        with closing(connected(path, "ro")) as db:
            db.execute("BEGIN")  # one look at it, even while a table writes
            version = _checked(db, path)
            return version, judging.damaged(db) if version == VERSION else ()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in OUTSIDE:
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
    found = shape(db)
    if application == APPLICATION and version == VERSION:
        if not (whole and found == shape_of(TABLES) and _fits(db)):
            raise NotAJournal(Text("is damaged"))
    elif application == 0 and version == version_1.VERSION and found == shape_of(version_1.TABLES):
        if not (whole and version_1.readable(db)):
            raise NotAJournal(Text("is damaged"))
    else:
        raise NotAJournal(Text("is another program's") if whole else Text("is damaged"))
    return int(version)


def _fits(db: sqlite3.Connection) -> bool:
    """Whether every entry has its game, and every small thing is what was written once: whoever sat down by a seat that
    was not given would be told everything.
    """
    if db.execute("PRAGMA foreign_key_check").fetchone():
        return False
    kept = db.execute("SELECT name, value, hash FROM kept")
    return all(seal == chain.seal(name, value) for name, value, seal in kept)


# --- putting aside, making, migrating ---------------------------------------------------------------------------


def _salvaged(path: Path, why: NotAJournal) -> tuple[Text, ...]:
    """Save what can be read of a damaged journal into a new one, and give the old file another name; the sentences
    about it. Whenever that is cut short, the next start goes on (`_finished`).
    """
    said: tuple[Text, ...] = ()
    if path.is_file():
        with salvage.copied(path) as old:
            if old is not None:
                said = _put_rest(path, old)
    place = _set_aside(path)
    if not said:
        sentence = Text(
            "The journal {name} {why}. It was set aside whole as {place}, and an empty one begun: games of before are "
            "not known here.",
            name=path.name,
            why=why.words,
            place=place.name,
        )
        return (sentence,)
    os.replace(_rest(path), path)
    _sync(path.parent)
    sentence = Text(
        "The journal {name} {why}. It was set aside whole as {place}, and what could be read of it was saved into a "
        "new one.",
        name=path.name,
        why=why.words,
        place=place.name,
    )
    return (sentence, *said)


def _rest(path: Path) -> Path:
    """Where what was saved lies until the damaged journal is out of its way."""
    return path.with_name(f"{path.name}.saved")


def _put_rest(path: Path, old: sqlite3.Connection) -> tuple[Text, ...]:
    """Make the journal of what can be saved of `old`; what is to be said of that, nothing where nothing was saved."""
    rest, said = _rest(path), list[Text]()
    _put(rest, lambda new: said.extend(salvage.save(old, new)))
    if not said:
        rest.unlink()
    return tuple(said)


def _finished(path: Path) -> tuple[Text, ...]:
    """Finish a salvage that was cut short; the sentence about it."""
    rest = _rest(path)
    if not rest.exists():
        return ()
    if os.path.lexists(path):  # the damaged one lies there still: all of it is done again
        rest.unlink()
        return ()
    place = _set_aside(path)  # what SQLite laid beside it
    os.replace(rest, path)
    _sync(path.parent)
    return (
        Text(
            "The journal {name} was damaged. It was set aside whole as {place}, and what could be read of it was saved "
            "into a new one.",
            name=path.name,
            place=place.name,
        ),
    )


def _set_aside(path: Path) -> Path:
    """Give the file, and all that SQLite laid beside it, another name. Where the file itself has its new name already,
    the rest follows it.
    """
    place = _free(path, "set-aside")
    if not os.path.lexists(path):
        place = max(path.parent.glob(f"{path.stem}.set-aside*{path.suffix}"), key=os.path.getctime, default=place)
    for ending in ("", *_BESIDE):
        if os.path.lexists(f"{path}{ending}") and not os.path.lexists(f"{place}{ending}"):
            os.rename(f"{path}{ending}", f"{place}{ending}")
    _hide(place)
    _sync(path.parent)
    return place


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


def _nothing(new: sqlite3.Connection) -> None:
    """Fill an empty journal with nothing."""


def _put(path: Path, fill: Callable[[sqlite3.Connection], None] = _nothing) -> None:
    """An empty journal, or one with what `fill` puts in, in place at a stroke: half of it is never there."""
    made = path.with_name(f"{path.name}.new")
    _discard(made)
    try:
        os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(connected(made, "rw")) as db:
            begin(db)
            db.execute("BEGIN")
            fill(db)
            db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = WAL")
        _sync(made)
        os.replace(made, path)
    except (OSError, sqlite3.Error):
        _discard(made)  # on a full disk its room is missed
        raise
    _sync(path.parent)


def _discard(path: Path) -> None:
    """Delete a file, with what SQLite laid beside it."""
    for ending in ("", *_BESIDE):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def _migrated(path: Path, version: int) -> str:
    """Bring an older journal up to date; the sentence about it."""
    backup = _free(path, f"version-{version}")
    with closing(connected(path, "rw")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if _size(Path(f"{path}-wal")):
        raise JournalError(f"{path}: another program has it open. Stop it, then start again.")
    copy = path.with_name(f"{path.name}.copy")
    copy.unlink(missing_ok=True)
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    shutil.copyfile(path, copy)
    _sync(copy)
    os.rename(copy, backup)
    with closing(connected(backup, "ro")) as old:
        _put(path, lambda new: version_1.copy(old, new))
    return f"The journal was brought from version {version} to {VERSION}; the old one is kept as {backup.name}."


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
