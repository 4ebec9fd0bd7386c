"""A Raspberry Pi as the library lgpio shows it, with a chain of 74HC165 on its SPI port.

Put in that library's place, it lets gpiozero's own code for lgpio run: the way to the port is taken without a port.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.model.chain import Chain165

OUTPUT = 1 << 1
"""The bit of a line's mode by which lgpio marks an output."""


class LgpioError(Exception):
    """What lgpio raises; it says of itself that it comes from there."""


LgpioError.__module__ = "lgpio"


class Chip:
    """The functions and words of lgpio that gpiozero uses for outputs and SPI.

    `locked` files may not be opened: "gpiochip" or "SPI device". `broken` makes every SPI transfer fail.
    """

    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
    SET_BIAS_PULL_UP, SET_BIAS_PULL_DOWN, SET_BIAS_DISABLE = 32, 64, 128
    error = LgpioError

    def __init__(self, chain: Chain165, load: int = 25) -> None:
        self._chain = chain
        self._load = load
        self._outputs: dict[int, bool] = {}
        self.locked: str | None = None
        self.broken = False
        self.mode = self.speed = 0

    def gpiochip_open(self, chip: int) -> int:
        """A handle of the header. Raises `LgpioError`."""
        return self._opened("gpiochip")

    def gpiochip_close(self, handle: int) -> int:
        """Let go of it."""
        return 0

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> int:
        """Make a line an input."""
        self._outputs.pop(line, None)
        return 0

    def gpio_claim_output(self, handle: int, line: int, level: int = 0) -> int:
        """Make a line an output."""
        return self.gpio_write(handle, line, level)

    def gpio_get_mode(self, handle: int, line: int) -> int:
        """What a line is."""
        return OUTPUT if line in self._outputs else 0

    def gpio_read(self, handle: int, line: int) -> int:
        """The level at a line."""
        return int(self._outputs.get(line, True))

    def gpio_write(self, handle: int, line: int, level: int) -> int:
        """Drive an output."""
        self._outputs[line] = bool(level)
        if line == self._load:
            self._chain.load(bool(level))
        return 0

    def spi_open(self, port: int, device: int, speed: int, mode: int) -> int:
        """A handle of an SPI port. Raises `LgpioError`."""
        self.mode, self.speed = mode, speed
        return self._opened("SPI device")

    def spi_close(self, handle: int) -> int:
        """Let go of it."""
        return 0

    def spi_xfer(self, handle: int, data: Sequence[int]) -> tuple[int, bytearray]:
        """Send and receive: a count, below 0 where the port fails, and the bytes."""
        if self.broken:
            return -1, bytearray()
        return len(data), bytearray(self._word(word) for word in data)

    def _opened(self, what: str) -> int:
        if self.locked == what:
            raise LgpioError(f"can not open {what}")
        return 1

    def _word(self, word: int) -> int:
        """One byte each way.

        In modes 0 and 3 a bit is taken at the rising edge, when the chain shifts, and in mode 1 at the falling one
        after it: what is read is the bit after. In mode 2 it is taken before.
        """
        heard = 0
        for bit in range(7, -1, -1):
            before = self._chain.out
            self._chain.rise(bool(word >> bit & 1))
            heard = heard << 1 | (before if self.mode == 2 else self._chain.out)
        return heard
