"""The board's program: hear, feel, show, for ever. A turn takes no memory, whatever is felt, heard or shown."""

import select
import sys
from time import ticks_diff, ticks_ms

import micropython
from machine import ADC, WDT, Pin, Timer, unique_id

import config
from board import Board
from chain import Chain
from strip import Strip

AT_ONCE = 64  # bytes heard, and bytes said, before the sensors have their turn again
ROOM = 1024  # bytes that can wait to be said, a power of two
BACKLOG = 128  # so many that wait already make the line busy
WATCHDOG_MS = 2000
SUPPLY_MS = 1000


@micropython.viper
def push(data: ptr8, size: int, ring: ptr8, at: int, last: int):
    """Bytes into a ring whose length is last + 1."""
    for index in range(size):
        ring[(at + index) & last] = data[index]


class UsbSerial:
    """The USB serial line, which is the one of the REPL.

    Both ways go byte by byte, each after a look whether it can: to read more than is there waits for it, and to write
    more than there is room for waits for a host that may have stopped listening. What is said waits in a ring; little
    of it, for what is told late is not true any more.
    """

    def __init__(self):
        micropython.kbd_intr(-1)  # a byte 03 is data, not an interruption
        self._read = sys.stdin.buffer.readinto
        self._put = sys.stdout.buffer.write
        self._one = bytearray(1)
        self._got = bytearray(AT_ONCE)
        self._ring = bytearray(ROOM)
        self._first = self._waiting = 0
        coming, going = select.poll(), select.poll()
        coming.register(sys.stdin, select.POLLIN)
        going.register(sys.stdout, select.POLLOUT)
        self._coming, self._going = coming.ipoll, going.ipoll

    def write(self, data, size):
        """Let so many bytes be said, unless there is no room for all of them."""
        if self._waiting > BACKLOG or self._waiting + size > ROOM:
            return False
        push(data, size, self._ring, self._first + self._waiting, ROOM - 1)
        self._waiting += size
        return True

    def pump(self):
        """Say what the host takes at once."""
        for _ in range(min(self._waiting, AT_ONCE)):
            if not ready(self._going, 0):
                return
            self._one[0] = self._ring[self._first]
            self._put(self._one)
            self._first = (self._first + 1) & (ROOM - 1)
            self._waiting -= 1

    def pour(self, board, now):
        """Hand what has come to the board. Waits up to a millisecond for the first byte."""
        end = 0
        while end < AT_ONCE and ready(self._coming, 0 if end or self._waiting else 1):
            self._read(self._one)
            self._got[end] = self._one[0]
            end += 1
        if end:
            board.hear(self._got, now, end)


def ready(poll, patience):
    """Whether `ipoll` finds anything within so many milliseconds."""
    for _ in poll(patience):
        return True
    return False


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
    """A look at a supply once a second, through a pin that sees so many times less; `tell` hears of one too low."""

    def __init__(self, pin, times, low_mv, tell):
        self._pin = None if pin is None else ADC(Pin(pin))
        self._most_mv = 3300 * times
        self._low_mv = low_mv
        self._tell = tell
        self._looked = 0

    def look(self, now):
        """Tell if it is too low."""
        if self._pin is None or now - self._looked < SUPPLY_MS:
            return
        self._looked = now
        millivolt = self._pin.read_u16() * self._most_mv // 65535
        if millivolt < self._low_mv:
            self._tell(millivolt, now)


watchdog = None


def keep_fed():
    """The watchdog cannot be stopped: while somebody works in the REPL, or puts new firmware here, a timer feeds it."""
    return watchdog and Timer(period=WATCHDOG_MS // 4, callback=lambda _: watchdog.feed())


class Program:
    """Everything on the board."""

    def __init__(self):
        self._wire, self._clock, self._chain = UsbSerial(), Clock(), Chain(config)
        show = Strip(config).show
        identity, limit = unique_id(), config.LIMIT_MA
        self.board = board = Board(config.SENSORS, config.LAMPS, identity, limit, self._wire.write, show)
        self._own = Supply(config.SUPPLY_PIN, 3, config.SUPPLY_LOW_MV, board.sag)
        pin = getattr(config, "LAMP_SUPPLY_PIN", None)  # an older config.py does not tell of it
        self._lamps = Supply(pin, 2, getattr(config, "LAMP_SUPPLY_LOW_MV", 0), board.dim_out)
        board.start(self._clock.now())

    def turn(self):
        """Hear, feel, show, once."""
        now = self._clock.now()
        board = self.board
        self._wire.pour(board, now)
        scan = self._chain.scan()
        if scan is None:
            board.miss(self._chain.fault, now)
        else:
            board.feel(scan, now)
        board.tick(now)
        self._own.look(now)
        self._lamps.look(now)
        self._wire.pump()


def run():
    """Returns when somebody knocks for the REPL."""
    global watchdog
    program = Program()
    watchdog = WDT(timeout=WATCHDOG_MS)
    while not program.board.knocked:
        watchdog.feed()
        program.turn()
    micropython.kbd_intr(3)
    return keep_fed()
