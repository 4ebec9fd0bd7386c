"""Finds damaged games in the journal: games whose row, entries or hash chain are not as they were written.

Only SQLite is asked. A damaged game stays in the file and is closed; it does not affect other games.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from engine.text import Text, comma_list
from firmware_host.records import chain, layout
from firmware_host.records.chain import GameHeader

MOST_NAMED = 10
"""Damaged games that one sentence names."""

_LONGEST_NAME = 64
_LATEST_TIME = 1e11
_UNREADABLE = msgspec.DecodeError, ValueError, RecursionError
"""Errors of reading a value that is not text, or not JSON."""


class DamagedGame(Struct, frozen=True):
    """A damaged game.

    `map` and `started` (seconds since 1970) are None if they cannot be read. `ended` is whether the game was put away.
    `marks` are hashes that identify the game in a record.
    """

    number: int
    map: str | None
    started: float | None
    ended: bool
    marks: frozenset[str]

    def __str__(self) -> str:
        """Return its number, map and date for a sentence."""
        day = None if self.started is None else time.strftime("%Y-%m-%d", time.localtime(self.started))
        facts = [fact for fact in (self.map, day) if fact is not None]
        return f"{self.number} ({', '.join(facts)})" if facts else str(self.number)


def damaged_games(db: sqlite3.Connection) -> tuple[DamagedGame, ...]:
    """Return the damaged games, the oldest first. Raises `sqlite3.Error` if the file itself cannot be read."""
    numbers = [number for (number,) in db.execute("SELECT id FROM games ORDER BY id").fetchall()]
    return tuple(describe_damaged(db, number) for number in numbers if not is_intact(db, number))


def is_whole(db: sqlite3.Connection) -> bool:
    """Return whether the pages of the file fit together, and every entry has its game."""
    return is_database(db) and db.execute("PRAGMA foreign_key_check").fetchone() is None


def is_database(db: sqlite3.Connection) -> bool:
    """Return whether the pages of the file fit together."""
    return db.execute("PRAGMA integrity_check(1)").fetchall() == [("ok",)]


def is_whole_table(db: sqlite3.Connection, table: str) -> bool:
    """Return whether the pages of a table and of its index fit together."""
    try:
        return db.execute(f"PRAGMA integrity_check({table})").fetchall() == [("ok",)]
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def is_newest_found(db: sqlite3.Connection) -> bool:
    """Return whether the index leads to the entry that was written last, through all entries before it, and the table
    of games has its game. A damaged page can hide any of them, and their numbers would be given to others.
    """
    newest = db.execute("SELECT game, number FROM entries NOT INDEXED ORDER BY rowid DESC LIMIT 1").fetchone()
    if newest is None:
        return True
    game, number = newest
    counted = "SELECT COUNT(*), MAX(number) FROM entries INDEXED BY sqlite_autoindex_entries_1 WHERE game = ?"
    has_game = db.execute("SELECT 1 FROM games WHERE id = ?", (game,)).fetchone() is not None
    return has_game and db.execute(counted, (game,)).fetchone() == (number + 1, number)


def is_intact(db: sqlite3.Connection, number: int, between: Callable[[], object] = lambda: None) -> bool:
    """Return whether a game's chain begins with its row, without gaps and errors. `between` is called at each entry."""
    # The numbers have no gap if the difference of first and last matches the number of rows.
    counted = f"SELECT MIN(number), MAX(number), COUNT(*), SUM({_TYPED_ENTRY}) FROM entries WHERE game = ?"
    first, last, count, typed = db.execute(counted, (number,)).fetchone()
    if (first, last, typed) != (0, count - 1, count):
        return False
    try:
        header, stored_hash = _header(db, number)
        rows = _readable_rows(db, number, between)
        return stored_hash == chain.hash_before_first(header) and chain.first_misfit(header, rows) is None
    except _UNREADABLE:
        return False


def keep_intact_part(db: sqlite3.Connection, number: int) -> int:
    """Delete a game's entries from the first one on that is not intact, all of them if the game's row is damaged.

    Return the number of entries that are left.
    """
    typed = f"SELECT number FROM entries WHERE game = ? AND {_TYPED_ENTRY} ORDER BY number"
    present = [entry for (entry,) in db.execute(typed, (number,))]
    end = next((at for at, entry in enumerate(present) if at != entry), len(present))

    def readable_part() -> Iterator[tuple[float, str, str, str, str, str]]:
        with suppress(*_UNREADABLE):
            yield from _readable_rows(db, number, lambda: None, end)

    if not is_row_intact(db, number):
        layout.delete_game(db, number)
        return 0
    rows = [*readable_part()]
    misfit = chain.first_misfit(_header(db, number)[0], rows)
    length = len(rows) if misfit is None else misfit
    db.execute("DELETE FROM entries WHERE game = ? AND number NOT BETWEEN 0 AND ?", (number, length - 1))
    return length


