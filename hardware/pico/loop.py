"""The main loop: receive, scan, show. A turn never allocates memory."""

import select
import sys
from time import ticks_diff, ticks_ms

import micropython
from machine import ADC, Pin, unique_id

import config
from board import Board, longest, since
from chain import Chain
from debounce import WRAP
from strip import Strip
from usb import Receiver, room

AT_ONCE = 2  # reads before the sensors are scanned again
ROOM = 1024  # bytes that can wait to be sent, a power of two
BACKLOG = 128  # with this many bytes waiting, the line counts as busy
SUPPLY_MS = 1000


@micropython.viper
def push(data: ptr8, size: int, ring: ptr8, at: int, last: int):
    """Copy bytes into a ring buffer of length last + 1."""
    for index in range(size):
        ring[(at + index) & last] = data[index]


class UsbSerial:
    """The USB serial connection, which is also that of the REPL. A read takes up to `block` bytes.

    Output waits in a small ring buffer; a larger one would only store outdated reports.
    """

    def __init__(self, block):
        self._receiver = Receiver(block)
        self._put = sys.stdout.buffer.write
        self._ring = bytearray(ROOM)
        self._first = self._waiting = 0
        coming, going = select.poll(), select.poll()
        coming.register(sys.stdin, select.POLLIN)
        going.register(sys.stdout, select.POLLOUT)
        self._coming, self._going = coming.ipoll, going.ipoll

    def write(self, data, size):
        """Queue `size` bytes for sending if all of them fit."""
        if self._waiting > BACKLOG or self._waiting + size > ROOM:
            return False
        push(data, size, self._ring, self._first + self._waiting, ROOM - 1)
        self._waiting += size
        return True

    def pump(self):
        """Send as many queued bytes as the host accepts now. A write of more would block until it reads again."""
        while self._waiting and ready(self._going, 0):
            size = min(self._waiting, room(), ROOM - self._first)
            self._put(self._ring, self._first, size)
            self._first = (self._first + size) & (ROOM - 1)
            self._waiting -= size

    def pour(self, board, now):
        """Pass received bytes to the board. Waits up to a millisecond for the first byte."""
        # Wait only if there is nothing to send, nothing to settle, and nothing was received yet.
        patience = 0 if self._waiting or board.is_settling() else 1
        receiver = self._receiver
        for _ in range(AT_ONCE):
            if not ready(self._coming, patience):
                return
            patience = 0
            size = receiver.take()
            board.receive(receiver.data, now, size)


def ready(poll, patience):
    """Return whether `ipoll` finds anything within `patience` milliseconds."""
    for _ in poll(patience):
        return True
    return False


class Clock:
    """Milliseconds since the start, modulo `WRAP` + 1, so that they stay small integers: larger ones take memory."""

    def __init__(self):
        self._last = ticks_ms()
        self._now = 0

    def now(self):
        """Return the current time in ms."""
        ticks = ticks_ms()
        passed = ticks_diff(ticks, self._last)
        # Their sum could be too large for a small integer.
        self._now = self._now - WRAP - 1 + passed if self._now > WRAP - passed else self._now + passed
        self._last = ticks
        return self._now


class Supply:
    """Measures a supply once a second, through a pin at 1/`times` of its voltage.

    Calls `tell` if the voltage is too low.
    """

    def __init__(self, pin, times, low_mv, tell):
        self._pin = None if pin is None else ADC(Pin(pin))
        self._most_mv = 3300 * times
        self._low_mv = low_mv
        self._tell = tell
        self._looked = 0

    def measure_if_due(self, now):
        """Measure the supply if it is time, and report it if it is too low."""
        if self._pin is None or since(self._looked, now) < SUPPLY_MS:
            return
        self._looked = now
        millivolt = self._pin.read_u16() * self._most_mv // 65535
        if millivolt < self._low_mv:
            self._tell(millivolt, now)


class Program:
    """The board's parts, and one turn of the main loop."""

    def __init__(self):
        # Read a whole picture at once, because each read takes an additional quarter of a millisecond.
        self._wire, self._clock, self._chain = UsbSerial(longest(config.LAMPS)), Clock(), Chain(config)
        show = Strip(config).show
        identity, limit = unique_id(), config.LIMIT_MA
        self.board = board = Board(config.SENSORS, config.LAMPS, identity, limit, self._wire.write, show)
        self._own = Supply(config.SUPPLY_PIN, 3, config.SUPPLY_LOW_MV, board.report_low_supply)
        pin = getattr(config, "LAMP_SUPPLY_PIN", None)  # an older config.py doesn't set it
        self._lamps = Supply(pin, 2, getattr(config, "LAMP_SUPPLY_LOW_MV", 0), board.report_low_lamps)
        board.start(self._clock.now())

    def turn(self):
        """Receive, scan and show once."""
        now = self._clock.now()
        board = self.board
        self._wire.pour(board, now)
        scan = self._chain.scan()
        # None means that the scan failed its check.
        if scan is None:
            board.miss(self._chain.fault, now)
        else:
            board.feed(scan, now)
        board.tick(now)
        self._own.measure_if_due(now)
        self._lamps.measure_if_due(now)
        self._wire.pump()


def run(watchdog):
    """Run until the REPL is requested."""
    program = Program()
    while not program.board.knocked:
        watchdog.feed()
        program.turn()
