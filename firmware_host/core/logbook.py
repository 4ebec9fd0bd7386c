"""The last lines of the log, for the admin page: public facts with their time, limited in number, without paths.

All log lines of INFO and above are included, except those for makers (`extra=MAKERS`): the place in the code where a
bot has failed, for example, could reveal a secret.
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
"""The `extra` of a line that is not public."""


class Logbook(logging.Handler):
    """The last lines of the log. `now` returns the time of day. Any thread may use it."""

    def __init__(self, now: Callable[[], datetime] = datetime.now) -> None:
        super().__init__(logging.INFO)
        self._now = now
        self._guard = threading.Lock()
        self._lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Add a line, if it is public."""
        # Lines that are not public still go to standard error, which only the admin reads.
        if getattr(record, "makers", False):
            return
        # Replace line breaks, because the rest of the message would look like another line of the log.
        words = " ".join(record.getMessage().split())[:LONGEST]
        line = f"{self._now():%Y-%m-%d %H:%M:%S} {record.levelname.lower()}: {words}"
        with self._guard:
            self._lines.append(line)

    @property
    def lines(self) -> list[str]:
        """The lines, the oldest first."""
        with self._guard:
            return list(self._lines)

    def open(self) -> None:
        """Start to record all loggers of the program."""
        # A game can close standard error. A line that cannot be written there must not stop the table.
        logging.raiseExceptions = False
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.propagate = False  # this can call handlers of games, which can raise errors or wait
            logger.addHandler(self)
            if logging.lastResort is not None:  # warnings go on to standard error
                logger.addHandler(logging.lastResort)
            logger.setLevel(logging.INFO)

    def close(self) -> None:
        """Stop recording."""
        logging.raiseExceptions = True
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.removeHandler(self)
            if logging.lastResort is not None:
                logger.removeHandler(logging.lastResort)
            logger.setLevel(logging.NOTSET)
            logger.propagate = True
        super().close()
