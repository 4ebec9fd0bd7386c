"""The tests. The game in `tiny/` is found like those of the house, because its folder is on Python's path."""

import sys
from pathlib import Path

TINY = str(Path(__file__).parent / "tiny")

if TINY not in sys.path:
    sys.path.append(TINY)
