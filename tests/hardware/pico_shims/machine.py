"""The chips around the Pico, for the interpreter on a PC: a chain of 74HC165, a supply, and what else the firmware
uses.

The folder in BENCH contains the world: `reeds` is a bitmap of what is down, `supply` and `lamps supply` are voltages in
mV, `chain` lists its faults.
"""

import os
import sys

import usb_pc

try:
    import config
except ImportError:
    config = None  # a new Pico

BENCH = os.getenv("BENCH")


def look(name, otherwise):
    """Return a file of the world, or a default."""
    try:
        with open(BENCH + "/" + name, "rb") as file:
            return file.read()
    except OSError:
        return otherwise


def tell(name, data):
    """Change a file of the world atomically."""
    with open(BENCH + "/" + name + ".new", "wb") as file:
        file.write(data)
    os.rename(BENCH + "/" + name + ".new", BENCH + "/" + name)


def unique_id():
    """Return the number that the test set."""
    return look("identity", b"\x01\x02\x03\x04\x05\x06\x07\x08")


class Chain:
    """A chain of 74HC165 as one shift register: a low load pulse loads the inputs, each rising clock edge shifts.

    The file `chain` in the world lists its faults, one a line: `cut K LEVEL` (only K chips are joined; the level is
    behind them), `invert K` (chip K uses its inverted output), `mute K` (the load wire of chip K is off), `chips K`
    (the number of soldered chips), `slip N` (the clock rings: each transfer shifts N times too often), `late` (SER is
    read just after the port's output has changed, which is not a fault).
    """

    word = 0

    @classmethod
    def faults(cls):
        """Return the numbers of each fault."""
        lines = look("chain", b"").decode().split("\n")
        return {words[0]: [int(word) for word in words[1:]] for words in (line.split() for line in lines) if words}

    @classmethod
    def chips(cls, faults):
        """Return the number of soldered chips."""
        return faults["chips"][0] if "chips" in faults else (config.SENSORS + 7) // 8

    @classmethod
    def load(cls):
        """Load the inputs. The input H (D7) of the first chip is at the output; a pull-up makes what is not down
        high.
        """
        reeds, faults, word = look("reeds", b""), cls.faults(), 0
        chips = cls.chips(faults)
        for chip in range(chips):
            down = reeds[chip] if chip < len(reeds) else 0
            held = cls.word >> 8 * (chips - 1 - chip) & 255
            word = word << 8 | (held if chip in faults.get("mute", ()) else down ^ 255)
        cls.word = word

    @classmethod
    def transfer(cls, sent):
        """Send bytes and return the bytes received."""
        faults, size = cls.faults(), 8 * len(sent)
        chips = cls.chips(faults)
        bits, word, coming = 8 * chips, cls.word, int.from_bytes(sent, "big")
        if "late" in faults:
            coming = coming << 1 & (1 << size) - 1 | coming & 1
        whole = word << size | coming
        cls.word = whole & (1 << bits) - 1
        if "cut" in faults:
            joined, level = faults["cut"]
            word >>= 8 * (chips - joined)
            bits, whole = 8 * joined, word << size | ((1 << size) - 1 if level else 0)
        if "invert" in faults:
            whole ^= (1 << size + bits - 8 * faults["invert"][0]) - 1
        if "slip" in faults:
            whole <<= faults["slip"][0]
        return (whole >> bits & (1 << size) - 1).to_bytes(len(sent), "big")


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
        assert (sck.number, mosi.number, miso.number) == (config.CHAIN_CLOCK, config.CHAIN_UNUSED, config.CHAIN_DATA)
        self._early = (polarity, phase) != (1, 0)

    def readinto(self, buffer):
        """Read bytes while sending zeros."""
        self.write_readinto(bytes(len(buffer)), buffer)

    def write_readinto(self, sent, buffer):
        """Transfer eight bits a byte each way, the highest first."""
        assert len(sent) == len(buffer)
        if self._early:
            Chain.word = Chain.word << 1 & (1 << 8 * Chain.chips(Chain.faults())) - 1
        buffer[:] = Chain.transfer(sent)


class ADC:
    """65535 at 3.3 V: a third of the Pico's supply, or half of that of the lamps."""

    def __init__(self, pin):
        assert pin.number in (config.SUPPLY_PIN, config.LAMP_SUPPLY_PIN)
        self._own = pin.number == config.SUPPLY_PIN

    def read_u16(self):
        """Return the voltage."""
        if self._own:
            return int(look("supply", b"4800")) * 65535 // 9900
        return int(look("lamps supply", b"5000")) * 65535 // 6600


class WDT:
    """A watchdog; feeding is counted in the world."""

    def __init__(self, timeout):
        assert 1000 <= timeout <= 8388
        self.fed = 0

    def feed(self):
        """Count the feeding."""
        self.fed += 1


class Timer:
    """A timer that goes on while the REPL is used; the file `keeper` holds its period (ms)."""

    def __init__(self, period, callback):
        callback(self)
        tell("keeper", str(period).encode())


def reset():
    """Restart, as a Pico does."""
    tell("reset", b"1")
    raise SystemExit


sys.modules["usb"] = usb_pc  # instead of what the firmware has for the chip
