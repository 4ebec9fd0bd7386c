"""Begins by itself when the Pico gets power: runs the board's program, and tells whoever listens what ended it."""

import select
import sys

import micropython
from machine import reset

AGAIN_MS = 1000
LEAVE = 120  # so often it is told; then the board begins anew


def tell(error):
    """Print what ended the program, until two Ctrl-C in a row ask for the REPL or the board begins anew."""
    micropython.kbd_intr(-1)  # a single byte 03 may stand in any frame
    coming = select.poll()
    coming.register(sys.stdin, select.POLLIN)
    for _ in range(LEAVE):
        sys.print_exception(error)
        last = patience = None
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
