"""Read and replace small files safely: a pipe can't block, and a device can't fill the memory."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import IO, TypeVar

import msgspec

LARGEST_FILE = 1 << 20
"""Maximum bytes of a file with settings, wiring, places or certificates."""

FileStamp = tuple[int, int, int]

T = TypeVar("T")


def read_regular(path: Path, most: int = LARGEST_FILE) -> bytes:
    """Return the content of a file. Raises `OSError`, also for a pipe, a device or a folder (`EINVAL`), and for more
    than `most` bytes (`EFBIG`).
    """
    if not stat.S_ISREG(path.stat().st_mode):  # opening some devices has effects
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    # A pipe that takes the file's place after the check must not block the open.
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content


def read_json(path: Path, form: type[T], most: int = LARGEST_FILE) -> T:
    """Return the content of a JSON file. Raises `OSError` as `read_regular` does, and `ValueError` if the content is
    not text, not JSON, nested too deeply or of the wrong form. Its message is meant to follow the file's name.
    """
    try:
        return msgspec.json.decode(read_regular(path, most), type=form)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def file_stamp(path: Path) -> FileStamp | None:
    """Return values that change when a regular file is replaced; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    # A replaced file has another inode number, even if time and size are the same.
    return (status.st_mtime_ns, status.st_ino, status.st_size) if stat.S_ISREG(status.st_mode) else None


def new_file(path: Path, mode: int = 0o666) -> IO[bytes]:
    """Open a new, empty file at `path`, in place of anything that is there, such as a pipe or a link. Raises
    `OSError`."""
    path.unlink(missing_ok=True)
    # O_EXCL fails if someone has put a link there since.
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb")


def replace_file(path: Path, content: bytes, mode: int = 0o666, *, synced: bool = False) -> None:
    """Write a file atomically: after a crash, and if `synced` after a power cut, the file is the old or the new one.
    Root writes it for the owner of the folder. Raises `OSError`.
    """
    draft = path.with_name(f"{path.name}.new")
    with new_file(draft, mode) as file:
        owner = path.parent.stat()
        if os.geteuid() == 0 and owner.st_uid != 0:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        file.write(content)
        if synced:
            file.flush()
            os.fsync(file.fileno())
    draft.replace(path)
