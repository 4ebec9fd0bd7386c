"""The pattern that is sent into the far end of the chain to check it, and the interpretation of the answer.

Uses no pins, no clock and no MicroPython modules, because the driver of the Raspberry Pi (`shift_register.py`) imports
it, too.

A 74HC165 reads SER at the same edge at which the port's output changes (SPI mode 2). So some boards always read the
next bit instead: the key then comes out one bit early, and the first bit is lost. A doubled clock edge looks almost the
same. The first two bits distinguish these cases, because they alternate between scans: on such a board, the first bit
never arrives. If the first edge is doubled, the first bit that arrives does so twice, and its copy takes the place of
an input. The last bit of each byte equals the first bit of the next, because it is unknown which of the two such a
board reads between bytes.

An edge has the number of the bit before it, counted from the load. Clock faults are located with `COUNTERS`: in these
four questions together, each bit encodes when it was sent.
"""

FIRST, SECOND = 0x1A, 0x74  # the key, without its first two bits and its last: these alternate, as the filler does
BEGIN = 0xC0  # its first two bits
TAIL = 3  # bytes after the chips: the key, and one of filler
BEYOND = 8  # excess chips that are still detected
WIDE = 32  # bits that occur only once in a question
NOWHERE = (-1, -1)  # what no scan returns
SLIP = 8  # edges doubled or lost at one place that are still located
COUNTERS = ((0x01, 0xFE), (0x1E, 0x1E), (0x66, 0x66), (0xAA, 0xAA))  # bit i of all four, as a number: (i + 1) & 15


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
    """Return the bytes that identify the kind of a fault: all of their sections of `WIDE` bits are different.

    The first two bits are not those of an empty board, so that a lost first edge shows.
    """
    out: list[int] = []
    last, state = 0, 29
    for _ in range(2 * chips + BEYOND + 4):
        state = (state * 25173 + 13849) & 0xFFFF  # a generator whose high bits look random
        middle = state >> 9 & 31
        out.append(last << 7 | middle << 2 | (1 if middle & 1 else 2))
        last = out[-1] & 1
    return bytes(out)


