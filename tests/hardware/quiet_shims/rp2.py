"""The PIO's part of `machine.py`: pictures are discarded."""


class PIO:
    """Names of settings."""

    OUT_LOW = SHIFT_LEFT = 0
    JOIN_TX = 1


def asm_pio(**settings):
    """Assemble nothing."""
    return lambda function: function


class StateMachine:
    """Accepts words."""

    def __init__(self, number, program, freq, out_base, set_base):
        self.number = number

    def active(self, on):
        """Start."""


class DMA:
    """Moves nothing, at once."""

    def pack_ctrl(self, size, inc_write, treq_sel):
        """Return a control word."""
        return 0

    def active(self):
        """Return whether a transfer is running: never."""
        return False

    def config(self, read, write, count, ctrl, trigger):
        """Do nothing."""
