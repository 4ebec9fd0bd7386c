"""Saves the intact games of a damaged journal.

A copy is read row by row, so that a damaged page costs only its own rows. Every row goes into a new journal, which
keeps each game up to the first entry that does not fit its chain. If the log is damaged, its frames are read in several
ways, because each way can find rows that another loses. Small values are saved if their hashes fit. If one may be
missing or old, a running game is put away, because it is no longer known who sits at its seats.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from engine.text import Text
from firmware_host.records import chain, damage, layout, log_file
from firmware_host.records.state_folder import is_outside

_MOST_UNREADABLE = 20_000
"""Unreadable or unordered rows in a row after which a table counts as ended."""
_HEADER = 100
"""Bytes of the header of an SQLite file."""
_LEAF = b"\x0d"
"""The first byte of a page with rows of a table."""
_COLUMNS = {
    "games": ("id", "started", "game", "map", "source", "options", "hash"),
    "entries": ("game", "number", "at", "kind", "seat", "command", "telling", "hash", "request"),
}
_FORMATS, _PAGE_COUNT, _FREE_PAGES = slice(18, 20), slice(28, 32), slice(32, 40)
"""Positions in the header of an SQLite file. The formats are 2 if there can be a write-ahead log."""


def copies_of(path: Path) -> Generator[tuple[sqlite3.Connection, bool]]:
    """Yield connections to copies of a damaged journal, one after another, and whether all pages of a copy are of the
    last moment. If the log is damaged, one copy has its damaged frames, one only the others, and one what SQLite reads.
    """
    copy = _copy_path(path)
    try:
        for damaged in (True, False, None):
            cut, whole = _copy_files(path, copy, damaged)
            if (old := _open_copy(copy)) is not None:
                with closing(old):
                    yield old, whole
            if not cut:
                break
    finally:
        layout.discard(copy)


def entries_on_leaves(path: Path) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of entries on each leaf page of a copy, also on those that a damaged page above them hides."""
    copy = _copy_path(path)
    try:
        _copy_files(path, copy, damaged=True)
        if (old := _open_copy(copy)) is None:
            return
        with closing(old):
            (root,) = old.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for page in _leaf_pages(copy):
            # Make SQLite treat this page as the whole table.
            with copy.open("r+b") as file:
                file.seek((root - 1) * layout.BLOCK)
                file.write(page)
            with closing(layout.connect(copy, "ro&immutable=1")) as leaf:
                yield from _readable_rows(leaf, "entries")
    finally:
        layout.discard(copy)


def _leaf_pages(copy: Path) -> Iterator[bytes]:
    """Yield the leaf pages of all tables, except for the first page of the file."""
    with copy.open("rb", buffering=0) as file:
        file.seek(layout.BLOCK)
        while page := file.read(layout.BLOCK):
            if page.startswith(_LEAF):
                yield page


def _copy_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.copy")


def _copy_files(path: Path, copy: Path, damaged: bool | None) -> tuple[bool, bool]:
    """Copy a journal and its log, repaired with or without damaged frames, or not at all (None). Return whether the log
    is cut, and whether all pages are of the last moment.
    """
    layout.discard(copy)
    # SQLite creates the other files again by itself.
    for ending in ("", "-wal", "-journal"):
        if not (part := Path(f"{path}{ending}")).is_file():
            continue
        read = layout.copy_readable(part, Path(f"{copy}{ending}"))
        # If a file of many sectors cannot be read at all, the disk fails now, and nothing is known of the journal.
        if not (read or ending) and path.stat().st_size > layout.BLOCK:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
    _replace_first_bytes(copy, _HEADER)
    log = Path(f"{copy}-wal")
    if not (log.is_file() and log_file.is_cut(log)):
        return False, True
    return True, damaged is not None and log_file.repair(log, damaged=damaged)


def _open_copy(copy: Path) -> sqlite3.Connection | None:
    """Return a connection to the copy if its schema is ours, without views or triggers, perhaps only with another first
    page; else None.
    """
    for again in (False, True):
        if again:
            _replace_first_bytes(copy, layout.BLOCK)
        db = layout.connect(copy, "rw")
        with suppress(sqlite3.Error, UnicodeDecodeError):
            if layout.schema(db) in map(layout.schema_of, layout.SCHEMAS.values()):
                return db
        db.close()
    return None