def questions(chips: int) -> list[bytes]:
    """Return all questions that are needed to identify a fault, one transfer each."""
    first = question(chips)
    return [first] + [bytes(pair) * (len(first) // 2) for pair in COUNTERS]


class Key:
    """The returned bits of `marker` in the last scans. Send `out` with each scan, and pass the returned bytes to
    `returns`."""

    def __init__(self, chips: int) -> None:
        self._chips = chips
        self._outs = (marker(0, chips), marker(1, chips))
        self._on_time = (on_time(0), on_time(1))
        self._early = (early(0), early(1))
        self._place = NOWHERE  # what is expected after the chips' bytes, by turn
        self._before = -1
        self.doubt = ""  # why a complete key isn't accepted: `silent` or `edge`
        self.turn = 0
        self.out = self._outs[0]
        self.questions = questions(chips)

    def returns(self, key_bytes: int, last: int) -> bool:
        """Return whether this scan and the ones before had the key in the same place, and a whole one.

        `key_bytes` are the three bytes after the chips' bytes, `last` is the last chip's byte. More than one scan is
        needed: a bit before the key that alternates isn't an input. The clock has shifted the key by an edge, or had
        one before the first bit was read. Or the last chip is silent: it shows the previous filler.
        """
        turn = self.turn
        # Alternate the filler, so that a chip that doesn't load shows the previous one.
        self.turn = turn ^ 1
        self.out = self._outs[turn ^ 1]
        if key_bytes == self._place[turn] and last & 1 == self._before:
            return True
        place, before = self._place, self._before
        self._place = NOWHERE
        for expected in (self._on_time, self._early):
            if key_bytes == expected[turn]:
                self._place = expected
        self._before = -1 if place is NOWHERE else last & 1  # the level before the first of several scans isn't known
        self.doubt = ""
        if key_bytes == place[turn]:
            silent = last == 255 * (turn ^ 1)
            self.doubt = "silent" if silent else "edge" if before == last & 1 ^ 1 else ""
        return False

    def explain(self, answers: list[bytes]) -> str:
        """Return the diagnosis from the answers to `questions`: `right`, `chips 7`, `slips`, `inverted`, or nothing.

        `slips 7` means that the clock has a doubled or lost edge while chip 7 is read, so that its inputs and all later
        ones are wrong. `between 7` is the edge that ends chip 7 and begins the next.
        """
        self._place = NOWHERE  # no earlier scan to compare the next one with
        word, zero, early = explain(self.questions[0], answers[0], self._chips)
        if word not in ("right", "slips"):
            return word
        edge = slip(answers[1:], zero, early)
        if word == "right" and (edge < 0 or edge >= SLIP):
            # The key is complete, too. The alternating bit before it was read with an extra edge before the first bit.
            return "slips 0" if self.doubt == "edge" else word
        if edge < 0 or edge >= 8 * self._chips:
            return "slips"
        return "%s %d" % ("between" if edge & 7 == 7 and edge >> 3 < self._chips - 1 else "slips", edge >> 3)


def first_inverted(scan: bytes, idle: int) -> int:
    """Return the first chip of those whose inputs are mostly the inverse of `idle`, or the number of chips if there is
    none."""
    first = len(scan)
    while first and sum((scan[first - 1] ^ idle) >> bit & 1 for bit in range(8)) > 4:
        first -= 1
    return first


def broken_level(answer: bytes, chips: int) -> int:
    """Return 0 or 255 if all bytes after the chips' bytes have this value, else -1."""
    behind = set(answer[chips:])
    return behind.pop() if behind in ({0}, {255}) else -1


def last_before(scan: bytes, level: int) -> int:
    """Return the last chip before those that show only this level, or -1 if all do."""
    last = len(scan) - 1
    while last >= 0 and scan[last] == level:
        last -= 1
    return last


def bits(data: bytes) -> str:
    """Return the bits as text, in the order of the wire."""
    return "".join(f"{byte:08b}" for byte in data)


def turned(text: str) -> str:
    """Return the inverse of bits."""
    return "".join("1" if bit == "0" else "0" for bit in text)


def explain(sent_bytes: bytes, answer: bytes, chips: int) -> tuple[str, int, bool]:
    """Return the meaning of the first question's answer, where the chain ends in it, and whether the board reads
    early."""
    sent, received = bits(sent_bytes), bits(answer)
    end = len(received) - WIDE
    at = sent.find(received[end:])
    if at < 0:
        return "inverted" if sent.find(turned(received[end:])) >= 0 else "", 0, False
    base = end - at
    # Go back to the first bit whose position matches the end of the answer.
    while at and received[base + at - 1] == sent[at - 1]:
        at -= 1
    # Only a board that reads one bit too late never gets the first bit.
    count, early = (base + 1) >> 3, base & 7 == 7
    if at > early or base & 7 not in (0, 7):
        return "slips", 8 * count, early
    return "right" if count == chips else "chips %d" % count, 8 * count, early


def slip(answers: list[bytes], zero: int, early: bool) -> int:
    """Return the doubled edge, or the first lost edge, according to the answers to `COUNTERS`; -1 for none.

    After it, all bits are in place: the bit that enters with edge 0 is bit `zero` of an answer.
    """
    one, two, three, four = answers
    edge = 8 * len(one) - 1 - zero
    for at in range(8 * len(one) - 1, -1, -1):
        byte, bit = at >> 3, 7 - (at & 7)
        code = (one[byte] >> bit & 1) << 3 | (two[byte] >> bit & 1) << 2
        code |= (three[byte] >> bit & 1) << 1 | four[byte] >> bit & 1
        if early and code & 7 == 1:
            code -= 1  # it begins a byte, and may stand for the last bit of the one before
        if edge >= 0 and code == _due(edge, early):
            edge -= 1
            continue
        if code == _due(edge + 1, early):
            return edge + 1
        lost = SLIP
        while lost and code != _due(edge - lost, early):
            lost -= 1
        if 0 < lost <= edge:
            return edge - lost + 1
        break
    # This is an input, whose code is 0 or 15 and thus not that of a first bit. Check whether earlier bits are missing.
    return 0 if 0 <= edge < SLIP else -1


def _due(edge: int, early: bool) -> int:
    """Return the code of the bit that enters with an edge."""
    return (edge + 1 + (early and edge & 7 != 7)) & 15
