"""Chips that allocate no memory, so that the firmware's own allocations can be measured. Only what the firmware uses is
here.

`down` is what is down; the chain is whole. `millivolt` is the voltage of every supply.
"""

import sys

import usb_pc

down = bytearray(64)


class Pin:
    """A pin that does nothing."""

    OUT = 1

    def __init__(self, number, mode=-1, value=None):
        self.number = number

    def __call__(self, level):
        """Accept a level."""


class SPI:
    """A whole chain: the inputs, and behind them what was sent first."""

    def __init__(self, number, **wiring):
        self.transfers = 0

    def readinto(self, buffer):
        """Do nothing."""
        for at in range(len(buffer)):
            buffer[at] = 255

    def write_readinto(self, sent, buffer):
        """Return three bytes behind the chips, as in `proof.py`."""
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
        """Return a good voltage."""
        return 65535


class WDT:
    """A watchdog without effect."""

    def __init__(self, timeout):
        self.timeout = timeout

    def feed(self):
        """Do nothing."""


class Timer:
    """A timer that never fires."""

    def __init__(self, period, callback):
        self.period = period


def unique_id():
    """Return a number."""
    return b"\x01\x02\x03\x04\x05\x06\x07\x08"


def reset():
    """Exit."""
    raise SystemExit


sys.modules["usb"] = usb_pc  # instead of what the firmware has for the chip
