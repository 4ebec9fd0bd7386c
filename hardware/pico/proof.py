"""Checks that a scan is complete: a key enters at the far end of the chain and must come out last.

Its wire leads from the SPI port's output to SER of the last chip. `marker.py` defines the key. A chip that doesn't load
its inputs shows the filler of the previous scan. This module uses no pins and no clock.

An error is a word and optionally a number: `none`, `open`, `ends 7`, `after 7`, `inverted 7`, `silent 7`, `chips 7`,
`slips`, `slips 7`, `between 7`, `garbled`.
"""

import micropython

from marker import Key, broken_level, first_inverted, last_before

FILLS = (0x00, 0xFF)
SURE = 8  # consecutive scans that must show the same error


@micropython.viper
def tail(scan: ptr8, chips: int) -> int:
    """Return the three bytes after the chips' bytes."""
    return (scan[chips] << 16) | (scan[chips + 1] << 8) | scan[chips + 2]


@micropython.viper
def silent(scan: ptr8, chips: int, fill: int, counts: ptr8, sure: int) -> int:
    """Return the first chip that showed the previous filler in each of the last `sure` scans, or -1.

    `fill` is the previous filler.
    """
    first = -1
    for chip in range(chips):
        if scan[chip] != fill:
            counts[chip] = 0
        elif counts[chip] < sure:
            counts[chip] = counts[chip] + 1
        if counts[chip] >= sure and first < 0:
            first = chip
    return first


class Proof:
    """Checks scans. Send the key's `out` with the next scan, then pass the scan to `judge`.

    `idle` is an input byte without any piece.
    """

    def __init__(self, chips, idle):
        self._chips, self._idle = chips, idle
        self._counts = bytearray(chips)
        self._bad = self._unsure = 0
        self._farthest = -1
        self.key = Key(chips)
        self.fault = None
        self.doubtful = False  # whether it is time to send the questions

    def is_reliable(self, scan):
        """Return whether a scan that was sent `key.out` is reliable."""
        intact = self.key.returns(tail(scan, self._chips), scan[self._chips - 1])
        self.doubtful = False
        if intact:
            self._bad = self._unsure = 0
        elif self.key.doubt != "silent":
            self._bad = min(self._bad + 1, SURE)
            self.doubtful = self._bad == SURE
            return False
        chip = silent(scan, self._chips, FILLS[self.key.turn], self._counts, SURE)
        if chip >= 0:
            self.fault = "silent %d" % chip
            return False
        if intact:
            self.fault = None
            self._farthest = -1
        return intact

    def explain(self, scan, answers):
        """Set `fault` from a scan and from the answers to `key.questions`."""
        self._bad = 0
        word, scan = self.key.explain(answers), scan[: self._chips]
        level = broken_level(answers[0], self._chips)
        if word == "right":
            # The answer is correct now, so if no scan in between was complete, the signals are disturbed.
            self._unsure += 1
            self.fault = "garbled" if self._unsure >= SURE else None
        elif word == "inverted":
            self.fault = "inverted %d" % first_inverted(scan, self._idle)
        elif not word and level >= 0:
            self.fault = self._end(last_before(scan, level), level)
        else:
            self.fault = word or "garbled"

    def _end(self, last, level):
        """Locate a break. All bits after it have one level.

        If that is the idle level, the break may be farther away.
        """
        if level != self._idle:
            return "ends %d" % last if last >= 0 else "none"
        self._farthest = max(self._farthest, last)
        return "after %d" % self._farthest if self._farthest >= 0 else "open"
