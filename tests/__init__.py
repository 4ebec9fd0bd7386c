"""The tests. The test game in `tiny/` is found like the shipped games, because this folder is put on the path."""

import sys
from pathlib import Path
from pkgutil import extend_path

import games

TINY = str(Path(__file__).parent / "tiny")

if TINY not in sys.path:
    sys.path.append(TINY)
# The package may have been imported while the path was shorter.
games.__path__ = extend_path(games.__path__, games.__name__)
