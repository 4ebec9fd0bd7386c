"""The journal: every act of every game, one transaction each, on the disk before anybody hears of it.

One SQLite file. Only the table's loop uses it. It holds secrets: its folder and file are for the service user alone.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

SCHEMA = 1
_TABLES = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, started REAL NOT NULL, ended REAL,
    game TEXT NOT NULL, map TEXT NOT NULL, source TEXT NOT NULL, options TEXT NOT NULL
);
CREATE TABLE acts (
    game INTEGER NOT NULL REFERENCES games(id), number INTEGER NOT NULL, at REAL NOT NULL,
    seat TEXT NOT NULL, command TEXT NOT NULL, telling TEXT NOT NULL,
    PRIMARY KEY (game, number)
);
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class JournalError(Exception):
    """The journal cannot be used; the sentence says why and what to do."""


class SavedGame(Struct, frozen=True):
    """A game that has not ended: what it is played with. `source` is the map's hash."""

    id: int
    game: str
    map: str
    source: str
    options: Any


class SavedAct(Struct, frozen=True):
    """One act as it was written: who, what, and everything that it told, with audiences."""

    seat: str
    command: Any
    telling: Any


class Journal:
    """The file at `path`; made if it is not there. Raises `JournalError`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._make_private(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._prepare()
        except OSError as error:
            raise JournalError(
                f"{path.parent}: cannot be written ({error.strerror}). Choose another state folder."
            ) from error
        except sqlite3.DatabaseError as error:
            raise JournalError(f"{path}: not a usable journal ({error}). Move it away and start again.") from error

    @staticmethod
    def _make_private(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.chmod(path.parent, 0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))

    def _prepare(self) -> None:
        (found,) = self._db.execute("PRAGMA user_version").fetchone()
        if found == 0 and not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
        elif found != SCHEMA:
            raise JournalError(
                f"{self.path}: written by another version (schema {found}, this one reads {SCHEMA}). Move it away."
            )

    def close(self) -> None:
        """Done with the file."""
        self._db.close()

    # --- games --------------------------------------------------------------------------------------------------

    def begin(self, game: str, board: str, source: str, options: Any, telling: Any) -> int:
        """A new game and what its set-up told, in one transaction; the number of the game."""
        with self._transaction():
            self._db.execute("UPDATE games SET ended = ? WHERE ended IS NULL", (time.time(),))
            row = (time.time(), game, board, source, _text(options))
            cursor = self._db.execute(
                "INSERT INTO games (started, game, map, source, options) VALUES (?, ?, ?, ?, ?)", row
            )
            number = int(cursor.lastrowid or 0)
            self._insert(number, SavedAct("", None, telling))
        return number

    def write(self, game: int, act: SavedAct) -> None:
        """One act, synced when this returns."""
        with self._transaction():
            self._insert(game, act)

    def take_back(self, game: int) -> None:
        """The last act was taken back: it is as if it had never been told."""
        with self._transaction():
            self._db.execute(
                "DELETE FROM acts WHERE game = ? AND number = (SELECT MAX(number) FROM acts WHERE game = ?)",
                (game, game),
            )

    def end(self, game: int) -> None:
        """The game is put away; it stays in the file."""
        with self._transaction():
            self._db.execute("UPDATE games SET ended = ? WHERE id = ?", (time.time(), game))

    def running(self) -> SavedGame | None:
        """The game that was not put away yet."""
        query = "SELECT id, game, map, source, options FROM games WHERE ended IS NULL ORDER BY id DESC"
        row = self._db.execute(query).fetchone()
        if row is None:
            return None
        number, game, board, source, options = row
        return SavedGame(number, game, board, source, msgspec.json.decode(options))

    def acts(self, game: int) -> Iterator[SavedAct]:
        """Everything that was written of a game, in order."""
        query = "SELECT seat, command, telling FROM acts WHERE game = ? ORDER BY number"
        for seat, command, telling in self._db.execute(query, (game,)):
            yield SavedAct(seat, msgspec.json.decode(command), msgspec.json.decode(telling))

    def _insert(self, game: int, act: SavedAct) -> None:
        (number,) = self._db.execute("SELECT COUNT(*) FROM acts WHERE game = ?", (game,)).fetchone()
        row = (game, number, time.time(), act.seat, _text(act.command), _text(act.telling))
        self._db.execute("INSERT INTO acts VALUES (?, ?, ?, ?, ?, ?)", row)

    # --- small things that outlive a start ----------------------------------------------------------------------

    def keep(self, name: str, value: Any) -> None:
        """Remember a small value (who sits where)."""
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, _text(value)))

    def kept(self, name: str) -> Any:
        """A value remembered, or None."""
        row = self._db.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return None if row is None else msgspec.json.decode(row[0])

    def _transaction(self) -> _Transaction:
        return _Transaction(self._db)


class _Transaction:
    """All or nothing."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._db.execute("COMMIT" if kind is None else "ROLLBACK")


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
