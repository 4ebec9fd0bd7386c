"""A model of a 74HC165 chain, with levels as in TI's data sheet SCLS116, on plain pins.

While SH/LD is low, the registers follow their inputs. While it is high, they shift at each rising clock edge, and SER
of the farthest chip enters first. QH always shows the last bit.
"""

from __future__ import annotations

import threading

from tests.hardware.model.pins import PinHeader
from tests.patience import PATIENCE


class Chain165:
    """A chain of `chips` registers. Input j of chip k is bit 8k + j.

    Chip 0 is the one whose QH goes to the computer. `far` is the level at SER of the last chip, or None if MOSI is
    wired to it. `cut` simulates a broken cable: it is the number of chips that are still connected to the computer.
    Everything beyond reads as `level`. `silent` are chips that don't load their inputs. `inverted` is a chip whose data
    wire is on the wrong pin: all that comes from it and from beyond is inverted. `slip` is the number of a clock edge,
    and how many edges it makes too many. If that is negative, so many are lost from there on. With `late`, which is no
    fault, SER sees the port's next bit.
    """

    def __init__(self, chips: int, far: bool | None = None) -> None:
        self.down = self.loads = 0
        self._register = self._edges = 0
        self._shifting = True
        self._loaded = threading.Condition()
        self.repair(chips)
        self.far = far

    def repair(self, chips: int) -> None:
        """Remove all faults. The chain has this many chips."""
        self.chips, self.bits = chips, 8 * chips
        self.far: bool | None = None
        self.cut: int | None = None
        self.level, self.late = True, False
        self.silent: set[int] = set()
        self.inverted: int | None = None
        self.slip = (0, 0)

    def touch(self, sensor: int, down: bool) -> None:
        """Close a contact to ground, or open it."""
        self.down = self.down & ~(1 << sensor) | down << sensor

    @property
    def out(self) -> bool:
        """The level at QH of chip 0. Its input H comes first, which is bit 7 of chip 0."""
        if self.cut == 0:
            return self.level
        return bool(self._register >> (self.bits - 1) & 1) ^ (self.inverted == 0)

    def load(self, level: bool) -> None:
        """Set the level of SH/LD."""
        self._shifting = level
        if not level:
            kept = sum(0xFF << self.bits - 8 - 8 * chip for chip in self.silent)
            self._register = self._register & kept | self._ordered() & ~kept
            self._edges = 0
            with self._loaded:
                self.loads += 1
                self._loaded.notify_all()

    def exchange(self, byte: int, *, after_shift: bool = False) -> int:
        """Shift a byte in and one out, the highest bit first. Each bit is read before the rising edge, or after it."""
        back = 0
        byte = byte << 1 & 255 | byte & 1 if self.late else byte
        for bit in range(7, -1, -1):
            before = self.out
            self.rise(bool(byte >> bit & 1))
            back = back << 1 | (self.out if after_shift else before)
        return back

    def rise(self, serial: bool) -> None:
        """Process a rising clock edge while MOSI has the level `serial`."""
        if not self._shifting:
            return
        edge, edges = self.slip
        lost = 0 <= self._edges - edge < -edges
        extra = max(0, edges) if self._edges == edge else 0
        self._edges += 1
        for _ in range(extra + (not lost)):
            self._shift(serial)

    def _shift(self, serial: bool) -> None:
        entering = serial if self.far is None else self.far
        mask = (1 << self.bits) - 1
        self._register = (self._register << 1 | entering) & mask
        for chip, change in ((self.cut, self._break_off), (self.inverted, int.__xor__)):
            if chip:
                self._register = change(self._register, 1 << (self.bits - 8 * chip))

    def _break_off(self, register: int, entering: int) -> int:
        """Return the register with this bit at the level that everything beyond the break has."""
        return register | entering if self.level else register & ~entering

    def wait_for_loads(self, more: int) -> bool:
        """Wait until the chain was loaded `more` times. Return whether that took less than ten seconds."""
        with self._loaded:
            wanted = self.loads + more
            return self._loaded.wait_for(lambda: self.loads >= wanted, PATIENCE)

    def _ordered(self) -> int:
        """Return the inputs in register order: the highest bit comes out first."""
        inputs = ~self.down & (1 << self.bits) - 1  # pull-ups make what is not down high
        return int.from_bytes(inputs.to_bytes(self.chips, "little"), "big")


class ChainOnPins:
    """The chain on plain pins (`pins.Circuit`)."""

    def __init__(self, chain: Chain165, clock: int = 11, miso: int = 9, mosi: int = 10, load: int = 25) -> None:
        self._chain = chain
        self._clock, self._miso, self._mosi, self._load = clock, miso, mosi, load

    def join(self, header: PinHeader) -> None:
        self._header = header

    def changed(self, number: int) -> None:
        """Follow a changed pin: load, shift, and update MISO."""
        header = self._header
        if number == self._load and header.is_driven(number):
            self._chain.load(header.level(number))
        elif number == self._clock and header.is_driven(number) and header.level(number):
            self._chain.rise(header.level(self._mosi))
        elif number != self._miso:
            return
        header.follow(self._miso, self._chain.out)
