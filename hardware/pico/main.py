"""Starts with the Pico: runs the board's program, and prints the error that ended it."""

import select
import sys

import micropython
from machine import reset

AGAIN_MS = 1000
LEAVE = 120  # how many times the error is printed, before the board restarts


def tell(error):
    """Print the error that ended the program until two Ctrl-C open the REPL or the board restarts."""
    micropython.kbd_intr(-1)  # any frame may contain a single byte 03
    coming = select.poll()
    coming.register(sys.stdin, select.POLLIN)
    for _ in range(LEAVE):
        sys.print_exception(error)
        last = patience = None
        # Poll once a second; once a byte has arrived, read the rest without waiting.
        while coming.poll(AGAIN_MS if patience is None else 0):
            byte = sys.stdin.buffer.read(1)
            if byte == last == b"\x03":
                micropython.kbd_intr(3)
                return
            last, patience = byte, 0
    reset()


loop = None
try:
    import loop

    keeper = loop.run()
except Exception as error:
    keeper = loop and loop.keep_fed()
    tell(error)
