"""What makes the tests quicker by replacing parts of libraries. Importing this module replaces them.

After an upgrade of Jinja or Hypothesis, a replacement may no longer fit: the panel's tests then fail at their first
request, or reading the program takes time again. Without it, they are slower, and otherwise the same.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from hypothesis.internal.conjecture import providers
from jinja2.bccache import Bucket, BytecodeCache

from engine.game import Game
from firmware_host.core import installed
from firmware_host.core.guarded import guarded
from games import find, folder
from web_panel.failures import PanelApp

real_scrypt = hashlib.scrypt
"""The slow hash of PINs. Each costs 40 ms of CPU time, minutes for all seats that tests take.

Tests that measure this work, or share hashes with another process, have the mark `true_hashes`.
"""


def quick_scrypt(password: bytes, *, n: int, **rest: Any) -> bytes:
    """Hash with the least work."""
    return real_scrypt(password, n=2, **rest)


hashlib.scrypt = quick_scrypt  # type: ignore[assignment]


providers._get_local_constants = lambda: providers._local_constants
"""Examples contain no numbers and words of the program.

Hypothesis would read every module of the program in each worker, and its examples would depend on which modules a
worker has loaded, and change with every constant in the program.
"""


class CompiledTemplates(BytecodeCache):
    """The compiled templates of all panels."""

    def __init__(self) -> None:
        self._compiled: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take over a template that an earlier panel has compiled."""
        if found := self._compiled.get(bucket.key):
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template for later panels."""
        self._compiled[bucket.key] = bucket.bytecode_to_string()


PanelApp.jinja_options = PanelApp.jinja_options | {"bytecode_cache": CompiledTemplates()}
"""Compiling a page's templates takes as long as starting its panel."""


real_load = installed._load
own_games = Path(__file__).resolve().parents[1] / "games"
good: dict[str, Game] = {}
"""The project's own games in which no fault was found, as they were imported.

Each table that a test opens with a game of its own would check all games again.
"""


def load_of_changed(name: str) -> Game:
    """Check a game as a start does, unless it was found good in this process."""
    if name in good and good[name] is find(name):
        return guarded(good[name])
    game = real_load(name)
    if (own_games / folder(name)).is_dir():
        good[name] = find(name)
    return game


installed._load = load_of_changed
