"""Checks that a scan is complete: a key enters at the far end of the chain and must come out last.

Its wire leads from the SPI port's output to SER of the last chip. The key is followed by filler bytes that alternate
between scans. A chip that doesn't load its inputs shows the filler of the previous scan. This module uses no pins and
no clock.

A 74HC165 reads SER at the same edge at which the port's output changes (SPI mode 2), so one bit more or less is not an
error. Key and filler are therefore runs of equal bits, and the bits at the ends of a byte don't count (`SURE_BITS`).

An error is a word and optionally a number: `none`, `open`, `ends 7`, `after 7`, `inverted 7`, `silent 7`, `chips 7`,
`slips`, `garbled`.
"""

import micropython

KEY = b"\x00\xff"
FILLS = (0x00, 0xFF)
SURE_BITS = 0x7E
TAIL = len(KEY) + 1  # bytes after the chips in each scan
LONG_KEY = b"\x00\xff\xff\x00"
BEYOND = 8  # excess chips that are still detected
SURE = 8  # consecutive scans that must show the same error


@micropython.viper
def proven(scan: ptr8, chips: int, first: int, second: int, fill: int) -> bool:
    """Return whether key and filler follow the chips' bytes."""
    wrong = (scan[chips] ^ first) | (scan[chips + 1] ^ second) | (scan[chips + 2] ^ fill)
    return (wrong & 0x7E) == 0


@micropython.viper
def silent(scan: ptr8, chips: int, fill: int, counts: ptr8, sure: int) -> int:
    """Return the first chip that showed the previous filler in each of the last `sure` scans, or -1.

    `fill` is the previous filler.
    """
    found = -1
    for chip in range(chips):
        if scan[chip] != fill:
            counts[chip] = 0
        elif counts[chip] < sure:
            counts[chip] = counts[chip] + 1
        if counts[chip] >= sure and found < 0:
            found = chip
    return found


class Proof:
    """Checks scans. Send `out` with the next scan, then pass the scan to `judge`.

    `idle` is an input byte without any piece.
    """

    def __init__(self, chips, idle):
        self._chips, self._idle = chips, idle
        self._outs = [KEY + bytes([fill] * (chips + 1)) for fill in FILLS]
        self._turn = 0
        self._counts = bytearray(chips)
        self._bad = self._unsure = 0
        self._farthest = -1
        self.out = self._outs[0]
        self.question = LONG_KEY + bytes(chips + BEYOND)
        self.fault = None
        self.doubtful = False  # whether it is time to send the question

    def judge(self, scan):
        """Return whether a scan that was sent `out` is reliable."""
        now = FILLS[self._turn]
        # Alternate the filler, so that a chip that doesn't load shows the previous one.
        self._turn ^= 1
        self.out = self._outs[self._turn]
        if not proven(scan, self._chips, KEY[0], KEY[1], now):
            self._bad = min(self._bad + 1, SURE)
            self.doubtful = self._bad == SURE
            return False
        self._bad = self._unsure = 0
        self.doubtful = False
        chip = silent(scan, self._chips, FILLS[self._turn], self._counts, SURE)
        if chip >= 0:
            self.fault = "silent %d" % chip
            return False
        self.fault = None
        self._farthest = -1
        return True

    def explain(self, scan, back):
        """Set `fault` from a scan and from the answer to `question`."""
        self._bad = 0
        at = _find(back, LONG_KEY)
        found = (at + 2) >> 3  # the key is found at most one bit early or one bit late
        if at >= 0 and 8 * found - at in (0, 1, 2) and found == self._chips:
            # The answer is correct now. If no scan passes in between, something disturbs the signals.
            self._unsure += 1
            self.fault = "garbled" if self._unsure >= SURE else None
        elif at >= 0:
            self.fault = "chips %d" % found if 8 * found - at in (0, 1, 2) else "slips"
        elif _find(back, bytes([byte ^ 255 for byte in LONG_KEY])) >= 0:
            self.fault = "inverted %d" % self._turned(scan)
        elif len(set(back[self._chips :])) == 1 and back[-1] in (0, 255):
            self.fault = self._end(scan, back[-1])
        else:
            self.fault = "garbled"

    def _turned(self, scan):
        """Return the first chip from which on the inputs are mostly the inverse of idle."""
        first = self._chips
        while first and sum((scan[first - 1] ^ self._idle) >> bit & 1 for bit in range(8)) > 4:
            first -= 1
        return first

    def _end(self, scan, level):
        """Locate a break. All bits after it have one level.

        If that is the idle level, the break may be farther away.
        """
        last = self._chips - 1
        while last >= 0 and scan[last] == level:
            last -= 1
        if level != self._idle:
            return "ends %d" % last if last >= 0 else "none"
        self._farthest = max(self._farthest, last)
        return "after %d" % self._farthest if self._farthest >= 0 else "open"


def _find(data, key):
    """Return the bit offset of the key in the data, comparing only its sure bits, or -1."""
    word, size = int.from_bytes(data, "big"), 8 * len(data)
    wanted, length = int.from_bytes(key, "big"), 8 * len(key)
    sure = int.from_bytes(bytes([SURE_BITS]) * len(key), "big")
    for at in range(size - length + 1):
        if (word >> (size - length - at) ^ wanted) & sure == 0:
            return at
    return -1
