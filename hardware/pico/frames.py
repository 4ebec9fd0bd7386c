"""Frames of board-link/1 on the board: COBS, CRC-32, and a reader for single bytes. No pins, no clock."""

from array import array

import micropython

LONGEST = 2048  # maximum bytes of a frame, including its closing 00


def _steps():
    """Return the CRC-32 table for a byte."""
    steps = array("I", range(256))
    for index in range(256):
        crc = index
        for _ in range(8):
            crc = crc >> 1 ^ 0xEDB88320 if crc & 1 else crc >> 1
        steps[index] = crc
    return steps


STEPS = _steps()


@micropython.viper
def append_crc(data: ptr8, size: int, steps: ptr32):
    """Write the CRC-32 of the first `size` bytes after them, little endian.

    Unlike binascii's, it allocates no memory.
    """
    crc = -1
    for at in range(size):
        # The mask undoes the sign extension of viper's shift.
        crc = ((crc >> 8) & 0x00FFFFFF) ^ steps[(crc ^ data[at]) & 255]
    crc = crc ^ -1
    for at in range(4):
        data[size + at] = (crc >> (8 * at)) & 255


@micropython.viper
def is_intact(data: ptr8, size: int, steps: ptr32) -> bool:
    """Return whether the first `size` bytes are followed by their CRC-32."""
    crc = -1
    for at in range(size):
        crc = ((crc >> 8) & 0x00FFFFFF) ^ steps[(crc ^ data[at]) & 255]
    crc = crc ^ -1
    wrong = 0
    for at in range(4):
        wrong |= data[size + at] ^ ((crc >> (8 * at)) & 255)
    return wrong == 0


@micropython.viper
def gather(data: ptr8, start: int, size: int, chunk: ptr8, end: int, most: int) -> int:
    """Append bytes up to a zero to a chunk, as far as it has room. Return how many precede the zero."""
    at = start
    while at < size and data[at] != 0:
        if end < most:
            chunk[end] = data[at]
            end += 1
        at += 1
    return at - start


@micropython.viper
def lift(source: ptr8, start: int, target: ptr8, size: int) -> int:
    """Copy `size` bytes from offset `start`. Return their sum."""
    total = 0
    for index in range(size):
        byte = source[start + index]
        target[index] = byte
        total += byte
    return total


@micropython.viper
def copy(source: ptr8, target: ptr8, size: int, at: int):
    """Copy `size` bytes to offset `at`."""
    for index in range(size):
        target[at + index] = source[index]


@micropython.viper
def stuff(data: ptr8, size: int, out: ptr8) -> int:
    """Encode with COBS into `out`, and return the length. `out` needs room for size + size / 254 + 1 bytes."""
    mark = 0
    run = 1
    end = 1
    for at in range(size):
        if data[at] != 0:
            out[end] = data[at]
            end += 1
            run += 1
        # Close the run at a zero, or after 254 bytes without one.
        if data[at] == 0 or (run == 255 and at + 1 < size):
            out[mark] = run
            mark = end
            run = 1
            end += 1
    out[mark] = run
    return end


@micropython.viper
def unstuff(data: ptr8, size: int) -> int:
    """Decode COBS in place. Return the new length, or -1 for data that no encoder produces."""
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
        # A run of fewer than 254 bytes ends with a zero, except at the end of the data.
        if run < 255 and at < size:
            data[end] = 0
            end += 1
    return end


def frame(body):
    """Return the bytes on the wire for a body."""
    buffer = bytearray(len(body) + 4)
    buffer[: len(body)] = body
    out = bytearray(room(len(buffer)))
    return bytes(out[: close(buffer, out)])


def room(size):
    """Return the maximum bytes on the wire for a frame of `size` bytes."""
    return size + size // 254 + 2


def close(body, out):
    """Write the frame of a body into `out`, and return its length. Allocates no memory.

    The body needs four spare bytes at its end.
    """
    append_crc(body, len(body) - 4, STEPS)
    end = stuff(body, len(body), out)
    out[end] = 0
    return end + 1


def unframe(chunk, size):
    """Decode the bytes between two zeros in place. Return the body's length, or -1 if damaged."""
    size = unstuff(chunk, size) - 4
    return size if size >= 2 and is_intact(chunk, size, STEPS) else -1


class Reader:
    """Collects incoming bytes. `chunk` contains the data between two zeros. Allocates no memory after the start."""

    def __init__(self):
        self.chunk = bytearray(LONGEST)
        self.size = 0  # size of the closed chunk; LONGEST if it is too long
        self.closed = False
        self._begun = 0

    def take(self, data, start, size):
        """Read up to the next zero or the end of the data. Return where to continue.

        `closed` says whether a zero was found.
        """
        count = gather(data, start, size, self.chunk, self._begun, LONGEST)
        self._begun = min(self._begun + count, LONGEST)
        self.closed = start + count < size
        if not self.closed:
            return size
        self.size, self._begun = self._begun, 0
        return start + count + 1
