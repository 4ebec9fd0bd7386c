"""Time limits for the code of games and bots, which runs in threads of the table: one that hangs would stop it.

One thread watches all calls. It raises `TimeUp` in the thread of a call that exceeds its limit, repeatedly if the code
catches it. What cannot be stopped in this way, for example a long `time.sleep` or a huge power, ends with the process:
a `HangNote` then names the game and for what it was called, and the next start closes the game or leaves out that part.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

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
HELD_LIMIT: Final = 12.0
"""Seconds that a call may keep the interpreter from all threads, whatever its limit; `GRACE` comes on top."""
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
UNPROVED: Final = b"!"
EMPTY: Final = b" "
OUR_FAULT: Final = 70
"""The exit code of a process in which a game hangs."""

_raise: Final = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise.argtypes = [ctypes.c_ulong, ctypes.py_object]


_process = object()


def _note_fork() -> None:
    global _process
    _process = object()


# To ask for the process at each call takes longer than most calls.
os.register_at_fork(after_in_child=_note_fork)


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


class Part(NamedTuple):
    """What a game is called for: one of the table's `FEATURES`, or "" for the game on the table."""

    game: str
    feature: str = ""

    @classmethod
    def read(cls, text: str) -> Part:
        """Return the part that `str` has written."""
        return cls(*text.rsplit("/", 1)) if "/" in text else cls(text)

    def __str__(self) -> str:
        return "/".join(filter(None, self))


LESSONS, MISSIONS, PUZZLES, PAST_GAMES, PAGES = FEATURES = "lessons", "missions", "puzzles", "past-games", "pages"
"""`PAGES` is what pages can do without, for example the decoration of a map: the default in other threads than the
table's.
"""


class Hang(NamedTuple):
    """How the last process ended: what hung it, if that is clear, and what it had left out because of earlier hangs."""

    culprit: Part | None = None
    left_out: tuple[Part, ...] = ()

    def consequences(self, running: str | None) -> tuple[str | None, tuple[Part, ...]]:
        """Return the game to close, which is the `running` one, and what to leave out.

        Only a call for the game on the table closes it. After another, the feature is left out, or the whole game if it
        was called for none.
        """
        if self.culprit is None:
            return None, self.left_out
        if self.culprit == (running, ""):
            return running, self.left_out
        return None, (self.culprit, *self.left_out)


