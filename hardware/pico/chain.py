"""The sensors: a chain of 74HC165 shift registers on the hardware SPI."""

import micropython
from machine import SPI, Pin

from marker import TAIL
from proof import Proof


@micropython.viper
def take(scan: ptr8, levels: ptr8, size: int, flip: int, last: int):
    """Copy the chips' bytes to `levels`, inverted if `flip` is 255. `last` masks the last byte."""
    for at in range(size):
        levels[at] = scan[at] ^ flip
    levels[size - 1] = levels[size - 1] & last


class Chain:
    """Scans the sensors into a bitmap: bit 0 of byte 0 is sensor 0, set while something is there.

    With `CHAIN_LOOP`, each scan is checked. If a check fails, `scan()` returns None. As soon as the cause is certain,
    it is in `fault`.
    """

    def __init__(self, config):
        chips = (config.SENSORS + 7) // 8
        self._load = Pin(config.CHAIN_LOAD, Pin.OUT, value=1)
        # Mode 2: the chip shifts on the rising edge, so the level is read on the falling edge.
        self._spi = SPI(
            config.CHAIN_SPI,
            baudrate=config.CHAIN_HZ,
            polarity=1,
            phase=0,
            sck=Pin(config.CHAIN_CLOCK),
            mosi=Pin(config.CHAIN_UNUSED),
            miso=Pin(config.CHAIN_DATA),
        )
        self._flip = 255 if config.DOWN_IS_LOW else 0
        # The config.py of an older board doesn't set CHAIN_LOOP: its last SER is at 3.3 V.
        self._proof = Proof(chips, self._flip) if getattr(config, "CHAIN_LOOP", False) else None
        self._found = bytearray(chips)
        self._last = 255 >> (-config.SENSORS & 7)
        self._back = bytearray(chips + (TAIL if self._proof else 0))
        self._spi.readinto(self._back)  # puts the clock at its idle level (high) before the first load

    @property
    def fault(self):
        """The fault of the chain, as a word of `proof`; None while no fault is certain."""
        return self._proof.fault if self._proof else None

    def scan(self):
        """Return all sensors as they are now, or None. The buffer is reused."""
        self._load(0)
        self._load(1)
        if self._proof is None:
            self._spi.readinto(self._back)
        else:
            self._spi.write_readinto(self._proof.key.out, self._back)
            if not self._proof.is_reliable(self._back):
                if self._proof.doubtful:
                    self._ask()
                return None
        take(self._back, self._found, len(self._found), self._flip, self._last)
        return self._found

    def _ask(self):
        answers = []
        for question in self._proof.key.questions:
            answers.append(bytearray(len(question)))
            self._load(0)
            self._load(1)  # load first: an edge that is doubled or lost after each load must also be in the answers
            self._spi.write_readinto(question, answers[-1])
        self._proof.explain(self._back, answers)
