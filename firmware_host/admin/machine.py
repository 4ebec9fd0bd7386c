"""The machine under the table, as far as a game can suffer from it: room on its disk, and the voltage of its supply."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

EARLY = 256 << 20
"""Bytes of room below which somebody should make some: months of games, or an hour of a camera's."""
BRINK = 16 << 20
"""Bytes below which no act is written any more: a few times what SQLite asks for at once."""
HWMON = Path("/sys/class/hwmon")


class MachineChecks(Struct, frozen=True):
    """How to look at a machine. `room` gives bytes, None where nobody knows; `weak` whether the voltage is too low."""

    room: Callable[[], int | None]
    weak: Callable[[], bool]


UNSEEN = MachineChecks(lambda: None, lambda: False)
"""A machine that nobody looks at."""


def here(state: Path, hwmon: Path = HWMON) -> MachineChecks:
    """This machine, with the state folder `state`."""
    return MachineChecks(lambda: room(state), lambda: weak(hwmon))


def room(folder: Path) -> int | None:
    """What the folder's disk has left for this user, in bytes."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def weak(hwmon: Path = HWMON) -> bool:
    """Whether a Raspberry Pi has found its voltage below 4.63 V within the last seconds (kernel driver rpi_volt)."""
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
