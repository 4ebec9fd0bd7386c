"""The journal: every act of every game, each in a transaction that is on the disk before anyone hears of the act.

It is one SQLite file. Entries are never changed: an act that is taken back stays, and the next entry says so. A whole
game can be deleted once it has ended. The entries of a game are a hash chain (`chain.py`). Only the table's loop writes
the journal. It holds secrets; `journal_file.py` protects the file.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import BrokenJournal, JournalError, UserError
from firmware_host.records import chain, damage, journal_file, layout, record, state_folder
from firmware_host.records.chain import ChainEntry, GameHeader, Kind
from firmware_host.records.checks import Checks
from firmware_host.records.damage import DamagedGame
from firmware_host.records.record import Record, RecordError
from firmware_host.records.state_folder import CannotWrite, FileLock

__all__ = ["FILE", "BrokenJournal", "CannotWrite", "Journal", "JournalError", "SavedAct", "SavedGame"]

T = TypeVar("T")

FILE = "games.sqlite"
"""Name of the journal in the state folder."""

NOTHING: Mapping[str, Any] = {}
DAY = 86_400
"""Seconds."""
ROW_BYTES = 160
"""Approximate bytes of an entry besides its texts."""
LARGEST_GAME = 2 << 20
"""Bytes of a game's entries. A longer game is not imported, and one that was played here is listed but cannot be
viewed, because that would take too much memory and time.
"""
_GAMES_SQL = "SELECT started, game, map, source, options, id, hash FROM games"


class SavedGame(GameHeader, frozen=True):
    """A game in the journal. `hash` is the beginning of its chain."""

    id: int
    hash: str


class SavedAct(Struct, frozen=True, omit_defaults=True):
    """One act as it is stored: the seat, the command, and the events with their audiences; and the request of a screen
    that it answers, see `repeats.py`.
    """

    seat: str
    command: Any
    telling: Any
    request: str | None = None


class Journal:
    """The file at `path`, which is created if necessary. Raises `JournalError`, here and from every method that writes.

    `now` returns seconds since 1970. `set_aside` and `migrated` (or None) are public sentences about what was done with
    the file. Damaged games are excluded from all other queries. With `later`, `JournalCheck` checks past games later;
    until then, `checks` checks each game when it is read.
    """

    set_aside: tuple[str, ...] = ()
    migrated: str | None = None
    _lock: FileLock | None = None
    _cut_short: tuple[str, ...] = ()
    commits = 0
    """The number of committed transactions."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time, *, later: bool = False) -> None:
        self.path, self._now = state_folder.resolve_folder(path), now
        opened = journal_file.open_journal(self.path, later)
        self._db, self._lock, self.checks, self.set_aside, self.migrated = opened
        self.set_aside += journal_file.said_of_salvage(self._db)
        self._db.text_factory = _readable_text
        self._place: list[tuple[int, int] | None] = []
        self.waiting: Callable[[Callable[[], object]], object] = lambda commit: commit()
        """Function that runs a commit, which may take long, possibly in another thread.

        It raises the errors of the commit. Until it returns, the journal is not used.
        """
        if later and self.stored_value(layout.RUNS_FROM_KEY) is None:
            # Store this number: without it, each start would look for the running game among all games.
            self.store_value(layout.RUNS_FROM_KEY, min(layout.running(self._db), default=self._highest() + 1))
        *_, cut_short = (None, *(game.number for game in self.damaged if not game.ended))
        if cut_short is not None and self.running() is None:
            self._cut_short = (Text("Game {game} had not ended. The table starts in the lobby.", game=cut_short),)

    @classmethod
    def open_read_only(cls, path: Path, checks: Checks | None = None) -> Journal:
        """Open the file at `path` read-only, also while a table uses it. If this process has opened it before, pass the
        `checks` from that time, so that it is not checked again: the time must not depend on the running game.
        """
        # Without `__init__`, which creates, locks and migrates the file.
        journal = cls.__new__(cls)
        journal.path = state_folder.resolve_folder(path)
        journal._db, journal.checks = journal_file.open_to_read(journal.path, checks)
        journal._db.text_factory = _readable_text
        return journal

    @property
    def today(self) -> int:
        """The days since 1970."""
        return int(self._now() // DAY)

    @property
    def damaged(self) -> tuple[DamagedGame, ...]:
        """The damaged games that were found so far."""
        return self.checks.damaged

    def is_intact(self, game: int) -> bool:
        """Return whether a game is as it was written. A past game that has not been checked yet is checked now."""
        return self.checks.is_intact(self._db, game)

    def is_still_intact(self, game: int) -> bool:
        """Return whether a game is as it was written, also if it was checked before: a disk can damage it later."""
        return self.checks.check_again(self._db, game)

    def request_check(self) -> None:
        """Let the next start check the whole file before it opens."""
        journal_file.request_check(self.path)

    @property
    def notices(self) -> list[str]:
        """All sentences about the file that was found."""
        return [*self.lost, *filter(None, [self.migrated])]

    @property
    def lost(self) -> list[str]:
        """The sentences about lost and damaged games."""
        return [*self.set_aside, *([damage.notice(self.damaged)] if self.damaged else ()), *self._cut_short]

    def close(self) -> None:
        """Close the file."""
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
        values: Mapping[str, Any] = NOTHING,
    ) -> int:
        """Start a game: store the opening of its commitment and the events of its set-up in one transaction. Return the
        number of the game. The `values` are in the same transaction.
        """
        header = GameHeader(self._now(), game, board, source, options)
        with self._transaction():
            # A table plays one game at a time.
            for other in filter(self.is_intact, layout.running(self._db)):
                self._add(other, "put-away")
            number = self._insert_game(header)
            self._add(number, "start", command=opening, telling=telling)
            self._store_values({layout.RUNS_FROM_KEY: number, **values})
            # The people who start a game have read the notice.
            self._db.execute("DELETE FROM kept WHERE name = ?", (layout.SALVAGED_KEY,))
        return number

    def write(self, game: int, act: SavedAct) -> str:
        """Store one act, synced to disk when this returns. Return the entry's hash."""
        with self._transaction():
            return self._add(game, "act", act.seat, act.command, act.telling, act.request)

    def take_back(self, game: int, seat: str, request: str | None = None, entry: int | None = None) -> str:
        """Record that `seat` took back the last act, or the one at index `entry`. `request` as in `SavedAct`. Return
        the entry's hash.
        """
        with self._transaction():
            return self._add(game, "taken-back", seat, entry, request=request)

    def requests(self) -> list[tuple[str, str]]:
        """Return the requests of all acts in the game that was started last, in order, each with its seat."""
        texts = "CAST(seat AS BLOB), CAST(request AS BLOB)"
        query = f"SELECT {texts} FROM entries WHERE game = ? AND request IS NOT NULL ORDER BY number"
        rows = self._db.execute(query, (layout.stored_number(self._db, layout.RUNS_FROM_KEY),))
        return [(seat.decode(errors="replace"), request.decode(errors="replace")) for seat, request in rows]

    def delete(self, game: int, values: Mapping[str, Any] = NOTHING) -> None:
        """Delete a game. Its number is not used again, and its bytes are overwritten. `values` as in `begin`."""
        # Get the highest number before deleting rows: a deleted last game must not free its number.
        highest = self._highest()
        with self._transaction():
            self._store_values({layout.HIGHEST_KEY: highest, **values})
            # The counter and the rows change in one transaction, so that no number is used twice.
            layout.delete_game(self._db, game)
        self.checks.forget(game)

    def shrink(self) -> None:
        """Shrink the file after games were deleted. Takes a while; for a journal that no table uses."""
        try:
            self._db.execute("VACUUM")
            # VACUUM writes to the log first; the file itself shrinks only with a checkpoint.
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: cannot be shrunk now ({error}). Nothing was lost.") from error

    def end(self, game: int, values: Mapping[str, Any] = NOTHING) -> None:
        """Put a game away, unless it has ended. It stays in the file. `values` as in `begin`."""
        with self._transaction():
            if self.ended(game) is None:
                self._add(game, "put-away")
            self._store_values(values)

    def running(self) -> SavedGame | None:
        """Return the game that was not put away yet."""
        number = next(filter(self.is_intact, layout.running(self._db)), None)
        return None if number is None else self._row(number)

    # --- all games ----------------------------------------------------------------------------------------------

    def games(self) -> list[SavedGame]:
        """Return every game, the oldest first, besides those that are known to be damaged."""
        return self._undamaged("TRUE")

    def _undamaged(self, which: str, *values: str) -> list[SavedGame]:
        """Return the games for which this SQL condition is met, besides those that are known to be damaged."""
        self.checks.check_rows(self._db)
        damaged = ", ".join(str(game.number) for game in self.damaged)
        query = f"{_GAMES_SQL} WHERE {which} AND id NOT IN ({damaged}) ORDER BY id"
        rows = self._db.execute(query, values).fetchall()
        return [game for row in rows if (game := self._readable(row)) is not None]

    def find(self, number: int) -> SavedGame | DamagedGame:
        """Return the game of this number, damaged or not. Raises `UserError`."""
        saved = None
        if 0 < number <= self._highest():  # SQLite refuses to look for a number that is too large
            saved = self._row(number) if self.is_intact(number) else None
        if saved is None:
            for game in self.damaged:
                if game.number == number:
                    return game
            raise UserError("not-found", Text("There is no game {game} here.", game=number))
        return saved

    def _row(self, number: int) -> SavedGame | None:
        row = self._db.execute(f"{_GAMES_SQL} WHERE id = ?", (number,)).fetchone()
        return None if row is None else self._readable(row)

    def _readable(self, row: tuple[Any, ...]) -> SavedGame | None:
        *header, options, number, hash_ = row
        try:
            if not isinstance(options, str):  # see `damage.py`
                raise msgspec.DecodeError("the options are not text")
            values = *header, msgspec.json.decode(options), number, hash_
            return msgspec.convert(dict(zip(SavedGame.__struct_fields__, values, strict=True)), SavedGame)
        except msgspec.DecodeError:  # a disk can damage it after its check, too
            self.checks.note_damaged(self._db, number)
            return None

    def damaged_as(self, sent: Record) -> DamagedGame | None:
        """Return the damaged game that `sent` is a record of."""
        # A damaged game can lack its header or its first entry, so either hash identifies it.
        marks = {sent.hash, *(entry.hash for entry in sent.entries[:1])}
        return next((game for game in self.damaged if game.marks & marks), None)

    def entries(self, game: int) -> list[ChainEntry]:
        """Return all entries of a game with their hashes, in order. Raises `JournalError` if the game is damaged."""
        if not self.is_intact(game):
            raise JournalError(f"{self.path}: game {game} is damaged.")
        query = "SELECT at, kind, seat, command, telling, hash FROM entries WHERE game = ? ORDER BY number"
        decode = msgspec.json.decode
        return [
            ChainEntry(at, kind, seat, decode(command), decode(telling), hash_)
            for at, kind, seat, command, telling, hash_ in self._db.execute(query, (game,))
        ]

    def size(self, game: int) -> int:
        """Return the approximate bytes of a game."""
        return int(self._db.execute(f"SELECT {_SIZE_SQL} FROM entries WHERE game = ?", (game,)).fetchone()[0])

    def imported(self) -> dict[int, int]:
        """Return imported games and the bytes of each. Of other games only the last entry is read."""
        return {it.id: self.size(it.id) for it in self.games() if self.last(it.id).kind == "imported"}

    def started_as(self, header: GameHeader, telling: str) -> list[SavedGame]:
        """Return the games that are not damaged and have this game, map and set-up."""
        first = "(SELECT telling FROM entries WHERE entries.game = games.id AND number = 0)"
        which = f"game = ? AND map = ? AND source = ? AND {first} = ?"
        games = self._undamaged(which, header.game, header.map, header.source, telling)
        return [game for game in games if self.is_intact(game.id)]

    def ended(self, game: int) -> float | None:
        """Return when a game was put away or imported; None while it runs."""
        last = self.last(game)
        return last.at if last.kind in layout.END_KINDS else None

    def may_run(self, game: int) -> bool:
        """Return whether this game may still be running.

        All games before the last one have ended, whatever their last entries say.
        """
        return self.stored_value(layout.RUNS_FROM_KEY) in (None, game)

    def played_head(self, game: int) -> str:
        """Return the hash of the last entry of what was played: it stays the same when the game is put away."""
        return layout.last_entry(self._db, game, f"kind NOT IN {layout.END_KINDS}").hash

    def import_game(self, sent: Record) -> int:
        """Store a game from a record with its chain. Return its number here. Raises `RecordError`.

        The game is read back before the commit, so that nothing is stored that the next start would find damaged.
        Games that are played here need no such check, because their values are always read back as written.
        """
        with self._transaction():
            number = self._insert_game(sent)
            for index, it in enumerate(sent.entries):
                texts = chain.json_text(it.command), chain.json_text(it.telling)
                layout.insert_entry(self._db, number, index, (it.at, it.kind, it.seat, *texts), it.hash)
            self._add(number, "imported")
            # SQLite can change values, for example negative zero, so compare with the stored ones.
            saved = self._row(number)
            assert saved is not None, "it was inserted"
            read_back = record.record_of(saved, self.entries(number)[:-1])
            if chain.json_text(read_back) != chain.json_text(sent) or not damage.is_intact(self._db, number):
                raise RecordError(Text("it cannot be stored without changes."))
        return number

    def _insert_game(self, header: GameHeader) -> int:
        number = self._highest() + 1
        layout.insert_game(self._db, number, header)
        return number

    def _highest(self) -> int:
        (highest,) = self._db.execute("SELECT MAX(id) FROM games").fetchone()
        # Numbers of deleted games are remembered: links and screens may still name them.
        return max(highest or 0, layout.stored_number(self._db, layout.HIGHEST_KEY))

    def _add(
        self, game: int, kind: Kind, seat: str = "", command: Any = None, telling: Any = (), request: str | None = None
    ) -> str:
        return layout.append(self._db, game, self._now(), kind, seat, command, telling, request=request)

    def last(self, game: int) -> layout.LastEntry:
        return layout.last_entry(self._db, game)

    # --- small values ----------------------------------------------------------------------

    def store_value(self, name: str, value: Any) -> None:
        """Store a small value, for example who sits where. Writes nothing if it is stored already."""
        self.store_values({name: value})

    def store_values(self, values: Mapping[str, Any]) -> None:
        """Store small values in one transaction. Writes nothing if all are stored already."""
        with suppress(
            sqlite3.Error
        ):  # if reading fails, writing reports the error. Each write is synced to disk, which wears out flash memory.
            # Each write is synced to disk, and flash memory wears out.
            if all(self._stored_text(name) == chain.json_text(value) for name, value in values.items()):
                return
        with self._transaction():
            self._store_values(values)

    def _store_values(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            layout.store(self._db, name, value)

    def try_writing(self) -> None:
        """Write something that changes nothing. Raises `CannotWrite` if that fails."""
        with self._transaction():
            self._store_values({"tried": True})

    def stored_value(self, name: str) -> Any:
        """Return a stored value, or None."""
        return msgspec.json.decode(self._stored_text(name))

    def stored_items(self, name: str, kind: type[T]) -> tuple[T, ...]:
        """Return the items of a stored list; none if another version stored them in another form, or a disk has
        damaged them.
        """
        try:
            return msgspec.json.decode(self._stored_text(name), type=tuple[kind, ...] | None) or ()  # type: ignore[valid-type]
        except msgspec.DecodeError:
            return ()

    def _stored_text(self, name: str) -> str:
        row = self._db.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return chain.json_text(None) if row is None else str(row[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write in one transaction. Raises `JournalError` if SQLite cannot write."""
        try:
            # Take the lock for writing now. A transaction that begins as a reader may fail later.
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._check_place()
            self.waiting(self._commit)
        # Also Ctrl-C and the end of a thread must not leave a transaction open.
        except BaseException as error:
            if self._db.in_transaction:  # SQLite rolls back by itself after some errors
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise self._not_written(error) from error
            raise

    def _check_place(self) -> None:
        """Raise `CannotWrite` if the file was moved, deleted or replaced since the first transaction."""
        # Not when the file is opened: SQLite creates the log of the journal when it writes.
        place = state_folder.identities(self.path)
        self._place = self._place or place
        if place != self._place:
            what = "was moved, deleted or replaced while the table runs. Put it back, or start the table again."
            raise CannotWrite(f"{self.path}: {what}", state_folder.MOVED)

    def _not_written(self, error: sqlite3.Error) -> JournalError:
        what = f"{self.path}: cannot be written ({error}). Nothing of what was to be written was published."
        why = state_folder.temporary_obstacle(error, self.path)
        if why is None:
            self.request_check()
            return BrokenJournal(f"{what} The file is unchanged. Start the table again, which checks it.")
        return CannotWrite(f"{what} Free some space on the disk, and check its permissions. The game is saved.", why)

    def _commit(self) -> None:
        try:
            self._db.execute("COMMIT")
        except sqlite3.Error:
            raise
        except BaseException:
            if not self._db.in_transaction:  # an error right after the commit must not prevent counting it
                self.commits += 1
            raise
        self.commits += 1


_SIZE_SQL = f"COALESCE(SUM(LENGTH(CAST(command AS BLOB)) + LENGTH(CAST(telling AS BLOB)) + {ROW_BYTES}), 0)"


def _readable_text(raw: bytes) -> str:
    """Return a text of the file, also if a disk has damaged it: otherwise SQLite would refuse all rows with it."""
    return raw.decode(errors="replace")
