"""Standard output and error, which a game can close or replace while it is imported or played."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


@contextmanager
def kept_streams() -> Iterator[None]:
    """Restore standard output and error after the block, whatever it has done with them."""
    before = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdout, sys.stderr = (_usable(stream, number) for number, stream in enumerate(before, start=1))


def repair_streams() -> None:
    """Open standard output and error again if they were closed."""
    sys.stdout, sys.stderr = _usable(sys.stdout, 1), _usable(sys.stderr, 2)


def _usable(stream: TextIO, number: int) -> TextIO:
    """Return a stream, or a new one for its descriptor if it was closed."""
    try:
        if stream is None or not stream.closed:  # None in a process without output
            return stream
    except (ValueError, AttributeError):  # its buffer was taken away, or it is not a stream
        pass
    try:
        return open(number, "w", 1, "utf-8", "backslashreplace", closefd=False)
    except OSError:  # the descriptor was closed, too
        return open(os.devnull, "w")
