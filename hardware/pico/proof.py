"""The proof that a scan is true: a key goes in at the far end of the chain, and has to come out behind the last chip.

The wire for it leads from the SPI port's output to SER of the last chip. Behind the key go bytes that differ from scan
to scan: a chip that does not take its inputs over shows those of the scan before. No pins and no clock.

A 74HC165 takes SER at the very edge at which the port's output changes (SPI mode 2), so a bit more or less is no
fault: the key and the filling are runs of equal bits, of which those at the ends of a byte do not count (`SURE_BITS`).

What is wrong is a word and perhaps a number: `none`, `open`, `ends 7`, `after 7`, `inverted 7`, `silent 7`, `chips 7`,
`slips`, `garbled`.
"""

import micropython

KEY = b"\x00\xff"
FILLS = (0x00, 0xFF)
SURE_BITS = 0x7E
TAIL = len(KEY) + 1  # bytes behind the chips in each scan
LONG_KEY = b"\x00\xff\xff\x00"
BEYOND = 8  # chips too many that are still found
SURE = 8  # scans in a row that must show the same fault


@micropython.viper
def proven(scan: ptr8, chips: int, first: int, second: int, fill: int) -> bool:
    """Whether key and filling stand behind the chips."""
    wrong = (scan[chips] ^ first) | (scan[chips + 1] ^ second) | (scan[chips + 2] ^ fill)
    return (wrong & 0x7E) == 0


@micropython.viper
def silent(scan: ptr8, chips: int, fill: int, counts: ptr8, sure: int) -> int:
    """The first chip that showed `fill`, the filling before, in each of the last `sure` scans; or -1."""
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
    """`out` is what to send with the next scan, which is then judged. `idle` is a byte of inputs where nothing is."""

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
        """Whether this scan, which was sent `out`, can be believed."""
        now = FILLS[self._turn]
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
        """Find out what is wrong, from a scan and from what came back for the `question`."""
        self._bad = 0
        at = _find(back, LONG_KEY)
        found = (at + 2) >> 3  # the key is found one bit early at the soonest, and one late at the latest
        if at >= 0 and 8 * found - at in (0, 1, 2) and found == self._chips:
            # Well by now; but if no scan is ever proven in between, something disturbs them.
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
        """From which chip on the inputs are mostly the contrary of idle."""
        first = self._chips
        while first and sum((scan[first - 1] ^ self._idle) >> bit & 1 for bit in range(8)) > 4:
            first -= 1
        return first

    def _end(self, scan, level):
        """Behind the break all is at one level. Where that is the level at rest, the break may be farther away."""
        last = self._chips - 1
        while last >= 0 and scan[last] == level:
            last -= 1
        if level != self._idle:
            return "ends %d" % last if last >= 0 else "none"
        self._farthest = max(self._farthest, last)
        return "after %d" % self._farthest if self._farthest >= 0 else "open"


def _find(data, key):
    """At which bit of the data the key begins, its sure bits alone, or -1."""
    word, size = int.from_bytes(data, "big"), 8 * len(data)
    wanted, length = int.from_bytes(key, "big"), 8 * len(key)
    sure = int.from_bytes(bytes([SURE_BITS]) * len(key), "big")
    for at in range(size - length + 1):
        if (word >> (size - length - at) ^ wanted) & sure == 0:
            return at
    return -1
