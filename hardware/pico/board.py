"""The board's logic: receive frames, read sensors, show pictures. Uses no pins and no clock.

Callers pass in pins, lamps and time. Times are whole milliseconds, modulo `WRAP` + 1 so that they stay small integers.
Handling a scan allocates no memory, including the report of the sensors: a garbage collection during a bounce would
delay a scan.
"""

from debounce import WRAP, Debounce
from dimmer import dim, fill
from frames import LONGEST, Reader, close, copy, frame, lift, room, unframe

PROTOCOL = 1
VERSION = "1.1"
KNOCK = b"\x03\x03 sniperboard: open the REPL \x03\x03"  # between two zeros, it ends the program

BEAT = 100  # longest time between reports of the sensors; 250 is allowed, but two may be needed after noise
WARM_UP = 50  # nothing is reported until then, so that contacts have settled
SILENCE = 5000  # without a host for this long, the lamps pulse
BREATH = 4000  # one pulse
BREATH_STEP = 50
BREATH_LEVEL = 24  # of 255, at its brightest
REPEAT = 1000  # shortest time between two reports of the same error
REMIND = 25  # shortest time between two reminders after damaged frames

DAMAGED, SUPPLY, REFUSED, CHAIN, LAMPS = 1, 2, 3, 4, 5  # codes of E
STAMP, BITMAPS = 2, 6  # their offsets in S
ORDERS = 6  # GRB RGB BRG RBG GBR BGR


def longest(lamps):
    """Return the bytes on the wire of the longest frame that a host sends: a picture."""
    return room(4 + 3 * lamps + 4)


def since(then, now):
    """Return the milliseconds from one time to another, correct across the wrap."""
    return (now - then) & WRAP


