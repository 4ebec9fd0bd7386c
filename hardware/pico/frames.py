"""The frames of board-link/1 on the board: COBS, CRC-32, and whole frames out of single bytes. No pins, no clock."""

from array import array

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
    """Write the CRC-32 of so many bytes behind them, little endian. Needs no memory, unlike binascii's."""
    crc = -1
    for at in range(size):
        crc = crc ^ data[at]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ steps[crc & 15]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ steps[crc & 15]
    crc = crc ^ -1
    for at in range(4):
        data[size + at] = (crc >> (8 * at)) & 255


@micropython.viper
def sound(data: ptr8, size: int, steps: ptr32) -> bool:
    """Whether the CRC-32 of so many bytes stands behind them."""
    crc = -1
    for at in range(size):
        crc = crc ^ data[at]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ steps[crc & 15]
        crc = ((crc >> 4) & 0x0FFFFFFF) ^ steps[crc & 15]
    crc = crc ^ -1
    wrong = 0
    for at in range(4):
        wrong |= data[size + at] ^ ((crc >> (8 * at)) & 255)
    return wrong == 0


@micropython.viper
def gather(data: ptr8, start: int, size: int, chunk: ptr8, end: int, most: int) -> int:
    """Bytes up to a zero to the end of a chunk, as many as it has room for; how many came before the zero."""
    at = start
    while at < size and data[at] != 0:
        if end < most:
            chunk[end] = data[at]
            end += 1
        at += 1
    return at - start


@micropython.viper
def lift(source: ptr8, start: int, target: ptr8, size: int):
    """So many bytes from the place `start`."""
    for index in range(size):
        target[index] = source[start + index]


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


def unframe(chunk, size):
    """Turn what stood between two zeros into its body, in place; the body's length, or -1 if it is damaged."""
    size = unstuff(chunk, size) - 4
    return size if size >= 2 and sound(chunk, size, STEPS) else -1


class Reader:
    """Bytes in as they come; in `chunk` stands what came between two zeros. Takes no memory after the start."""

    def __init__(self):
        self.chunk = bytearray(LONGEST)
        self.size = 0  # of the chunk that was closed; LONGEST for one that is too long
        self.closed = False
        self._begun = 0

    def take(self, data, start, size):
        """Read up to the next zero, or to the end of the data; where to read on. `closed` tells which it was."""
        count = gather(data, start, size, self.chunk, self._begun, LONGEST)
        self._begun = min(self._begun + count, LONGEST)
        self.closed = start + count < size
        if not self.closed:
            return size
        self.size, self._begun = self._begun, 0
        return start + count + 1