def _replace_first_bytes(copy: Path, count: int) -> None:
    """Replace the first bytes of the copy with those of an empty journal: the header, or the whole first page.

    The page says where each table begins, which is always the same. If the file belongs to another program, no row of
    it will fit.
    """
    with closing(sqlite3.connect(":memory:")) as db:
        layout.create_tables(db)
        first = bytearray(db.serialize()[:count])
    first[_PAGE_COUNT] = (copy.stat().st_size // layout.BLOCK).to_bytes(4, "big")
    # Zeros mean that there is no list of free pages.
    first[_FREE_PAGES] = bytes(8)
    first[_FORMATS] = b"\2\2"
    with copy.open("r+b") as file:
        file.write(first)


def recover_games(path: Path, new: sqlite3.Connection) -> list[Text]:
    """Copy every intact game and small value of the journal at `path` into `new`, an empty journal. Return the
    sentences about it; none if there was nothing to save.
    """
    lengths, newest, all_numbers = dict[int, int](), dict[int, int](), set[int]()

    def keep_intact_parts() -> None:
        for (number,) in new.execute("SELECT id FROM games UNION SELECT game FROM entries").fetchall():
            all_numbers.add(number)
            lengths[number] = damage.keep_intact_part(new, number)

    def cut_games() -> list[int]:
        saved = sorted(number for number, length in lengths.items() if length)
        return [number for number in saved if not _is_complete(new, number, newest.get(number, -1))]

    complete = False
    with closing(copies_of(path)) as copies:
        for at, (old, whole) in enumerate(copies):
            for table in ("games", "entries"):
                _insert_rows(new, table, _readable_rows(old, table))
            keep_intact_parts()
            for number in lengths:
                newest[number] = max(newest.get(number, -1), _newest_entry(old, number))
            if at == 0:
                complete = _copy_kept(old, new) and whole
    if cut_games() or not all(lengths.values()):
        _insert_rows(new, "entries", entries_on_leaves(path))
        keep_intact_parts()
    cut_short, saved = cut_games(), {number for number, length in lengths.items() if length}
    runs_from = layout.stored_number(new, layout.RUNS_FROM_KEY)
    for number in cut_short:
        if number < max(runs_from, *saved):  # only the last game can continue
            layout.append(new, number, layout.last_entry(new, number).at, "put-away")
    lost = sorted(all_numbers - saved)
    for number in lost:
        layout.delete_game(new, number)
    if not saved and not new.execute("SELECT 1 FROM kept").fetchone():
        return []
    # A flipped bit can lead to any number. Only plausible numbers may raise the number of the next game.
    likely = max(saved, default=0) + len(all_numbers)
    highest = [number for number in all_numbers if number <= likely]
    layout.store(new, layout.HIGHEST_KEY, max([layout.stored_number(new, layout.HIGHEST_KEY), *highest]))
    sentences = [Text("{number} game was saved.", "{number} games were saved.", number=len(saved))]
    if lost:
        sentence = Text("{number} game could not be saved: {games}.", "{number} games could not be saved: {games}.")
        sentences.append(sentence.with_(number=len(lost), games=damage.name_games(lost)))
    # The text leaves out their number: everyone reads it, and the number would reveal how often a secret seat acted.
    sentence = Text("The last actions of game {game} could not be read. It was saved without them.")
    sentences += [sentence.with_(game=number) for number in cut_short]
    if not complete:
        sentences += _put_away_running(new)
    return sentences


def _insert_rows(new: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows that are not there yet. Older versions have fewer columns."""
    for values in rows:
        names = _COLUMNS[table][: len(values)]
        with _skipping_bad_rows():
            places = ", ".join("?" * len(values))
            new.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", values)


def _newest_entry(old: sqlite3.Connection, number: int) -> int:
    """Return the number of a game's last entry in the index; -1 if it cannot be read.

    The index is on other pages than the entries.
    """
    indexed = "SELECT MAX(number) FROM entries INDEXED BY sqlite_autoindex_entries_1 WHERE game = ?"
    try:
        (newest,) = old.execute(indexed, (number,)).fetchone()
    except (sqlite3.Error, UnicodeDecodeError):
        newest = None
    return -1 if newest is None else int(newest)


def _is_complete(new: sqlite3.Connection, number: int, newest: int) -> bool:
    """Return whether no entries are missing at the end of a saved game, which the chain doesn't show. Either the last
    entry ends the game, or the index has none after it (`newest`).
    """
    last = layout.last_entry(new, number)
    return last.kind in layout.END_KINDS or 0 <= newest <= last.number


@contextmanager
def _skipping_bad_rows() -> Iterator[None]:
    """Skip a row that our table refuses. Raises `sqlite3.Error` if the disk is full, so that no row is lost."""
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
        if isinstance(name, str) and isinstance(value, str) and seal == chain.hash_values(name, value):
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
            # This row cannot be read: continue with the next number.
            last, unreadable = last + 1, unreadable + 1


def _put_away_running(new: sqlite3.Connection) -> list[Text]:
    """Put the running game away, because it is not known who sits where. Return the sentences about it."""
    sentences = [Text("Not all seats and settings that the table had stored could be read.")]
    for game in layout.running(new):
        layout.append(new, game, time.time(), "put-away")
        sentences.append(Text("Game {game}, which had not ended, was put away.", game=game))
    return sentences
