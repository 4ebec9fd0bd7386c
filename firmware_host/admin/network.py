"""Finds the name of the wireless network that this machine is in, without sending anything."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable
from pathlib import Path

INTERFACES = Path("/sys/class/net")
SIOCGIWESSID = 0x8B1B
"""Request for the name of an interface's network (Linux, wireless.h)."""
LONGEST = 32
"""Bytes of a wireless network's name (IEEE 802.11)."""

Ask = Callable[[str], bytes | None]
"""Interface -> the name of its network from the driver, or None."""


def network_name(folder: Path = INTERFACES, ask: Ask | None = None) -> str | None:
    """Return the name of the wireless network, None if the machine is in none."""
    asking = ask or _essid
    for wireless in sorted(folder.glob("*/wireless")):
        found = asking(wireless.parent.name)
        if found:
            return printable(found)
    return None


def printable(name: bytes) -> str:
    """Return a network's name as printable text, because a network can have any name."""
    text = name[:LONGEST].decode("utf-8", "replace")
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def _essid(interface: str) -> bytes | None:
    import array
    import fcntl

    room = array.array("B", bytes(LONGEST + 1))
    where, size = room.buffer_info()
    question = struct.pack("16sPHH", interface.encode()[:15], where, size, 0)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            fcntl.ioctl(probe, SIOCGIWESSID, question)
    except OSError:
        return None
    return room.tobytes().rstrip(b"\0") or None
