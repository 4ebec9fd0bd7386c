"""Capture loopback traffic: every packet of a connection, or the system's packet counts."""

from __future__ import annotations

import ctypes
import socket
import struct
import sys
from collections.abc import Collection, Iterator
from typing import NamedTuple

from tests.patience import PATIENCE

ALL_PROTOCOLS, OUTGOING, ATTACH_FILTER = 0x0003, 4, 26
IPV4, TCP = 0x0800, 6
FORCE_BUFFER, ROOM = 33, 16 << 20
"""A buffer large enough for all packets of a test; the system drops packets that don't fit."""
SEGMENTS_OUT = 136
"""Offset of the counters in Linux's `struct tcp_info`: segments sent, then segments received, 32 bits each."""


class Packet(NamedTuple):
    """A TCP packet: its source and destination ports, its content, and the sequence number after it."""

    start: int
    to: int
    content: bytes
    end: int


class Tap:
    """All packets of the loopback to and from a port, once `on` it. Raises `PermissionError` without the right."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise PermissionError("packets are seen on Linux only")
        self._ends: dict[tuple[int, int], int] = {}
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self._socket.settimeout(PATIENCE)
        self._socket.setsockopt(socket.SOL_SOCKET, FORCE_BUFFER, ROOM)  # the right to capture packets includes this one

    def on(self, port: int) -> None:
        """Start to capture. The kernel drops other traffic, so that the buffer suffices."""
        steps = b"".join(struct.pack("HBBI", *step) for step in _filter(port))
        kept = ctypes.create_string_buffer(steps)
        program = struct.pack("HL", len(steps) // 8, ctypes.addressof(kept))
        self._socket.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, program)
        self._socket.bind(("lo", ALL_PROTOCOLS))

    def until(self, last: socket.socket, ports: Collection[int]) -> list[Packet]:
        """Return the packets of the connections with these ports, until `last`, a client, closes its connection."""
        end, found = last.getsockname()[1], []
        last.close()
        for packet, flags in self._packets():
            if packet.start == end and flags & 1:
                return found
            if {packet.start, packet.to} & set(ports) and not self._repeats(packet):
                found.append(packet)
        raise AssertionError("the loopback socket was closed")

    def _repeats(self, packet: Packet) -> bool:
        """Return whether a busy system sends this content once more because it was not confirmed in time."""
        line = (packet.start, packet.to)
        known = self._ends.get(line)
        if known is None or 0 < (packet.end - known) % (1 << 32) < 1 << 31:
            self._ends[line] = packet.end
            return False
        return bool(packet.content)

    def _packets(self) -> Iterator[tuple[Packet, int]]:
        while True:
            frame, (_, protocol, kind, *_) = self._socket.recvfrom(1 << 16)
            if kind != OUTGOING or protocol != IPV4 or frame[23] != TCP:  # each packet is seen twice
                continue
            start = 14 + 4 * (frame[14] & 15)
            length = int.from_bytes(frame[16:18])
            source, to = struct.unpack_from("!HH", frame, start)
            flags, data = frame[start + 13], start + 4 * (frame[start + 12] >> 4)
            content, number = frame[data : 14 + length], int.from_bytes(frame[start + 4 : start + 8])
            yield Packet(source, to, content, (number + len(content)) % (1 << 32)), flags

    def close(self) -> None:
        self._socket.close()


def _filter(port: int) -> list[tuple[int, int, int, int]]:
    """Return a program for the system's packet filter: TCP over IPv4, from or to the port."""
    return [
        (0x28, 0, 0, 12), (0x15, 0, 8, IPV4), (0x30, 0, 0, 23), (0x15, 0, 6, TCP),
        (0xB1, 0, 0, 14), (0x48, 0, 0, 14), (0x15, 2, 0, port), (0x48, 0, 0, 16), (0x15, 0, 1, port),
        (0x06, 0, 0, 1 << 16), (0x06, 0, 0, 0),
    ]  # fmt: skip


def segments(line: socket.socket) -> tuple[int, int]:
    """Return how many packets a connection has sent and received, by the system's count."""
    info = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, SEGMENTS_OUT + 8)
    sent, got = struct.unpack_from("=II", info, SEGMENTS_OUT)
    return sent, got
