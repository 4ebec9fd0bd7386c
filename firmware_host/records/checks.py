"""Checks past games while the table is open, so that a start takes the same time with any number of them.

The running game is checked before the table opens. A past game is checked in its turn by `JournalCheck`, or before
that when someone reads it. Both use `Checks`, which all connections of a process to its journal share.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from firmware_host.core.errors import place_of
from firmware_host.records import damage, layout
from firmware_host.records.damage import DamagedGame
from firmware_host.records.state_folder import is_outside

ENTRIES_PER_STEP = 32
"""Entries that are checked between two pauses."""
PAUSE = 0.0005
"""Seconds of a pause, at least. It lasts twice as long as the step before."""
LOG_EVERY = 1000
"""Games between two lines of the log."""

log = logging.getLogger("firmware_host")


class Checks:
    """Knows which games of a journal are damaged, and which are still to be checked. Thread-safe."""

    def __init__(self, damaged: Iterable[DamagedGame] = (), unchecked: int = 0, done: Iterable[int] = ()) -> None:
        """The games with numbers up to `unchecked` are still to be checked, except those that are `done`."""
        self._guard = threading.Lock()
        self._unchecked, self._rows_unchecked = unchecked, unchecked
        self.damaged = tuple(damaged)
        """The damaged games that were found so far, the oldest first."""
        self._done = {*done}
        """Games that were checked before their turn, or deleted."""
        self.progress = (0, unchecked) if unchecked else None
        """How many past games are checked, of how many; None if none is left."""

    def is_intact(self, db: sqlite3.Connection, number: int, between: Callable[[], object] = lambda: None) -> bool:
        """Return whether a game is intact. It is checked only once; `between` is called before each entry."""
        if number <= self._unchecked and number not in self._done:
            with _snapshot(db):
                # Another thread may be deleting the game at this moment.
                if db.execute("SELECT 1 FROM games WHERE id = ?", (number,)).fetchone() is not None:
                    intact = damage.is_intact(db, number, between)
                    self._note(number, None if intact else damage.describe_damaged(db, number))
        return all(game.number != number for game in self.damaged)

    def check_again(self, db: sqlite3.Connection, number: int) -> bool:
        """Return whether a game that was checked before is still intact."""
        if not self.is_intact(db, number):
            return False
        with _snapshot(db):
            if not damage.is_intact(db, number):
                self.note_damaged(db, number)
                return False
        return True

    def note_damaged(self, db: sqlite3.Connection, number: int) -> None:
        """Note that a game that was intact is damaged now, unless it was deleted in the meantime."""
        if db.execute("SELECT 1 FROM games WHERE id = ?", (number,)).fetchone() is None:
            return
        game = damage.describe_damaged(db, number)
        with self._guard:
            self._add(game)

    def _add(self, damaged: DamagedGame) -> None:
        others = (game for game in self.damaged if game.number != damaged.number)
        self.damaged = tuple(sorted((*others, damaged), key=lambda game: game.number))

    def _note(self, number: int, damaged: DamagedGame | None) -> None:
        with self._guard:
            # It may have been deleted, or checked by another thread, while this one checked it.
            if number > self._unchecked or number in self._done:
                return
            if damaged is not None:
                self._add(damaged)
            self._done.add(number)

    def check_rows(self, db: sqlite3.Connection) -> None:
        """Check the rows of all games, but not their entries. A game whose row is damaged cannot even be listed."""
        if not self._rows_unchecked:
            return
        with _snapshot(db):
            for (number,) in db.execute("SELECT id FROM games WHERE id <= ?", (self._rows_unchecked,)).fetchall():
                if not damage.is_row_intact(db, number):
                    self._note(number, damage.describe_damaged(db, number))
        self._rows_unchecked = 0

    def note_checked_from(self, number: int) -> None:
        """Note that all games from `number` on were checked."""
        with self._guard:
            self._unchecked = number - 1
            self._done = {other for other in self._done if other < number}

    def forget(self, number: int) -> None:
        """Note that a game was deleted."""
        with self._guard:
            self.damaged = tuple(game for game in self.damaged if game.number != number)
            if number <= self._unchecked:
                self._done.add(number)


@contextmanager
def _snapshot(db: sqlite3.Connection) -> Iterator[None]:
    """Read from one state of the journal, which the table may write meanwhile."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN")
    try:
        yield
    finally:
        if db.in_transaction:  # some errors end the transaction
            db.execute("COMMIT")


class JournalCheck:
    """Checks the journal at `path` in a thread, on its own connection: first the file, then each past game, the
    newest first. `damaged` is called when damaged games were found, `unsound` with a sentence if the file is damaged.

    The thread makes many pauses instead of having a low priority: such a thread could block the loop, because it
    would lose the processor to other programs while it holds Python's lock.
    """

    def __init__(
        self, path: Path, checks: Checks, damaged: Callable[[], object], unsound: Callable[[str], object]
    ) -> None:
        self._path, self._checks, self._damaged, self._unsound = path, checks, damaged, unsound
        self._stop = threading.Event()
        self._reported = {game.number for game in checks.damaged}
        self._entries, self._since = 0, 0.0
        self.thread = threading.Thread(target=self._run, name="journal check", daemon=True)

    def start(self) -> None:
        """Start to check, if there are games that were not checked."""
        if self._checks.progress is not None:
            self.thread.start()

    def stop(self) -> None:
        """Stop checking; the next start begins again."""
        self._stop.set()
        if self.thread.ident is not None:
            self.thread.join()

    def _run(self) -> None:
        try:
            with closing(layout.connect(self._path, "ro")) as db:
                # A call of SQLite, which can take seconds, ends soon after `stop`.
                db.set_progress_handler(self._stop.is_set, 10_000)
                if damage.is_whole(db):
                    self._check_games(db)
                else:
                    self._report_file()
        except _Closing:
            pass
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if self._stop.is_set():
                return
            if isinstance(error, sqlite3.Error) and is_outside(error):
                log.error("Past games cannot be checked now: %s", place_of(error))
            else:
                self._report_file()

    def _report_file(self) -> None:
        self._unsound(f"{self._path}: the journal is damaged. The next start saves what can be read of it.")

    def _check_games(self, db: sqlite3.Connection) -> None:
        self._checks.check_rows(db)
        numbers = [number for (number,) in db.execute("SELECT id FROM games ORDER BY id DESC")]
        log.info("Checking the %d games in the journal.", len(numbers))
        for done, number in enumerate(numbers, 1):
            self._checks.is_intact(db, number, self._between)
            self._checks.note_checked_from(number)
            self._checks.progress = done, len(numbers)
            self._report_games()
            if done % LOG_EVERY == 0 and done < len(numbers):
                log.info("%d of %d games are checked.", done, len(numbers))
        self._checks.progress = None
        damaged = len(self._checks.damaged)
        log.info("All %d games in the journal are checked; %d are damaged.", len(numbers), damaged)

    def _report_games(self) -> None:
        """Report the damaged games that were found since the last report, here or by a reader."""
        new_games = [game for game in self._checks.damaged if game.number not in self._reported]
        if new_games:
            self._reported.update(game.number for game in new_games)
            log.warning("%s", damage.notice(new_games))
            self._damaged()

    def _between(self) -> None:
        """Pause after each step, so that other threads run. Raises `_Closing`."""
        self._entries += 1
        if self._entries % ENTRIES_PER_STEP == 0:
            took = time.thread_time() - self._since
            if self._stop.wait(max(PAUSE, 2 * took)):
                raise _Closing
            self._since = time.thread_time()


class _Closing(Exception):
    """The table is closing."""
