"""Debouncing on the board: a sensor's state counts once it has been steady for a while.

The caller passes times in. Nothing here allocates memory after the start, because it runs with every scan.
"""

from array import array

from frames import copy

GAP = 5  # a sensor counts as unchanged for this many ms after a scan
WRAP = 0x3FFFFFFF  # times are masked to this range, so that they stay small integers


class Debounce:
    """Debounces bitmaps: `raw` is the last scan, `settled` the debounced state. Bit 0 of byte 0 is sensor 0."""

    def __init__(self, sensors):
        self._size = (sensors + 7) // 8
        self.raw = bytearray(self._size)
        self.settled = bytearray(self._size)
        self.down_ms = 10
        self.up_ms = 25
        self._since = array("I", [0] * (8 * self._size))  # when a sensor started to differ from the settled state
        self.waiting = False  # whether any sensor differs
        self._begun = False
        self._last = 0

    def feed(self, scan, now):
        """Process a scan. Return whether any sensor settled. The first scan settles at once."""
        if not self._begun:
            self._begun = True
            copy(scan, self.raw, self._size, 0)
            copy(scan, self.settled, self._size, 0)
            self._last = now & WRAP
            return True
        now &= WRAP
        late = (now - self._last) & WRAP > GAP
        # There was no scan for a while before a late one, so a state that this scan reverts was not steady during that
        # time.
        settled = self.waiting and self._ripen((self._last + GAP) & WRAP if late else now)
        self._last = now
        if scan != self.raw:
            self._notice(scan, now)
        return (late and self.waiting and self._ripen(now)) or settled

    def forget(self):
        """Restart the wait of all unsettled sensors, because scans were missed."""
        if self._begun:
            self.waiting = False
            copy(self.settled, self.raw, self._size, 0)

    def _notice(self, scan, now):
        for at in range(self._size):
            # A bit restarts its wait when it changes to differ from the settled state.
            begun = (scan[at] ^ self.raw[at]) & (scan[at] ^ self.settled[at])
            sensor = 8 * at
            while begun:
                if begun & 1:
                    self._since[sensor] = now
                begun >>= 1
                sensor += 1
        copy(scan, self.raw, self._size, 0)
        self.waiting = self.raw != self.settled

    def _ripen(self, now):
        ripe = False
        for at in range(self._size):
            waiting = self.raw[at] ^ self.settled[at]
            bit = 0
            while waiting:
                if waiting & 1:
                    patience = self.up_ms if self.settled[at] >> bit & 1 else self.down_ms
                    # The difference of masked times is correct across the wrap.
                    if (now - self._since[8 * at + bit]) & WRAP >= patience:
                        self.settled[at] ^= 1 << bit
                        ripe = True
                waiting >>= 1
                bit += 1
        if ripe:
            self.waiting = self.raw != self.settled
        return ripe
