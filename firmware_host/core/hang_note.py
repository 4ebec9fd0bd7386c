"""Record which game hung a process, so that the next start leaves that game out.

If a call cannot be stopped, for example a huge power, the process ends, and `faulthandler` appends a trace to a file.
Each call of a game goes through a frame that contains the name of the game, so the trace shows which game hung. A later
start tries again with that game, so leaving out too much does little harm.
"""

from __future__ import annotations

import ctypes
import faulthandler
import math
import mmap
import os
import re
import select
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, Final, NamedTuple

import msgspec

from hardware.files import read_regular

PROVED_AFTER: Final = 60.0
"""Seconds after which an open table counts as working."""
MOST_DEATHS: Final = 5
"""So many processes in a row must die in calls for one purpose before the next one leaves that purpose out.

Processes whose table was open for `PROVED_AFTER` seconds don't count. After the same number of further deaths, the
next of the `STAGES` is left out instead. A power cut shortly after a start is possible, but not this often.
"""
MOST_FAULTS: Final = 2
"""So many tables in a row must stop because of a fault before the next process leaves out a game.

It is the game that was on the screens each time. Unlike a death, a fault cannot be caused by a power cut.
"""


class Purpose(NamedTuple):
    """The purpose of a call: one of the table's `FEATURES`, or "" for the game on the table."""

    game: str
    feature: str = ""

    @classmethod
    def read(cls, text: str) -> Purpose:
        """Return the purpose that `str` has written."""
        return cls(*text.rsplit("/", 1)) if "/" in text else cls(text)

    def __str__(self) -> str:
        return "/".join(filter(None, self))


ALL_BUT_RUNNING, ALL_BUT_DEFAULT, DEFAULT_AND_RUNNING = STAGES = Purpose("?"), Purpose("*"), Purpose("!")
"""The stages of what is left out if no one knows why processes have died.

First these are all games but the default one and the one on the table, then the one on the table as well, then only
these two. After that, the stages begin again.
"""
LESSONS, MISSIONS, PUZZLES, PAST_GAMES, PAGES = FEATURES = "lessons", "missions", "puzzles", "past-games", "pages"
"""`PAGES` are optional parts of pages, for example the decoration of a map.

It is the default outside the table's thread.
"""


