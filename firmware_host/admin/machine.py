"""Checks what can stop a game on this machine: free disk space, and the voltage of the power supply."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

EARLY = 256 << 20
"""Bytes of free space below which a warning is shown: enough for months of games."""
BRINK = 16 << 20
"""Bytes of free space below which no act is accepted: a few times what SQLite needs at once."""
HWMON = Path("/sys/class/hwmon")


class MachineChecks(Struct, frozen=True):
    """Checks of a machine. `room` returns free bytes, None if unknown; `weak` whether the voltage is too low."""

    room: Callable[[], int | None]
    weak: Callable[[], bool]


UNSEEN = MachineChecks(lambda: None, lambda: False)
"""Checks that find nothing."""


def here(state: Path, hwmon: Path = HWMON) -> MachineChecks:
    """Return the checks of this machine and the disk of its state folder."""
    return MachineChecks(lambda: room(state), lambda: weak(hwmon))


def room(folder: Path) -> int | None:
    """Return the free bytes on the folder's disk for this user; None if unknown."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def weak(hwmon: Path = HWMON) -> bool:
    """Return whether a Raspberry Pi measured less than 4.63 V in the last seconds (kernel driver rpi_volt)."""
    try:
        sensors = [sensor for sensor in hwmon.iterdir() if _text(sensor / "name") == "rpi_volt"]
    except OSError:
        return False
    return any(_text(sensor / "in0_lcrit_alarm") == "1" for sensor in sensors)


def _text(file: Path) -> str:
    try:
        return file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
