"""A root that is read-only, an overlay in memory: nothing that is installed there would stay (docs/travelling.md)."""

from __future__ import annotations

from pathlib import Path

from tools import steps
from tools.errors import ToolError

MOUNTS = Path("/proc/self/mounts")


def is_overlay(mounts: str) -> bool:
    """Whether the root of a machine with these mounts (fstab(5)) is an overlay; the last one on a place counts."""
    kinds = [words[2] for line in mounts.splitlines() if len(words := line.split()) > 2 and words[1] == "/"]
    return bool(kinds) and kinds[-1] == "overlay"


def check(mounts: Path = MOUNTS, config: Path = Path("/etc/overlayroot.conf")) -> None:
    """Raises `ToolError` where an installation would be gone with the next start.

    The root of a container is an overlay, too; only one that overlayroot has made is meant.
    """
    if config.exists() and is_overlay(steps.read(mounts)):
        raise ToolError(
            "The root of this machine is read-only: what is installed now would be gone at the next start. Make it "
            "writable first: sudo raspi-config nonint disable_overlayfs && sudo reboot. Afterwards make it read-only "
            "again (docs/travelling.md)."
        )
