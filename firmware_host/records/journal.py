"""The journal: every act of every game, one transaction each, on the disk before anybody hears of it.

One SQLite file. Nothing that was written is changed: an act that is taken back stays, and the next entry says so. A
whole game can be deleted once it has ended. Each game's entries are
a chain (`chain.py`). Only the table's loop writes it. It holds secrets: what guards the file is in `journal_file.py`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.records import chain, journal_file, judging
from firmware_host.records.chain import ChainEntry, GameHeader, Kind
from firmware_host.records.journal_file import CannotWrite, JournalError
from firmware_host.records.judging import DamagedGame
from firmware_host.records.record import Record, RecordError
from firmware_host.records.salvage import HIGHEST
from firmware_host.records.state_folder import FileLock, resolved

__all__ = ["FILE", "CannotWrite", "Journal", "JournalError", "SavedAct", "SavedGame"]

FILE = "games.sqlite"
"""What the journal is called in the state folder."""

NOTHING: Mapping[str, Any] = {}
ROW_BYTES = 160
"""Bytes of an entry besides its texts, about."""
LONGEST = 2 << 20
"""Bytes of a game's entries. A longer game is not taken in, and one that was played is listed but not looked through:
each look at it would take too much memory and time.
"""
_ENDS = ("put-away", "imported")
_GAMES = "SELECT id, game, map, source, options, started, hash FROM games"


class SavedGame(Struct, frozen=True):
    """A game in the journal: what it is played with. `source` is the map's hash, `hash` the beginning of its chain."""

    id: int
    game: str
    map: str
    source: str
    options: Any
    started: float
    hash: str

    @property
    def header(self) -> GameHeader:
        """What its chain begins with."""
        return GameHeader(self.started, self.game, self.map, self.source, self.options)


class SavedAct(Struct, frozen=True):
    """One act as it was written: who, what, and everything that it told, with audiences."""

    seat: str
    command: Any
    telling: Any


class LastEntry(NamedTuple):
    """Of the last entry of a game its number, time, kind and hash; of what comes before the first, if there is none."""

    number: int
    at: float
    kind: str
    hash: str


