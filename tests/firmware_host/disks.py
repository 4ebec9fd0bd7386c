"""A disk between a journal and its file. The test sees every statement first, and can delay it or make it fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from firmware_host.records.journal import Journal


class Disk:
    """A connection to SQLite. Calls `before` ahead of each statement and `after` behind it; an exception in either is
    raised.
    """

    def __init__(self, journal: Journal) -> None:
        """Let `journal` write through this connection."""
        self._db: sqlite3.Connection = journal._db
        self.before: Callable[[str], None] = lambda statement: None
        self.after: Callable[[str], None] = lambda statement: None
        setattr(journal, "_db", self)  # noqa: B010  (it is as good as a connection to the journal)

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        self.before(statement)
        found = self._db.execute(statement, *values)
        self.after(statement)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)
