"""Time limits for the code of games and bots, which runs in threads of the table: one that hangs would stop it.

One thread watches all calls. It raises `TimeUp` in the thread of a call that exceeds its limit, repeatedly if the code
catches it. What cannot be stopped in this way, for example a long `time.sleep` or a huge power, ends with the process:
a `HangNote` then names the game, and the next start closes it.
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
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from hardware.files import read_regular

T = TypeVar("T")

LIMIT: Final = 3.0
"""Processor seconds for an act, a picture or a page, for which people wait."""
START_LIMIT: Final = 20.0
"""The same for rare work: importing a game, folding a whole game again."""
LOOK_LIMIT: Final = 12.0
"""The same for one check of an installed game, until the first takes longer; see `Shrinking`."""
LEAST_LIMIT: Final = 1.0
"""Minimum seconds for such a check."""
TURN_LIMIT: Final = 10.0
"""Real seconds for all calls of a game in one turn of the table's loop, without those in which it waits for the
processor. Time between the calls does not count: a slow disk is not the game's fault.
"""
REAL_TIME_FACTOR: Final = 2
"""A call may take this many times its limit in real time, because it may sleep. Infinite in a process of low priority,
which can wait for any time.
"""
STOP_EVERY: Final = 0.5
"""Seconds between two attempts to stop a call."""
GRACE: Final = 3.0
"""Seconds after which the process ends with a call that cannot be stopped. `TURN_LIMIT` plus this is less than the time
that systemd waits (WatchdogSec), unless the processor is busy.
"""
ASK_AFTER: Final = 0.005
"""Seconds of a call after which its waits for the processor count. To ask for them takes longer than most calls."""
CHECK_EVERY: Final = 0.1
"""Seconds between two checks of the running calls."""
IDLE_AFTER: Final = 2.0
"""Seconds without a call until the thread sleeps."""
PROVED_AFTER: Final = 60.0
"""Seconds after which a process has proved that it works, unless it has written something before."""
MOST_DEATHS: Final = 5
"""After this many processes in a row have died in a call of one game, that game counts as the cause. A power cut during
a call is possible, but not this often.
"""
IN_CALL: Final = b"!"
OUR_FAULT: Final = 70
"""The exit code of a process in which a game hangs."""

_raise: Final = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise.argtypes = [ctypes.c_ulong, ctypes.py_object]


class TimeUp(BaseException):
    """A call has exceeded its limit. Not an `Exception`, so that `except Exception` in a game does not catch it."""


def _let_arrive(thread: int) -> None:
    """Wait in this thread for an exception that was raised in it, so that none is left."""
    # Cancelling it instead would leave Python 3.11 interrupted at each call of every thread from then on; a profiler or
    # debugger would never get past the first call. If it has arrived already, this is another one.
    try:
        _raise(thread, TimeUp)
        while True:
            pass
    except TimeUp:
        pass


def waited(thread: int) -> float:
    """Return the seconds that a thread of this process (by its native number) has waited for the processor so far.

    0.0 where the system does not count them.
    """
    try:
        # proc(5): nanoseconds on the processor, nanoseconds waiting for it, time slices.
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


class Shrinking:
    """A limit for many calls in a row: each call that takes too long halves the limit of the next ones.

    So a start ends within the 90 seconds that systemd waits, however many games hang.
    """

    def __init__(self, seconds: float = LOOK_LIMIT) -> None:
        self._first = self.seconds = seconds

    def shrink(self) -> None:
        """Halve the limit, because a call took too long."""
        self.seconds = max(LEAST_LIMIT, self.seconds / 2)

    def reset(self) -> None:
        """Restore the limit for the next row of calls."""
        self.seconds = self._first


def _content(path: Path) -> bytes:
    """Return the beginning of a file, empty if it is no file or cannot be read."""
    try:
        return read_regular(path)[: HangNote.ROOM + 1]
    except OSError:
        return b""


class HangNote:
    """The file that names the game in which this process hangs.

    The name is written before each watched call. If the interpreter cannot stop the call, the kernel's timer ends the
    process, and `faulthandler` appends a trace to the file. A power cut or a game that kills the process appends
    nothing. So deaths in a call are counted until the process has proved that it works; after `MOST_DEATHS` in a row,
    the game counts as hung.
    """

    ROOM: Final = 1024
    NAMES: Final = 896
    """Bytes of the names. Then come the number of earlier deaths and their game, and last whether a call runs."""

    def __init__(self, path: Path) -> None:
        """For the main thread, because of the signal handler. Raises `OSError`."""
        deaths, game = self._deaths(_content(path))
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        self._name, self._unproved_until = "", time.monotonic() + PROVED_AFTER
        self._put(f"{deaths} {game}".encode().ljust(self.ROOM - self.NAMES), self.NAMES)
        self.left_out: tuple[str, ...] = ()
        """The games that this process leaves out, because they hung earlier ones."""
        self.write(" ")
        # The trace is written from here, so a file longer than this means that the call never
        # ended.
        os.lseek(self._file, self.ROOM, os.SEEK_SET)
        # `chain` calls the previous handler after the trace: by default, SIGALRM ends the process.
        faulthandler.register(signal.SIGALRM, file=self._file, all_threads=True, chain=True)

    @classmethod
    def read(cls, path: Path) -> tuple[str, ...]:
        """Return the game that hung the last process, then the games that it had left out; () if none hung."""
        content = _content(path)
        hung = len(content) > cls.ROOM or cls._deaths(content)[0] >= MOST_DEATHS
        return cls._names(content) if hung else ()

    @classmethod
    def _names(cls, content: bytes) -> tuple[str, ...]:
        return tuple(content[: cls.NAMES].decode("ascii", "replace").split())

    @classmethod
    def _deaths(cls, content: bytes) -> tuple[int, str]:
        """Return how many processes in a row died in a call of which game, including the writer of `content`."""
        if content[cls.ROOM - 1 : cls.ROOM] != IN_CALL or not (names := cls._names(content)):
            return 0, ""
        deaths, _, game = content[cls.NAMES : cls.ROOM - 1].decode("ascii", "replace").strip().partition(" ")
        return 1 + (int(deaths) if game == names[0] and deaths.isdecimal() else 0), names[0]

    def mark(self, in_call: bool) -> None:
        """Record whether a call runs, until the process has proved that it works."""
        if self._unproved_until:
            self._put(IN_CALL if in_call else b" ", self.ROOM - 1)
            if time.monotonic() > self._unproved_until:
                self.prove()

    def prove(self) -> None:
        """Record that the process works: a later death in a call does not count."""
        if self._unproved_until:
            self._unproved_until = 0.0
            self._put(b" ", self.ROOM - 1)

    def write(self, name: str) -> None:
        """Record the game that is called now."""
        if name != self._name:
            names = " ".join((name, *self.left_out)).encode("ascii", "replace")
            self._put(names[: self.NAMES].ljust(self.NAMES), 0)
            self._name = name

    def _put(self, content: bytes, place: int) -> None:
        # A disk that takes nothing must not stop the game: a hang is then not named, but the process still ends.
        with suppress(OSError):
            os.pwrite(self._file, content, place)

    def wind(self, seconds: float) -> None:
        """End the process after this many seconds, unless this is called again; 0 for never."""
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def end(self) -> None:
        """End the process now."""
        faulthandler.dump_traceback(self._file, all_threads=True)
        sentence = f"The game {self._name} does not end. The table stops; the next start closes that game."
        print(sentence, file=sys.stderr, flush=True)
        # A normal exit would wait for the thread that hangs.
        os._exit(OUR_FAULT)

    def close(self) -> None:
        """Remove the note and stop the timer."""
        self.wind(0.0)
        faulthandler.unregister(signal.SIGALRM)
        with suppress(OSError):  # a disk that has failed meanwhile; the next start finds no death in a call
            os.ftruncate(self._file, 0)
        os.close(self._file)


class _Call:
    """A call that runs in `thread`."""

    def __init__(self, name: str, limit: float, most: float, waits: float | None) -> None:
        """It may take `most` real seconds. Raises `TimeUp` if there are none. See `waits` below."""
        if most <= 0:
            raise TimeUp
        now = self.began = time.monotonic()
        self.name, self.thread, self.native, self.raised = name, threading.get_ident(), threading.get_native_id(), False
        self.until, self.limit, self.processor = now + limit, limit, -1.0
        """When it can be over its limit, and at which processor time of its thread (-1: not checked yet)."""
        self.deadline = now + most
        self.last = self.deadline + GRACE
        self.waits = waits
        """For how long its thread had waited for the processor at the last check (None: not checked yet)."""

    def put_off(self, waits: float) -> bool:
        """Extend its real time by what its thread has waited for the processor. Return whether it has."""
        longer = 0.0 if self.waits is None else waits - self.waits
        self.waits = waits
        self.deadline += longer
        self.last += longer
        return longer > 0

    def over(self, now: float) -> bool:
        """Return whether it has taken too long. Only while its thread is in the call."""
        if now <= self.until and self.processor >= 0:
            return False
        # Asking for the processor time is a system call, so it happens only once a call may be late.
        spent = time.clock_gettime(time.pthread_getcpuclockid(self.thread))
        if self.processor < 0:
            self.processor = spent + self.limit
        return now > self.deadline or (now > self.until and spent > self.processor)


class Watch:
    """Watches calls. `note` stores the name of a game that cannot be stopped; without a note, such a call keeps
    running.
    """

    def __init__(self) -> None:
        self.note: HangNote | None = None
        self.patience = 1.0
        """Factor for all limits."""
        self.real_time_factor: float = REAL_TIME_FACTOR
        """How many times its limit a call may take in real time."""
        self.waited: Callable[[int], float] = waited
        self._lock = threading.Lock()
        self._calls: dict[int, _Call] = {}
        self._awake = threading.Event()
        self._thread: threading.Thread | None = None
        self._mine = threading.local()

    @property
    def watching(self) -> bool:
        """Whether a call of this thread is already watched."""
        return getattr(self._mine, "call", None) is not None

    def begin_turn(self) -> None:
        """Give each game `TURN_LIMIT` in this thread, until the next turn."""
        self._mine.spent, self._mine.waits = {}, self.waited(threading.get_native_id())

    def _left(self, name: str) -> float:
        """Return the seconds that are left for the calls of a game in this turn; no limit in a thread without turns."""
        spent: dict[str, float] | None = getattr(self._mine, "spent", None)
        return math.inf if spent is None else TURN_LIMIT * self.patience - spent.get(name, 0.0)

    def _spend(self, call: _Call) -> None:
        """Count the real time of a call that has ended, without its waits for the processor."""
        spent: dict[str, float] | None = getattr(self._mine, "spent", None)
        if spent is None:
            return
        took = time.monotonic() - call.began
        if took > ASK_AFTER:
            waits = self.waited(call.native)
            # At most all of it: the thread may have waited since the last reading, but before this call.
            took -= min(took, waits - self._mine.waits)
            self._mine.waits = waits
        spent[call.name] = spent.get(call.name, 0.0) + took

    def run(self, name: str, limit: float, work: Callable[..., T], *args: Any) -> T:
        """Return what `work` returns, for the game called `name`. Only the outermost limit counts.

        Raises what `work` raises, or `TimeUp` after `limit` seconds.
        """
        if self.watching:
            return work(*args)
        limit *= self.patience
        most, waits = min(self.real_time_factor * limit, self._left(name)), getattr(self._mine, "waits", None)
        call, process = _Call(name, limit, most, waits), os.getpid()
        # `TimeUp` can arrive at any bytecode, also within `_end`. The outer block runs it a second time then.
        try:
            try:
                self._begin(call)
                return work(*args)
            finally:
                # A fork that the game made: it must not go on as a second table.
                if os.getpid() != process:
                    os._exit(OUR_FAULT)
                self._end(call)
        except TimeUp:
            self._end(call)
            raise

    def cut_short(self) -> None:
        """Leave all running calls only a moment, because the table has to stop."""
        now = time.monotonic()
        soon = now + STOP_EVERY
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
                # The kernel's timer works even if the interpreter never gets to its next bytecode.
                self.note.wind(self._longest())
        if self._thread is None or not self._thread.is_alive():
            self._start()
        if not self._awake.is_set():
            self._awake.set()

    def _end(self, call: _Call) -> None:
        """Unregister a call, and clear an exception that was raised in this thread but has not arrived yet."""
        with self._lock:
            if self._calls.pop(call.thread, None) is not None:
                self._spend(call)
                if self.note is not None:
                    self.note.wind(self._longest() if self._calls else 0.0)
                    self.note.mark(bool(self._calls))
            # The call is unregistered under the same lock, so `_look` can't raise in this thread
            # again.
            if call.raised:
                _let_arrive(call.thread)
                call.raised = False
        self._mine.call = None

    def _longest(self) -> float:
        """Return seconds until all calls must have ended, and a little more, so that Python acts before the kernel."""
        return max(CHECK_EVERY, max(call.last for call in self._calls.values()) - time.monotonic()) + 2 * STOP_EVERY

    def _start(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._watch, name="time limits", daemon=True)
                self._thread.start()

    def _watch(self) -> None:
        # A signal that another thread gets interrupts the main thread even where that has blocked it.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        quiet = 0.0
        while True:
            if quiet > IDLE_AFTER:  # sleep until the next call, so that an idle table wakes no processor
                # Clear first, then look: a call that begins in between sets it again.
                self._awake.clear()
                if not self._calls:
                    self._awake.wait()
                quiet = 0.0
            time.sleep(CHECK_EVERY)
            quiet = 0.0 if self._calls else quiet + CHECK_EVERY
            with self._lock:
                self._look(time.monotonic())

    def _look(self, now: float) -> None:
        waiting = [call.put_off(self.waited(call.native)) for call in self._calls.values()]
        if any(waiting) and self.note is not None:
            self.note.wind(self._longest())
        for call in self._calls.values():
            if now > call.last and self.note is not None:
                self.note.write(call.name)
                self.note.end()
            if call.over(now):
                if not call.raised:
                    call.last = min(call.last, now + GRACE)
                call.raised, call.until = True, now + STOP_EVERY
                _raise(call.thread, TimeUp)


LOOKS: Final = Shrinking()
"""The limit for checks of installed games."""
WATCH: Final = Watch()
"""The watch of this process."""
