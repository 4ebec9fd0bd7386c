"""Child processes: how this program starts Python with its own modules, and what a fork of this process gets.

For `-m` and `-c`, Python puts the current folder, or an empty part of a path, before the standard library. Anyone who
can write a file there could replace any module of a child process.

A game can fork, for example with `multiprocessing`. The new process has all that is open here, and may outlive the
table: its locks and ports would stay taken.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol, TypeVar
from weakref import WeakSet

PYTHON: Final = (sys.executable, "-P")
"""The command for the interpreter without the current folder in its path."""
SAFE_PATH: Final = "PYTHONSAFEPATH"
"""The variable that does the same as `-P`, for command lines that are made elsewhere."""


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
    # An empty or relative entry would mean the current folder of the child.
    paths = os.pathsep.join(path for path in sys.path if os.path.isabs(path))
    return {**os.environ, "PYTHONPATH": paths, SAFE_PATH: "1", **more}


@contextmanager
def without_current_folder() -> Iterator[None]:
    """Keep the current folder out of the path of processes that `multiprocessing` starts in the block."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(SAFE_PATH, None)
        else:
            os.environ[SAFE_PATH] = before
