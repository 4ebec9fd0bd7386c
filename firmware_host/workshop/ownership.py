"""Whose the files of a state folder are. Root may work there, but what it leaves must be the folder's owner's: the
service is no root, and could not write its own notes any more.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

ROOT_USER = 0


def strangers(state: Path) -> Iterator[Path]:
    """What lies below the folder and belongs to somebody else than the folder itself. Raises `OSError`."""
    owner = state.stat().st_uid
    for folder, folders, files in os.walk(state, onerror=_raise):
        for name in (*folders, *files):
            path = Path(folder, name)
            if path.lstat().st_uid != owner:
                yield path


def _raise(error: OSError) -> None:
    raise error


def hand_over(state: Path) -> None:
    """As root: give what root has left below the folder to the folder's owner.

    Links are not followed, and a file with a second name is left alone: it may be one of the machine's own.
    """
    if os.geteuid() != ROOT_USER or not state.is_dir():
        return
    heir = state.stat()
    for path in list(strangers(state)):
        found = path.lstat()
        if found.st_uid == ROOT_USER and (stat.S_ISDIR(found.st_mode) or found.st_nlink == 1):
            os.chown(path, heir.st_uid, heir.st_gid, follow_symlinks=False)