class Journal:
    """The file at `path`; made if it is not there. Raises `JournalError`, here and wherever something is written.

    `now` tells the time of what is written: seconds since 1970.
    `set_aside` and `migrated` (or None) are sentences about what was done with the file that was found; public. The
    games that were `damaged` when it was opened are in none of the others' queries: they are not listed, opened, played
    on or put away.
    """

    damaged: tuple[DamagedGame, ...] = ()
    set_aside: tuple[str, ...] = ()
    migrated: str | None = None
    _lock: FileLock | None = None
    commits = 0
    """How many transactions were committed."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path, self._now = resolved(path), now
        self._db, self._lock, self.damaged, self.set_aside, self.migrated = journal_file.opened(self.path)
        self.waiting: Callable[[Callable[[], object]], object] = lambda commit: commit()
        """Carries out a commit, which may take long, and raises what that raises. It may do so in another thread; until
        it returns, nobody uses the journal.
        """

    @classmethod
    def to_read(cls, path: Path) -> Journal:
        """The file at `path` as it is, also while a table uses it: nothing can be written."""
        journal = cls.__new__(cls)
        journal.path = resolved(path)
        journal._db, journal.damaged = journal_file.opened_to_read(journal.path)
        return journal

    @classmethod
    def beside(cls, path: Path, damaged: tuple[DamagedGame, ...]) -> Journal:
        """A second look at the file that this process has open already, and has found whole but for `damaged` games: no
        look takes longer for what a running game holds. Nothing can be written.
        """
        journal = cls.__new__(cls)
        journal.path, journal.damaged = path, damaged
        journal._db = journal_file.opened_beside(path)
        return journal

    @property
    def notices(self) -> list[str]:
        """All that is to be said of the file that was found."""
        return [*self.lost, *filter(None, [self.migrated])]

    @property
    def lost(self) -> list[str]:
        """What is to be said of games that are not here any more, or closed because they are damaged."""
        said = [*self.set_aside]
        if self.damaged:
            said.append(judging.notice(self.damaged))
            *_, cut_short = (None, *(game.number for game in self.damaged if not game.ended))
            if cut_short is not None and self.running() is None:
                said.append(Text("Game {game} had not ended; the table begins in the lobby.", game=cut_short))
        return said

    def close(self) -> None:
        """Done with the file."""
        self._db.close()
        if self._lock is not None:
            self._lock.close()  # after the database: see `FileLock`

    # --- the game that is played --------------------------------------------------------------------------------

    def begin(
        self,
        game: str,
        board: str,
        source: str,
        options: Any,
        telling: Any,
        opening: Any = None,
        kept: Mapping[str, Any] = NOTHING,
    ) -> int:
        """A new game, what opens its promise, and what its set-up told, in one transaction; the number of the game.

        `kept` as in `write`.
        """
        header = GameHeader(self._now(), game, board, source, options)
        with self._transaction():
            for (other,) in self._db.execute(f"SELECT id FROM games WHERE {_RUNS} AND {self._sound}").fetchall():
                self._add(other, "put-away")
            number = self._insert_game(header)
            self._add(number, "start", command=opening, telling=telling)
            self._keep(kept)
        return number

    def write(self, game: int, act: SavedAct, kept: Mapping[str, Any] = NOTHING) -> None:
        """One act, synced when this returns; what is to be `kept` with it (see `keep`) stands or falls with it."""
        with self._transaction():
            self._add(game, "act", act.seat, act.command, act.telling)
            self._keep(kept)

    def take_back(self, game: int, seat: str, kept: Mapping[str, Any] = NOTHING, entry: int | None = None) -> None:
        """The last act was taken back by `seat`, or the one at index `entry`: it is as if it had never been told.
        `kept` as in `write`.
        """
        with self._transaction():
            self._add(game, "taken-back", seat, entry)
            self._keep(kept)

    def delete(self, game: int, kept: Mapping[str, Any] = NOTHING) -> None:
        """Delete a game, damaged or not. Its number is not used again, its bytes are overwritten, and later games take
        its room. `kept` as in `write`.
        """
        highest = self._highest()
        with self._transaction():
            self._keep({HIGHEST: highest, **kept})
            self._db.execute("DELETE FROM entries WHERE game = ?", (game,))
            self._db.execute("DELETE FROM games WHERE id = ?", (game,))
        self.damaged = tuple(other for other in self.damaged if other.number != game)

    def shrink(self) -> None:
        """Give the room of deleted games back to the disk. Takes a while; for a journal that no table uses."""
        try:
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: cannot be made smaller now ({error}). Nothing was lost.") from error

    def end(self, game: int) -> None:
        """The game is put away, if it was not yet; it stays in the file."""
        with self._transaction():
            if self.ended(game) is None:
                self._add(game, "put-away")

    def running(self) -> SavedGame | None:
        """The game that was not put away yet."""
        row = self._db.execute(f"{_GAMES} WHERE {_RUNS} AND {self._sound} ORDER BY id DESC").fetchone()
        return None if row is None else _saved(row)

    def acts(self, game: int) -> Iterator[SavedAct]:
        """What stands of a game, in order: the start, and every act that was not taken back."""
        found = (one.entry for one in chain.standing(self.entries(game)))
        return (SavedAct(entry.seat, entry.command, entry.telling) for entry in found)

    # --- all games ----------------------------------------------------------------------------------------------

    def games(self) -> list[SavedGame]:
        """Every game in the file that is not damaged, the oldest first."""
        return [_saved(row) for row in self._db.execute(f"{_GAMES} WHERE {self._sound} ORDER BY id")]

    @property
    def _sound(self) -> str:
        """What SQL says of a row of `games` that is not damaged."""
        return f"id NOT IN ({', '.join(str(game.number) for game in self.damaged)})"

    def damaged_as(self, sent: Record) -> DamagedGame | None:
        """The damaged game that `sent` is a record of."""
        marks = {sent.hash, *(entry.hash for entry in sent.entries[:1])}
        return next((game for game in self.damaged if game.marks & marks), None)

    def entries(self, game: int) -> list[ChainEntry]:
        """Everything that was written of a game, in order, with its chain."""
        query = "SELECT at, kind, seat, command, telling, hash FROM entries WHERE game = ? ORDER BY number"
        decode = msgspec.json.decode
        return [
            ChainEntry(at, kind, seat, decode(command), decode(telling), found)
            for at, kind, seat, command, telling, found in self._db.execute(query, (game,))
        ]

    def size(self, game: int) -> int:
        """Bytes that a game takes here, about."""
        return int(self._db.execute(f"SELECT {_SIZE} FROM entries WHERE game = ?", (game,)).fetchone()[0])

    def imported(self) -> dict[int, int]:
        """The games from elsewhere, and the bytes of each. Of any other only the last entry is read."""
        return {it.id: self.size(it.id) for it in self.games() if self.last(it.id).kind == "imported"}

    def begun_as(self, header: GameHeader, telling: str) -> list[SavedGame]:
        """The games that are not damaged, of this kind, on this map and with this set-up."""
        where = f"game = ? AND map = ? AND source = ? AND {self._sound}"
        first = "(SELECT telling FROM entries WHERE entries.game = games.id AND number = 0)"
        query = f"{_GAMES} WHERE {where} AND {first} = ? ORDER BY id"
        rows = self._db.execute(query, (header.game, header.map, header.source, telling))
        return [_saved(row) for row in rows.fetchall()]

    def ended(self, game: int) -> float | None:
        """When a game was put away or imported; None while it runs."""
        last = self.last(game)
        return last.at if last.kind in _ENDS else None

    def head(self, game: int) -> str:
        """The hash of a game's last entry."""
        return self.last(game).hash

    def take_in(self, header: GameHeader, entries: list[ChainEntry]) -> int:
        """A game from elsewhere, chain and all, and that it was imported; its number here.

        It is read back before it stands: whatever the next start would find damaged is not taken in. Raises
        `RecordError`. What this table wrote itself needs no such look: its clock and its rules make nothing that SQLite
        would not give back.
        """
        with self._transaction():
            number = self._insert_game(header)
            for index, it in enumerate(entries):
                texts = chain.text(it.command), chain.text(it.telling)
                self._insert(number, index, (it.at, it.kind, it.seat, *texts), it.hash)
            self._add(number, "imported")
            if self._told_back(number) != chain.text([header, entries]) or not judging.fits(self._db, number):
                raise RecordError(Text("it cannot be kept as it is: what was written of it is not what is read back."))
        return number

    def _told_back(self, number: int) -> str:
        """A game that was just imported, as it is read from the file."""
        row = self._db.execute(f"{_GAMES} WHERE id = ?", (number,)).fetchone()
        return chain.text([_saved(row).header, self.entries(number)[:-1]])

    def _insert_game(self, header: GameHeader) -> int:
        number = self._highest() + 1
        row = (number, header.started, header.game, header.map, header.source, chain.text(header.options))
        self._db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, chain.beginning(header)))
        return number

    def _highest(self) -> int:
        """The highest number that a game has here, or had."""
        (found,) = self._db.execute("SELECT MAX(id) FROM games").fetchone()
        kept = self.kept(HIGHEST)
        return max(found or 0, kept if isinstance(kept, int) else 0)

    def _add(self, game: int, kind: Kind, seat: str = "", command: Any = None, telling: Any = ()) -> None:
        last = self.last(game)
        row = (self._now(), kind, seat, chain.text(command), chain.text(telling))
        self._insert(game, last.number + 1, row, chain.link(last.hash, *row))

    def _insert(self, game: int, number: int, row: tuple[float, str, str, str, str], found: str) -> None:
        self._db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (game, number, *row, found))

    def last(self, game: int) -> LastEntry:
        """The last entry of a game."""
        query = "SELECT number, at, kind, hash FROM entries WHERE game = ? ORDER BY number DESC LIMIT 1"
        row = self._db.execute(query, (game,)).fetchone()
        if row is None:
            row = (-1, *self._db.execute("SELECT started, '', hash FROM games WHERE id = ?", (game,)).fetchone())
        return LastEntry(*row)

    # --- small things that outlive a start ----------------------------------------------------------------------

    def keep(self, name: str, value: Any) -> None:
        """Remember a small value (who sits where). Nothing is written where it is remembered already."""
        with suppress(sqlite3.Error):  # whoever cannot read finds out by writing what is wrong
            if self._kept(name) == chain.text(value):
                return
        self._keep_now(name, value)

    def _keep_now(self, name: str, value: Any) -> None:
        with self._transaction():
            self._keep({name: value})

    def _keep(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            text = chain.text(value)
            self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (name, text, chain.seal(name, text)))

    def try_writing(self) -> None:
        """Write something that changes nothing, to see whether that can be done."""
        self._keep_now("tried", True)

    def kept(self, name: str) -> Any:
        """A value remembered, or None."""
        return msgspec.json.decode(self._kept(name))

    def _kept(self, name: str) -> str:
        row = self._db.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return chain.text(None) if row is None else str(row[0])

    def _transaction(self) -> _Transaction:
        return _Transaction(self, self._db)

    def commit(self) -> None:
        """End the transaction that is open. Raises `sqlite3.Error`."""
        self.waiting(self._commit)

    def _commit(self) -> None:
        try:
            self._db.execute("COMMIT")
        except sqlite3.Error:
            raise
        except BaseException:
            if not self._db.in_transaction:  # a fault right after the commit must not pass for nothing done
                self.commits += 1
            raise
        self.commits += 1


