"""Detect a read-only root with an overlay in memory, where an installation would be lost.

docs/travelling.md describes how to set one up.
"""

from __future__ import annotations

from pathlib import Path

from tools import steps
from tools.errors import ToolError

MOUNTS = Path("/proc/self/mounts")


def is_overlay(mounts: str) -> bool:
    """Return whether the root of a machine with these mounts (fstab(5)) is an overlay.

    If the root appears several times, the last mount counts.
    """
    kinds = [words[2] for line in mounts.splitlines() if len(words := line.split()) > 2 and words[1] == "/"]
    return bool(kinds) and kinds[-1] == "overlay"


def check(mounts: Path = MOUNTS, config: Path = Path("/etc/overlayroot.conf")) -> None:
    """Raise `ToolError` if an installation would be lost at the next start.

    A container's root is also an overlay, so this checks for overlayroot's configuration, too.
    """
    if config.exists() and is_overlay(steps.read(mounts)):
        raise ToolError(
            "The root of this machine is read-only: an installation would be lost at the next start. Make it "
            "writable first: sudo raspi-config nonint disable_overlayfs && sudo reboot. Afterwards make it read-only "
            "again (docs/travelling.md)."
        )
