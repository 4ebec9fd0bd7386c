"""A thread that does one thing at a time for another thread, which goes on meanwhile."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future


class Aside:
    """The thread, called `name`, from `start` to `stop`."""

    def __init__(self, name: str) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[], object], Future[object]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End when all is done."""
        self._work.put(None)

    def begin(self, work: Callable[[], object]) -> Future[object]:
        """Have it done; what comes of it."""
        done = Future[object]()
        self._work.put((work, done))
        return done

    def _run(self) -> None:
        while (item := self._work.get()) is not None:
            work, done = item
            try:
                done.set_result(work())
            except BaseException as error:  # whatever it was: somebody waits for it
                done.set_exception(error)
