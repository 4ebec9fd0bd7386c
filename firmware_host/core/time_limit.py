"""Time limits for the code of games and bots. It runs in the table's threads, so code that hangs would stop the table.

One thread watches all calls. It raises `TimeUp` in the thread of a call that exceeds its limit or needs too much
memory, repeatedly if the code catches it. If a call cannot be stopped in this way, for example in a long `time.sleep`
or a huge power, the process ends; see `HangNote`. That thread also measures real time: while it cannot run, because
something holds the interpreter or the whole process is stopped, no time passes for any call.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import logging
import math
import os
import resource
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, TypeVar

from firmware_host.core.hang_note import PAGES, HangNote, Purpose, SignalStack, named_call, set_timer

T = TypeVar("T")

LIMIT: Final = 3.0
"""Processor seconds for an act, a picture or a page, for which people wait."""
START_LIMIT: Final = 20.0
"""The same for rare work: importing a game, folding a whole game again."""
CHECK_LIMIT: Final = 12.0
"""The same for one check of an installed game, until the first takes longer; see `Shrinking`."""
LEAST_LIMIT: Final = 1.0
"""Minimum seconds for such a check."""
TURN_LIMIT: Final = 10.0
"""Real seconds for all calls of a game in one turn of the table's loop, without waits for the processor.

Time between the calls does not count, because a slow disk is not the game's fault.
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
STOPPED_MOST: Final = TURN_LIMIT
"""Seconds after which the process ends if a thread is in a game's code outside of calls.

This happens when the interpreter deletes an object of a game and runs its `__del__`.
"""
HELD_LIMIT: Final = 12.0
"""Processor seconds for which a call may keep the interpreter from all other threads.

It applies whatever the limit of the call is; `GRACE` is added.
"""
MOST_GROWTH: Final = 96 << 20
"""Bytes by which the memory of a table may grow during a call.

With 60 MB at rest, it then stays within the 256 MB that systemd grants (MemoryMax), unless the memory fills up between
two checks.
"""
MUCH_MEMORY, LEAST_GROWTH = 200 << 20, 16 << 20
"""If a table uses the first number of bytes, its memory may grow only by the second one.

Earlier calls may have left data behind.
"""
CHECK_EVERY: Final = 0.1
"""Seconds between two checks of the running calls."""
LONGEST_PASSED: Final = 2 * CHECK_EVERY
"""Maximum seconds that count between two checks. If more have passed, the thread could not run."""
IDLE_AFTER: Final = 2.0
"""Seconds without a call until the thread sleeps."""
TIMER_EVERY: Final = 1.0
"""Seconds after which it sets the kernel's timer again while it sleeps. Threads that do not hold the interpreter may
use several processors meanwhile: eight of them for this time are less than `HELD_LIMIT`.
"""
LEAST_RECURSION, MOST_RECURSION = sys.getrecursionlimit(), 3000
"""The lowest and highest recursion limit of Python that a game may set.

With a higher one, deep recursion through functions in C, for example in a key for `sorted`, overflows the stack of a
thread (8 MiB), which ends the process.
"""

_raise: Final = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise.argtypes = [ctypes.c_ulong, ctypes.py_object]


_process = object()


def _note_fork() -> None:
    global _process
    _process = object()
    # A crash in a child process that a game has started does not count for the table.
    faulthandler.disable()
    for number in (signal.SIGVTALRM, signal.SIGPROF):
        faulthandler.unregister(number)


# Asking for the process ID at each call would take longer than most calls.
os.register_at_fork(after_in_child=_note_fork)


class TimeUp(BaseException):
    """A call has exceeded its limit. Not an `Exception`, so that `except Exception` in a game does not catch it."""


class LeftOut(TimeUp):
    """A game is not called, because it has stopped the table."""


class TooMuchMemory(TimeUp):
    """The memory of the table has grown by more than `MOST_GROWTH` during a call."""


def _let_arrive(thread: int) -> None:
    """Wait until an exception that another thread has raised in this one has arrived."""
    # Cancelling it instead would leave Python 3.11 interrupted at each call of every thread from then on; a profiler or
    # debugger would never get past the first call. If that exception has already arrived, this is another one.
    try:
        _raise(thread, TimeUp)
        while True:
            pass
    except TimeUp:
        pass


