"""How this program starts other Python processes: with its own modules, and nothing from the current folder.

For `-m` and `-c`, Python puts the current folder, or an empty part of a path, before the standard library. Anyone who
can write a file there could replace any module of a child process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PYTHON: Final = (sys.executable, "-P")
"""The command for the interpreter without the current folder in its path."""
SAFE_PATH: Final = "PYTHONSAFEPATH"
"""The variable that does the same as `-P`, for command lines that are made elsewhere."""


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