class HangNote:
    """The file that names the calls of games that run in this process.

    Each running call has a slot. If a call holds the interpreter, the kernel's timer ends the process, or systemd's
    watchdog, and `faulthandler` appends a trace to the file; also if a call crashes. Of several parts that ran, any
    could be the one for which the others waited, so none is blamed. A power cut or a game that kills the process
    appends nothing. So deaths in a call are counted until the process has proved that it works; after `MOST_DEATHS` in
    a row, the call counts as hung.
    """

    SLOTS: Final = 16
    SLOT: Final = 80
    """Bytes of a call."""
    DEATHS: Final = 128
    """Bytes of the number of earlier deaths and the call in which they happened. Before them are the slots."""
    ROOM: Final = 4096
    """Bytes in front of the trace. The last one is whether deaths count; before it is what was left out."""

    _CALLS: Final = SLOTS * SLOT

    def __init__(self, path: Path) -> None:
        """For the main thread, because of the signal handler. Raises `OSError`."""
        deaths, part = self._deaths(_content(path))
        # Written in place, not mapped into memory: a mapped page of a disk that takes nothing would end the process.
        # A link at its place could lead to any file.
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        self._unproved_until, self._free = time.monotonic() + PROVED_AFTER, [*range(self.SLOTS)]
        died_before = f"{deaths} {part}".encode("ascii", "replace")[: self.DEATHS]
        self._put(EMPTY * self._CALLS + died_before.ljust(self.ROOM - 1 - self._CALLS) + UNPROVED, 0)
        # The trace is written from here, so a file longer than this means that the call never
        # ended.
        os.lseek(self._file, self.ROOM, os.SEEK_SET)
        # `chain` calls the previous handler after the trace: by default, SIGALRM ends the process.
        faulthandler.register(signal.SIGALRM, file=self._file, all_threads=True, chain=True)
        faulthandler.enable(self._file, all_threads=True)  # for SIGABRT of the watchdog, and SIGSEGV

    @classmethod
    def read(cls, path: Path) -> Hang | None:
        """Return how the last process ended; None if no game has hung it."""
        content = _content(path)
        running, left_out = cls._running(content), content[cls._CALLS + cls.DEATHS : cls.ROOM - 1]
        if len(content) <= cls.ROOM and cls._deaths(content)[0] < MOST_DEATHS:
            return None
        lines = left_out.decode("ascii", "replace").split()
        return Hang(running.pop() if len(running) == 1 else None, tuple(map(Part.read, lines)))

    @classmethod
    def _running(cls, content: bytes) -> set[Part]:
        """Return what games were called for when the process ended."""
        slots = (content[place : place + cls.SLOT] for place in range(0, cls._CALLS, cls.SLOT))
        return {Part.read(slot.decode("ascii", "replace").strip()) for slot in slots if slot[:1].strip(b"\0 ")}

    @classmethod
    def _deaths(cls, content: bytes) -> tuple[int, Part | str]:
        """Return how many processes in a row died in which call, including the writer of `content`."""
        running = cls._running(content)
        if content[cls.ROOM - 1 : cls.ROOM] != UNPROVED or len(running) != 1:
            return 0, ""
        before = content[cls._CALLS : cls._CALLS + cls.DEATHS].decode("ascii", "replace").strip()
        deaths, _, part = before.partition(" ")
        (now,) = running
        return 1 + (int(deaths) if part == str(now) and deaths.isdecimal() else 0), now

    def leave_out(self, parts: tuple[Part, ...]) -> None:
        """Record what this process leaves out, for the next start if it hangs, too."""
        room = self.ROOM - 1 - self._CALLS - self.DEATHS
        self._put("\n".join(map(str, parts)).encode("ascii", "replace")[:room].ljust(room), self._CALLS + self.DEATHS)

    def prove(self) -> None:
        """Record that the process works: a later death in a call does not count."""
        if self._unproved_until:
            self._unproved_until = 0.0
            self._put(EMPTY, self.ROOM - 1)

    def begin(self, part: Part) -> int:
        """Record a call that begins now. Return its slot, for `finish`; -1 if there is none left."""
        if self._unproved_until and time.monotonic() > self._unproved_until:
            self.prove()
        if not self._free:
            return -1
        slot: int = self._free.pop()
        self._put(_slot(part), slot * self.SLOT)
        return slot

    def finish(self, slot: int) -> None:
        """Clear the slot of a call that has ended."""
        if slot >= 0:
            self._put(EMPTY, slot * self.SLOT)
            self._free.append(slot)

    def _put(self, content: bytes, place: int) -> None:
        # A disk that takes nothing must not stop the game: a hang is then not named, but the process still ends.
        try:  # noqa: SIM105 - `suppress` would take as long as the rest, twice in each call
            os.pwrite(self._file, content, place)
        except OSError:
            pass

    def wind(self, seconds: float) -> None:
        """End the process after this many seconds, unless this is called again; 0 for never."""
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def end(self, part: Part) -> None:
        """End the process now, because this call does not end. Calls in other threads are not its fault."""
        self._put(_slot(part).ljust(self._CALLS), 0)
        faulthandler.dump_traceback(self._file, all_threads=True)
        sentence = f"The game {part.game} does not end. The table stops; the next start leaves it out."
        print(sentence, file=sys.stderr, flush=True)
        # A normal exit would wait for the thread that hangs.
        os._exit(OUR_FAULT)

    def close(self) -> None:
        """Remove the note and stop the timer."""
        self.wind(0.0)
        faulthandler.unregister(signal.SIGALRM)
        faulthandler.disable()
        with suppress(OSError):  # a disk that has failed meanwhile; the next start finds no death in a call
            os.ftruncate(self._file, 0)
        os.close(self._file)


@lru_cache(maxsize=256)
def _slot(part: Part) -> bytes:
    return str(part).encode("ascii", "replace")[: HangNote.SLOT].ljust(HangNote.SLOT)


