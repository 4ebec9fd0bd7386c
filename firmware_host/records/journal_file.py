"""Opens the journal's file. Nothing is written before it is known to be private, intact, ours and of this version.

A file that is damaged or not ours is set aside under another name, together with SQLite's files next to it. A file of a
newer version is left alone. One of an older version is migrated, with a backup. A damaged game in an intact file is
only reported (`damage.py`).
"""

from __future__ import annotations

import errno
import filecmp
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.text import Text
from firmware_host.core.errors import JournalError
from firmware_host.records import chain, damage, layout, log_file, salvage, version_1
from firmware_host.records.checks import Checks
from firmware_host.records.state_folder import FileLock, is_outside, make_private, storage_error, write_private
from hardware.files import new_file

_MAGIC, _HEADER = b"SQLite format 3\0", 100
_WRITE_FORMAT = 18


class NotAJournal(Exception):
    """The file is not an intact journal of ours. Its words continue a sentence that begins with "The journal"."""


# --- opening ----------------------------------------------------------------------------------------------------


class OpenedJournal(NamedTuple):
    """A journal to write and its lock, which games in it were checked, and public sentences about what was set aside,
    saved or migrated.
    """

    db: sqlite3.Connection
    lock: FileLock
    checks: Checks
    set_aside: tuple[Text, ...]
    migrated: str | None


def open_journal(path: Path, later: bool) -> OpenedJournal:
    """Open or create the journal at `path` for writing. `later` leaves past games and pages of the file that were not
    read for `JournalCheck`. Raises `JournalError`, also if another process writes the journal.
    """
    make_private(path.parent)
    doubted = _doubt_path(path)
    with _readable_errors(path), ExitStack() as undo:
        lock = FileLock(path) if path.is_file() else None  # check the owner before anything changes
        if lock is not None:
            undo.callback(lock.close)
        version, checks, set_aside = _inspect_or_set_aside(path, later and not doubted.exists())
        migrated = None
        if version is None:
            _create(path)
        elif version < layout.WITHOUT_REQUESTS:
            migrated = _migrate(path, version)
        _make_private(path)
        # The file was created or replaced, so the lock is not on this file.
        if lock is None or not lock.holds:
            lock = FileLock(path)
            undo.callback(lock.close)
        db = layout.connect(path, "rw")
        undo.callback(db.close)
        if version == layout.WITHOUT_REQUESTS:
            layout.add_requests(db)
        # In this mode, readers of past games and the table never wait for each other.
        db.execute("PRAGMA journal_mode = WAL")
        # In this mode, only FULL syncs each commit. With less, a power cut could undo an act that was published.
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA temp_store = MEMORY")  # SQLite writes no files outside the state folder
        db.execute("PRAGMA secure_delete = ON")  # overwrite deleted data
        # Otherwise, all since the last stop would be in the log only, however often the power was cut.
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        doubted.unlink(missing_ok=True)
        undo.pop_all()
        return OpenedJournal(db, lock, checks, set_aside, migrated)


def request_check(path: Path) -> None:
    """Let the next start check the whole journal at `path` before it opens."""
    with suppress(OSError):  # if the disk cannot be written, the next start stops in any case
        write_private(_doubt_path(path), b"")


def _doubt_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.doubted")


def _inspect_or_set_aside(path: Path, later: bool) -> tuple[int | None, Checks, tuple[Text, ...]]:
    """Return the journal's version, what was checked, and the sentences about what was set aside."""
    _finish_salvage(path)
    try:
        _check_log(path)
        return *_inspect(path, later), ()
    except NotAJournal as why:
        sentences = _salvage(path, why)
    return *_inspect(path), sentences


def open_to_read(path: Path, checks: Checks | None) -> tuple[sqlite3.Connection, Checks]:
    """Open the journal at `path` read-only, also while it is in use. Return it and which games in it were checked: all,
    if there are no `checks` yet. Nothing is set aside or migrated. Raises `JournalError`.
    """
    with _readable_errors(path):
        # What this process writes is opened by SQLite alone: closing another descriptor would drop the process's locks.
        checked = _checked_now(path) if checks is None else checks
        return layout.connect(path, "ro"), checked


