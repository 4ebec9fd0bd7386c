"""A disk between a journal and its file: the test hears of every statement first, and may let it take time or fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from firmware_host.records.journal import Journal


class Disk:
    """A connection of SQLite's. `before` hears each statement first and `after` last; what they raise, it raises."""

    def __init__(self, journal: Journal) -> None:
        """From now on `journal` writes through this."""
        self._db: sqlite3.Connection = journal._db
        self.before: Callable[[str], None] = lambda statement: None
        self.after: Callable[[str], None] = lambda statement: None
        setattr(journal, "_db", self)  # noqa: B010  (it is as good as a connection to the journal)

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        """See `sqlite3.Connection`."""
        self.before(statement)
        found = self._db.execute(statement, *values)
        self.after(statement)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)
