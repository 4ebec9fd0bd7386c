"""The USB connection of the interpreter on a PC: a terminal, from which bytes are read one by one."""

import select
import sys

BLOCK = 64


class Receiver:
    """Reads what has arrived."""

    def __init__(self):
        self._one = bytearray(1)
        self._coming = select.poll()
        self._coming.register(sys.stdin, select.POLLIN)

    def take(self, buffer):
        """Read up to `BLOCK` bytes. Return how many have arrived."""
        end = 0
        while end < BLOCK and self._coming.poll(0):
            sys.stdin.buffer.readinto(self._one)
            buffer[end] = self._one[0]
            end += 1
        return end


def room():
    """Return how many bytes surely fit, if any do: a terminal does not say, so one."""
    return 1
