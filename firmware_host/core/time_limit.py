"""A time limit for code of others: games and bots run in the threads of the table, and one that hangs would stop it.

One thread watches all calls. It raises `TimeUp` in the thread of a call that runs over its limit, again and again if
the code catches that. What ends in no other way, such as a long `time.sleep` or a huge power, ends with the process: a
`HangNote` then tells the next start which game it was, and that start closes the game.
"""

from __future__ import annotations

import ctypes
import faulthandler
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

T = TypeVar("T")

LIMIT: Final = 3.0
"""Seconds of the processor for an act, a picture, a page: whatever people wait for."""
START_LIMIT: Final = 20.0
"""The same for what is done once: importing a game, folding a whole game again."""
LOOK_LIMIT: Final = 12.0
"""The same for one look at what is installed, until the first takes longer; see `Shrinking`."""
LEAST_LIMIT: Final = 1.0
"""Seconds that each look gets at least."""
TURN_LIMIT: Final = 10.0
"""Seconds by the clock for all calls of a game in one turn of the table's loop, from the first one on."""
WAITING: Final = 2
"""So many times its limit a call may take by the clock, for it may have to wait for the processor."""
AGAIN: Final = 0.5
"""Seconds between two attempts to end a call."""
GRACE: Final = 3.0
"""Seconds after which the process ends with a call that should have ended. With `TURN_LIMIT` less than what systemd
waits for (WatchdogSec).
"""
LOOK: Final = 0.1
"""Seconds between two looks at the calls that run."""
IDLE: Final = 2.0
"""Seconds without a call after which the thread sleeps."""
PROVED: Final = 60.0
"""Seconds after which a process has proved that it can go on, if nothing was written before."""
MOST_DEATHS: Final = 5
"""Processes in a row that may die in a call of one game before that game counts as what kills them. A table is killed
in a call by chance as well, but hardly ever so often.
"""
IN_CALL: Final = b"!"
OUR_FAULT: Final = 70
"""The exit code of a process that a game has hung."""

_raise: Final = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise.argtypes = [ctypes.c_ulong, ctypes.py_object]
_CLEAR: Final = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p)(
    ("PyThreadState_SetAsyncExc", ctypes.pythonapi)
)


class TimeUp(BaseException):
    """The call has run over its limit. No `Exception`, so that `except Exception` in a game does not catch it."""


class Shrinking:
    """A limit for many calls in a row: each that takes too long leaves half of the time for those after it.

    However many games hang, a start ends within the 90 seconds that systemd waits for it.
    """

    def __init__(self) -> None:
        self.seconds = LOOK_LIMIT

    def shrink(self) -> None:
        """A call has taken too long."""
        self.seconds = max(LEAST_LIMIT, self.seconds / 2)

    def reset(self) -> None:
        """Another row of calls begins."""
        self.seconds = LOOK_LIMIT


