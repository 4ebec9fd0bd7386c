"""What the doctor works with: the machine that is looked at, and what was found of it."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from firmware_host.core.settings import NONE, Settings, listed

GOOD, ODD, BAD = "good", "odd", "bad"
"""All is well · works, but should be looked at · the table cannot do its work so."""


class Finding(Struct, frozen=True):
    """What was looked at, how it is (`good`, `odd`, `bad`), what was found, and what to do (nothing, if good)."""

    what: str
    state: str
    found: str
    remedy: str = ""


def has_module(name: str) -> bool:
    """Whether a library can be imported."""
    return importlib.util.find_spec(name) is not None


def nobody_asks(pattern: str) -> tuple[str, str]:
    """For a machine whose ports are only files: nothing is opened."""
    return "", ""


def no_broker(settings: Settings) -> str:
    """For a machine that is only files: no broker is asked."""
    return ""


class Machine(Struct, frozen=True):
    """The machine as seen by the table's user: where its files are, what the clock says, who the user is.

    `has` tells whether a library is there. `ask` opens the board's port and gives how that went (`good`, `odd`, `bad`,
    or nothing if nobody asked) and what was said. `broker` tries the MQTT broker out, and gives why it cannot be used,
    if that is so.
    """

    root: Path
    now: datetime
    groups: frozenset[str]
    superuser: bool = False
    has: Callable[[str], bool] = has_module
    ask: Callable[[str], tuple[str, str]] = nobody_asks
    broker: Callable[[Settings], str] = no_broker

    def read(self, path: str) -> str:
        """A file's text; empty where it is not there or may not be read."""
        try:
            return (self.root / path).read_text("utf-8", "replace")
        except OSError:
            return ""

    def any(self, *patterns: str) -> list[str]:
        """The paths that are there, of these patterns."""
        return sorted(f"/{path.relative_to(self.root)}" for pattern in patterns for path in self.root.glob(pattern))

    def may_use(self, path: str) -> bool:
        """Whether this process may read and write a device."""
        return os.access(self.root / path.lstrip("/"), os.R_OK | os.W_OK)


def used(settings: Settings) -> tuple[str, ...]:
    """The drivers that the settings name."""
    names = (settings.board, settings.lamps or settings.board, *listed(settings.controls))
    return tuple(name for name in dict.fromkeys(names) if name != NONE)
