"""How this program starts other Python processes: with its own modules, and with nothing from the current folder.

Python puts the current folder, or what was empty in a path, before the standard library for `-m` and `-c`. Anybody who
can write a file there could replace any module of a child process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PYTHON: Final = (sys.executable, "-P")
"""The interpreter, which does not look for modules in the current folder."""
SAFE_PATH: Final = "PYTHONSAFEPATH"
"""The variable that does the same as `-P`, for processes whose command line is made elsewhere."""


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a child process: it finds the modules that this process finds, and so do its own
    children.
    """
    paths = os.pathsep.join(path for path in sys.path if os.path.isabs(path))
    return {**os.environ, "PYTHONPATH": paths, SAFE_PATH: "1", **more}


@contextmanager
def safe_path() -> Iterator[None]:
    """Start processes with `multiprocessing` meanwhile: none of them looks for modules in the current folder."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(SAFE_PATH, None)
        else:
            os.environ[SAFE_PATH] = before