def _checked_now(path: Path) -> Checks:
    if not path.exists():
        raise JournalError(f"{path}: there is no journal. Name the table's folder with --state.")
    try:
        version, checks = _inspect(path)
    except NotAJournal as why:
        raise JournalError(f"{path}: the journal {why}. Nothing was changed.") from why
    if version not in layout.SCHEMAS:
        raise JournalError(f"{path}: the journal has an older version. Start the table once, which migrates it.")
    return checks


@contextmanager
def _readable_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise storage_error(error, path) from error


# --- inspecting -------------------------------------------------------------------------------------------------


def _inspect(path: Path, later: bool = False) -> tuple[int | None, Checks]:
    """Return the version of an intact journal, None if there is none yet, and which games were checked: all, or with
    `later` only the running one. Raises `NotAJournal`, and errors whose cause lies outside the file.
    """
    for part in layout.sqlite_files(path)[1:]:
        if os.path.lexists(part) and not part.is_file():  # SQLite would wait for a pipe
            raise JournalError(f"{part}: this is no file of a journal. Remove it, then start again.")
    if not os.path.lexists(path) or (path.is_file() and path.stat().st_size == 0):
        if any(map(_size, layout.sqlite_files(path)[1:])):
            raise NotAJournal(Text("has lost its beginning"))
        return None, Checks()
    _check_header(path)
    try:
        with closing(layout.connect(path, "ro")) as db:
            db.execute("BEGIN")  # a consistent view, even while a table writes
            version = _check_version(db, path, later)
            if version not in layout.SCHEMAS:
                return version, Checks()
            later = (
                later and version == layout.VERSION
            )  # a file of another version is checked completely before it is changed
            if not later:
                return version, Checks(damage.damaged_games(db))
            # The running game is checked, and every game that might be the running one.
            running = layout.running(db)
            damaged = [
                damage.describe_damaged(db, number) for number in reversed(running) if not damage.is_intact(db, number)
            ]
            (highest,) = db.execute("SELECT MAX(id) FROM games").fetchone()
            return version, Checks(damaged, highest or 0, running)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter from a name in the file, or SQLite's message
        # Another program has left a change unfinished, which only someone who writes can undo.
        unfinished = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_ROLLBACK
        if isinstance(error, sqlite3.Error) and is_outside(error) and not unfinished:
            raise
        raise NotAJournal(Text("is damaged")) from error


