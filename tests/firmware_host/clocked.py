"""A table on a clock that the test moves."""

from __future__ import annotations

from firmware_host.table.table import Table


class Clocked:
    """A table whose time is `now`, in seconds."""

    table: Table
    now = 100.0

    def wait(self, milliseconds: float) -> None:
        """Move the clock; everything that falls due is done at its own time."""
        end = self.now + milliseconds / 1000
        self.tick()
        while (due := self.table.due()) <= end:
            self.now = max(self.now + 0.001, due)
            self.tick()
        self.now = max(self.now, end)
        self.tick()

    def tick(self) -> None:
        """Do what is due now, and all secret acts that bots make in a row."""
        self.table.tick()
        while self.table.thinking:
            self.table.tick()
