"""Chips that take no memory, so that what the firmware takes can be measured. Nothing stands here but what it asks for.

`down` is what is down; the chain is whole. `millivolt` is what every supply has.
"""

down = bytearray(64)


class Pin:
    """A pin that does nothing."""

    OUT = 1

    def __init__(self, number, mode=-1, value=None):
        self.number = number

    def __call__(self, level):
        """Take a level."""


class SPI:
    """A whole chain: the inputs, and behind them what was sent first."""

    def __init__(self, number, **wiring):
        self.transfers = 0

    def readinto(self, buffer):
        """Idle."""
        for at in range(len(buffer)):
            buffer[at] = 255

    def write_readinto(self, sent, buffer):
        """Three bytes behind the chips, as in `proof.py`."""
        self.transfers += 1
        chips = len(buffer) - 3
        for at in range(chips):
            buffer[at] = down[at] ^ 255
        for at in range(3):
            buffer[chips + at] = sent[at]


class ADC:
    """A good supply."""

    def __init__(self, pin):
        self.pin = pin

    def read_u16(self):
        """At its best."""
        return 65535


class WDT:
    """A watchdog that sleeps."""

    def __init__(self, timeout):
        self.timeout = timeout

    def feed(self):
        """Not yet."""


class Timer:
    """Never called."""

    def __init__(self, period, callback):
        self.period = period


def unique_id():
    """A number."""
    return b"\x01\x02\x03\x04\x05\x06\x07\x08"


def reset():
    """The end."""
    raise SystemExit
