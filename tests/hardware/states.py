"""The states that a driver reports, and waiting for them."""

from __future__ import annotations

import threading

from tests.patience import PATIENCE


class Told(list[str | None]):
    """A list of states that a thread adds to and a test waits for."""

    def __init__(self) -> None:
        super().__init__()
        self._news = threading.Condition()

    def append(self, state: str | None) -> None:
        """Add a state."""
        with self._news:
            super().append(state)
            self._news.notify_all()

    def wait_for(self, number: int) -> list[str | None]:
        """Wait until there are so many states, and return all of them."""
        with self._news:
            assert self._news.wait_for(lambda: len(self) >= number, PATIENCE), f"only {len(self)}: {self}"
            return list(self)

    def wait_for_health(self) -> None:
        """Wait until the last state is that there is no fault."""
        with self._news:
            assert self._news.wait_for(lambda: self[-1] is None, PATIENCE), self[-1]

    def wait_for_fault(self, words: str) -> None:
        """Wait until the last state is a fault with these words."""
        with self._news:
            assert self._news.wait_for(lambda: bool(self) and words in (self[-1] or ""), PATIENCE), self
