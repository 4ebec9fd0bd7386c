"""Drawing of a clock line without ringing: the gate at its start, and the termination at its end."""

from __future__ import annotations

from maker.drawings import soldered
from maker.drawings.canvas import Canvas
from maker.drawings.soldered import CHIP_PINS, CHIPS_A_GATE, PICO_PINS

LEFTS = (420, 560, 760)
"""Where the chips stand: the first two behind the gate, and the last."""
LINE = 150


def clock() -> Canvas:
    """Draw one gate with the chips behind it."""
    gpio = soldered.config()["CHAIN_CLOCK"]
    sheet = Canvas("A clock that does not ring", 420)
    sheet.heading()
    sheet.legend(24, 62, ("clock", "ground"))
    sheet.wire("clock", (150, LINE), (680, LINE))
    sheet.wire("clock", (740, LINE), (930, LINE), (930, 240))
    sheet.tag(150, LINE, "clock", f"GP{gpio}, pin {PICO_PINS[gpio]}")
    sheet.box(200, LINE - 26, 84, 52)
    sheet.say(242, LINE, "74HC125", "middle", 14, bold=True)
    sheet.resistor(336, LINE, "47 Ω")
    for left, chip in zip(LEFTS, ("chip 0", "chip 1", f"chip {CHIPS_A_GATE - 1}"), strict=True):
        sheet.wire("clock", (left + 40, LINE), (left + 40, 216))
        sheet.joint("clock", (left + 40, LINE))
        sheet.box(left, 216, 100, 60)
        sheet.pad(left + 40, 216, str(CHIP_PINS["CLK"]), "clock")
        sheet.say(left + 50, 252, chip, "middle", 14, bold=True)
    sheet.dotted("clock", (684, LINE), (738, LINE))
    sheet.resistor(930, 186, "100 Ω", upright=True)
    sheet.wire("ground", (930, 240), (930, 290))
    sheet.capacitor(930, 246, "47 pF")
    sheet.ground(930, 292)
    sheet.lines(200, 200, ["next to chip 0,", "not to the Pico"])
    sheet.lines(780, 326, ["behind the last chip", "of this gate, to its GND"])
    sheet.lines(24, 360, ["The line passes from chip to chip, with a ground wire beside it and no branches."])
    return sheet
