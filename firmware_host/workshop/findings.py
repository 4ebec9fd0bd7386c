"""The machine that the doctor examines, its findings, and the owner of the files in a state folder."""

from __future__ import annotations

import importlib.util
import os
import stat
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from firmware_host.core.settings import NO_DRIVER, Settings, listed

GOOD, ODD, BAD = "good", "odd", "bad"
"""Good · works, but needs attention · the table cannot work like this."""


ROOT_USER = 0


class Finding(Struct, frozen=True):
    """What was checked, its state (`good`, `odd`, `bad`), what was found, and what to do (empty if good)."""

    what: str
    state: str
    found: str
    remedy: str = ""


def has_module(name: str) -> bool:
    """Return whether a library can be imported."""
    return importlib.util.find_spec(name) is not None


class Machine(Struct, frozen=True):
    """The machine as seen by the table's user: its files, its clock and the user's groups.

    - `has`: whether a library can be imported.
    - `ask`: opens the board's port and returns (state, sentence). State is empty if no port was opened.
    - `broker`: tries the MQTT broker and returns why it cannot be used, or "".
    - `options`: with which `sniperboard hw` uses the same board, with a space before each.
    """

    root: Path
    now: datetime
    groups: frozenset[str]
    superuser: bool = False
    has: Callable[[str], bool] = has_module
    ask: Callable[[str], tuple[str, str]] = lambda _: ("", "")
    broker: Callable[[Settings], str] = lambda _: ""
    options: str = ""

    def read(self, path: str) -> str:
        """Return a file's text, or "" if it is missing or not readable."""
        try:
            return (self.root / path).read_text("utf-8", "replace")
        except OSError:
            return ""

    def any(self, *patterns: str) -> list[str]:
        """Return the existing paths that match these patterns."""
        return sorted(f"/{path.relative_to(self.root)}" for pattern in patterns for path in self.root.glob(pattern))

    def may_use(self, path: str) -> bool:
        """Return whether this process may read and write a device."""
        return os.access(self.root / path.lstrip("/"), os.R_OK | os.W_OK)


def drivers_used(settings: Settings) -> tuple[str, ...]:
    """Return the drivers that the settings name."""
    names = (settings.board, settings.lamps or settings.board, *listed(settings.controls))
    return tuple(name for name in dict.fromkeys(names) if name != NO_DRIVER)


def foreign_paths(state: Path) -> Iterator[Path]:
    """Yield all paths in the folder that have another owner than the folder. Raises `OSError`."""
    owner = state.stat().st_uid
    # Without `onerror`, a folder that cannot be read would count as empty.
    for folder, folders, files in os.walk(state, onerror=_raise):
        for name in (*folders, *files):
            path = Path(folder, name)
            if path.lstat().st_uid != owner:
                yield path


def _raise(error: OSError) -> None:
    raise error


def hand_over(state: Path) -> None:
    """As root, give root's files in the folder to the folder's owner, because the service does not run as root.

    Links are not followed. A file with a second hard link is skipped: it may be a system file.
    """
    if os.geteuid() != ROOT_USER or not state.is_dir():
        return
    heir = state.stat()
    for path in list(foreign_paths(state)):
        found = path.lstat()
        if found.st_uid == ROOT_USER and (stat.S_ISDIR(found.st_mode) or found.st_nlink == 1):
            os.chown(path, heir.st_uid, heir.st_gid, follow_symlinks=False)
