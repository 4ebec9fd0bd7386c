"""The board's program: hear, feel, show, for ever."""

import select
import sys
from time import ticks_diff, ticks_ms

import micropython
from machine import ADC, WDT, Pin, Timer, unique_id

import config
from board import Board
from chain import Chain
from strip import Strip

AT_ONCE = 64  # bytes heard before the sensors have their turn again
WATCHDOG_MS = 2000
SUPPLY_MS = 1000


class UsbSerial:
    """The USB serial line, which is the one of the REPL."""

    def __init__(self):
        micropython.kbd_intr(-1)  # a byte 03 is data, not an interruption
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._one = bytearray(1)
        self._got = bytearray(AT_ONCE)
        self._coming = select.poll()
        self._coming.register(sys.stdin, select.POLLIN)
        self._going = select.poll()
        self._going.register(sys.stdout, select.POLLOUT)

    def write(self, data):
        """Send, unless nobody takes it."""
        if not self._going.poll(0):
            return False
        self._out.write(data)
        return True

    def pour(self, board, now):
        """Hand what has come to the board. Waits up to a millisecond for the first byte."""
        read, one, got, coming = self._in.readinto, self._one, self._got, self._coming.poll
        end, patience = 0, 1
        # One by one: to read more than is there would wait for it.
        while end < AT_ONCE and coming(patience):
            read(one)
            got[end] = one[0]
            end += 1
            patience = 0
        if end:
            board.hear(bytes(got[:end]), now)


class Clock:
    """Milliseconds since the start, which never wrap."""

    def __init__(self):
        self._last = ticks_ms()
        self._now = 0

    def now(self):
        """The time."""
        ticks = ticks_ms()
        self._now += ticks_diff(ticks, self._last)
        self._last = ticks
        return self._now


class Supply:
    """A look at the supply once a second."""

    def __init__(self):
        self._pin = None if config.SUPPLY_PIN is None else ADC(Pin(config.SUPPLY_PIN))
        self._looked = 0

    def look(self, board, now):
        """Tell the board if it is too low."""
        if self._pin is None or now - self._looked < SUPPLY_MS:
            return
        self._looked = now
        millivolt = self._pin.read_u16() * 9900 // 65535
        if millivolt < config.SUPPLY_LOW_MV:
            board.sag(millivolt, now)


watchdog = None


def keep_fed():
    """The watchdog cannot be stopped: while somebody works in the REPL, or puts new firmware here, a timer feeds it."""
    return watchdog and Timer(period=WATCHDOG_MS // 4, callback=lambda _: watchdog.feed())


def run():
    """Returns when somebody knocks for the REPL."""
    global watchdog
    wire, clock, supply, chain, strip = UsbSerial(), Clock(), Supply(), Chain(config), Strip(config)
    board = Board(config.SENSORS, config.LAMPS, unique_id(), config.LIMIT_MA, wire.write, strip.show)
    watchdog = WDT(timeout=WATCHDOG_MS)
    board.start(clock.now())
    while not board.knocked:
        watchdog.feed()
        now = clock.now()
        wire.pour(board, now)
        scan = chain.scan()
        if scan is None:
            board.miss(chain.fault, now)
        else:
            board.feel(scan, now)
        board.tick(now)
        supply.look(board, now)
    micropython.kbd_intr(3)
    return keep_fed()
