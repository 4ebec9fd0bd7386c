"""What the commands share: printing an error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping


def fail(code: int, sentence: str) -> int:
    """Print an error without control characters, and return the exit code."""
    print("".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in sentence), file=sys.stderr)
    return code


def exit_code_of(work: Callable[[], int], codes: Mapping[type[Exception], int]) -> int:
    """Return the exit code of `work`. If `work` raises one of these types of error, print it and return its code."""
    try:
        return work()
    except tuple(codes) as error:
        # If several types match, the most specific one counts.
        return fail(next(codes[kind] for kind in type(error).__mro__ if kind in codes), str(error))
