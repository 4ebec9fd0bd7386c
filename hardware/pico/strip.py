"""The lamps: a WS2812 strip, driven by the PIO in the background."""

from array import array
from time import ticks_diff, ticks_us

import micropython
import rp2
from machine import Pin

LATCH_US = 300

# Shifts of red, green and blue in a word that is sent highest byte first: GRB RGB BRG RBG GBR BGR.
SHIFTS = ((16, 24, 8), (24, 16, 8), (16, 8, 24), (24, 8, 16), (8, 24, 16), (8, 16, 24))


SETTINGS = {
    "out_init": rp2.PIO.OUT_LOW,
    "set_init": rp2.PIO.OUT_LOW,
    "out_shiftdir": rp2.PIO.SHIFT_LEFT,
    "autopull": True,
    "pull_thresh": 24,
    "fifo_join": rp2.PIO.JOIN_TX,
}


@rp2.asm_pio(**SETTINGS)
def ws2812():
    out(x, 1)[1]  # low; waits here for the next word
    set(pins, 1)[2]
    mov(pins, x)[2]
    set(pins, 0)[2]


@rp2.asm_pio(**SETTINGS)
def ws2811():
    out(x, 1)[1]
    set(pins, 1)[1]
    mov(pins, x)[2]
    set(pins, 0)[2]


# Chip -> its program, the cycles of a bit, and the cycles in a second.
#
# WS2812: cycles of 118 ns (14.75 of the clock at 125 MHz). A 0 is high for 3 of 11, a 1 for 6: 354 and 708 ns, then low
# for 944 and 590 ns. This is within the data sheets of WS2812B (T0H 250 to 550, T1H 650 to 950, T0L 700 to 1000, T1L
# 300 to 600), WS2812B-V5 (T0H 220 to 380, the others 580 to 1000) and SK6812 (T0H 150 to 450, T1H 450 to 750, T0L 750
# to 1050, T1L 450 to 750).
#
# WS2811: cycles of 250 ns. A 0 is high for 2 of 10, a 1 for 5: 500 and 1250 ns, then low for 2000 and 1250 ns (T0H 350
# to 650, T1H 1050 to 1350, T0L 1850 to 2150, T1L 1150 to 1450).
CHIPS = {"WS2812": (ws2812, 11, 8474576), "WS2811": (ws2811, 10, 4000000)}


@micropython.viper
def pack(picture: ptr8, lamps: int, words: ptr32, red: int, green: int, blue: int):
    """Pack R G B bytes into one word per lamp."""
    at = 0
    for lamp in range(lamps):
        words[lamp] = (picture[at] << red) | (picture[at + 1] << green) | (picture[at + 2] << blue)
        at += 3


class Strip:
    """Shows pictures of R G B for each lamp."""

    def __init__(self, config):
        pin = Pin(config.STRIP_PIN)
        chip = getattr(config, "STRIP_CHIP", "WS2812")  # an older config.py doesn't set it
        self._words = array("I", [0] * config.LAMPS)
        program, cycles, hz = CHIPS[chip]
        self._machine = rp2.StateMachine(0, program, freq=hz, out_base=pin, set_base=pin)
        self._machine.active(1)
        self._dma = rp2.DMA()
        # Transfer words, paced by the first state machine of the first PIO.
        self._control = self._dma.pack_ctrl(size=2, inc_write=False, treq_sel=0)
        self._takes_us = 24 * cycles * config.LAMPS * 1000000 // hz + LATCH_US
        self._shown = ticks_us() - self._takes_us

    def show(self, picture, order):
        """Start showing a picture. Return False while the previous one is still being sent."""
        if self._dma.active() or ticks_diff(ticks_us(), self._shown) < self._takes_us:
            return False
        shifts = SHIFTS[order]
        pack(picture, len(self._words), self._words, shifts[0], shifts[1], shifts[2])
        self._dma.config(
            read=self._words, write=self._machine, count=len(self._words), ctrl=self._control, trigger=True
        )
        self._shown = ticks_us()
        return True