class _Call:
    """A call that runs in `thread`."""

    def __init__(self, part: Part, thread: tuple[int, int], limit: float, most: float, waits: float | None) -> None:
        """`thread` is its number and its native one. It may take `most` real seconds. Raises `TimeUp` if there are
        none. See `waits` below.
        """
        if most <= 0:
            raise TimeUp
        now = self.began = time.monotonic()
        self.part, self.slot, self.raised, self.held = part, -1, False, 0.0
        self.thread, self.native = thread
        self.until, self.limit, self.processor = now + limit, limit, -1.0
        """When it can be over its limit, and at which processor time of its thread (-1: not checked yet)."""
        self.deadline = now + most
        self.last = self.deadline + GRACE
        self.waits = waits
        """For how long its thread had waited for the processor at the last check (None: not checked yet)."""

    def put_off(self, waits: float, held: float) -> None:
        """Extend its real time by what its thread has waited for the processor, or for a call in another thread that
        `held` the interpreter for so many seconds.
        """
        self.held += held
        longer = max(0.0 if self.raised else held, 0.0 if self.waits is None else waits - self.waits)
        self.waits = waits
        self.deadline += longer
        self.last += longer

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
        self.left_out: frozenset[Part] = frozenset()
        """What games are not called for, because that has hung an earlier process."""
        self._lock = threading.Lock()
        self._calls: dict[int, _Call] = {}
        self._awake = threading.Event()
        self._thread: threading.Thread | None = None
        self._mine = threading.local()
        # A start runs in this thread, and what it calls games for is the game on the table.
        self._mine.feature = ""

    @property
    def watching(self) -> bool:
        """Whether a call of this thread is already watched."""
        return getattr(self._mine, "call", None) is not None

    def begin_turn(self) -> None:
        """Give each game `TURN_LIMIT` in this thread, until the next turn."""
        self._mine.spent, self._mine.waits, self._mine.feature = {}, self.waited(threading.get_native_id()), ""

    @contextmanager
    def serving(self, feature: str) -> Iterator[None]:
        """Call games in this thread for a feature, so that a hang does not count as one of the game on the table."""
        before = getattr(self._mine, "feature", PAGES)
        self._mine.feature = feature
        try:
            yield
        finally:
            self._mine.feature = before

    def leave_out(self, parts: tuple[Part, ...]) -> None:
        """Call these games no more for these features: such a call counts as one that took too long."""
        self.left_out = frozenset(parts)
        if self.note is not None:
            self.note.leave_out(parts)

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
            took -= min(took, max(call.held, waits - self._mine.waits))
            self._mine.waits = waits
        spent[call.part.game] = spent.get(call.part.game, 0.0) + took

    def run(self, name: str, limit: float, work: Callable[..., T], *args: Any) -> T:
        """Return what `work` returns, for the game called `name`. Only the outermost limit counts.

        Raises what `work` raises, or `TimeUp` after `limit` seconds.
        """
        if self.watching:
            return work(*args)
        mine = self._mine.__dict__
        part = Part(name, mine.get("feature", PAGES))
        if part in self.left_out:
            raise TimeUp
        limit *= self.patience
        if (thread := mine.get("thread")) is None:
            thread = mine["thread"] = threading.get_ident(), threading.get_native_id()
        most = min(self.real_time_factor * limit, self._left(name))
        call, process = _Call(part, thread, limit, most, mine.get("waits")), _process
        # `TimeUp` can arrive at any bytecode, also within `_end`. The outer block runs it a second time then.
        try:
            try:
                self._begin(call)
                return work(*args)
            finally:
                # A fork that the game made: it must not go on as a second table.
                if _process is not process:
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
                call.slot = self.note.begin(call.part)
                self._wind(self.note)
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
                    self._wind(self.note)
                    self.note.finish(call.slot)
            # The call is unregistered under the same lock, so `_look` can't raise in this thread
            # again.
            if call.raised:
                _let_arrive(call.thread)
                call.raised = False
        self._mine.call = None

    def _wind(self, note: HangNote) -> None:
        """Let the kernel end the process if nothing winds its timer again: it works even if no thread gets to its next
        bytecode.
        """
        note.wind(GRACE + HELD_LIMIT * self.patience if self._calls else 0.0)

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
            due = time.monotonic() + CHECK_EVERY
            time.sleep(CHECK_EVERY)
            quiet = 0.0 if self._calls else quiet + CHECK_EVERY
            with self._lock:
                self._look(now := time.monotonic(), max(0.0, now - due - CHECK_EVERY))

    def _look(self, now: float, held: float) -> None:
        if self.note is not None:
            self._wind(self.note)
        for call in self._calls.values():
            call.put_off(self.waited(call.native), held)
            if now > call.last and self.note is not None:
                self.note.end(call.part)
            if call.over(now):
                if not call.raised:
                    call.last = min(call.last, now + GRACE)
                call.raised, call.until = True, now + STOP_EVERY
                _raise(call.thread, TimeUp)


LOOKS: Final = Shrinking()
"""The limit for checks of installed games."""
WATCH: Final = Watch()
"""The watch of this process."""
