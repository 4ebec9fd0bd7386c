"""The USB connection of the interpreter on a PC: a terminal, from which bytes are read one by one."""

import select
import sys


class Receiver:
    """Reads what has arrived into `data`, up to `size` bytes in one call."""

    def __init__(self, size):
        self.data = bytearray(size)
        self._one = bytearray(1)
        self._coming = select.poll()
        self._coming.register(sys.stdin, select.POLLIN)

    def take(self):
        """Read into `data`. Return how many bytes have arrived."""
        end = 0
        while end < len(self.data) and self._coming.poll(0):
            sys.stdin.buffer.readinto(self._one)
            self.data[end] = self._one[0]
            end += 1
        return end


def room():
    """Return how many bytes surely fit, if any do: a terminal does not say, so one."""
    return 1