@contextmanager
def _unreadable_as_damage() -> Iterator[None]:
    """Raise `NotAJournal` if the disk cannot read a part of a file. It will not be able to the next time either."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        raise NotAJournal(Text("is damaged")) from error


def _check_log(path: Path) -> None:
    """Raise `NotAJournal` if SQLite would ignore, and then overwrite, a part of the log."""
    log = Path(f"{path}-wal")
    with _unreadable_as_damage():
        if log.is_file() and log_file.is_cut(log):
            raise NotAJournal(Text("is damaged"))


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _check_header(path: Path) -> None:
    if not stat.S_ISREG(path.stat().st_mode):
        raise NotAJournal(Text("is not a file"))
    with _unreadable_as_damage(), path.open("rb") as file:
        head = file.read(_HEADER)
    if not head.startswith(_MAGIC):
        raise NotAJournal(Text("is not a journal"))
    if len(head) < _HEADER or head[_WRITE_FORMAT] not in (1, 2):
        raise NotAJournal(Text("is damaged"))


def _check_version(db: sqlite3.Connection, path: Path, later: bool) -> int:
    (application,), (version,) = (
        db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    schema, later = layout.schema(db), later and version == layout.VERSION
    if application == layout.APPLICATION_ID and version > layout.VERSION:
        if schema in map(layout.schema_of, layout.SCHEMAS.values()):
            raise NotAJournal(Text("is damaged"))  # only the number of the version is
        raise JournalError(
            f"{path}: written by a newer version of this program (journal version {version}, this one writes "
            f"{layout.VERSION}). Install that version again, or choose another state folder. Nothing was changed."
        )
    if application == layout.APPLICATION_ID and version in layout.SCHEMAS:
        fits = schema == layout.schema_of(layout.SCHEMAS[version])
        # A damaged page would hide small values, for example who sits where, or acts, before all pages are checked.
        early = damage.is_whole_table(db, "kept") and damage.is_newest_found(db)
        intact = early and (later or damage.is_whole(db))
        if not (fits and intact and _values_fit(db)):
            raise NotAJournal(Text("is damaged"))
    elif application == 0 and version == version_1.VERSION and schema == layout.schema_of(version_1.TABLES):
        if not (damage.is_whole(db) and version_1.is_readable(db)):
            raise NotAJournal(Text("is damaged"))
    else:
        raise NotAJournal(Text("is another program's") if damage.is_database(db) else Text("is damaged"))
    return int(version)


def _values_fit(db: sqlite3.Connection) -> bool:
    """Return whether every small value is as it was written. A forged claim on a seat would reveal its secrets."""
    rows = db.execute("SELECT name, value, hash FROM kept")
    return all(seal == chain.hash_values(name, value) for name, value, seal in rows)


# --- setting aside, creating, migrating -------------------------------------------------------------------------


def _salvage(path: Path, why: NotAJournal) -> tuple[Text, ...]:
    """Save what can be read of a damaged journal into a new one, and rename the old file. Return the sentences about
    it. If this is interrupted, the next start finishes it (`_finish_salvage`).
    """
    place, new_path = _free_name(path, "set-aside"), _saved_path(path)
    if path.is_file() and _save_rest(path, new_path, place, why):
        _set_aside(path, place)
        os.replace(new_path, path)
        _sync(path.parent)
        return ()  # they are in the new journal already
    _set_aside(path, place)
    sentence = Text(
        "The journal {name} {why}. It was kept as {place}, and a new, empty one was created. Earlier games are not "
        "available."
    )
    return (sentence.with_(name=path.name, why=why.args[0], place=place.name),)


def _saved_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.saved")


def _save_rest(path: Path, new_path: Path, place: Path, why: NotAJournal) -> bool:
    """Create a journal of what can be saved of another one, with the sentences about it. Return whether it has any."""
    first = Text(
        "The journal {name} {why}. It was kept as {place}, and what could be read of it was saved into a new one."
    )
    first = first.with_(name=path.name, why=why.args[0], place=place.name)
    saved = False

    def fill(new: sqlite3.Connection) -> None:
        nonlocal saved
        sentences = salvage.recover_games(path, new)
        saved = bool(sentences)
        layout.store(new, layout.SALVAGED_KEY, {"place": place.name, "sentences": [*map(_packed, (first, *sentences))]})

    _create(new_path, fill)
    if not saved:
        new_path.unlink()
    return saved


def _finish_salvage(path: Path) -> None:
    """Finish saving a damaged journal if that was interrupted."""
    new_path = _saved_path(path)
    if not new_path.is_file():  # opening a pipe would never end
        return
    if os.path.lexists(path):  # the damaged one is still there: start over
        new_path.unlink()
        return
    # The files that SQLite left next to the damaged one.
    with closing(layout.connect(new_path, "ro")) as db:
        _set_aside(path, path.with_name(_salvaged(db).get("place", _free_name(path, "set-aside").name)))
    os.replace(new_path, path)
    _sync(path.parent)


def said_of_salvage(db: sqlite3.Connection) -> tuple[Text, ...]:
    """Return the stored sentences about what was saved of a damaged journal. They are shown until a game begins."""
    return tuple(map(_unpacked, _salvaged(db).get("sentences", ())))


def _salvaged(db: sqlite3.Connection) -> dict[str, Any]:
    with suppress(sqlite3.Error, ValueError, TypeError):
        text, seal = db.execute("SELECT value, hash FROM kept WHERE name = ?", (layout.SALVAGED_KEY,)).fetchone()
        if seal == chain.hash_values(layout.SALVAGED_KEY, text):
            return dict(msgspec.json.decode(text))
    return {}


def _packed(text: Text) -> list[Any]:
    """Return a sentence as JSON values, so that it can still be translated."""
    values = {name: _packed(value) if isinstance(value, Text) else value for name, value in text.values.items()}
    return [text.text, text.many, values]


def _unpacked(packed: list[Any]) -> Text:
    text, many, values = packed
    filled = {name: _unpacked(value) if isinstance(value, list) else value for name, value in values.items()}
    return Text(text, many, **filled)


def _set_aside(path: Path, place: Path) -> None:
    """Rename the file and SQLite's files next to it."""
    for old, new in zip(layout.sqlite_files(path), layout.sqlite_files(place), strict=True):
        if os.path.lexists(old):
            os.rename(old, new)
    _make_private(place)
    _sync(path.parent)


