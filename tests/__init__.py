"""The tests. The game in `tiny/` is found like those of the house, because its folder is on Python's path."""

import sys
from pathlib import Path
from pkgutil import extend_path

import games

TINY = str(Path(__file__).parent / "tiny")

if TINY not in sys.path:
    sys.path.append(TINY)
games.__path__ = extend_path(games.__path__, games.__name__)  # it may have been imported with a shorter path
