"""Saves the games of a damaged journal whose chains hold.

Only a copy is read, row by row, so that a damaged page costs the rows on it and no others. Every row goes into a new
journal, and a game stays there only where it fits (`judging.fits`): what cannot be trusted is not saved. Small values
are saved where their seals hold. Where one may be missing, a running game is put away: nobody could say any more who
sits at its seats.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from engine.text import Text, comma_list
from firmware_host.records import chain, judging
from firmware_host.records.layout import TABLES, begin, connected, shape, shape_of
from firmware_host.records.state_folder import OUTSIDE

HIGHEST = "highest"
"""What the journal keeps the highest number under that a game had which is not here: no number is used twice."""

_MOST_UNREADABLE = 20_000
"""Rows, one after another, that cannot be read or come out of order: then the table has ended."""
_WIDTHS = {"games": 7, "entries": 8, "kept": 3}
_FORMATS, _PAGE_COUNT, _FREE_PAGES = slice(18, 20), slice(28, 32), slice(32, 40)
"""Places in the header of an SQLite file. The formats are 2 where there can be a write-ahead log."""


@contextmanager
def copied(path: Path) -> Iterator[sqlite3.Connection | None]:
    """A copy of a damaged journal to read from; None where there is nothing to read."""
    copy = path.with_name(f"{path.name}.copy")
    try:
        for ending in ("", "-wal"):
            _copy(Path(f"{path}{ending}"), Path(f"{copy}{ending}"))
        old = _opened(copy)
        if old is None:
            _give_first_page(copy)
            old = _opened(copy)
        if old is None:
            yield None
        else:
            with closing(old):
                yield old
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            Path(f"{copy}{ending}").unlink(missing_ok=True)


def _copy(path: Path, copy: Path) -> None:
    copy.unlink(missing_ok=True)
    if path.is_file():
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        shutil.copyfile(path, copy)


def _opened(copy: Path) -> sqlite3.Connection | None:
    """The copy, if its tables are laid out as ours: then a name is a table of ours, and no view or trigger."""
    db = connected(copy, "rw")
    with suppress(sqlite3.Error, UnicodeDecodeError):
        if shape(db) == shape_of(TABLES):
            return db
    db.close()
    return None


def _give_first_page(copy: Path) -> None:
    """Give the copy the first page of an empty journal: it says where each table begins, and that is always the same
    place. If the copy is another program's, no row of it will fit.
    """
    with closing(sqlite3.connect(":memory:")) as db:
        begin(db)
        empty = db.serialize()
    size = int.from_bytes(empty[16:18], "big")
    first = bytearray(empty[:size])
    first[_PAGE_COUNT] = (copy.stat().st_size // size).to_bytes(4, "big")
    first[_FREE_PAGES] = bytes(8)
    first[_FORMATS] = b"\2\2"
    with copy.open("r+b") as file:
        file.write(first)


def save(old: sqlite3.Connection, new: sqlite3.Connection) -> list[Text]:
    """Copy every game that fits from `old` into `new`, an empty journal, and every small value whose seal holds.

    What is to be said of it; nothing where there was nothing to save.
    """
    for table in ("games", "entries"):
        _copy_rows(old, new, table)
    known = {number for (number,) in new.execute("SELECT id FROM games UNION SELECT game FROM entries")}
    found = {number for (number,) in new.execute("SELECT id FROM games")}
    saved = {number for number in found if judging.fits(new, number) and _has_its_end(old, new, number)}
    lost = sorted(known - saved)
    for number in lost:
        new.execute("DELETE FROM entries WHERE game = ?", (number,))
        new.execute("DELETE FROM games WHERE id = ?", (number,))
    whole = _copy_kept(old, new)
    if not saved and not new.execute("SELECT 1 FROM kept").fetchone():
        return []
    likely = max(saved, default=0) + len(known)  # a number with a flipped bit can be any
    _keep_highest(new, max((number for number in known if number <= likely), default=0))
    said = [Text("{number} game was saved.", "{number} games were saved.", number=len(saved))]
    if lost:
        said.append(_lost(lost))
    if not whole:
        said += _unseated(new)
    return said


def _has_its_end(old: sqlite3.Connection, new: sqlite3.Connection, number: int) -> bool:
    """Whether the last entry that was saved of a game is its last. A chain holds as well where its end is cut off: so
    the entry ends the game, or the index, which lies on other pages, knows of none after it.
    """
    query = "SELECT number, kind FROM entries WHERE game = ? ORDER BY number DESC LIMIT 1"
    last, kind = new.execute(query, (number,)).fetchone()
    if kind in ("put-away", "imported"):
        return True
    indexed = "SELECT MAX(number) FROM entries INDEXED BY sqlite_autoindex_entries_1 WHERE game = ?"
    try:
        (known,) = old.execute(indexed, (number,)).fetchone()
        return known is not None and known <= last
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def _lost(numbers: list[int]) -> Text:
    named = [str(number) for number in numbers[: judging.NAMED]] + ["…"] * (len(numbers) > judging.NAMED)
    return Text(
        "Of {number} game too little could be read: {games}.",
        "Of {number} games too little could be read: {games}.",
        number=len(numbers),
        games=comma_list(named),
    )


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> None:
    places = ", ".join("?" * _WIDTHS[table])
    for values in _readable(old, table):
        with _unfitting():
            new.execute(f"INSERT INTO {table} VALUES ({places})", values)


@contextmanager
def _unfitting() -> Iterator[None]:
    """Leave out a row that has no place in a table of ours. Raises `sqlite3.Error` where the disk is at fault: what can
    be read is not lost for want of room.
    """
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in OUTSIDE:
            raise


def _copy_kept(old: sqlite3.Connection, new: sqlite3.Connection) -> bool:
    """Copy the small values whose seals hold; whether all of them are there."""
    whole, copied_rows = _intact(old, "kept"), 0
    for values in _readable(old, "kept"):
        name, value, seal = values
        if isinstance(name, str) and isinstance(value, str) and seal == chain.seal(name, value):
            with _unfitting():
                new.execute("INSERT INTO kept VALUES (?, ?, ?)", values)
                copied_rows += 1
    return whole and old.execute("SELECT COUNT(*) FROM kept").fetchone() == (copied_rows,)


def _intact(db: sqlite3.Connection, table: str) -> bool:
    try:
        return db.execute(f"PRAGMA integrity_check({table})").fetchall() == [("ok",)]
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def _readable(db: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table that can be read, without its index. On a damaged page their numbers can be in any order; a
    number that was passed is not begun at again, or the same page would be read without end.
    """
    query = f"SELECT rowid, * FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid"
    last, unreadable = 0, 0
    while unreadable < _MOST_UNREADABLE:
        try:
            for found in db.execute(query, (last,)):
                last, unreadable = (found[0], 0) if found[0] > last else (last, unreadable + 1)
                yield found[1:]
                if unreadable >= _MOST_UNREADABLE:
                    break
            return
        except (sqlite3.Error, UnicodeDecodeError):
            last, unreadable = last + 1, unreadable + 1


def _keep_highest(new: sqlite3.Connection, number: int) -> None:
    row = new.execute("SELECT value FROM kept WHERE name = ?", (HIGHEST,)).fetchone()
    text = chain.text(max(number, int(row[0]) if row is not None and row[0].isdecimal() else 0))
    new.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (HIGHEST, text, chain.seal(HIGHEST, text)))


def _unseated(new: sqlite3.Connection) -> list[Text]:
    """Put the running game away; what is to be said where it is not known who sits where."""
    said = [Text("What the table remembered, such as seats and settings, could not be read whole.")]
    ends = "SELECT 1 FROM entries WHERE game = games.id AND kind IN ('put-away', 'imported')"
    running = new.execute(f"SELECT id FROM games WHERE NOT EXISTS ({ends})").fetchall()
    for (game,) in running:
        query = "SELECT number, hash FROM entries WHERE game = ? ORDER BY number DESC LIMIT 1"
        number, before = new.execute(query, (game,)).fetchone()
        entry = (time.time(), "put-away", "", "null", "[]")
        values = (game, number + 1, *entry, chain.link(before, *entry))
        new.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        said.append(Text("So game {game}, which had not ended, was put away.", game=game))
    return said
