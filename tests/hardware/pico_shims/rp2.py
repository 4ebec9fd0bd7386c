"""A PIO for the interpreter on a PC: runs a state machine's program cycle by cycle and reads its pin as a WS2812 does.

It supports the four instructions and the settings that the strip uses; anything else fails. The bytes that the lamps
received are in the file `lamps` of the folder in BENCH, in the order of the wire.
"""

from machine import tell


class PIO:
    """Names of settings."""

    OUT_LOW = 0
    SHIFT_LEFT = 0
    JOIN_TX = 1


class Instruction:
    """An operation, its operands, and its delay."""

    def __init__(self, *words):
        self.words = words
        self.cycles = 1

    def __getitem__(self, delay):
        assert 0 <= delay <= 31
        self.cycles = 1 + delay
        return self


def asm_pio(out_init, set_init, out_shiftdir, autopull, pull_thresh, fifo_join):
    """Assemble: run the function with the instructions as its global names."""
    assert (out_shiftdir, autopull, pull_thresh) == (PIO.SHIFT_LEFT, True, 24)

    def assemble(function):
        program = []

        def adder(name):
            def add(*words):
                program.append(Instruction(name, *words))
                return program[-1]

            return add

        names = function.__globals__
        before = names.copy()
        names.update({"out": adder("out"), "set": adder("set"), "mov": adder("mov"), "pins": "pins", "x": "x"})
        function()
        names.clear()
        names.update(before)
        return program

    return assemble


class StateMachine:
    """Clocks words out; `nanoseconds` is one cycle."""

    def __init__(self, number, program, freq, out_base, set_base):
        assert number == 0 and out_base.number == set_base.number
        self._program = program
        self._nanoseconds = 1000000000 // freq

    def active(self, on):
        """Start."""

    def levels(self, words):
        """Return the course of the pin: (level, nanoseconds) for each instruction."""
        level = 0
        for word in words:
            for bit in range(24):
                for step in self._program:
                    if step.words == ("out", "x", 1):
                        x = word >> 31 - bit & 1
                    elif step.words[:2] == ("set", "pins"):
                        level = step.words[2]
                    else:
                        assert step.words == ("mov", "pins", "x")
                        level = x
                    yield level, step.cycles * self._nanoseconds


def understood(levels):
    """Return the bits that a WS2812 reads from the course of its pin: short is 0, long is 1, and anything else a
    fault.
    """
    bits = bytearray()
    high = low = 0
    for level, lasted in levels:
        if level:
            # The shortest low that suits every chip in `strip.py`.
            assert not bits or high or 580 <= low <= (600 if bits[-1] else 1000), low
            high += lasted
            low = 0
        elif high:
            assert 250 <= high <= 380 or 650 <= high <= 750, high
            bits.append(1 if high >= 580 else 0)
            high, low = 0, lasted
        else:
            low += lasted
    assert high == 0
    return bits


class DMA:
    """Moves words to the state machine at once."""

    def pack_ctrl(self, size, inc_write, treq_sel):
        """Return the control word: whole words, always to the same place, at the rate of the first state machine."""
        assert (size, inc_write, treq_sel) == (2, False, 0)
        return "ready"

    def active(self):
        """Return whether a transfer is running: never."""
        return False

    def config(self, read, write, count, ctrl, trigger):
        """Move the words now."""
        assert ctrl == "ready" and trigger and count == len(read)
        bits = understood(write.levels(read))
        shown = bytearray(len(bits) // 8)
        for at, bit in enumerate(bits):
            shown[at >> 3] |= bit << 7 - (at & 7)
        tell("lamps", shown)
