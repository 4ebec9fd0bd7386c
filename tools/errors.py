"""Error messages of set-up and installation: what is wrong, where, and what to do.

These are pure functions from facts to messages. Nothing here inspects the machine.
"""

from __future__ import annotations

import errno
import re
from pathlib import Path

DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS}

FULL_SAID = re.compile("No space left on device|Disk quota exceeded")
# Messages in pip's log after a failed download.
OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError|Connection (?:broken|aborted|reset)"
    r"|Network is unreachable"
)
WRONG_CLOCK = re.compile(r"certificate is not yet valid|certificate has expired")
NO_WHEEL = re.compile(r"No matching distribution found for (\S+)")


class ToolError(Exception):
    """The work cannot continue. The text is a message for the user, possibly with a command below it."""


def disk_is_full(folder: Path) -> str:
    return f"The disk that holds {folder} is full: make room there and start again."


def too_little_room(folder: Path, free_mb: int, needed_mb: int) -> str:
    return (
        f"The environment needs about {needed_mb} MB and the disk that holds {folder} has {free_mb} MB left: "
        "make room there and start again."
    )


def may_not_write(folder: Path) -> str:
    """Return the message for a folder that is read-only or belongs to another user."""
    return (
        f"No write access to {folder}: put the project into a folder of your own and start again there, "
        f'or make this one yours with `sudo chown -R "$USER" "{folder}"`.'
    )


def from_os_error(error: OSError, folder: Path) -> str:
    """Return the message for an error of the operating system while working in `folder`."""
    if error.errno in DISK_FULL:
        return disk_is_full(folder)
    if error.errno in NOT_WRITABLE:
        return may_not_write(folder)
    return f"The operating system refused ({error}): fix that and start again."


def from_venv(said: str, folder: Path) -> str:
    """Return the message for an environment that could not be created in `folder`.

    `said` is the output of the module venv.
    """
    if FULL_SAID.search(said):
        return disk_is_full(folder.parent)
    if "Permission denied" in said:
        return may_not_write(folder.parent)
    return f"The environment could not be made: remove {folder} and start again.\n{said.strip()}"


def from_pip(log: str, log_file: Path, folder: Path) -> str:
    """Return the message for a failed installation, from pip's log."""
    if FULL_SAID.search(log):
        return disk_is_full(folder)
    if WRONG_CLOCK.search(log):
        return "The package index's certificate is not valid at this machine's date: set the clock and start again."
    if is_offline(log):
        return "The packages could not be downloaded: connect this machine to the internet and start again."
    missing = NO_WHEEL.search(log)
    if missing:
        return (
            f"There is no ready-made package of {missing[1]} for this Python on this machine: "
            "use Python 3.11, 3.12 or 3.13 on a 64-bit PC or Raspberry Pi OS."
        )
    return f"pip could not install the packages: {log_file} says why; fix that and start again."


def is_offline(log: str) -> bool:
    """Return whether pip's log shows that the network did not answer."""
    return OFFLINE.search(log) is not None


def last_line(said: str) -> str:
    """Return the last line of a failed program's output."""
    return (said.strip().splitlines() or ["no reason given"])[-1].strip()[:200]
