"""Framing for board-link/1: COBS with CRC-32, and a reader that extracts bodies from a byte stream.

frame = COBS( body + CRC-32 of body, little endian ) + 00

This module is pure.
"""

from __future__ import annotations

from binascii import crc32

LONGEST = 2048
"""Maximum length of a frame in bytes, including its closing 00."""
RUN = 254
"""The longest run without a zero that one length byte can encode."""


def frame(body: bytes) -> bytes:
    """Return the bytes on the wire for a body."""
    return cobs_encode(body + crc32(body).to_bytes(4, "little")) + b"\0"


def unframe(chunk: bytes) -> bytes | None:
    """Return the body of the bytes between two zeros, or None if it is damaged."""
    decoded = cobs_decode(chunk)
    # A body has at least a letter and one byte, followed by four bytes of CRC.
    if decoded is None or len(decoded) < 6 or crc32(decoded[:-4]) != int.from_bytes(decoded[-4:], "little"):
        return None
    return decoded[:-4]


def cobs_encode(data: bytes) -> bytes:
    """Encode with COBS, which removes all zeros."""
    out = bytearray()
    runs = data.split(b"\0")
    for run in runs:
        # A full run implies no zero after it. If a zero follows, an empty run must be added.
        while len(run) > RUN or (len(run) == RUN and run is not runs[-1]):
            out.append(RUN + 1)
            out += run[:RUN]
            run = run[RUN:]
        out.append(len(run) + 1)
        out += run
    return bytes(out)


def cobs_decode(data: bytes) -> bytes | None:
    """Decode COBS. Return None for data that no encoder produces."""
    out = bytearray()
    at = 0
    while at < len(data):
        run = data[at]
        if run == 0 or at + run > len(data):
            return None
        out += data[at + 1 : at + run]
        at += run
        if run <= RUN and at < len(data):
            out.append(0)
    return bytes(out)


class FrameReader:
    """Extracts bodies from incoming bytes. `damaged` counts the dropped frames."""

    def __init__(self) -> None:
        self.damaged = 0
        self._unfinished = b""
        self._too_long = False

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bodies of the complete, undamaged frames that `data` completes."""
        *chunks, unfinished = (self._unfinished + data).split(b"\0")
        bodies = []
        for chunk in chunks:
            body = None if self._too_long or len(chunk) >= LONGEST else unframe(chunk)
            if body is not None:
                bodies.append(body)
            # Two zeros in a row are not an error: a sender may begin with one to end old noise.
            elif chunk or self._too_long:
                self.damaged += 1
            self._too_long = False
        # Don't store data that will be dropped anyway.
        self._too_long = self._too_long or len(unfinished) >= LONGEST
        self._unfinished = b"" if self._too_long else unfinished
        return bodies