def _make_private(path: Path) -> None:
    """Remove other users' rights to the file and to SQLite's files next to it."""
    for file in layout.sqlite_files(path):
        if file.is_file() and not file.is_symlink() and (mode := stat.S_IMODE(file.stat().st_mode)) & 0o077:
            os.chmod(file, mode & 0o700)


def _free_name(path: Path, label: str) -> Path:
    """Return an unused path next to `path`, also for the files that SQLite would create there."""
    for number in count(1):
        again = f"-{number}" if number > 1 else ""
        place = path.with_name(f"{path.stem}.{label}{again}{path.suffix}")
        if not any(map(os.path.lexists, layout.sqlite_files(place))):
            break
    return place


def _create(path: Path, fill: Callable[[sqlite3.Connection], object] = lambda new: None) -> None:
    """Create an empty journal, or one with what `fill` writes. It appears at `path` only when it is complete."""
    new_path = path.with_name(f"{path.name}.new")
    layout.discard(new_path)
    try:
        os.close(os.open(new_path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(layout.connect(new_path, "rw")) as db:
            layout.create_tables(db)
            db.execute("BEGIN")
            fill(db)
            db.execute("COMMIT")
            db.execute("PRAGMA journal_mode = WAL")
        _sync(new_path)
        os.replace(new_path, path)
    except (OSError, sqlite3.Error):
        layout.discard(new_path)  # free its space on a full disk
        raise
    _sync(path.parent)


def _migrate(path: Path, version: int) -> str:
    with closing(layout.connect(path, "rw")) as db:
        # Move the log into the file, so that the file is complete without it.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    # The log could not be emptied, because someone still reads from it.
    if _size(Path(f"{path}-wal")):
        raise JournalError(f"{path}: another program has it open. Stop it, then start again.")
    backup = _backup(path, f"version-{version}")
    with closing(layout.connect(backup, "ro")) as old:
        _create(path, lambda new: version_1.copy_games(old, new))
    return f"The journal was migrated from version {version} to {layout.VERSION}. The old one is kept as {backup.name}."


def _backup(path: Path, label: str) -> Path:
    """Copy the file at `path`, unless a migration that was interrupted has done so. Return the copy."""
    for earlier in path.parent.glob(f"{path.stem}.{label}*{path.suffix}"):
        # Otherwise each start on a full disk would leave one more copy there.
        if filecmp.cmp(path, earlier, shallow=False):
            return earlier
    copy, backup = path.with_name(f"{path.name}.copy"), _free_name(path, label)
    with path.open("rb") as old, new_file(copy, 0o600) as new:
        shutil.copyfileobj(old, new)
    _sync(copy)
    # Rename the copy only when it is complete and synced, so that a backup is never incomplete.
    os.rename(copy, backup)
    return backup


def _sync(path: Path) -> None:
    # This works for folders, too: syncing one makes a rename in it permanent.
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
