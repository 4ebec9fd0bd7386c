"""Standard output and error, which a game can close or replace while it is imported or played."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


@contextmanager
def kept_streams() -> Iterator[None]:
    """Restore standard output and error after the block, and the three standard descriptors, whatever it has done with
    them. A stream that the block has opened for a descriptor closes it, and what is opened next would get its number.
    """
    before, copies = (sys.stdout, sys.stderr), [_copy(number) for number in range(3)]
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before  # frees the streams of the block
        for number, copy in enumerate(copies):
            if copy is not None:
                if not _is_same(number, copy):
                    os.dup2(copy, number)
                os.close(copy)
        repair_streams()


def _copy(number: int) -> int | None:
    try:
        return os.dup(number)
    except OSError:  # closed, as in a process without output
        return None


def _is_same(number: int, copy: int) -> bool:
    try:
        return os.path.sameopenfile(number, copy)
    except OSError:
        return False


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