def _content(path: Path) -> bytes:
    """What is in a file; nothing where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


class HangNote:
    """The file that says which game hung this process; empty while all is well.

    The name is written before each call that is watched, and the kernel's timer ends a process whose interpreter does
    not get round to stopping it. Then `faulthandler` adds to the file. A power cut in a call adds nothing, and does not
    count. A game that kills the process adds nothing either. Therefore deaths in a call are counted until the process
    has proved that it can go on; after `MOST_DEATHS` in a row the game counts as hung.
    """

    ROOM: Final = 1024
    NAMES: Final = 896
    """Bytes of the names; then come the number of deaths before and of which game, and last whether a call runs."""

    def __init__(self, path: Path) -> None:
        """Raises `OSError`. To be made in the main thread, where signals are."""
        deaths, game = self._deaths(_content(path))
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        self._name, self._unproved_until = "", time.monotonic() + PROVED
        os.pwrite(self._file, f"{deaths} {game}".encode().ljust(self.ROOM - self.NAMES), self.NAMES)
        self.left_out: tuple[str, ...] = ()
        """The games that this process does without because they hung the ones before: they would hang the next, too."""
        self.write(" ")
        os.lseek(self._file, self.ROOM, os.SEEK_SET)
        faulthandler.register(signal.SIGALRM, file=self._file, all_threads=True, chain=True)

    @classmethod
    def read(cls, path: Path) -> tuple[str, ...]:
        """The name of the game that hung the last process, then those that it did without; none where none did."""
        found = _content(path)
        hung = len(found) > cls.ROOM or cls._deaths(found)[0] >= MOST_DEATHS
        return cls._names(found) if hung else ()

    @classmethod
    def _names(cls, found: bytes) -> tuple[str, ...]:
        return tuple(found[: cls.NAMES].decode("ascii", "replace").split())

    @classmethod
    def _deaths(cls, found: bytes) -> tuple[int, str]:
        """How many processes in a row have died in a call of which game, the one that wrote `found` included."""
        if found[cls.ROOM - 1 : cls.ROOM] != IN_CALL or not (names := cls._names(found)):
            return 0, ""
        deaths, _, game = found[cls.NAMES : cls.ROOM - 1].decode("ascii", "replace").strip().partition(" ")
        return 1 + (int(deaths) if game == names[0] and deaths.isdecimal() else 0), names[0]

    def mark(self, in_call: bool) -> None:
        """Whether a call runs, as long as that counts."""
        if self._unproved_until:
            os.pwrite(self._file, IN_CALL if in_call else b" ", self.ROOM - 1)
            if time.monotonic() > self._unproved_until:
                self.prove()

    def prove(self) -> None:
        """The process can go on: its death in a call would be no more than that."""
        if self._unproved_until:
            self._unproved_until = 0.0
            os.pwrite(self._file, b" ", self.ROOM - 1)

    def write(self, name: str) -> None:
        """The game that is called now."""
        if name != self._name:
            names = " ".join((name, *self.left_out)).encode("ascii", "replace")
            os.pwrite(self._file, names[: self.NAMES].ljust(self.NAMES), 0)
            self._name = name

    def wind(self, seconds: float) -> None:
        """End the process after so many seconds, unless this is called again; 0 for never."""
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def end(self) -> None:
        """End the process now."""
        faulthandler.dump_traceback(self._file, all_threads=True)
        said = f"The game {self._name} does not end. The table stops; the next start closes that game."
        print(said, file=sys.stderr, flush=True)
        os._exit(OUR_FAULT)

    def close(self) -> None:
        """Nothing is noted any more."""
        self.wind(0.0)
        faulthandler.unregister(signal.SIGALRM)
        os.ftruncate(self._file, 0)
        os.close(self._file)


class _Call:
    """A call that runs in `thread`."""

    __slots__ = ("deadline", "last", "limit", "name", "processor", "raised", "thread", "until")

    def __init__(self, name: str, limit: float, end: float) -> None:
        """It has to be over by `end` in any case. Raises `TimeUp` after it."""
        now = time.monotonic()
        if now >= end:
            raise TimeUp
        self.name, self.thread, self.raised = name, threading.get_ident(), False
        self.until, self.limit, self.processor = now + limit, limit, -1.0
        """From when on it can be over its limit, and with how much of the processor since it was looked at first."""
        self.deadline = min(now + WAITING * limit, end)
        self.last = self.deadline + GRACE

    def over(self, now: float) -> bool:
        """Whether it has taken too long. To be asked while its thread is in the call."""
        if now <= self.until and self.processor >= 0:
            return False
        spent = time.clock_gettime(time.pthread_getcpuclockid(self.thread))
        if self.processor < 0:
            self.processor = spent + self.limit
        return now > self.deadline or (now > self.until and spent > self.processor)


class Watch:
    """Watches calls. `note` is where the name of a game goes that cannot be stopped; without one it runs on."""

    def __init__(self) -> None:
        self.note: HangNote | None = None
        self.patience = 1.0
        """What all limits are multiplied by."""
        self._lock = threading.Lock()
        self._calls: dict[int, _Call] = {}
        self._awake = threading.Event()
        self._thread: threading.Thread | None = None
        self._mine = threading.local()

    @property
    def watching(self) -> bool:
        """Whether a call of this thread is watched already."""
        return getattr(self._mine, "call", None) is not None

    def begin_turn(self) -> None:
        """From now on each game may take `TURN_LIMIT` in this thread, until the next turn."""
        self._mine.ends = {}

    def _end_of_turn(self, name: str) -> float:
        """When the calls of a game have to be over; never in a thread that makes no turns."""
        ends: dict[str, float] | None = getattr(self._mine, "ends", None)
        return math.inf if ends is None else ends.setdefault(name, time.monotonic() + TURN_LIMIT * self.patience)

    def run(self, name: str, limit: float, work: Callable[..., T], *args: Any) -> T:
        """What `work` returns. Raises what it raises, or `TimeUp` after `limit` seconds; only the outermost counts.

        `name` is the game that is called.
        """
        if self.watching:
            return work(*args)
        call = _Call(name, limit * self.patience, self._end_of_turn(name))
        try:
            try:
                self._begin(call)
                return work(*args)
            finally:
                self._end(call)
        except TimeUp:
            self._end(call)  # it may have come while the call was ending by itself
            raise

    def cut_short(self) -> None:
        """Somebody wants the table to end: no call that runs now gets more than a moment."""
        now = time.monotonic()
        soon = now + AGAIN
        with self._lock:
            for call in self._calls.values():
                call.deadline = min(call.deadline, soon)
                call.until = min(call.until, call.deadline)
                call.last = min(call.last, soon + GRACE)

    def prove(self) -> None:
        """The process can go on; see `HangNote`."""
        with self._lock:
            if self.note is not None:
                self.note.prove()

    def forget_note(self) -> None:
        """Write no note any more; harmless where none is written."""
        with self._lock:
            note, self.note = self.note, None
        if note is not None:
            note.close()

    def _begin(self, call: _Call) -> None:
        self._mine.call = call
        with self._lock:
            self._calls[call.thread] = call
            if self.note is not None:
                self.note.write(call.name)
                self.note.mark(True)
                self.note.wind(self._longest())
        if self._thread is None or not self._thread.is_alive():
            self._start()
        if not self._awake.is_set():
            self._awake.set()

    def _end(self, call: _Call) -> None:
        """The call is over. What was raised in this thread and has not come yet never comes."""
        with self._lock:
            if self._calls.pop(call.thread, None) is not None and self.note is not None:
                self.note.wind(self._longest() if self._calls else 0.0)
                self.note.mark(bool(self._calls))
            if call.raised:
                _CLEAR(call.thread, None)
                call.raised = False
        self._mine.call = None

    def _longest(self) -> float:
        """Seconds until the last of the calls must have ended, and a little more: Python comes before the kernel."""
        return max(LOOK, max(call.last for call in self._calls.values()) - time.monotonic()) + 2 * AGAIN

    def _start(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._watch, name="time limits", daemon=True)
                self._thread.start()

    def _watch(self) -> None:
        quiet = 0.0
        while True:
            if quiet > IDLE:
                self._awake.clear()
                if not self._calls:
                    self._awake.wait()
                quiet = 0.0
            time.sleep(LOOK)
            quiet = 0.0 if self._calls else quiet + LOOK
            with self._lock:
                self._look(time.monotonic())

    def _look(self, now: float) -> None:
        for call in self._calls.values():
            if now > call.last and self.note is not None:
                self.note.write(call.name)
                self.note.end()
            if call.over(now):
                if not call.raised:
                    call.last = min(call.last, now + GRACE)
                call.raised, call.until = True, now + AGAIN
                _raise(call.thread, TimeUp)


LOOKS: Final = Shrinking()
"""The limit for looks at what is installed."""
WATCH: Final = Watch()
"""The watch of this process."""
