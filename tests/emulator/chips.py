"""A strip of WS2812 on the emulated board."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

LATCH_NS = 50_000
"""A low of this length ends a picture."""
PIO_STEP_NS = 100
"""The emulator runs one PIO instruction for each jump of its clock. A sleeping processor must not jump farther."""


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
