"""Two functions that MicroPython's USB serial connection lacks: a read that doesn't wait, and a check whether a packet
fits."""

import os
import sys

import micropython
from machine import disable_irq, enable_irq, mem32

PACKET = 64  # bytes
MOST = 512  # bytes that MicroPython stores until they are read
CDC_IN = 0x50100090  # control word of the buffer of endpoint 2 in, the serial data (RP2040 data sheet, 4.1.2.5)
WAITS = 1 << 10  # the bit for a packet that the host still has to fetch


class Receiver:
    """Reads what has arrived into `data`, up to `size` bytes in one call.

    A read of MicroPython blocks until its buffer is full, so a second terminal supplies filler for the rest of the
    buffer. The number of filler bytes that remain unread is the number of bytes that have arrived. The data precedes
    the filler only if no packet arrives during the read. Interrupts are therefore off during the read, which takes 2.7
    us a byte and 7 us a byte of filler.
    """

    def __init__(self, size):
        size = min(size, MOST)
        self.data = bytearray(size)
        self._read = sys.stdin.buffer.readinto
        self._fill = bytes(size)
        self._filler = micropython.RingIO(size)
        self._filler.write(self._fill)

    def take(self):
        """Read into `data`. Return how many bytes have arrived."""
        # Nothing between these two lines can raise, so the REPL never gets the filler.
        os.dupterm(self._filler)
        state = disable_irq()
        self._read(self.data)
        enable_irq(state)
        os.dupterm(None)
        count = self._filler.any()
        self._filler.write(self._fill)
        return count


def room():
    """Return how many bytes fit for certain: a whole packet, or one byte while another packet waits for the host."""
    return 1 if mem32[CDC_IN] & WAITS else PACKET
