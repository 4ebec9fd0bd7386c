"""The sensors: a chain of 74HC165 shift registers on the hardware SPI."""

import micropython
from machine import SPI, Pin


@micropython.viper
def turn(scan: ptr8, size: int, last: int):
    """Every bit the other way round; of the last byte only those in `last`."""
    for at in range(size):
        scan[at] = scan[at] ^ 255
    scan[size - 1] = scan[size - 1] & last


@micropython.viper
def keep(scan: ptr8, size: int, last: int):
    """Of the last byte only the bits in `last`."""
    scan[size - 1] = scan[size - 1] & last


class Chain:
    """`scan()` gives a bitmap: bit 0 of byte 0 is sensor 0, set while something is there."""

    def __init__(self, config):
        self._load = Pin(config.CHAIN_LOAD, Pin.OUT, value=1)
        # Mode 2: the chip shifts on the rising edge, so the level is read on the falling one.
        self._spi = SPI(
            config.CHAIN_SPI,
            baudrate=config.CHAIN_HZ,
            polarity=1,
            phase=0,
            sck=Pin(config.CHAIN_CLOCK),
            mosi=Pin(config.CHAIN_UNUSED),
            miso=Pin(config.CHAIN_DATA),
        )
        self._scan = bytearray((config.SENSORS + 7) // 8)
        self._last = 255 >> (-config.SENSORS & 7)
        self._clean = turn if config.DOWN_IS_LOW else keep
        self._spi.readinto(self._scan)  # leaves the clock idle at its high level before the first load

    def scan(self):
        """All sensors as they are now. The same buffer each time."""
        self._load(0)
        self._load(1)
        self._spi.readinto(self._scan)
        self._clean(self._scan, len(self._scan), self._last)
        return self._scan
