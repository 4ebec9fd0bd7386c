"""Starts with the Pico: runs the board's program, and prints the error that ended it."""

import micropython

micropython.kbd_intr(-1)  # a byte 03 is data from here on, and not Ctrl-C

import select  # noqa: E402
import sys  # noqa: E402

from machine import WDT, Timer, reset  # noqa: E402

WATCHDOG_MS = 2000
AGAIN_MS = 1000
LEAVE = 120  # how many times the error is printed, before the board restarts

watchdog = WDT(timeout=WATCHDOG_MS)  # before anything can hang, including the imports of the program


def keep_fed():
    """Feed the watchdog from a timer during REPL use or flashing, because it cannot be stopped."""
    return Timer(period=WATCHDOG_MS // 4, callback=lambda _: watchdog.feed())


def print_error(error):
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


try:
    if globals().get("nurse"):
        nurse.deinit()  # of boot.py; from here on the program itself has to feed  # noqa: F821
    import loop

    loop.run(watchdog)
    micropython.kbd_intr(3)
    keeper = keep_fed()
except BaseException as error:
    # This also handles a Ctrl-C that arrived before the first line.
    keeper = keep_fed()
    print_error(error)
