"""The tables of a journal of this version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

VERSION = 2
APPLICATION = 0x536E6A31
"""The SQLite application ID of our files."""

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


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Return a connection to the file at `path`. `mode` is "ro" or "rw". Raises `sqlite3.Error`."""
    where = f"file:{quote(str(path))}?mode={mode}"
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
    db.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {VERSION}; PRAGMA application_id = {APPLICATION}; COMMIT;")
