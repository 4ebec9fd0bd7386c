"""The state folder: private to the user who runs the table, and used by one table at a time.

Two locks keep a second table out. One is on a file in the folder, held while a journal is created or replaced. The
other is on the journal itself. It works through any link, and also if the first lock file was deleted.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import stat
import weakref
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Self

from firmware_host.core.children import keep_from_forks
from firmware_host.core.errors import JournalError
from hardware.files import replace_file

LOCK = "in-use.lock"
OUR_PREFIXES = ("games.", LOCK, "boards", "drafts", "analysis", "house-pin", "https", "hung")
"""Beginnings of the names of a table's files in its state folder."""
_OUTSIDE = {
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
}  # fmt: skip
"""SQLite error codes whose cause lies outside the file."""
_RECOVERABLE = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read-only", errno.EIO: "failing"}
"""System errors of a disk that can recover."""


class InUse(JournalError):
    """Another table uses the folder."""


class CannotWrite(JournalError):
    """Nothing was written, because the disk is full, read-only or failing, or the file was moved (`why`). Try again."""

    def __init__(self, sentence: str, why: str) -> None:
        super().__init__(sentence)
        self.why = why


def temporary_obstacle(error: OSError | sqlite3.Error, path: Path) -> str | None:
    """Return why the journal at `path` cannot be written now; None if the journal itself is at fault."""
    # Any other system error means that something is wrong with the path, not with the disk.
    if isinstance(error, OSError):
        return _RECOVERABLE.get(error.errno or 0)
    # The lowest byte is the primary code; extended codes add details above it.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code not in _OUTSIDE:
        return None
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM) or _is_read_only(path.parent):
        return "read-only"
    return "full" if code == sqlite3.SQLITE_FULL else "failing"


MOVED = "moved"
"""Why nothing is written: the files of the journal are not in their place any more."""


def identities(path: Path) -> list[tuple[int, int] | None]:
    """Return the device and inode numbers of the files of the journal at `path`; None for a missing file.

    SQLite goes on writing to files that were moved or deleted, and what it writes there is lost.
    """
    files = list[tuple[int, int] | None]()
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            file = os.stat(f"{path}{ending}")
            files.append((file.st_dev, file.st_ino))
            continue
        files.append(None)
    return files


def is_outside(error: sqlite3.Error) -> bool:
    """Return whether the cause of an error lies outside the file. A part that the disk cannot read counts as damage."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF in _OUTSIDE and code != sqlite3.SQLITE_IOERR_CORRUPTFS


def _is_read_only(folder: Path) -> bool:
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


_ADVICE = {
    "full": "Free some space on its disk, then start again.",
    "read-only": "Make its disk writable, then start again.",
    "failing": "Its disk fails: check it, then start again.",
}
"""Don't suggest another folder: a table that starts there has none of its games."""


def storage_error(
    error: OSError | sqlite3.Error, path: Path, remedy: str = "Choose another state folder."
) -> JournalError:
    """Return the error to raise for an error of the system or of SQLite about `path`. `remedy` is for a wrong path."""
    why = temporary_obstacle(error, path)
    if isinstance(error, sqlite3.Error):
        sentence = (
            f"{path}: cannot be used now ({error}). Nothing was changed. Free some space, check the folder's "
            "permissions, then start again."
        )
    else:
        at = error.filename or path
        if error.errno == errno.EISDIR and Path(at) != path:
            remedy = "Remove it, then start again."
        elif error.errno == errno.EACCES and path.is_file():  # a new folder would have none of the games
            remedy = "Let the user who runs the table read and write it, then start again."
        sentence = f"{at}: cannot be used ({error.strerror}). {_ADVICE.get(why or '', remedy)}"
    return JournalError(sentence) if why is None else CannotWrite(sentence, why)


def resolve_folder(folder: str | Path) -> Path:
    """Return the path with all links resolved. Raises `JournalError`."""
    try:
        path = Path(folder).resolve()
        with suppress(PermissionError):  # reported when the folder is used
            path.exists()
    except (OSError, RuntimeError) as error:  # the name is too long, or links lead to one another
        why = error.strerror if isinstance(error, OSError) else "links to itself"
        raise JournalError(f"{folder}: leads nowhere ({why}). Choose another state folder.") from error
    return path


def make_private(folder: Path) -> None:
    """Create the folder, readable for this user only, or check that it is. The mode of an existing folder is not
    changed, because other programs may depend on it. Raises `JournalError`.
    """
    try:
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700)
            # The umask may have removed rights from the mode above.
            os.chmod(folder, 0o700)
            return
        status = folder.stat()
    except OSError as error:
        raise storage_error(error, folder) from error
    # The sticky bit marks folders that all users share, such as /tmp.
    if status.st_mode & stat.S_ISVTX:
        raise JournalError(
            f"{folder}: all users share this folder. Choose another, for example {folder / 'sniperboard'}."
        )
    if status.st_uid != os.geteuid():
        raise JournalError(
            f"{folder}: this folder belongs to another user. Choose another with --state, or run this as that user."
        )
    # Other users of the machine could read the sniper's position from the journal.
    if status.st_mode & 0o077:
        raise JournalError(
            f"{folder}: other users have rights to this folder, and games hold secrets. {_remedy(folder)}"
        )


def _remedy(folder: Path) -> str:
    """Return what to do if others have rights to the folder.

    The advice is to make the folder private, or to choose another one if it has other files in it, such as a home
    folder. It never leaves games behind.
    """
    names = set(os.listdir(folder))
    ours = sorted(name for name in names if name.startswith(OUR_PREFIXES))
    here, new = quote(str(folder)), f"Choose a new folder with --state, for example {folder / 'sniperboard'}"
    has_games = any(name.startswith("games.") for name in names)
    if len(ours) < len(names):
        return f"{new}, and move the table's files into it: {', '.join(ours)}." if has_games else f"{new}."
    if has_games:
        return f"To keep its games, run: chmod 700 {here}"
    return f"{new}; or run: chmod 700 {here}."


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, completely or not at all, and synced to disk. Raises `OSError`."""
    replace_file(path, data, 0o600, synced=True)


def only_one(state: Path) -> FileLock:
    """Return the lock of the state folder, held until it is closed or the process ends. Raises `JournalError`."""
    make_private(state)
    try:
        return FileLock(state / LOCK, os.O_CREAT | os.O_RDWR)
    except OSError as error:
        raise storage_error(error, state) from error


class FileLock:
    """A lock on the file at `path`, held until `close` or until the process ends.

    It is independent of SQLite's own locks (`flock`, not `fcntl`). But closing any descriptor of a file drops all of
    SQLite's locks that this process has on it: close this lock after SQLite's connection.
    """

    def __init__(self, path: Path, flags: int = os.O_RDONLY) -> None:
        """Raises `JournalError` if another process, or another lock of this one, holds it; `OSError` if the file can't
        be opened with these flags.
        """
        self._at, self._number = path, os.open(path, flags | os.O_CLOEXEC, 0o600)
        self._close = weakref.finalize(self, os.close, self._number)
        try:
            fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.close()
            sentence = f"{path.parent}: another table is using this folder. Stop it, or choose another --state."
            raise InUse(sentence) from error
        keep_from_forks(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def holds(self) -> bool:
        """Whether the file at the path is still the one that is locked."""
        try:
            return os.path.samestat(os.fstat(self._number), self._at.stat())
        except FileNotFoundError:
            return False

    def close(self) -> None:
        """Release the lock."""
        self._close()
