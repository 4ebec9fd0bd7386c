"""Owner of the files in a state folder.

Files that root leaves there must belong to the folder's owner, because the service does not run as root.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

ROOT_USER = 0


def strangers(state: Path) -> Iterator[Path]:
    """Yield all paths in the folder that have another owner than the folder. Raises `OSError`."""
    owner = state.stat().st_uid
    for folder, folders, files in os.walk(state, onerror=_raise):
        for name in (*folders, *files):
            path = Path(folder, name)
            if path.lstat().st_uid != owner:
                yield path


def _raise(error: OSError) -> None:
    raise error


def hand_over(state: Path) -> None:
    """As root, give root's files in the folder to the folder's owner.

    Links are not followed. A file with a second hard link is skipped: it may be a system file.
    """
    if os.geteuid() != ROOT_USER or not state.is_dir():
        return
    heir = state.stat()
    for path in list(strangers(state)):
        found = path.lstat()
        if found.st_uid == ROOT_USER and (stat.S_ISDIR(found.st_mode) or found.st_nlink == 1):
            os.chown(path, heir.st_uid, heir.st_gid, follow_symlinks=False)