class Board:
    """The board's state and protocol.

    `write(buffer, size)` and `show(picture, order)` return False when they are busy; nothing is sent then. Neither may
    keep its buffer, because the board reuses it.
    """

    def __init__(self, sensors, lamps, identity, limit_ma, write, show):
        self._sensors = sensors
        self._lamps = lamps
        self._identity = identity
        self._most_ma = self._limit_ma = limit_ma
        self._order = 0
        self._write = write
        self._show = show
        self._reader = Reader()
        self._debounce = Debounce(sensors)
        self._seq = 0
        self._picture = bytearray(3 * lamps)
        self._total = 0  # the sum of its bytes
        self._shown = bytearray(3 * lamps)
        self._bytes = (sensors + 7) // 8
        self._sense = bytearray(BITMAPS + 2 * self._bytes + 4)
        self._sense[0] = ord("S")
        self._nod = bytearray(3 + 4)
        self._nod[0] = ord("A")
        self._out = bytearray(room(len(self._sense)))
        self._unshown = True
        self._force = None  # the number of the last picture or tuning that was acknowledged
        self._reminded = 0
        self._unsaid = None  # the number of a picture not acknowledged yet, because it is not shown yet
        self._breathing = False
        self._stepped = 0
        self._started = self._heard = self._told = None
        self._news = self._warm = False
        self._stamped = self._rounds = 0
        self._damaged = 0
        self._complained = {}
        self.knocked = False  # whether the REPL was requested

    def start(self, now):
        """Send the hello."""
        self._started = self._heard = self._told = now
        self._hello()

    def receive(self, data, now, size=None):
        """Process bytes from the host: all of `data`, or its first `size`."""
        size = len(data) if size is None else size
        reader, start = self._reader, 0
        while start < size:
            start = reader.take(data, start, size)
            if reader.closed and reader.size:
                self._take(reader.chunk, reader.size, now)

    def _take(self, chunk, size, now):
        if size == len(KNOCK) and chunk[:size] == KNOCK:
            self.knocked = True
            return
        size = -1 if size == LONGEST else unframe(chunk, size)
        if size < 0 or not self._understand(chunk, size, now):
            self._damaged += 1
            self._remind(now)
            return
        self._heard = now
        if self._breathing:
            self._breathing = False
            self._unshown = True

    def is_settling(self):
        """Return whether the next scans are urgent: a sensor differs from its settled state."""
        return self._debounce.waiting

    def feed(self, scan, now):
        """Process a scan of all sensors."""
        if self._debounce.feed(scan, now):
            self._news = True
        self._warm = self._warm or since(self._started, now) >= WARM_UP
        if self._warm and (self._news or since(self._told, now) >= BEAT):
            self._tell(now)

    def miss(self, fault, now):
        """Handle an unreliable scan: report the chain's error instead of the sensors."""
        self._debounce.forget()
        if fault is not None and since(self._told, now) >= BEAT and self._say(b"E", bytes((CHAIN,)) + fault.encode()):
            self._told = now

    def tick(self, now):
        """Do what is due at this time: pulse the lamps, show the picture, report damaged frames."""
        if not self._breathing and since(self._heard, now) >= SILENCE:
            self._breathing = True
        if self._breathing and since(self._stepped, now) >= BREATH_STEP:
            self._unshown = True
            self._stepped = now
        if self._unshown:
            self._light(now)
        if self._damaged and self._complain(DAMAGED, "Damaged frames dropped: %d." % self._damaged, now):
            self._damaged = 0

    def report_low_supply(self, millivolt, now):
        self._complain(SUPPLY, "The supply is down to %d mV." % millivolt, now)

    def report_low_lamps(self, millivolt, now):
        self._complain(LAMPS, "The lamps' supply is down to %d mV." % millivolt, now)

    # --- sending --------------------------------------------------------------------------------------------------

    def _say(self, kind, data):
        packet = frame(kind + bytes((self._seq,)) + data)
        if not self._write(packet, len(packet)):
            return False
        self._seq = (self._seq + 1) & 255
        return True

    def _hello(self):
        counts = self._sensors.to_bytes(2, "little") + self._lamps.to_bytes(2, "little")
        self._say(b"H", bytes((PROTOCOL,)) + counts + self._identity + VERSION.encode())

    def _tell(self, now):
        sense = self._sense
        sense[1] = self._seq
        # The stamp has 32 bits, two more than `now`.
        if now < self._stamped:
            self._rounds = (self._rounds + 1) & 3
        self._stamped = now
        for at in range(4):
            sense[STAMP + at] = (now >> (8 * at)) & 255
        sense[STAMP + 3] |= self._rounds << 6
        copy(self._debounce.settled, sense, self._bytes, BITMAPS)
        copy(self._debounce.raw, sense, self._bytes, BITMAPS + self._bytes)
        if self._write(self._out, close(sense, self._out)):
            self._seq = (self._seq + 1) & 255
            self._news = False
            self._told = now

    def _agree(self, number):
        self._force = number
        self._nod[1], self._nod[2] = self._seq, number
        if self._write(self._out, close(self._nod, self._out)):
            self._seq = (self._seq + 1) & 255

    def _remind(self, now):
        """Send `A` again. The lost frame may have been a picture; the host then sees that it is not in force."""
        if self._force is not None and since(self._reminded, now) >= REMIND:
            self._reminded = now
            self._agree(self._force)

    def _complain(self, code, text, now):
        last = self._complained.get(code)
        if last is not None and since(last, now) < REPEAT:
            return False
        if not self._say(b"E", bytes((code,)) + text.encode()):
            return False
        self._complained[code] = now
        return True

    # --- receiving ------------------------------------------------------------------------------------------------

    def _understand(self, body, size, now):
        kind = body[0]
        if kind == ord("h") and size == 2:
            self._hello()
            self._news = True  # the host that asks also needs the state of the sensors
        elif kind == ord("F") and size == 4 + 3 * self._lamps and body[2] | body[3] << 8 == self._lamps:
            self._total = lift(body, 4, self._picture, size - 4)
            self._unsaid = body[1]
            self._breathing = False
            self._light(now)
        elif kind == ord("C") and size == 7:
            self._tune(body, now)
        else:
            return False
        return True

    def _tune(self, body, now):
        limit_ma, order = body[4] | body[5] << 8, body[6]
        if order >= ORDERS or limit_ma == 0:
            self._complain(REFUSED, "Lamp order %d or limit %d mA is not possible." % (order, limit_ma), now)
            return
        self._debounce.down_ms, self._debounce.up_ms = body[2], body[3]
        self._limit_ma, self._order = min(limit_ma, self._most_ma), order
        self._unshown = True
        self._agree(body[1])

    # --- lamps ----------------------------------------------------------------------------------------------------

    def _light(self, now):
        picture, total = self._picture, self._total
        if self._breathing:
            picture = self._shown
            # Pulse: the level rises and falls linearly over BREATH ms.
            beat = now % BREATH * 2 * BREATH_LEVEL // BREATH
            level = min(beat, 2 * BREATH_LEVEL - beat)
            fill(picture, len(picture), level)
            total = level * len(picture)
        picture = dim(picture, total, self._limit_ma, self._shown)
        self._unshown = not self._show(picture, self._order)
        if self._unsaid is not None and not self._unshown:
            self._agree(self._unsaid)
            self._unsaid = None
