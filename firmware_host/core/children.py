"""Child processes: starting Python with this program's modules, and limiting what forks of this process inherit.

For `-m` and `-c`, Python puts the current folder, or an empty part of a path, before the standard library. Anyone who
can write a file there could replace any module of a child process.

A game can fork, for example with `multiprocessing`. The new process has all that is open here, and may outlive the
table: its locks and ports would stay taken.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol, TypeVar
from weakref import WeakSet

from firmware_host.core.time_limit import WATCH

PYTHON: Final = (sys.executable, "-P")
"""The command for the interpreter without the current folder in its path."""
SAFE_PATH: Final = "PYTHONSAFEPATH"
"""The environment variable with the effect of `-P`, for command lines that other code creates."""
OOM_SCORE: Final = "1000"
"""The process is the first that Linux ends when memory runs out. Otherwise it would end the largest: the table, if many
bots together use too much.
"""
MEMORY_LIMIT: Final = 128 << 20
"""Maximum bytes of its data. Bots need 30 MB, an analysis 45 MB, and a whole table has 256 MB (MemoryMax)."""
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def serve(niceness: int, answers: Callable[[Iterator[bytes]], Iterable[bytes]]) -> None:
    """In a child process, which the table ends: write each line that `answers` returns for those of standard input.
    Disturb the table as little as possible.
    """
    # the process can wait for the processor for any time, which is not the fault of a game
    WATCH.real_time_factor = math.inf
    with suppress(OSError):  # a sandbox may forbid it; then it runs at the table's priority
        os.nice(niceness)
    with suppress(OSError):  # forbidden, or on another system
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE, "ascii")
    with suppress(OSError, ValueError):  # forbidden, or the limit is already lower
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))
    for stop in STOP_SIGNALS:  # some service managers signal every process; the table ends this one
        signal.signal(stop, signal.SIG_IGN)
    # Text that a bot prints must not be mixed with the answers.
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    for answer in answers(iter(sys.stdin.buffer)):
        out.write(answer + b"\n")
        out.flush()


class _Closable(Protocol):
    def close(self) -> object: ...


T = TypeVar("T", bound=_Closable)
_ours: Final = WeakSet[_Closable]()


def keep_from_forks(opened: T) -> T:
    """Return a lock or a listening socket. It is closed in each fork of this process, but not here."""
    _ours.add(opened)
    return opened


def _close_ours() -> None:
    for opened in [*_ours]:
        opened.close()


os.register_at_fork(after_in_child=_close_ours)


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a child process, which finds the same modules as this process."""
    # An empty or relative path would refer to the current folder of the child.
    paths = os.pathsep.join(path for path in sys.path if os.path.isabs(path))
    return {**os.environ, "PYTHONPATH": paths, SAFE_PATH: "1", **more}


def start(program: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a process with a pipe to it and one from it. Raises `OSError`."""
    return subprocess.Popen(
        program,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # Only this process handles Ctrl-C, and then ends the other one. A bot whose process ended first would be
        # replaced.
        process_group=0,
        env=environment(),
    )


def kill(child: subprocess.Popen[bytes]) -> None:
    """End a process that was started here, with those that it has started. From any thread."""
    child.kill()  # separately, because it may have left its group
    with suppress(OSError):  # none is left
        os.killpg(child.pid, signal.SIGKILL)
