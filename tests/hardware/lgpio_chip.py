"""A model of the lgpio library on a Raspberry Pi with a 74HC165 chain on its SPI port.

It replaces the library, so that gpiozero's own code for lgpio runs without a port.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.hardware.model.chain import Chain165

OUTPUT = 1 << 1
"""The mode bit that marks an output in lgpio."""


class LgpioError(Exception):
    """The error of lgpio. Its module name is set to `lgpio`, like that of the original."""


LgpioError.__module__ = "lgpio"


class Chip:
    """The functions and constants of lgpio that gpiozero uses for outputs and SPI.

    `locked` makes "gpiochip" or "SPI device" fail to open. `broken` makes every SPI transfer fail.
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
        """Return a handle of the header. Raises `LgpioError`."""
        return self._opened("gpiochip")

    def gpiochip_close(self, handle: int) -> int:
        """Close the handle."""
        return 0

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> int:
        """Make a line an input."""
        self._outputs.pop(line, None)
        return 0

    def gpio_claim_output(self, handle: int, line: int, level: int = 0) -> int:
        """Make a line an output."""
        return self.gpio_write(handle, line, level)

    def gpio_get_mode(self, handle: int, line: int) -> int:
        """Return the mode of a line."""
        return OUTPUT if line in self._outputs else 0

    def gpio_read(self, handle: int, line: int) -> int:
        """Return the level of a line."""
        return int(self._outputs.get(line, True))

    def gpio_write(self, handle: int, line: int, level: int) -> int:
        """Drive an output."""
        self._outputs[line] = bool(level)
        if line == self._load:
            self._chain.load(bool(level))
        return 0

    def spi_open(self, port: int, device: int, speed: int, mode: int) -> int:
        """Return a handle of an SPI port. Raises `LgpioError`."""
        self.mode, self.speed = mode, speed
        return self._opened("SPI device")

    def spi_close(self, handle: int) -> int:
        """Close the handle."""
        return 0

    def spi_xfer(self, handle: int, data: Sequence[int]) -> tuple[int, bytearray]:
        """Send and receive. Return a count, which is negative if the port fails, and the bytes."""
        if self.broken:
            return -1, bytearray()
        return len(data), bytearray(self._word(word) for word in data)

    def _opened(self, what: str) -> int:
        if self.locked == what:
            raise LgpioError(f"can not open {what}")
        return 1

    def _word(self, word: int) -> int:
        """Transfer one byte in each direction.

        In modes 0 and 3, a bit is read at the rising edge, when the chain shifts; in mode 1, at the falling edge after
        it. The result is then the bit after the shift. In mode 2 it is read before the shift.
        """
        return self._chain.exchange(word, after_shift=self.mode != 2)