_SIZE = f"COALESCE(SUM(LENGTH(CAST(command AS BLOB)) + LENGTH(CAST(telling AS BLOB)) + {ROW_BYTES}), 0)"
_RUNS = f"NOT EXISTS (SELECT 1 FROM entries WHERE game = games.id AND kind IN {_ENDS})"


class _Transaction:
    """All or nothing. Raises `JournalError` where it is nothing for want of room, rights or a sound disk."""

    def __init__(self, journal: Journal, db: sqlite3.Connection) -> None:
        self._journal, self._db, self._path = journal, db, journal.path

    def __enter__(self) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise self._error(error) from error

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            try:
                self._journal.commit()
            except BaseException as failure:
                self._undo()
                if isinstance(failure, sqlite3.Error):
                    raise self._error(failure) from failure
                raise
            return
        self._undo()
        if isinstance(error, sqlite3.Error):
            raise self._error(error) from error

    def _undo(self) -> None:
        if self._db.in_transaction:  # SQLite gives up by itself on some failures
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")

    def _error(self, error: sqlite3.Error) -> JournalError:
        what = f"{self._path}: cannot be written ({error}). Nobody was told of what was to be written."
        why = journal_file.passing(error, self._path)
        if why is None:
            return JournalError(f"{what} The file is kept as it is; start the table again, and it looks into it.")
        return CannotWrite(f"{what} Make room on the disk, and look after its rights: the game is kept.", why)


def _saved(row: tuple[Any, ...]) -> SavedGame:
    number, game, board, source, options, started, found = row
    return SavedGame(number, game, board, source, msgspec.json.decode(options), started, found)