@lru_cache(maxsize=256)
def named_call(purpose: Purpose) -> Callable[[Callable[..., Any], tuple[Any, ...]], Any]:
    """Return a function that calls another one; in a trace, its name shows the `purpose`."""

    def call(work: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        return work(*args)

    return FunctionType(call.__code__.replace(co_filename=f"<called for {purpose}>"), {"__name__": __name__})


class _StackPlace(ctypes.Structure):
    """`stack_t` of sigaltstack(2) on Linux."""

    _fields_ = (("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


class SignalStack:
    """Memory in which the signal handlers of this thread run, as long as this exists.

    Without it, no trace can be written if code overflows the stack of its thread; Python provides it for the main
    thread only.
    """

    SIZE: Final = 1 << 16
    DISABLED: Final = 2

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, self.SIZE)
        self._set(0)

    def _set(self, flags: int) -> None:
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        with suppress(AttributeError):  # the C library may not have it
            ctypes.CDLL(None).sigaltstack(ctypes.byref(_StackPlace(start, flags, self.SIZE)), None)

    def __del__(self) -> None:
        self._set(self.DISABLED)


_CALLED = re.compile(r'^  File "<called for ([^>"]+)>"', re.M)
_FILE = re.compile(r'^  File "([^"]+)"', re.M)
_DROPPED = re.compile(r'^  File "([^"]+)", line \d+ in __del__$', re.M)
_CUT_OFF = "..."
"""Ends the trace of a thread with more than 100 frames. Such a trace lacks the purpose of the call."""
_CURRENT = re.compile(r"^(?:Current thread|Culprit) .*\n(?:  .*\n?)*", re.M)
_THREAD = re.compile(r"^(?:Current thread|Thread) .*\n(?:  .*\n?)*", re.M)


class _Header(msgspec.Struct):
    """The part of the note before the trace.

    `running` has the purposes of the current calls; once the process has `proved` that it works, only features.
    `deaths` counts the earlier processes in a row that died before that point, by the purpose of their call, "" for
    none or several. `stops` counts those that a signal ended. A process that `ended` for a known reason is not counted.
    `faults` counts the processes in a row whose table a fault stopped, by the game on the screens. `opened` is whether
    the table was open, and `boot` is the start of the machine in which the process ran.
    """

    left_out: list[str] = []
    running: list[str] = []
    deaths: dict[str, int] = {}
    faults: dict[str, int] = {}
    stops: int = 0
    opened: bool = False
    proved: bool = False
    ended: bool = False
    boot: str = ""

    def counted(self) -> dict[str, int]:
        """Return `deaths`, including the process that wrote this header."""
        if self.proved:
            return {}
        now = self.running[0] if len(self.running) == 1 else ""
        return self.deaths if self.ended else {**self.deaths, now: self.deaths.get(now, 0) + 1}


LARGEST: Final = 1 << 26
"""Bytes of a note that are read. A trace has at most 100 threads with 100 lines each."""


def this_boot() -> str:
    """Return the ID of this start of the machine; "" if the system has none."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return ""


def _read(path: Path) -> tuple[_Header, str]:
    """Return the header and the trace of a note; parts that cannot be read are empty."""
    header, content = _Header(ended=True), b""
    # A damaged disk can leave bytes that are not UTF-8, which raise another kind of ValueError.
    with suppress(OSError, ValueError, msgspec.MsgspecError, RecursionError):
        content = read_regular(path, LARGEST)
        header = msgspec.json.decode(content[: HangNote.ROOM].rstrip(), type=_Header)
    return header, content[HangNote.ROOM :].decode("ascii", "replace")


class HangNote:
    """The file that records which call hung this process.

    If a call holds the interpreter, the kernel's timer or systemd's watchdog ends the process, and `faulthandler`
    appends a trace. It does the same if a call crashes. Several traces are written before the end, because the kernel
    sends a timer's signal to the thread that is running, which may be another one for a moment. After a power cut, or
    if a game kills the process or uses all memory, there is no trace. So the deaths of processes are counted until one
    has proved that it works. Until then, each call is written to the file; after that, only calls for features, which
    anyone can repeat: if the process of an open table dies in one, the next process leaves that feature out.
    """

    ROOM: Final = 4096
    """Bytes of the header, in front of the trace."""
    on_screens = ""
    """The game that a fault of the table is blamed on; "" for none."""

    def __init__(self, path: Path, left_out: Iterable[Purpose] = ()) -> None:
        """Call this in the main thread, because it sets a signal handler.

        `left_out` is what this process leaves out. Raises `OSError`.
        """
        before, _ = _read(path)
        stops, faults = (0, {}) if before.proved else (before.stops, before.faults)
        self._header = _Header(
            [*map(str, left_out)], deaths=before.counted(), faults=faults, stops=stops, boot=this_boot()
        )
        # Written in place, not mapped into memory: if the disk is full, writing to a mapped page would end the process.
        # O_NOFOLLOW, because a link at this path could lead to any file.
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        self._proved_at = math.inf
        self._write()
        self.clear()
        faulthandler.register(signal.SIGVTALRM, file=self._file, all_threads=True)
        # With `chain`, the previous handler is called after the trace: by default, SIGPROF ends the process.
        faulthandler.register(signal.SIGPROF, file=self._file, all_threads=True, chain=True)
        faulthandler.enable(self._file, all_threads=True)  # for SIGABRT from the watchdog, and for SIGSEGV

    @classmethod
    def read(cls, path: Path, game_of: Callable[[str], str | None]) -> tuple[Purpose, ...]:
        """Return what the next process should leave out.

        `game_of` returns the game that a source file belongs to, if any. This is what hung the last process. If its
        table was open for less than `PROVED_AFTER`, the parts that it left out stay left out, too.
        """
        header, trace = _read(path)
        # After a power cut, the content of the file can be older than the last call.
        known = (header.opened or header.proved) and not trace and header.boot == this_boot()
        died_in = [it for it in map(Purpose.read, header.running) if it.feature and known]
        if header.proved and not trace and not died_in:
            return ()
        before = tuple(it for it in map(Purpose.read, header.left_out) if it not in STAGES)
        deaths = header.counted()
        accused = tuple(Purpose.read(it) for it, number in deaths.items() if it and number >= MOST_DEATHS)
        others = sum(deaths.values()) + header.stops - (MOST_DEATHS if accused else 0)
        proven = tuple(Purpose(it) for it, number in header.faults.items() if number >= MOST_FAULTS)
        stage = others // MOST_DEATHS % (len(STAGES) + 1)
        if stage:  # the calls are not the cause, but perhaps a thread of another game
            before, accused = tuple(it for it in before if it not in accused), ()
        culprits = (*_culprits(trace, game_of, before), *died_in)
        return tuple(dict.fromkeys((*STAGES[stage - 1 : stage], *culprits, *accused, *proven, *before)))

    def opened(self) -> None:
        """Note that the table is open: from now on, passing time proves that it works. Call this in the main thread."""
        faulthandler.enable(self._file, all_threads=True)  # set it again, because a game may have chosen another file
        self._proved_at, self._header.opened = time.monotonic() + PROVED_AFTER, True
        self._write()

    def check_time(self) -> None:
        """Note that the process works, if it has done so for long enough."""
        if time.monotonic() > self._proved_at:
            self.prove()

    def prove(self) -> None:
        """Record that the process works: a later death in a call does not count."""
        if not self._header.proved:
            self._header.proved, self._header.running = True, []
            self._write()

    def clear(self) -> None:
        """Remove the traces so far, because the process has continued. New ones are written after the header."""
        with suppress(OSError):
            os.ftruncate(self._file, self.ROOM)
            os.lseek(self._file, self.ROOM, os.SEEK_SET)

    def is_noted(self, purpose: Purpose) -> bool:
        """Return whether calls for this purpose are recorded now."""
        return bool(purpose.feature) or not self._header.proved

    def set_calls(self, purposes: Iterable[Purpose]) -> bytes:
        """Set the purposes of the current calls. Return what has to be stored."""
        self.check_time()
        self._header.running = sorted({str(purpose) for purpose in purposes if self.is_noted(purpose)})
        return self._content()

    def _content(self) -> bytes:
        # Purposes that do not fit are not recorded, so the next start tries them again.
        while len(content := msgspec.json.encode(self._header)) > self.ROOM and self._header.left_out:
            self._header.left_out.pop()
        return content[: self.ROOM].ljust(self.ROOM)

    def write_calls(self, content: bytes) -> None:
        """Store what `set_calls` has returned."""
        # A full disk must not stop the game. If it is full, a hang is not recorded, but the process still ends.
        with suppress(OSError):
            os.pwrite(self._file, content, 0)

    def _write(self) -> None:
        self.write_calls(self._content())

    def end(self, purpose: Purpose) -> None:
        """End the process now, because this call does not end.

        The note blames only this call, and none in other threads.
        """
        with suppress(OSError):
            os.write(self._file, f'Culprit found:\n  File "<called for {purpose}>"\n\n'.encode())
            faulthandler.dump_traceback(self._file, all_threads=True)
        sentence = f"The game {purpose.game} does not end. The table stops; the next start leaves it out."
        # Write no output: on a stopped terminal, that would block the process for ever.
        with suppress(OSError, ValueError):
            if select.select((), (2,), (), 1.0)[1]:
                os.write(2, f"{sentence}\n".encode())
        # A normal exit would wait for the thread that hangs.
        os._exit(os.EX_SOFTWARE)

    def close(self, started: bool = True, fault: bool = False, stopped: bool = False) -> None:
        """Stop the timer.

        Delete the note if the process has `started`; if not, the next process still needs it. With a `fault`, or if a
        signal has `stopped` the process, this end is counted, unless the process has proved that it works.
        """
        set_timer(0.0, 0.0)
        faulthandler.unregister(signal.SIGVTALRM)
        faulthandler.unregister(signal.SIGPROF)
        faulthandler.disable()
        if self._header.proved or (started and not fault and not stopped):
            with suppress(OSError):  # the disk may have failed meanwhile
                os.ftruncate(self._file, 0)
        elif not fault:
            if started:
                self._header.left_out, self._header.deaths, self._header.faults = [], {}, {}
            self._header.stops += stopped
            self._header.ended = True
            self._write()
        elif self.on_screens:
            before = self._header.faults.get(self.on_screens, 0)
            self._header.faults = {**self._header.faults, self.on_screens: before + 1}
            self._header.ended = True  # the cause of this end is known
            self._write()
        os.close(self._file)


TRACE_EVERY: Final = 0.2
"""Seconds between two traces of a process that is held."""


def set_timer(held: float, end: float) -> None:
    """Let the kernel end the process after `end` seconds of processor time, unless this is called again; 0 for never.
    It writes traces from `held` seconds on. Time during which the process is suspended does not count.
    """
    signal.setitimer(signal.ITIMER_VIRTUAL, held, TRACE_EVERY)
    signal.setitimer(signal.ITIMER_PROF, end)


def _culprits(trace: str, game_of: Callable[[str], str | None], before: tuple[Purpose, ...]) -> tuple[Purpose, ...]:
    """Return what hung: the purpose of the call in the thread that used the processor, or the game whose code it ran.

    If that is unknown, return everything that ran: it is better to leave out too much than to hang at each start.
    `before` is what is left out already.
    """

    def purpose(thread: str) -> Purpose | None:
        # Python can delete an object of one game during a call of another one.
        called, dropped = _CALLED.search(thread), _DROPPED.findall(thread)
        if called and not dropped:
            return Purpose.read(called[1])
        # `faulthandler` writes other letters than ASCII as escapes.
        files = (file.encode().decode("unicode_escape", "replace") for file in dropped or _FILE.findall(thread))
        feature = _CUT_OFF if f"\n  {_CUT_OFF}\n" in thread else ""
        of_files = next((Purpose(game, feature) for game in map(game_of, files) if game is not None), None)
        return Purpose.read(called[1]) if of_files is None and called else of_files

    ((found, _),) = Counter(map(purpose, _CURRENT.findall(trace))).most_common(1) or [(None, 0)]
    threads = map(purpose, _THREAD.findall(trace)) if found is None else [found]
    culprits = dict[Purpose, None]()
    for it in filter(None, threads):
        features = [Purpose(it.game, feature) for feature in FEATURES] if it.feature == _CUT_OFF else []
        # Leave out the game's features first, because the game itself may be the one on the table.
        culprits |= dict.fromkeys([each for each in features if each not in before] or [it])
    return tuple(it._replace(feature=it.feature.removeprefix(_CUT_OFF)) for it in culprits)
