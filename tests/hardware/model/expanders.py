"""A model of an I²C bus with MCP23017 modules, by Microchip's data sheet DS20001952, in place of Linux' bus device.

`I2cWires.port` has the methods of `Adafruit_PureIO.smbus.SMBus` that Blinka calls, so that the driver, Adafruit's
library and Blinka run over it. It models registers and levels, not time.
"""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable

from tests.patience import PATIENCE

IODIR, IPOL, GPINTEN, GPPU, GPIO, REGISTERS = 0x00, 0x02, 0x04, 0x0C, 0x12, 0x16
"""First registers of pairs (half A, half B), and how many registers there are (IOCON.BANK = 0)."""


class Mcp23017:
    """A module. `closed` has a bit for each input that is connected to ground.

    `away` cuts its cable. `floating` are the levels of open inputs without a pull-up. `spoil` changes the next reading
    of its inputs: a function of the right word.
    """

    def __init__(self) -> None:
        self.closed = 0
        self.away = False
        self.floating = 0
        self.spoil: Callable[[int], int] | None = None
        self.cut_power()

    def cut_power(self) -> None:
        """Interrupt its power for a moment: all registers have their first values."""
        self._registers = bytearray(REGISTERS)
        # After a reset, all pins are inputs; the other registers are 0.
        self._registers[IODIR : IODIR + 2] = b"\xff\xff"
        self._at = 0
        self._last_read = 0

    def word(self, register: int) -> int:
        """Return a pair of registers."""
        return int.from_bytes(self._registers[register : register + 2], "little")

    @property
    def levels(self) -> int:
        """The levels at its inputs."""
        return ((self.word(GPPU) | self.floating) & ~self.closed & 0xFFFF) ^ self.word(IPOL)

    @property
    def interrupts(self) -> bool:
        """Whether an input has changed since it was read, and the module may say so."""
        return bool((self.levels ^ self._last_read) & self.word(GPINTEN))

    def write(self, content: bytes) -> None:
        """Receive a register's number, then values for it and the following ones."""
        self._at = content[0] if content else self._at
        for value in content[1:]:
            self._registers[self._at] = value
            # The chip goes on to the next register by itself, and starts over after the last.
            self._at = (self._at + 1) % REGISTERS

    def read(self, number: int) -> bytes:
        """Send this many registers."""
        if GPIO <= self._at < GPIO + 2:
            word, spoil = self.levels, self.spoil
            # Reading the inputs clears the interrupt; a spoiled reading happens once.
            self._last_read, self.spoil = word, None
            self._registers[GPIO : GPIO + 2] = (spoil(word) if spoil else word).to_bytes(2, "little")
        found = bytes(self._registers[(self._at + step) % REGISTERS] for step in range(number))
        self._at = (self._at + number) % REGISTERS
        return found


class I2cWires:
    """The wires of all buses: `modules` by bus and address. `line` is called after each change of the interrupts."""

    def __init__(self, modules: dict[tuple[int, int], Mcp23017], line: Callable[[bool], None] = lambda _: None) -> None:
        self.modules = modules
        self.broken = False
        """Whether SDA or SCL is broken, so that no module answers."""
        self.held_low = False
        """Whether something holds SDA low, so that each transfer fails after a second; they count as `timeouts`."""
        self.timeouts = 0
        self.readings = 0
        self.guard = threading.RLock()
        self._line = line
        self._news = threading.Condition(self.guard)

    def touch(self, sensor: int, down: bool) -> None:
        """Close a contact to ground, or open it."""
        with self.guard:
            module = [*self.modules.values()][sensor // 16]
            bit = 1 << sensor % 16
            module.closed = module.closed | bit if down else module.closed & ~bit
            self.settle()

    def settle(self) -> None:
        """Tell the interrupt line its level: low while any module asks."""
        # The outputs of all modules are connected to one line, so any of them pulls it low.
        self._line(not any(module.interrupts for module in self.modules.values() if not module.away))

    def wait_for_readings(self, more: int) -> bool:
        """Wait until inputs were read this often. Return whether that took less than ten seconds."""
        with self._news:
            wanted = self.readings + more
            return self._news.wait_for(lambda: self.readings >= wanted, PATIENCE)

    def counted(self) -> None:
        """Count a reading of inputs, under the guard."""
        self.readings += 1
        self._news.notify_all()

    def port(self, bus: int) -> I2cPort:
        """Open a bus. Raises `FileNotFoundError` if there is none of this number."""
        if bus not in {number for number, _ in self.modules}:
            raise FileNotFoundError(f"/dev/i2c-{bus}")
        return I2cPort(self, bus)


class I2cPort:
    """A bus device of Linux."""

    def __init__(self, wires: I2cWires, bus: int) -> None:
        self._wires, self._bus = wires, bus

    def _module(self, address: int) -> Mcp23017:
        if self._wires.held_low:
            self._wires.timeouts += 1
            raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")
        module = self._wires.modules.get((self._bus, address))
        # What the kernel reports when no module acknowledges its address.
        if module is None or module.away or self._wires.broken:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        return module

    def write_bytes(self, address: int, content: bytes) -> None:
        """Write to a module."""
        with self._wires.guard:
            self._module(address).write(bytes(content))
            self._wires.settle()

    def read_bytes(self, address: int, number: int) -> bytes:
        """Read from a module where it was read last."""
        with self._wires.guard:
            return self._module(address).read(number)

    def read_i2c_block_data(self, address: int, register: bytes, length: int) -> bytes:
        """Write a register's number, and read from there."""
        with self._wires.guard:
            module = self._module(address)
            module.write(bytes(register))
            found = module.read(length)
            self._wires.settle()
            if register[0] == GPIO:
                self._wires.counted()
            return found

    def close(self) -> None:
        """Close the device."""
