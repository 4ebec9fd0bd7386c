"""Facts about this machine, and the regular check of whether acts can be stored and whether the machine has problems.

The facts are its free disk space, the voltage of its power supply, and the name of its wireless network. The problems
are public sentences. If a secret act cannot be stored, only its seat gets the refusal. Others see the problem after the
next regular check, so that its time does not reveal the act.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from engine.text import Text
from firmware_host.records.journal import CannotWrite

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
"""Asks the driver for the name of an interface's network; returns None if there is none."""


class MachineChecks(Struct, frozen=True):
    """The checks of a machine.

    `room` returns the free bytes (None if unknown), and `weak` returns whether the voltage is too low.
    """

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
        disk = os.statvfs(folder)
    except OSError:
        return None
    # `f_bavail` leaves out the blocks that are reserved for root.
    return disk.f_bavail * disk.f_frsize


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
        name = asking(wireless.parent.name)
        if name:
            return printable(name)
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


CHECK_EVERY = 2.0
"""Seconds between two checks."""
VOLTAGE_MEMORY = 600.0
"""Seconds for which a low voltage is reported."""

HALTED = {
    "brink": Text("The table's disk is almost full. No act is accepted until there is space again. Nothing is lost."),
    "full": Text("The table's disk is full. No act is accepted until there is space again. Nothing is lost."),
    "read-only": Text("The table's disk is read-only. No act is accepted until that is fixed. Nothing is lost."),
    "moved": Text(
        "The file with the table's games was moved or deleted. No act is accepted until it is back in its place, or "
        "the table was started again."
    ),
    "failing": Text("The table's disk fails. No act is accepted until it can be written again. Nothing is lost."),
}
"""The sentence for people for each reason why nothing can be written."""
DISK_NEARLY_FULL = Text("The table's disk is nearly full. Free some space soon: when it is full, no act is accepted.")
LOW_VOLTAGE = Text(
    "The voltage of the power supply is too low, or was a moment ago. Use a stronger supply or a shorter cable: the "
    "table may stop at any moment."
)


class Upkeep:
    """`try_writing` writes something harmless or raises `CannotWrite`. Times are monotonic seconds."""

    def __init__(self, try_writing: Callable[[], None], machine: MachineChecks, now: float) -> None:
        self._try_writing = try_writing
        self._machine = machine
        self._next = now
        self._doubt = False
        self._why: str | None = None
        self._scarce = False
        self._weak_at: float | None = None

    def due(self) -> float:
        """Return when to check again."""
        return self._next

    def check(self, now: float) -> None:
        """Check if it is time, and try to write if that failed before."""
        if now < self._next:
            return
        # Keep a fixed rhythm: a late check does not delay the next ones.
        self._next += CHECK_EVERY * (1 + (now - self._next) // CHECK_EVERY)
        room = self._machine.room()
        self._scarce = room is not None and room < SCARCE_BYTES
        if self._machine.weak():
            self._weak_at = now
        elif self._weak_at is not None and now > self._weak_at + VOLTAGE_MEMORY:
            self._weak_at = None
        self._why = "brink" if room is not None and room < LEAST_BYTES else self._failure_to_write()

    def _failure_to_write(self) -> str | None:
        # Write only if something has failed before.
        if not self._doubt and self._why is None:
            return None
        self._doubt = False
        try:
            self._try_writing()
        except CannotWrite as error:
            return error.why
        return None

    def check_disk(self) -> None:
        """Request an attempt to write at the next check, because a secret act could not be stored."""
        self._doubt = True

    def halt(self, error: CannotWrite) -> None:
        """Note that a public act could not be stored, so that no further act is accepted."""
        self._why = error.why

    @property
    def halted(self) -> Text | None:
        """The sentence why no act is accepted now, or None."""
        return None if self._why is None else HALTED[self._why]

    @property
    def warnings(self) -> list[Text]:
        """Sentences about problems that may soon stop the game."""
        warnings = [DISK_NEARLY_FULL] if self._scarce and self._why is None else []
        return warnings if self._weak_at is None else [*warnings, LOW_VOLTAGE]
