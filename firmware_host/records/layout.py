"""How a journal of this version is laid out in its SQLite file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

VERSION = 2
APPLICATION = 0x536E6A31
"""What tells our files from other programs'."""

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


def connected(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to the file at `path`; `mode` is "ro" or "rw". Raises `sqlite3.Error`."""
    where = f"file:{quote(str(path))}?mode={mode}"
    return sqlite3.connect(where, uri=True, isolation_level=None, check_same_thread=False)


def shape(db: sqlite3.Connection) -> list[tuple[str, str, str | None]]:
    """What a database is made of: type, name and SQL of each part."""
    return sorted(db.execute("SELECT type, name, sql FROM sqlite_master"), key=str)


def shape_of(tables: str) -> list[tuple[str, str, str | None]]:
    """The shape that these tables have."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(tables)
        return shape(db)


def begin(db: sqlite3.Connection) -> None:
    """Make the tables of an empty journal."""
    db.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; PRAGMA application_id = {APPLICATION}; COMMIT;")
