"""What is sent into the far end of the chain to check it, and what the answer says about a fault.

Uses no pins, no clock and nothing of MicroPython, because the driver of the Raspberry Pi (`shift_register.py`) imports
it, too.

A 74HC165 reads SER at the same edge at which the port's output changes (SPI mode 2). So a board may read the next bit
instead: the key then comes out one bit early, always, and the first bit is lost. A doubled edge of the clock looks
almost the same. The first two bits tell them apart, because they alternate between scans: on such a board the first
never arrives. If the first edge is doubled, the first bit that arrives does so twice, and its copy takes the place of
an input.
Bytes end with the bit that begins the next, because it is open which of the two such a board reads between bytes.
"""

FIRST, SECOND = 0x1A, 0x74  # the key, without its first two bits and its last: these alternate, as the filler does
BEGIN = 0xC0  # its first two bits
TAIL = 3  # bytes after the chips: the key, and one of filler
BEYOND = 8  # excess chips that are still detected
WIDE = 32  # bits that occur only once in a question


def marker(turn: int, chips: int) -> bytes:
    """Return the bytes to send with a scan. `turn` is 0 and 1 in turns: the first two bits, and all of the filler."""
    return bytes([FIRST | turn * BEGIN, SECOND | turn] + [255 * turn] * (chips + 1))


def on_time(turn: int) -> int:
    """Return the three bytes that follow the chips' bytes."""
    return (FIRST | turn * BEGIN) << 16 | (SECOND | turn) << 8 | 255 * turn


def early(turn: int) -> int:
    """Return the bytes of `on_time` as read by a board that is one bit early."""
    return (on_time(turn) << 1 | turn) & 0xFFFFFF


def question(chips: int) -> bytes:
    """Return the bytes that locate a fault: no two of its stretches of `WIDE` bits are equal.

    The last two bits of a byte differ, so that a doubled edge between bytes shows where it is. The first two bits are
    not those of an empty board, so that a lost first edge shows.
    """
    out: list[int] = []
    last, state = 0, 29
    for _ in range(2 * chips + BEYOND + 4):
        state = (state * 25173 + 13849) & 0xFFFF  # a generator whose high bits look random
        middle = state >> 9 & 31
        out.append(last << 7 | middle << 2 | (1 if middle & 1 else 2))
        last = out[-1] & 1
    return bytes(out)


class Key:
    """What came back of `marker` in the last two scans. Send `out` with each, and pass what came back to `returns`."""

    def __init__(self, chips: int) -> None:
        self._chips = chips
        self._outs = (marker(0, chips), marker(1, chips))
        self._on_time = (on_time(0), on_time(1))
        self._early = (early(0), early(1))
        self._place: int | None = None
        self._follows, self._doubled = True, False
        self.turn = 0
        self.out = self._outs[0]
        self.question = question(chips)

    def returns(self, found: int, before: int) -> bool:
        """Return whether this scan and the last one had the key in the same place, and a whole one.

        `found` are the three bytes after the chips' bytes, `before` is the bit before them. Both scans are needed: if
        that bit alternates like the first bits, the clock has shifted the key by an edge, and its place is not the
        board's normal one.
        """
        turn, last = self.turn, self._place
        self._place = 0 if found == self._on_time[turn] else 1 if found == self._early[turn] else None
        follows = before == turn
        self._follows, self._doubled = follows, follows and self._follows
        # Alternate the filler, so that a chip that doesn't load shows the previous one.
        self.turn = turn ^ 1
        self.out = self._outs[self.turn]
        return self._place is not None and self._place == last and not self._doubled

    def explain(self, answer: bytes) -> str:
        """Return what the answer to `question` says, and the scans before it."""
        word = explain(self.question, answer, self._chips)
        # The first edge of the clock is doubled: the rest is where it should be.
        return "slips 0" if word == "right" and self._place is not None and self._doubled else word


def bits(data: bytes) -> str:
    """Return the bits as text, in the order of the wire."""
    return "".join(f"{byte:08b}" for byte in data)


def turned(text: str) -> str:
    """Return the inverse of bits."""
    return "".join("1" if bit == "0" else "0" for bit in text)


def explain(asked: bytes, answer: bytes, chips: int) -> str:
    """Return what the answer to a question says: `right`, `chips 7`, `slips`, `slips 7`, `inverted`, or nothing.

    `slips 7` means that the clock has a doubled or lost edge when chip 7 is due, so that its inputs and all later ones
    are wrong.
    """
    sent, heard = bits(asked), bits(answer)
    end = len(heard) - WIDE
    at = sent.find(heard[end:])
    if at < 0:
        return "inverted" if sent.find(turned(heard[end:])) >= 0 else ""
    base = end - at
    # Go back to the first bit that is where the end of the answer says.
    while at and heard[base + at - 1] == sent[at - 1]:
        at -= 1
    # Only a board that reads the next bit never hears the first one.
    if at > (1 if base & 7 == 7 else 0):
        chip = _place(sent, heard, base, at)
        return "slips %d" % chip if chip < chips else "slips"
    found = (base + 1) >> 3
    if 8 * found - base not in (0, 1):
        return "slips"
    return "right" if found == chips else "chips %d" % found


def _place(sent: str, heard: str, base: int, at: int) -> int:
    """Return the byte at which edges are doubled or lost, if bits are in place from `at` on."""
    best, place = 0, at + 1
    for shift in range(-8, 9):
        # Doubled edges show earlier bits early, and repeat one that is in place. Lost ones show them late.
        edge = at + 1 if shift < 0 else at + 8
        same = 1
        while same < edge and heard[base + same + shift] == sent[same]:
            same += 1
        if shift and same > best and same >= at - max(0, shift):
            best, place = same, edge if shift < 0 else at - shift + 6
    return place >> 3
