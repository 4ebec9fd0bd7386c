"""What the commands share: printing an error."""

from __future__ import annotations

import sys


def fail(code: int, sentence: str) -> int:
    """Print an error without control characters, and return the exit code."""
    print("".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in sentence), file=sys.stderr)
    return code
