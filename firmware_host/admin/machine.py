"""Facts about this machine: free disk space, the voltage of the power supply, and the name of its wireless network."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

SCARCE_BYTES = 256 << 20
"""Bytes of free space below which a warning is shown: enough for months of games."""
LEAST_BYTES = 16 << 20
"""Bytes of free space below which no act is accepted: a few times what SQLite needs at once."""
HWMON = Path("/sys/class/hwmon")
INTERFACES = Path("/sys/class/net")
SIOCGIWESSID = 0x8B1B
"""Request for the name of an interface's network (Linux, wireless.h)."""
LONGEST_ESSID = 32
"""Bytes of a wireless network's name (IEEE 802.11)."""

Ask = Callable[[str], bytes | None]
"""Interface -> the name of its network from the driver, or None."""


class MachineChecks(Struct, frozen=True):
    """Checks of a machine: `room` returns free bytes, None if unknown; `weak` whether the voltage is too low."""

    room: Callable[[], int | None]
    weak: Callable[[], bool]


UNSEEN = MachineChecks(lambda: None, lambda: False)
"""Checks that find nothing."""


def machine_checks(state: Path, hwmon: Path = HWMON) -> MachineChecks:
    """Return the checks of this machine and the disk of its state folder."""
    return MachineChecks(lambda: free_bytes(state), lambda: has_low_voltage(hwmon))


def free_bytes(folder: Path) -> int | None:
    """Return the free bytes on the folder's disk for this user; None if unknown."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    # `f_bavail` leaves out the blocks that are reserved for root.
    return found.f_bavail * found.f_frsize


def has_low_voltage(hwmon: Path = HWMON) -> bool:
    """Return whether a Raspberry Pi measured less than 4.63 V in the last seconds (kernel driver rpi_volt)."""
    try:
        sensors = [sensor for sensor in hwmon.iterdir() if _text(sensor / "name") == "rpi_volt"]
    except OSError:
        return False
    return any(_text(sensor / "in0_lcrit_alarm") == "1" for sensor in sensors)


def network_name(folder: Path = INTERFACES, ask: Ask | None = None) -> str | None:
    """Return the name of the wireless network, None if the machine is in none. Sends nothing."""
    asking = ask or _essid
    for wireless in sorted(folder.glob("*/wireless")):
        found = asking(wireless.parent.name)
        if found:
            return printable(found)
    return None


def printable(name: bytes) -> str:
    """Return a network's name as printable text, because a network can have any name."""
    text = name[:LONGEST_ESSID].decode("utf-8", "replace")
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def _essid(interface: str) -> bytes | None:
    import array
    import fcntl

    room = array.array("B", bytes(LONGEST_ESSID + 1))
    where, size = room.buffer_info()
    # A `struct iwreq`: the interface, then address, length and flags of the buffer.
    question = struct.pack("16sPHH", interface.encode()[:15], where, size, 0)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            fcntl.ioctl(probe, SIOCGIWESSID, question)
    except OSError:
        return None
    return room.tobytes().rstrip(b"\0") or None


def _text(file: Path) -> str:
    try:
        return file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
