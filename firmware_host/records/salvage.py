"""Saves the intact games of a damaged journal.

A copy is read row by row, so that a damaged page costs only its own rows. Every row goes into a new journal, and games
that are not intact there (`damage.is_intact`) are removed again. Small values are saved if their hashes fit. If one may
be missing, a running game is put away, because it is no longer known who sits at its seats.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from engine.text import Text
from firmware_host.records import chain, damage, layout, log_file
from firmware_host.records.state_folder import is_outside

JOURNAL_NAME = "highest"
"""Name under which the journal stores the highest number of a game that is gone, so that no number is used twice."""

_MOST_UNREADABLE = 20_000
"""Unreadable or unordered rows in a row after which a table counts as ended."""
_FORMATS, _PAGE_COUNT, _FREE_PAGES = slice(18, 20), slice(28, 32), slice(32, 40)
"""Positions in the header of an SQLite file. The formats are 2 if there can be a write-ahead log."""


@contextmanager
def copy_of(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Copy a damaged journal and yield a connection to the copy; None if it cannot be read."""
    copy = path.with_name(f"{path.name}.copy")
    try:
        layout.discard(copy)
        # SQLite makes the other files again by itself.
        for ending in ("", "-wal", "-journal"):
            if not (part := Path(f"{path}{ending}")).is_file():
                continue
            read = layout.copy_readable(part, Path(f"{copy}{ending}"))
            # If a file of many sectors cannot be read at all, the disk fails now, and nothing is known of the journal.
            if not (read or ending) and path.stat().st_size > layout.BLOCK:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
        log = Path(f"{copy}-wal")
        if log.is_file() and log_file.is_cut(log):
            log_file.repair(log)
        old = _open_copy(copy)
        if old is None:
            _replace_first_page(copy)
            old = _open_copy(copy)
        if old is None:
            yield None
        else:
            with closing(old):
                yield old
    finally:
        layout.discard(copy)


def _open_copy(copy: Path) -> sqlite3.Connection | None:
    """Return a connection to the copy if its schema is ours, without views or triggers; else None."""
    db = layout.connect(copy, "rw")
    with suppress(sqlite3.Error, UnicodeDecodeError):
        if layout.schema(db) in map(layout.schema_of, layout.SCHEMAS.values()):
            return db
    db.close()
    return None


def _replace_first_page(copy: Path) -> None:
    """Replace the copy's first page with that of an empty journal. It says where each table begins, which is always the
    same place. If the file belongs to another program, no row of it will fit.
    """
    with closing(sqlite3.connect(":memory:")) as db:
        layout.create_tables(db)
        empty = db.serialize()
    # Bytes 16 and 17 of the header are the page size.
    size = int.from_bytes(empty[16:18], "big")
    first = bytearray(empty[:size])
    first[_PAGE_COUNT] = (copy.stat().st_size // size).to_bytes(4, "big")
    # Zeros mean that there is no list of free pages.
    first[_FREE_PAGES] = bytes(8)
    first[_FORMATS] = b"\2\2"
    with copy.open("r+b") as file:
        file.write(first)


def save(old: sqlite3.Connection, new: sqlite3.Connection) -> list[Text]:
    """Copy every intact game and small value from `old` into `new`, an empty journal. Return the sentences about it;
    none if there was nothing to save.
    """
    for table in ("games", "entries"):
        names = [name for (name,) in old.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        row = f"{table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        for values in _readable_rows(old, table):
            with _skipping_bad_rows():
                new.execute(f"INSERT INTO {row}", values)
    all_numbers = {number for (number,) in new.execute("SELECT id FROM games UNION SELECT game FROM entries")}
    with_row = {number for (number,) in new.execute("SELECT id FROM games")}
    saved = {number for number in with_row if damage.is_intact(new, number) and _is_complete(old, new, number)}
    lost = sorted(all_numbers - saved)
    for number in lost:
        layout.delete_game(new, number)
    complete = _copy_kept(old, new)
    if not saved and not new.execute("SELECT 1 FROM kept").fetchone():
        return []
    # A number with a flipped bit can be any. Only plausible ones may raise the next game's number.
    likely = max(saved, default=0) + len(all_numbers)
    row = new.execute("SELECT value FROM kept WHERE name = ?", (JOURNAL_NAME,)).fetchone()
    before = int(row[0]) if row is not None and row[0].isdecimal() else 0
    layout.keep(new, JOURNAL_NAME, max([before, *(number for number in all_numbers if number <= likely)]))
    sentences = [Text("{number} game was saved.", "{number} games were saved.", number=len(saved))]
    if lost:
        sentence = Text("{number} game could not be saved: {games}.", "{number} games could not be saved: {games}.")
        sentences.append(sentence.with_(number=len(lost), games=damage.name_games(lost)))
    if not complete:
        sentences += _put_away_running(new)
    return sentences


def _is_complete(old: sqlite3.Connection, new: sqlite3.Connection, number: int) -> bool:
    """Return whether no entries are missing at the end of a saved game, which the chain doesn't show. Either the last
    entry ends the game, or the index, which is on other pages, has none after it.
    """
    last = layout.last_entry(new, number)
    if last.kind in layout.END_KINDS:
        return True
    indexed = "SELECT MAX(number) FROM entries INDEXED BY sqlite_autoindex_entries_1 WHERE game = ?"
    try:
        (newest,) = old.execute(indexed, (number,)).fetchone()
        return newest is not None and newest <= last.number
    except (sqlite3.Error, UnicodeDecodeError):
        return False


@contextmanager
def _skipping_bad_rows() -> Iterator[None]:
    """Skip a row that our table refuses. Raises `sqlite3.Error` for a full disk, so that it loses nothing."""
    try:
        yield
    except sqlite3.Error as error:
        if is_outside(error):
            raise


def _copy_kept(old: sqlite3.Connection, new: sqlite3.Connection) -> bool:
    """Copy the small values whose hashes fit. Return whether none is missing."""
    readable, copied_rows = damage.is_whole_table(old, "kept"), 0
    for values in _readable_rows(old, "kept"):
        name, value, seal = values
        if isinstance(name, str) and isinstance(value, str) and seal == chain.seal(name, value):
            with _skipping_bad_rows():
                new.execute("INSERT INTO kept VALUES (?, ?, ?)", values)
                copied_rows += 1
    return readable and old.execute("SELECT COUNT(*) FROM kept").fetchone() == (copied_rows,)


def _readable_rows(db: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """Yield the readable rows of a table, without its index. On a damaged page they can be in any order. Reading always
    continues after the highest number, otherwise it would never end.
    """
    query = f"SELECT rowid, * FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid"
    last, unreadable = 0, 0
    while unreadable < _MOST_UNREADABLE:
        try:
            for row in db.execute(query, (last,)):
                last, unreadable = (row[0], 0) if row[0] > last else (last, unreadable + 1)
                yield row[1:]
                if unreadable >= _MOST_UNREADABLE:
                    break
            return
        except (sqlite3.Error, UnicodeDecodeError):
            # This row cannot be read: go on with the next number.
            last, unreadable = last + 1, unreadable + 1


def _put_away_running(new: sqlite3.Connection) -> list[Text]:
    """Put the running game away, because it is not known who sits where. Return the sentences about it."""
    sentences = [Text("Not all seats and settings that the table had stored could be read.")]
    for game in layout.running(new):
        layout.append(new, game, time.time(), "put-away")
        sentences.append(Text("Game {game}, which had not ended, was put away.", game=game))
    return sentences
