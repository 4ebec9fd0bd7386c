"""Migrates journals of version 1, which have no chain and delete acts that are taken back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import msgspec

from firmware_host.records import chain
from firmware_host.records.chain import GameHeader
from firmware_host.records.layout import Row, insert_entry, insert_game

VERSION = 1
TABLES = """
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


def is_readable(db: sqlite3.Connection) -> bool:
    """Return whether every text is JSON, and no game has a gap in its acts."""
    texts = "SELECT options FROM games UNION ALL SELECT command FROM acts UNION ALL SELECT telling FROM acts"
    try:
        for (text,) in db.execute(f"{texts} UNION ALL SELECT value FROM kept"):
            msgspec.json.decode(text)
    except (ValueError, TypeError, RecursionError):
        return False
    counted = (
        "SELECT games.id, MIN(number), MAX(number), COUNT(number) FROM games LEFT JOIN acts ON acts.game = games.id"
    )
    rows = db.execute(f"{counted} GROUP BY games.id").fetchall()
    lost = db.execute("SELECT 1 FROM acts WHERE game NOT IN (SELECT id FROM games)").fetchone()
    # If there is no gap, the last number follows from the number of acts.
    return lost is None and all(first == 0 and last == count - 1 for _, first, last, count in rows)


def copy_games(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Copy everything from `old` into `new`, an empty journal of this version. The chains are computed now."""
    for number, ended, *columns in old.execute("SELECT id, ended, started, game, map, source, options FROM games"):
        started, game, board, source, options = columns
        header = GameHeader(started, game, board, source, msgspec.json.decode(options))
        insert_game(new, number, header)
        before = chain.hash_before_first(header)
        for index, entry in enumerate(_entries(old, number, ended)):
            before = chain.link(before, *entry)
            insert_entry(new, number, index, entry, before)
    for name, value in old.execute("SELECT name, value FROM kept"):
        new.execute("INSERT INTO kept VALUES (?, ?, ?)", (name, value, chain.hash_values(name, value)))


def _entries(old: sqlite3.Connection, game: int, ended: float | None) -> Iterator[Row]:
    acts = "SELECT number, at, seat, command, telling FROM acts WHERE game = ? ORDER BY number"
    for number, at, *act in old.execute(acts, (game,)):
        seat, command, telling = act
        # In version 1, act number 0 is the set-up.
        yield at, "act" if number else "start", seat, command, telling
    if ended is not None:
        # Version 1 noted the end of a game in its row.
        yield ended, "put-away", "", "null", "[]"
