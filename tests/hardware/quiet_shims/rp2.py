"""The PIO's part of `machine.py`: pictures go nowhere."""


class PIO:
    """Names of settings."""

    OUT_LOW = SHIFT_LEFT = 0
    JOIN_TX = 1


def asm_pio(**settings):
    """Assemble nothing."""
    return lambda function: function


class StateMachine:
    """Takes words."""

    def __init__(self, number, program, freq, out_base, set_base):
        self.number = number

    def active(self, on):
        """Begin."""


class DMA:
    """Moves nothing, at once."""

    def pack_ctrl(self, size, inc_write, treq_sel):
        """As it is asked for."""
        return 0

    def active(self):
        """Nothing is under way."""
        return False

    def config(self, read, write, count, ctrl, trigger):
        """Done."""
