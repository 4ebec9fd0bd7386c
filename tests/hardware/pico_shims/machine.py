"""The chips around the Pico, for the interpreter on a PC: a chain of 74HC165, a supply, and what the firmware asks for.

The folder in BENCH holds the world: `reeds` is a bitmap of what is down, `supply` a voltage in mV.
"""

import os

try:
    import config
except ImportError:
    config = None  # a new Pico

BENCH = os.getenv("BENCH")


def look(name, otherwise):
    """The world as it is now."""
    try:
        with open(BENCH + "/" + name, "rb") as file:
            return file.read()
    except OSError:
        return otherwise


def tell(name, data):
    """Change the world, all at once."""
    with open(BENCH + "/" + name + ".new", "wb") as file:
        file.write(data)
    os.rename(BENCH + "/" + name + ".new", BENCH + "/" + name)


def unique_id():
    """As the test gave it."""
    return look("identity", b"\x01\x02\x03\x04\x05\x06\x07\x08")


class Chain:
    """A chain of 74HC165: a low load pulse takes the inputs over, each rising clock edge shifts."""

    bits = ()

    @classmethod
    def load(cls):
        """The input H (D7) of the first chip is at the output; a pull-up makes what is not down high."""
        reeds = look("reeds", b"")
        cls.bits = ()
        for chip in range((config.SENSORS + 7) // 8):
            down = reeds[chip] if chip < len(reeds) else 0
            cls.bits += tuple(0 if down >> line & 1 else 1 for line in range(7, -1, -1))


class Pin:
    """A pin; only the load pulse has an effect here."""

    IN, OUT = 0, 1

    def __init__(self, number, mode=-1, value=None):
        self.number = number
        self.level = value

    def __call__(self, level):
        if self.number == config.CHAIN_LOAD and self.level and not level:
            Chain.load()
        self.level = level


class SPI:
    """Reads the chain. In any mode but 2 the chip has shifted before the level is read, and the first bit is lost."""

    def __init__(self, number, baudrate, polarity, phase, sck, mosi, miso):
        assert (sck.number, miso.number) == (config.CHAIN_CLOCK, config.CHAIN_DATA)
        self._early = (polarity, phase) != (1, 0)

    def readinto(self, buffer):
        """Eight bits a byte, the highest first; what is after the end of the chain is low."""
        bits = Chain.bits[1:] if self._early else Chain.bits
        bits = bits + (0,) * (8 * len(buffer) - len(bits))
        for at in range(len(buffer)):
            byte = 0
            for bit in bits[8 * at : 8 * at + 8]:
                byte = byte << 1 | bit
            buffer[at] = byte
        Chain.bits = Chain.bits[8 * len(buffer) :]


class ADC:
    """The third of the supply, 65535 at 3.3 V."""

    def __init__(self, pin):
        assert pin.number == config.SUPPLY_PIN

    def read_u16(self):
        """The voltage."""
        return int(look("supply", b"4800")) * 65535 // 9900


class WDT:
    """A watchdog; feeding is counted in the world."""

    def __init__(self, timeout):
        assert 1000 <= timeout <= 8388
        self.fed = 0

    def feed(self):
        """Not yet."""
        self.fed += 1


class Timer:
    """A timer that would go on while the REPL is used."""

    def __init__(self, period, callback):
        callback(self)


def reset():
    """On a Pico all begins anew."""
    tell("reset", b"1")
    raise SystemExit
