"""How deep random play goes: `DEPTH=20 make test` tries twenty times as many games as usual."""

from __future__ import annotations

import os

DEPTH = int(os.environ.get("DEPTH", "1"))


def seeds(number: int) -> range:
    """The seeds of so many random games, or of `DEPTH` times as many."""
    return range(number * DEPTH)