def is_row_intact(db: sqlite3.Connection, number: int) -> bool:
    """Return whether the row of a game fits its chain's beginning."""
    try:
        header, stored_hash = _header(db, number)
        return stored_hash == chain.hash_before_first(header)
    except _UNREADABLE:
        return False


def name_games(games: Sequence[object]) -> str:
    """Return the first damaged games as a list in words."""
    return comma_list([str(game) for game in games[:MOST_NAMED]] + ["…"] * (len(games) > MOST_NAMED))


def notice(games: Sequence[DamagedGame]) -> Text:
    """Return the public sentence about damaged games."""
    words = Text(
        "{number} game in the journal is damaged: {games}. It stays in the file, closed. All others are unaffected.",
        "{number} games in the journal are damaged: {games}. They stay in the file, closed. All others are unaffected.",
    )
    return words.with_(number=len(games), games=name_games(games))


# SQLite itself accepts a TEXT that is not valid text, and returns it as a BLOB. A damaged row can also contain values
# of other types than its table allows, or NULL: SQLite believes what the row says.


def _typed(texts: Iterable[str], real: str) -> str:
    return " AND ".join([f"typeof({real}) = 'real'", *(f"typeof({name}) = 'text'" for name in texts)])


_GAME_TEXTS = "game", "map", "source", "options", "hash"
_ENTRY_TEXTS = "kind", "seat", "command", "telling", "hash"
_TYPED_GAME, _TYPED_ENTRY = _typed(_GAME_TEXTS, "started"), _typed(_ENTRY_TEXTS, "at")
"""The SQL conditions for rows in which each value has the type of its column."""


def _header(db: sqlite3.Connection, number: int) -> tuple[GameHeader, str]:
    texts = ", ".join(f"CAST({name} AS BLOB)" for name in _GAME_TEXTS)
    query = f"SELECT started, {texts} FROM games WHERE id = ? AND {_TYPED_GAME}"
    row = db.execute(query, (number,)).fetchone()
    if row is None:
        raise ValueError("the row has values of other types")
    started, *blobs = row
    game, board, source, options, stored_hash = (blob.decode() for blob in blobs)
    return GameHeader(started, game, board, source, msgspec.json.decode(options)), stored_hash


def _readable_rows(
    db: sqlite3.Connection, number: int, between: Callable[[], object], end: int = -1
) -> Iterator[tuple[float, str, str, str, str, str]]:
    texts = ", ".join(f"CAST({name} AS BLOB)" for name in _ENTRY_TEXTS)
    query = f"SELECT at, {texts} FROM entries WHERE game = ? ORDER BY number LIMIT ?"  # all, if `end` is -1
    for at, *blobs in db.execute(query, (number, end)):
        between()
        kind, seat, command, telling, stored_hash = (blob.decode() for blob in blobs)
        msgspec.json.decode(command)  # otherwise text could be moved between command and telling
        yield at, kind, seat, command, telling, stored_hash


def describe_damaged(db: sqlite3.Connection, number: int) -> DamagedGame:
    """Return what can be read of a damaged game. Raises `sqlite3.Error` if its row is listed, but cannot be found."""
    texts = "CAST(COALESCE(map, '') AS BLOB), CAST(COALESCE(hash, '') AS BLOB)"
    query = f"SELECT CASE typeof(started) WHEN 'real' THEN started END, {texts} FROM games WHERE id = ?"
    row = db.execute(query, (number,)).fetchone()
    if row is None:
        raise sqlite3.DatabaseError("a page of games is damaged")
    started, board, beginning = row
    name = board.decode(errors="replace")
    # A damaged name may have any content, and the sentence about it is public.
    readable = 0 < len(name) <= _LONGEST_NAME and name.isascii() and name.isprintable()
    first = db.execute(
        "SELECT CAST(COALESCE(hash, '') AS BLOB) FROM entries WHERE game = ? AND number = 0", (number,)
    ).fetchone()
    ended = "SELECT 1 FROM entries WHERE game = ? AND kind IN ('put-away', 'imported')"
    return DamagedGame(
        number,
        name if readable else None,
        started if started is not None and 0 <= started <= _LATEST_TIME else None,
        db.execute(ended, (number,)).fetchone() is not None,
        frozenset(mark.decode(errors="replace") for mark in (beginning, *(first or ()))),
    )
