"""The chips on the emulated board: a chain of 74HC165, with faults, and a strip of WS2812."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

LATCH_NS = 50_000
"""A low of this length ends a picture."""
PIO_STEP_NS = 100
"""The emulator runs one PIO instruction for each jump of its clock. A sleeping processor must not jump farther."""


class Chain:
    """A chain of 74HC165 on SPI, mode 2. Input j of chip k is sensor 8k + j; chip 0 is next to the Pico.

    Its faults are attributes: `joined` chips are connected, and `level` is what the break shows; without `loop`, SER of
    the last chip has that level, too. `inverted` chips use pin 7, `silent` ones don't load. `slips` are how many edges
    the clock edge of this number makes too many; if that is negative, so many are lost from there on. With `late`,
    which is no fault, SER sees the port's next bit.
    """

    def __init__(self, chips: int) -> None:
        self.loads: deque[float] = deque(maxlen=10_000)
        """When the inputs were loaded, in ns."""
        self.down = self._word = 0
        self._edge = 0
        self.repair(chips)

    def repair(self, chips: int) -> None:
        """Remove all faults. The chain has this many chips."""
        self.chips = self.joined = chips
        self.level, self.loop, self.late = 0, True, False
        self.inverted: set[int] = set()
        self.silent: set[int] = set()
        self.slips: dict[int, int] = {}

    def touch(self, sensor: int, down: bool) -> None:
        """Put something on a sensor, or take it away."""
        self.down = self.down & ~(1 << sensor) | down << sensor

    def load(self, now: float) -> None:
        """Load the inputs. Pull-ups make what is not down high."""
        self.loads.append(now)
        self._edge = word = 0
        for chip in range(self.chips):
            held = self._word >> 8 * (self.chips - 1 - chip) & 255
            word = word << 8 | (held if chip in self.silent else ~(self.down >> 8 * chip) & 255)
        self._word = word

    def exchange(self, value: int) -> int:
        """Shift a byte in and one out. The level is read before each rising edge."""
        back = 0
        value = value << 1 & 255 | value & 1 if self.late else value
        for at in range(8):
            back = back << 1 | self._out()
            lost = any(0 <= self._edge - edge < -slip for edge, slip in self.slips.items())
            for _ in range((not lost) + max(0, self.slips.get(self._edge, 0))):
                self._rise(value >> (7 - at) & 1)
            self._edge += 1
        return back

    def _out(self) -> int:
        if not self.joined:
            return self.level
        return self._word >> (8 * self.chips - 1) & 1 ^ (0 in self.inverted)

    def _rise(self, serial: int) -> None:
        entering = serial if self.loop else self.level
        self._word = (self._word << 1 | entering) & ((1 << 8 * self.chips) - 1)
        for chip in self.inverted - {0}:
            self._word ^= 1 << 8 * (self.chips - chip)
        if 0 < self.joined < self.chips:
            place = 1 << 8 * (self.chips - self.joined)
            self._word = self._word & ~place | self.level * place


class Strip:
    """Reads a pin as a strip of WS2812 does, by the cycles of the state machine that drives it.

    The emulator's time of an edge is only right within an instruction of the processor. The cycles are exact.
    """

    def __init__(self, clock: Any, pio: Any) -> None:
        self.pictures: deque[tuple[float, bytes]] = deque(maxlen=1000)
        """When the last edge of each picture came (ns), and its bytes in the order of the wire."""
        self.high: dict[int, set[float]] = {0: set(), 1: set()}
        """Bit -> its lengths of the high level, in ns."""
        self.low: dict[int, set[float]] = {0: set(), 1: set()}
        self.starts: deque[float] = deque(maxlen=1000)
        self.on_picture: Callable[[bytes], None] = lambda _: None
        self._clock, self._machine, self._program = clock, pio.machines[0], pio.instructions
        self._latch = clock.create_alarm(self._end)
        self._step = clock.create_alarm(self._run)
        self._stepping = False
        self._bits: list[int] = []
        self._edge = self._last = 0.0

    def changed(self, new: Any, old: Any) -> None:
        """Process an edge of the pin: 0 is low and 1 is high, other values mean that no one drives it."""
        machine = self._machine
        # The count includes the instruction that made the edge at its begin, with its delay.
        top, bottom = machine.exec_ctrl >> 12 & 31, machine.exec_ctrl >> 7 & 31
        made_by = self._program[top if machine.pc == bottom else machine.pc - 1]
        cycles = machine.cycles - 1 - (made_by >> 8 & 31)
        passed = (cycles - self._edge) * machine.div_fp / 256 * 8
        if new == 1:
            if self._bits:
                self.low[self._bits[-1]].add(round(passed))
            else:
                self.starts.append(self._clock.nanos)
            if not self._stepping:
                self._run()
        elif (new, old) == (0, 1):
            self._last = self._clock.nanos
            self._latch.schedule(LATCH_NS)
            # At twice the period, it is a WS2811, whose pulses are twice as long.
            bit = int(passed > (500 if machine.div_fp < 6000 else 1000))
            self.high[bit].add(round(passed))
            self._bits.append(bit)
        self._edge = cycles

    def _run(self) -> None:
        self._stepping = self._machine.enabled and not self._machine.waiting
        if self._stepping:
            self._step.schedule(PIO_STEP_NS)

    def _end(self) -> None:
        bits, self._bits = self._bits, []
        wire = bytes(int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 8))
        self.pictures.append((self._last, wire))
        self.on_picture(wire)

    @property
    def shown(self) -> tuple[tuple[int, int, int], ...]:
        """What the lamps show, for lamps that take green first."""
        wire = self.pictures[-1][1] if self.pictures else b""
        return tuple((wire[at + 1], wire[at], wire[at + 2]) for at in range(0, len(wire), 3))