def waited(thread: int) -> float:
    """Return the seconds for which a thread of this process has waited for the processor.

    The thread is given by its native number. Returns 0.0 if the system does not count the seconds.
    """
    try:
        # proc(5): nanoseconds on the processor, nanoseconds waiting for it, time slices.
        with open(f"/proc/self/task/{thread}/schedstat", "rb", 0) as counts:
            return int(counts.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def memory() -> int:
    """Return the bytes of memory that this process uses; 0 if the system does not report it."""
    try:
        with open("/proc/self/statm", "rb", 0) as pages:
            return int(pages.read().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def free_memory() -> None:
    """Give memory that is no longer used back to the system."""
    gc.collect()
    with suppress(AttributeError):  # the C library may not have it
        ctypes.CDLL(None).malloc_trim(0)


def _game_of(frame: FrameType) -> str:
    """Return the game whose code runs in a frame, "" if the code belongs to no game."""
    package, _, rest = str(frame.f_globals.get("__name__")).partition(".")
    return rest.partition(".")[0].replace("_", "-") if package == "games" else ""


def _release_log() -> None:
    """Release the locks of `logging` that this thread holds: `TimeUp` can arrive between `acquire` and `try`."""
    handlers = [handler for it in logging._handlerList if (handler := it()) is not None]  # type: ignore[attr-defined]
    for lock in (logging._lock, *(handler.lock for handler in handlers)):  # type: ignore[attr-defined]
        # The lock of a handler that a game has added can have any type, or be missing.
        while getattr(lock, "_is_owned", bool)():
            lock.release()


class Shrinking:
    """A time limit for many calls in a row.

    Each call that takes too long halves the limit for the next ones, so a start ends within the 90 seconds that systemd
    waits, however many games hang.
    """

    def __init__(self, seconds: float = CHECK_LIMIT) -> None:
        self._first = self.seconds = seconds

    def shrink(self) -> None:
        """Halve the limit, because a call took too long."""
        self.seconds = max(LEAST_LIMIT, self.seconds / 2)

    def reset(self) -> None:
        """Restore the limit for the next row of calls."""
        self.seconds = self._first


class _Call:
    """A call that runs in `thread`, given by its number and its native one. All times are those of the watch thread."""

    def __init__(
        self, purpose: Purpose, thread: tuple[int, int], limit: float, now: float, deadline: float, waits: float
    ) -> None:
        """`waits` is how long its thread had waited for the processor at the last reading."""
        self.purpose, self.began, self.limit, self.deadline = purpose, now, limit, deadline
        self.thread, self.native = thread
        self.raised, self.stops_at, self.ends_at = False, now, math.inf
        """Whether the call was stopped, when it is stopped again, and when the process ends because of it."""
        self._processor, self._waits = math.inf, waits
        """The processor time of the thread at which the call reaches its limit, and `waits` as above."""
        self._memory = math.inf
        """The lowest memory use of the process since the call began."""

    def extend(self, waits: float, passed: float) -> None:
        """Extend the call's time by the seconds for which its thread has waited, at most by those `passed`."""
        longer = min(passed, max(0.0, waits - self._waits))
        # The rest counts at the next reading: this thread may have waited between reading the clock and reading the
        # waits.
        self._waits = min(waits, self._waits + longer)
        self.deadline += longer
        self.ends_at += longer

    def is_over(self, now: float) -> bool:
        """Return whether the call has taken too long. Use this only while the thread is still in the call."""
        spent = time.clock_gettime(time.pthread_getcpuclockid(self.thread))
        self._processor = min(self._processor, spent + self.limit)
        return now > self.deadline or spent > self._processor

    def needs_too_much(self, used: int) -> bool:
        """Return whether the process, which uses these bytes of memory, has grown too much since the call began."""
        self._memory = min(self._memory, used)
        return used > self._memory + (LEAST_GROWTH if used > MUCH_MEMORY else MOST_GROWTH)


class Watch:
    """Watches calls. `note` says what hung if a call cannot be stopped; without a note, such a call keeps running."""

    def __init__(self) -> None:
        self.note: HangNote | None = None
        self.patience = 1.0
        """Factor for all limits."""
        self.real_time_factor: float = REAL_TIME_FACTOR
        """How many times its limit a call may take in real time."""
        self.waited: Callable[[int], float] = waited
        self.left_out: frozenset[Purpose] = frozenset()
        """Calls that are refused, because they have hung an earlier process."""
        self._stopped: dict[int, tuple[int, float]] = {}
        """Threads in a game's code outside of calls, each with the frame of the game and the time since when."""
        self._lock = threading.Lock()
        self._noting, self._running = threading.Lock(), Counter[Purpose]()
        """The calls that the note records, and the lock that is held while it is written, taken before `_lock`."""
        self._calls: dict[int, _Call] = {}
        self._now = 0.0
        """Seconds for which the watch thread has run."""
        self._awake = threading.Event()
        self._thread: threading.Thread | None = None
        self._mine = threading.local()
        # A start runs in this thread, and its calls of games serve the game on the table.
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
        """Count the calls in this `with` block for a feature: if one hangs, only that feature is left out."""
        before = getattr(self._mine, "feature", PAGES)
        self._mine.feature = feature
        try:
            yield
        finally:
            self._mine.feature = before

    def leave_out(self, purposes: Iterable[Purpose]) -> None:
        """Refuse calls of these games for these features, as if they had taken too long."""
        self.left_out = frozenset(purposes)

    def _seconds_left(self, name: str) -> float:
        """Return the seconds that are left for the calls of a game in this turn; no limit in a thread without turns."""
        spent: dict[str, float] | None = getattr(self._mine, "spent", None)
        return math.inf if spent is None else TURN_LIMIT * self.patience - spent.get(name, 0.0)

    def _count_time(self, call: _Call) -> None:
        """Add the time of a call that has ended to the time of its game, without waits for the processor."""
        spent: dict[str, float] | None = getattr(self._mine, "spent", None)
        took = self._now - call.began
        # Reading the waits takes longer than most calls take, so don't read them if no time has passed.
        if spent is not None and took:
            waits = self.waited(call.native)
            # Subtract at most the time of the call: some of the waits may have been before it.
            took -= min(took, waits - self._mine.waits)
            self._mine.waits = waits
            spent[call.purpose.game] = spent.get(call.purpose.game, 0.0) + took

    def run(self, name: str, limit: float, work: Callable[..., T], *args: Any) -> T:
        """Return what `work` returns, for the game called `name`. Only the outermost limit counts.

        Raises what `work` raises, or `TimeUp` after `limit` seconds.
        """
        mine = self._mine.__dict__
        if mine.get("call") is not None:
            return work(*args)
        purpose, left = Purpose(name, mine.get("feature", PAGES)), self._seconds_left(name)
        if purpose in self.left_out:
            raise LeftOut
        if left <= 0:
            raise TimeUp
        if self.note is None or not self.note.is_noted(purpose):
            return self._run(purpose, limit * self.patience, left, work, args)
        try:
            self._note(purpose, 1)
            return self._run(purpose, limit * self.patience, left, work, args)
        finally:
            self._note(purpose, -1)

    def _run(self, purpose: Purpose, limit: float, left: float, work: Callable[..., T], args: tuple[Any, ...]) -> T:
        mine = self._mine.__dict__
        if (thread := mine.get("thread")) is None:
            thread = mine["thread"] = threading.get_ident(), threading.get_native_id()
            mine["stack"] = SignalStack()
        if not LEAST_RECURSION <= (recursion := sys.getrecursionlimit()) <= MOST_RECURSION:
            sys.setrecursionlimit(min(max(recursion, LEAST_RECURSION), MOST_RECURSION))
        now, process = self._now, _process
        deadline = now + min(self.real_time_factor * limit, left)
        call = _Call(purpose, thread, limit, now, deadline, mine.get("waits", math.inf))
        # `TimeUp` can arrive at any bytecode, also within `_end`. The outer block runs it a second time then.
        try:
            try:
                self._begin(call)
                result: T = named_call(purpose)(work, args)
                return result
            finally:
                # The game has forked; the new process must not continue as a second table.
                if _process is not process:
                    os._exit(os.EX_SOFTWARE)
                self._end(call)
        except TimeUp:
            self._end(call)
            raise

    def cut_short(self) -> None:
        """Give all running calls only a moment to end, because the table has to stop."""
        with self._lock:
            for call in self._calls.values():
                call.deadline = min(call.deadline, self._now + STOP_EVERY)

    def forget_note(self, started: bool = True, fault: bool = False, stopped: bool = False) -> None:
        """Close the note, if there is one; see `HangNote.close`."""
        with self._noting, self._lock:  # no thread may write to the file after it is closed
            note, self.note = self.note, None
        if note is not None:
            note.close(started, fault, stopped)

    def _begin(self, call: _Call) -> None:
        self._mine.call = call
        with self._lock:
            self._calls[call.thread] = call
            self._awake.set()
        if self._thread is None or not self._thread.is_alive():
            self._start()

    def _end(self, call: _Call) -> None:
        """Unregister a call, and clear an exception that was raised in this thread but has not arrived yet."""
        with self._lock:
            if self._calls.pop(call.thread, None) is not None:
                self._count_time(call)
            # The call is unregistered under the same lock, so `_check_calls` can't raise in this thread again.
            if call.raised:
                _let_arrive(call.thread)
                _release_log()
                call.raised = False
        self._mine.call = None

    def _note(self, purpose: Purpose, more: int) -> None:
        """Record that one `more` call for `purpose` runs, or one less.

        The time for writing to the disk counts for no limit, and calls that are not recorded do not wait for it.
        """
        with self._noting:
            self._running[purpose] += more
            with self._lock:
                content = None if self.note is None else self.note.set_calls(+self._running)
            if self.note is not None and content is not None:
                self.note.write_calls(content)

    def _set_timer(self) -> None:
        """Set the kernel's timer, which ends the process unless it is set again.

        The timer works even if no thread can run. This method is called once a second, which also shows that the
        process works.
        """
        if self.note is not None:
            self.note.check_time()
            held = HELD_LIMIT * self.patience
            set_timer(held, held + GRACE)

    def _start(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._set_timer()  # set it now, because the call may keep the new thread from doing so
                self._thread = threading.Thread(target=self._watch, name="time limits", daemon=True)
                self._thread.start()

    def _watch(self) -> None:
        # Otherwise this thread could get a signal that the main thread has blocked, and Python would interrupt it.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGUSR2})
        quiet, last = 0.0, time.monotonic()
        threads_at = last
        while True:
            if quiet > IDLE_AFTER:  # sleep until the next call, so that an idle table hardly uses the processor
                self._sleep()
                quiet = 0.0
            time.sleep(CHECK_EVERY)
            with self._lock:
                now = time.monotonic()
                held = now - last > HELD_LIMIT / 2 * self.patience
                passed, last = min(now - last, LONGEST_PASSED), now
                quiet = 0.0 if self._calls else quiet + passed
                if held and self.note is not None:
                    self.note.clear()
                self._check_calls(passed)
                if now - threads_at > TIMER_EVERY:
                    self._check_threads()
                    threads_at = now

    def _sleep(self) -> None:
        with self._lock:
            if not self._calls:
                self._awake.clear()
        # A thread that a game has started can hold the interpreter at any time.
        while not self._awake.wait(TIMER_EVERY):
            with self._lock:
                self._set_timer()
                self._check_threads()

    def _check_threads(self) -> None:
        """End the process if a thread of the table hangs in a game's code outside of calls."""
        now, stopped = time.monotonic(), dict[int, tuple[int, float]]()
        for thread, top in sys._current_frames().items() if self.note is not None else ():
            if thread not in self._calls and (found := self._inside_game(top)) is not None:
                game, frame = found
                before, since = self._stopped.get(thread, (frame, now))
                stopped[thread] = frame, since if before == frame else now
                if now - stopped[thread][1] > STOPPED_MOST * self.patience and self.note is not None:
                    self.note.end(Purpose(game))
        self._stopped = stopped

    @staticmethod
    def _dropped_by(top: FrameType) -> Purpose | None:
        """Return the game whose object a thread deletes. It may be another game than the one that the thread calls."""
        frames = (frame for frame, _ in traceback.walk_stack(top) if frame.f_code.co_name == "__del__")
        return next((Purpose(game) for game in map(_game_of, frames) if game), None)

    @staticmethod
    def _inside_game(top: FrameType) -> tuple[str, int] | None:
        """Return the game whose code a thread runs outside of calls, and an identifier of the first such frame."""
        found = None
        for frame, _ in traceback.walk_stack(top):
            if game := _game_of(frame):
                found = game, id(frame)
            elif str(frame.f_globals.get("__name__")).startswith(("firmware_host.", "web_panel.")):
                return found
        return None  # a thread that the game has started

    def _check_calls(self, passed: float) -> None:
        self._now += passed
        for call in self._calls.values():
            call.extend(self.waited(call.native), passed)
        self._set_timer()
        used = 0 if self.note is None else memory()
        for call in self._calls.values():
            if self._now > call.ends_at and self.note is not None:
                top = sys._current_frames().get(call.thread)
                self.note.end(call.purpose if top is None else self._dropped_by(top) or call.purpose)
            too_much = call.needs_too_much(used)
            if (call.is_over(self._now) or too_much) and self._now >= call.stops_at:
                if not call.raised:
                    call.ends_at = self._now + GRACE
                call.raised, call.stops_at = True, self._now + STOP_EVERY
                _raise(call.thread, TooMuchMemory if too_much else TimeUp)


GAME_CHECKS: Final = Shrinking()
"""The limit for checks of installed games."""
WATCH: Final = Watch()
"""The watch of this process."""
