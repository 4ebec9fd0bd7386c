"""What MicroPython's USB serial connection does not offer: to read what is there, and to know whether a packet fits."""

import os
import sys

import micropython
from machine import disable_irq, enable_irq, mem32

BLOCK = 64  # bytes of a packet
CDC_IN = 0x50100090  # control word of the buffer of endpoint 2 in, the serial data (RP2040 data sheet, 4.1.2.5)
WAITS = 1 << 10  # the bit for a packet that the host still has to fetch


class Receiver:
    """Reads what has arrived, in one call.

    A read of MicroPython blocks until its buffer is full. So a second terminal supplies filler for the rest of the
    buffer; as many bytes as it has left have arrived. They come before the filler only if no packet arrives
    meanwhile: interrupts are off for that tenth of a millisecond.
    """

    def __init__(self):
        self._read = sys.stdin.buffer.readinto
        self._fill = bytes(BLOCK)
        self._filler = micropython.RingIO(BLOCK)
        self._filler.write(self._fill)

    def take(self, buffer):
        """Read up to `BLOCK` bytes into a buffer of that size. Return how many have arrived."""
        # Nothing between these can raise, so the REPL never sees the filler.
        os.dupterm(self._filler)
        state = disable_irq()
        self._read(buffer)
        enable_irq(state)
        os.dupterm(None)
        count = self._filler.any()
        self._filler.write(self._fill)
        return count


def room():
    """Return how many bytes surely fit, if any do: a block, or one byte while a packet waits for the host."""
    return 1 if mem32[CDC_IN] & WAITS else BLOCK
