"""The last lines of the log, for the admin page: public facts, bounded, with their time and without places on the disk.

Whatever is logged at INFO and above comes here, unless it is said for makers only (`extra=MAKERS`): where in the code a
bot has failed, for example, could tell what it was about.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from datetime import datetime

LINES, LONGEST = 400, 300
LOGGERS = ("firmware_host", "hardware", "web_panel")
MAKERS = {"makers": True}
"""Beside a line that is no public fact."""


class Logbook(logging.Handler):
    """The last lines that were logged. `now` gives the time of day; safe to use from any thread."""

    def __init__(self, now: Callable[[], datetime] = datetime.now) -> None:
        super().__init__(logging.INFO)
        self._now = now
        self._guard = threading.Lock()
        self._lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line, if everybody may know it."""
        if getattr(record, "makers", False):
            return
        words = " ".join(record.getMessage().split())[:LONGEST]
        line = f"{self._now():%Y-%m-%d %H:%M:%S} {record.levelname.lower()}: {words}"
        with self._guard:
            self._lines.append(line)

    @property
    def lines(self) -> list[str]:
        """The oldest first."""
        with self._guard:
            return list(self._lines)

    def open(self) -> None:
        """Listen to everything that is logged here."""
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.addHandler(self)
            if logging.lastResort is not None:  # warnings go on to standard error
                logger.addHandler(logging.lastResort)
            logger.setLevel(logging.INFO)

    def close(self) -> None:
        """Listen no more."""
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.removeHandler(self)
            if logging.lastResort is not None:
                logger.removeHandler(logging.lastResort)
            logger.setLevel(logging.NOTSET)
        super().close()
