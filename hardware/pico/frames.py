"""The frames of board-link/1 on the board: COBS, CRC-32, and whole frames out of single bytes. No pins, no clock."""

from array import array
from binascii import crc32

import micropython

LONGEST = 2048  # bytes of a frame, its closing 00 included


def _steps():
    """What four bits do to a CRC-32."""
    steps = array("I", range(16))
    for index in range(16):
        crc = index
        for _ in range(4):
            crc = crc >> 1 ^ 0xEDB88320 if crc & 1 else crc >> 1
        steps[index] = crc
    return steps


STEPS = _steps()


@micropython.viper
def seal(data: ptr8, size: int, steps: ptr32):
    """Write the CRC-32 of so many bytes behind them, little endian. Needs no memory, unlike `crc32`."""
    crc = -1
    for at in range(size):
        crc = crc ^ data[at]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ steps[crc & 15]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ steps[crc & 15]
    crc = crc ^ -1
    for at in range(4):
        data[size + at] = (crc >> (8 * at)) & 255


@micropython.viper
def copy(source: ptr8, target: ptr8, size: int, at: int):
    """So many bytes to the place `at`."""
    for index in range(size):
        target[at + index] = source[index]


@micropython.viper
def stuff(data: ptr8, size: int, out: ptr8) -> int:
    """COBS: `data` without its zeros into `out`, which has room for size + size / 254 + 1; the length of that."""
    mark = 0
    run = 1
    end = 1
    for at in range(size):
        if data[at] != 0:
            out[end] = data[at]
            end += 1
            run += 1
        if data[at] == 0 or (run == 255 and at + 1 < size):
            out[mark] = run
            mark = end
            run = 1
            end += 1
    out[mark] = run
    return end


@micropython.viper
def unstuff(data: ptr8, size: int) -> int:
    """COBS backwards, in place; the new length, or -1 for what nobody can have written."""
    at = 0
    end = 0
    while at < size:
        run = data[at]
        stop = at + run
        if run == 0 or stop > size:
            return -1
        at += 1
        while at < stop:
            data[end] = data[at]
            end += 1
            at += 1
        if run < 255 and at < size:
            data[end] = 0
            end += 1
    return end


def frame(body):
    """The bytes on the wire for a body."""
    whole = bytearray(len(body) + 4)
    whole[: len(body)] = body
    out = bytearray(room(len(whole)))
    return bytes(out[: close(whole, out)])


def room(size):
    """How many bytes a frame of `size` bytes may take on the wire."""
    return size + size // 254 + 2


def close(whole, out):
    """Make a frame in `out` of a body with four bytes to spare; its length. Needs no memory."""
    seal(whole, len(whole) - 4, STEPS)
    end = stuff(whole, len(whole), out)
    out[end] = 0
    return end + 1


def unframe(chunk):
    """The body in what stood between two zeros, or None if it is damaged."""
    data = bytearray(chunk)
    size = unstuff(data, len(data)) - 4
    if size < 2:
        return None
    body = bytes(data[:size])
    return body if crc32(body) == int.from_bytes(data[size : size + 4], "little") else None


class Reader:
    """Bytes in as they come; out comes what stood between two zeros."""

    def __init__(self):
        self._begun = b""
        self._too_long = False

    def feed(self, data):
        """The chunks that these bytes close; one that is too long is empty."""
        chunks = (self._begun + data).split(b"\0")
        rest = chunks.pop()
        found = []
        for chunk in chunks:
            if self._too_long or len(chunk) >= LONGEST:
                found.append(b"")
            elif chunk:
                found.append(chunk)
            self._too_long = False
        if len(rest) >= LONGEST:
            self._too_long = True
        self._begun = b"" if self._too_long else rest
        return found
