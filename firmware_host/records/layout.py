"""The tables of a journal of this version, how rows are added to them, and the files of a database."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from firmware_host.records import chain
from firmware_host.records.chain import GameHeader, Kind
from hardware.files import new_file

VERSION, WITHOUT_REQUESTS = 3, 2
"""This version, and the one before. A journal of that one is changed in place. Each version needs its own schema:
a known schema with a higher number is damage.
"""
APPLICATION_ID = 0x536E6A31
"""The SQLite application ID of our files."""

TABLES_2 = """
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
ADD_REQUESTS = "ALTER TABLE entries ADD COLUMN request TEXT;"
"""`request` identifies the act of a screen, see `repeats.py`. It is in the row of the act because its own row
would write two more pages. The chain doesn't cover it: a record is complete without it.
"""
TABLES = TABLES_2 + ADD_REQUESTS
SCHEMAS = {WITHOUT_REQUESTS: TABLES_2, VERSION: TABLES}
END_KINDS = ("put-away", "imported")
"""The kinds of entries after which a game has ended."""
RUNS_SQL = (
    f"COALESCE((SELECT kind FROM entries WHERE game = games.id ORDER BY number DESC LIMIT 1), '') NOT IN {END_KINDS}"
)
"""The SQL condition for rows of `games` that still run. Of each game only the last entry is read."""
SALVAGED_KEY = "salvaged"
"""The journal's key for where a damaged one was set aside, and the sentences about what was saved."""
RUNS_FROM_KEY = "runs-from"
"""The journal's key for the number of the game that was started last. All games before that one have ended."""
HIGHEST_KEY = "highest"
"""The journal's key for the highest number of any deleted game, so that no number is used twice."""

BLOCK = 4096
"""Bytes that a disk reads at once: those of a page of the file."""

Row = tuple[float, str, str, str, str]
"""An entry in the table: when, kind, seat, and as JSON its command and telling."""


class LastEntry(NamedTuple):
    """Number, time, kind and hash of a game's last entry; those of the beginning of the chain if there is no entry."""

    number: int
    at: float
    kind: str
    hash: str


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection to the file at `path`. `mode` is "ro" or "rw". Raises `sqlite3.Error`."""
    # In a URI, a `?` or `#` would end the path.
    where = f"file:{quote(os.fsencode(path))}?mode={mode}"
    # Python begins no transactions by itself with `None`. Commits may run in another thread.
    return sqlite3.connect(where, uri=True, isolation_level=None, check_same_thread=False)


def schema(db: sqlite3.Connection) -> list[tuple[str, str, str | None]]:
    """Return type, name and SQL of each part of a database."""
    return sorted(db.execute("SELECT type, name, sql FROM sqlite_master"), key=str)


def schema_of(tables: str) -> list[tuple[str, str, str | None]]:
    """Return the schema of a database with these tables."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(tables)
        return schema(db)


def create_tables(db: sqlite3.Connection) -> None:
    """Create the tables of an empty journal."""
    # In one transaction: after a crash, the file has all of this or nothing.
    db.executescript(
        f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; PRAGMA application_id = {APPLICATION_ID}; COMMIT;"
    )


def add_requests(db: sqlite3.Connection) -> None:
    """Change a journal of version `WITHOUT_REQUESTS` to this version."""
    db.executescript(f"BEGIN; {ADD_REQUESTS} PRAGMA user_version = {VERSION}; COMMIT;")


def sqlite_files(path: Path) -> list[Path]:
    """Return the path of an SQLite file and of the files that SQLite puts next to it, its log first."""
    return [Path(f"{path}{ending}") for ending in ("", "-wal", "-shm", "-journal")]


def discard(path: Path) -> None:
    """Delete a file and SQLite's files next to it."""
    for part in sqlite_files(path):
        part.unlink(missing_ok=True)


def copy_readable(path: Path, copy: Path) -> bool:
    """Copy a file to a new one that only this user can read, with zeros in place of blocks that the disk cannot read.
    Return whether it could read any.
    """
    any_read = False
    with path.open("rb", buffering=0) as old, new_file(copy, 0o600) as new:
        for at in range(0, path.stat().st_size, BLOCK):
            try:
                block = os.pread(old.fileno(), BLOCK, at)
                any_read = True
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                block = bytes(BLOCK)
            new.write(block)
    return any_read


def insert_game(db: sqlite3.Connection, number: int, header: GameHeader) -> None:
    """Add a game without entries."""
    row = (number, header.started, header.game, header.map, header.source, chain.json_text(header.options))
    db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, chain.hash_before_first(header)))


def insert_entry(
    db: sqlite3.Connection, game: int, number: int, row: Row, hash_: str, request: str | None = None
) -> None:
    """Add an entry with the number and the hash that it has in its chain."""
    db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (game, number, *row, hash_, request))


def append(db: sqlite3.Connection, game: int, at: float, kind: Kind, *act: Any, request: str | None = None) -> str:
    """Add an entry at the end of a game's chain, and return its hash.

    `act` has seat, command and telling; some entries have none.
    """
    seat, command, telling = act or ("", None, ())
    last, row = last_entry(db, game), (at, kind, seat, chain.json_text(command), chain.json_text(telling))
    hash_ = chain.link(last.hash, *row)
    insert_entry(db, game, last.number + 1, row, hash_, request)
    return hash_


def running(db: sqlite3.Connection) -> list[int]:
    """Return the games that still run, the newest first."""
    first = stored_number(db, RUNS_FROM_KEY)
    rows = db.execute(f"SELECT id FROM games WHERE id >= ? AND {RUNS_SQL} ORDER BY id DESC", (first,))
    return [number for (number,) in rows.fetchall()]


def last_entry(db: sqlite3.Connection, game: int, which: str = "TRUE") -> LastEntry:
    """Return the last entry of a game, among those that meet the SQL condition `which`."""
    query = f"SELECT number, at, kind, hash FROM entries WHERE game = ? AND {which} ORDER BY number DESC LIMIT 1"
    row = db.execute(query, (game,)).fetchone()
    if row is None:
        row = db.execute("SELECT -1, started, '', hash FROM games WHERE id = ?", (game,)).fetchone()
    return LastEntry(*row)


def delete_game(db: sqlite3.Connection, game: int) -> None:
    """Delete a game with its entries."""
    # Entries refer to their game, so they go first.
    db.execute("DELETE FROM entries WHERE game = ?", (game,))
    db.execute("DELETE FROM games WHERE id = ?", (game,))


def stored_number(db: sqlite3.Connection, name: str) -> int:
    """Return a small value that is the number of a game; 0 if there is none."""
    row = db.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
    # Another version, or damage, may have left any value there.
    return int(row[0]) if row is not None and row[0].isdecimal() else 0


def store(db: sqlite3.Connection, name: str, value: Any) -> None:
    """Store a small value, and replace the one of that name."""
    text = chain.json_text(value)
    db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (name, text, chain.hash_values(name, text)))
