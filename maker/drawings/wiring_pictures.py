"""Drawings of the recommended board: overview, Pico, chain of shift registers, lamps with their power."""

from __future__ import annotations

from collections.abc import Mapping

from maker.drawings import soldered
from maker.drawings.canvas import Canvas
from maker.drawings.soldered import PICO_PINS, PICO_SPARE
from maker.kit import parts
from maker.kit.chain import CHIPS_A_GATE, LAMPS_A_FEED
from maker.kit.chipboard import CHIP_PINS
from maker.kit.chipboard import INPUTS as CHIP_INPUTS

PITCH = 29
"""Units between two pins of the Pico."""


def overview() -> Canvas:
    """Draw everything on one sheet."""
    config = parts.config()
    limit = config["LIMIT_MA"]
    sheet = Canvas("The whole board", 560)
    sheet.heading()
    sheet.wire("usb", (214, 165), (330, 165), thick=7)
    sheet.say(272, 148, "USB", "middle", 13)
    _sensors_at_a_glance(sheet, config)
    _lamps_at_a_glance(sheet, config["STRIP_PIN"])
    _power_at_a_glance(sheet, limit)
    _modules_at_a_glance(sheet, limit)
    for number in range(8):
        sheet.disc(712 + 34.5 * number, 418, 11, ("#f4c95d", "#e76f51", "#8ecae6", "#90be6d")[number % 4])
    sheet.legend(24, 60, ("5V", "3V3", "ground", "data", "clock", "load", "sensor", "usb"))
    return sheet


def _sensors_at_a_glance(sheet: Canvas, config: Mapping[str, int]) -> None:
    for number, (net, name) in enumerate(
        (
            ("clock", "CLOCK"), ("load", "LOAD"), ("data", "DATA"), ("data", "UNUSED"), ("3V3", "3.3 V"),
            ("ground", "GND"),
        )
    ):  # fmt: skip
        y = 78 + 20 * number
        sheet.wire(net, (520, y + 14), (690, y + 14))
        gpio = config.get(f"CHAIN_{name}")
        said = "PROOF" if name == "UNUSED" else name
        sheet.say(605, y + 5, said if gpio is None else f"{said}, GP{gpio}", "middle", 12)
    for number in range(8):
        x = 712 + 34.5 * number
        sheet.wire("sensor", (x, 194), (x, 226))
        sheet.disc(x, 236, 10, "#e9dcc6")
    sheet.say(833, 264, "a reed or Hall sensor under each space", "middle", 13, "#5c6670")


def _lamps_at_a_glance(sheet: Canvas, gpio: int) -> None:
    sheet.wire("data", (440, 240), (440, 356))
    sheet.say(452, 298, f"DATA, GP{gpio}")
    sheet.wire("data", (520, 402), (690, 402))
    sheet.resistor(605, 402, "470 Ω")


def _power_at_a_glance(sheet: Canvas, limit: int) -> None:
    sheet.wire("ground", (119, 448), (119, 520), (740, 520), (740, 448))
    sheet.wire("5V", (70, 448), (70, 492), (880, 492), (880, 448))
    sheet.fuse(250, 492, f"{parts.fuse_a(limit):g} A")
    sheet.wire("5V", (400, 492), (400, 448))
    sheet.joint("5V", (400, 492))
    sheet.wire("ground", (460, 520), (460, 448))
    sheet.wire("ground", (360, 240), (360, 300), (290, 300), (290, 520))
    sheet.joint("ground", (460, 520), (290, 520))
    sheet.say(300, 318, "one common ground", size=12, fill="#5c6670")


def _modules_at_a_glance(sheet: Canvas, limit: int) -> None:
    computer = ["or any computer with", "Linux: the table runs", "here"]
    pico = ["under the board: scans", "the sensors, drives", "the lamps"]
    chips = ["one chain, eight sensors a chip;", "so many for either of our maps"]
    _module(sheet, 24, 90, 190, 150, "Raspberry Pi", computer)
    _module(sheet, 330, 90, 190, 150, "Raspberry Pi Pico", pico)
    _module(sheet, 690, 70, 286, 124, f"{soldered.most_chips()} × 74HC165", chips)
    _module(sheet, 330, 356, 190, 92, "74AHCT125", ["lifts 3.3 V data to 5 V"])
    _module(sheet, 690, 330, 286, 118, "WS2812B lamps", ["one chain from space to space"])
    _module(sheet, 24, 356, 190, 92, f"Supply 5 V, {parts.supply_a(limit)} A", ["for the lamps alone"])


def _module(sheet: Canvas, x: float, y: float, width: float, height: float, name: str, words: list[str]) -> None:
    sheet.box(x, y, width, height)
    sheet.say(x + width / 2, y + 26, name, "middle", 17, bold=True)
    sheet.lines(x + width / 2, y + 52, words, "middle")


# --- Pico -------------------------------------------------------------------------------------------------------


def pico_wires() -> list[tuple[int, str, str]]:
    """Return the wires at the Pico: pin, net, and where the wire leads."""
    config = parts.config()
    signals = [
        (PICO_PINS[config["CHAIN_CLOCK"]], "clock", "CLOCK of the chain"),
        (PICO_PINS[config["CHAIN_LOAD"]], "load", "LOAD of the chain"),
        (PICO_PINS[config["CHAIN_DATA"]], "data", "DATA from the chain"),
        (PICO_PINS[config["CHAIN_UNUSED"]], "data", "SER of the last chip: the proof"),
        (PICO_PINS[config["LAMP_SUPPLY_PIN"]], "data", "10 kΩ to the lamps' 5 V, 10 kΩ to GND"),
        (PICO_PINS[config["STRIP_PIN"]], "data", "DATA to the lamps, 74AHCT125"),
    ]
    chain = _ground_by(PICO_PINS[config["CHAIN_DATA"]])
    strip = _ground_by(PICO_PINS[config["STRIP_PIN"]])
    return sorted([*signals, (chain, "ground", "GND of the chain"), (strip, "ground", "GND of the lamps' supply"), V3])


V3 = (36, "3V3", "3.3 V of the chain")


def _ground_by(pin: int) -> int:
    """Return the ground pin nearest to a pin, on the same side."""
    side = range(1, 21) if pin <= 20 else range(21, 41)
    return min((other for other in side if PICO_SPARE.get(other) == "GND"), key=lambda other: abs(other - pin))


def pico() -> Canvas:
    """Draw the Pico from above, with its wires."""
    sheet = Canvas("The Pico, from above", 740)
    sheet.heading()
    left, top, width = 380, 92, 240
    sheet.box(left, top, width, 20 * PITCH + 24, "#e4efe4")
    sheet.box(left + 85, top - 26, 70, 44, "#d5d9dd", rx=4)
    sheet.say(left + 120, top - 4, "USB", "middle", 13)
    wires = {pin: (net, text) for pin, net, text in pico_wires()}
    names = {**PICO_SPARE, **{pin: f"GP{gpio}" for gpio, pin in PICO_PINS.items()}}
    for pin, name in names.items():
        on_left = pin <= 20
        x = left + 14 if on_left else left + width - 14
        y = _pin_height(pin, top)
        net, text = wires.get(pin, (None, ""))
        if net is not None:
            end = left - 60 if on_left else left + width + 60
            sheet.wire(net, (x, y), (end, y))
            sheet.tag(end, y, net, text, "left" if on_left else "right")
        sheet.pad(x, y, str(pin), net)
        anchor, shift = ("start", 17) if on_left else ("end", -17)
        sheet.say(x + shift, y, name, anchor, 13, "#1d2329" if net else "#8b949c", net is not None)
    words = [
        "The USB cable to the Raspberry Pi is",
        "the Pico's power. Nothing goes to VBUS",
        "and VSYS, and no 5 V to any pin.",
    ]
    sheet.lines(24, 640, words)
    sheet.legend(24, 62, ("3V3", "ground", "data", "clock", "load"))
    return sheet


def _pin_height(pin: int, top: float) -> float:
    row = pin - 1 if pin <= 20 else 40 - pin
    return top + 24 + PITCH * row


# --- chain ------------------------------------------------------------------------------------------------------

CHIP_LEFTS = (148, 412, 752)
CHIP_WIDTH, CHIP_TOP, CHIP_HEIGHT = 228, 318, 112
BUSES = {"clock": (104, 240), "load": (136, 266)}
"""y of each line: at the Pico, and behind the gates."""
GATES = (190, 690)
ONWARD = {"clock": 640, "load": 664}
"""x of the gates of the first and of the last chips, and where each line continues to the latter."""
INPUT_PITCH = 22


def chain() -> Canvas:
    """Draw the first two shift registers and the last one, with one input enlarged."""
    last = soldered.most_chips() - 1
    sheet = Canvas("The chain of 74HC165", 812)
    sheet.heading()
    sheet.legend(24, 62, ("3V3", "ground", "data", "clock", "load", "sensor"))
    for net, (y, _) in BUSES.items():
        gpio = parts.config()[f"CHAIN_{net.upper()}"]
        sheet.wire(net, (140, y), (GATES[0] + (64 if net == "load" else 0), y))
        sheet.tag(140, y, net, f"GP{gpio}, pin {PICO_PINS[gpio]}")
    start = last // CHIPS_A_GATE * CHIPS_A_GATE
    _gates(sheet, GATES[0], CHIP_LEFTS[:2], f"chips 0 to {CHIPS_A_GATE - 1}")
    _gates(sheet, GATES[1], CHIP_LEFTS[2:], f"chips {start} to {last}")
    _data_line(sheet)
    for left, chip in zip(CHIP_LEFTS, (0, 1, last), strict=True):
        _chip(sheet, left, chip)
    _insets(sheet)
    return sheet


def _gates(sheet: Canvas, x: float, lefts: tuple[float, ...], group: str) -> None:
    """Draw a gate and a resistor for each line of a group of chips, and the lines to the chips."""
    for number, (net, (y, bus)) in enumerate(BUSES.items()):
        here = x + 64 * number
        ends = [left + (34 if net == "clock" else 84) for left in lefts]
        sheet.wire(net, (here, y), (here, 158))
        sheet.joint(net, (here, y))
        for end in ends:
            sheet.wire(net, (here, bus), (end, bus), (end, CHIP_TOP))
        sheet.wire(net, (here, 184), (here, bus))
        sheet.joint(net, (here, bus))
        sheet.gate(here, 158)
        sheet.resistor(here, 210, "47 Ω", upright=True)
    if len(lefts) > 1:
        for net, (_, bus) in BUSES.items():
            edge = lefts[-1] + (34 if net == "clock" else 84)
            sheet.joint(net, (edge, bus))
            on = ONWARD[net]
            sheet.dotted(net, (edge, bus), (on, bus))
            sheet.wire(net, (on, bus), (on, BUSES[net][0]), (GATES[-1] + (64 if net == "load" else 0), BUSES[net][0]))
    sheet.lines(x + 106, 166, ["74HC125 at 3.3 V", f"for {group}"])


def _data_line(sheet: Canvas) -> None:
    """Draw the data line from the last chip to the Pico, the direction of the bits."""
    y = CHIP_TOP + CHIP_HEIGHT / 2
    data = parts.config()["CHAIN_DATA"]
    first, second, last = CHIP_LEFTS
    sheet.wire("data", (130, y), (first, y))
    sheet.tag(130, y, "data", f"GP{data}, pin {PICO_PINS[data]}")
    sheet.wire("data", (first + CHIP_WIDTH, y), (second, y))
    sheet.wire("data", (second + CHIP_WIDTH, y), (second + CHIP_WIDTH + 26, y))
    sheet.dotted("data", (second + CHIP_WIDTH + 26, y), (last - 26, y))
    sheet.wire("data", (last - 26, y), (last, y))
    right = last + CHIP_WIDTH
    proof = parts.config()["CHAIN_UNUSED"]
    sheet.wire("data", (right, y), (right + 10, y), (right + 10, CHIP_TOP - 46), (right - 6, CHIP_TOP - 46))
    sheet.tag(right - 6, CHIP_TOP - 46, "data", f"GP{proof}, pin {PICO_PINS[proof]}")


def _chip(sheet: Canvas, left: float, chip: int) -> None:
    bottom, middle = CHIP_TOP + CHIP_HEIGHT, CHIP_TOP + CHIP_HEIGHT / 2
    sheet.wire("3V3", (left + CHIP_WIDTH - 24, CHIP_TOP), (left + CHIP_WIDTH - 24, CHIP_TOP - 22))
    sheet.say(left + CHIP_WIDTH - 32, CHIP_TOP - 23, "3.3 V", "end", 12)
    feet = [left + 17 + INPUT_PITCH * number for number in range(10)]
    for number in range(8):
        sheet.wire("sensor", (feet[number], bottom), (feet[number], bottom + 26))
        sensor = 8 * chip + number
        sheet.say(feet[number], bottom + 38, str(sensor), "middle", 12 if sensor < 100 else 10, bold=True)
    sheet.wire("ground", (feet[8], bottom), (feet[8], bottom + 20), (feet[9], bottom + 20), (feet[9], bottom))
    sheet.wire("ground", ((feet[8] + feet[9]) / 2, bottom + 20), ((feet[8] + feet[9]) / 2, bottom + 28))
    sheet.ground((feet[8] + feet[9]) / 2, bottom + 30)
    sheet.box(left, CHIP_TOP, CHIP_WIDTH, CHIP_HEIGHT)
    sheet.say(left + CHIP_WIDTH / 2, middle - 4, f"chip {chip}", "middle", 17, bold=True)
    for name, x in (("CLK", left + 34), ("SH/LD", left + 84), ("VCC", left + CHIP_WIDTH - 24)):
        net = {"CLK": "clock", "SH/LD": "load", "VCC": "3V3"}[name]
        sheet.pad(x, CHIP_TOP, str(CHIP_PINS[name]), net)
        sheet.say(x, CHIP_TOP + 19, name, "middle", 11)
    sheet.pad(left, middle, str(CHIP_PINS["QH"]), "data")
    sheet.say(left + 14, middle, "QH", size=11)
    sheet.pad(left + CHIP_WIDTH, middle, str(CHIP_PINS["SER"]), "data")
    sheet.say(left + CHIP_WIDTH - 14, middle, "SER", "end", 11)
    for x, letter in zip(feet, CHIP_INPUTS, strict=False):
        sheet.pad(x, bottom, str(CHIP_PINS[letter]), "sensor")
        sheet.say(x, bottom - 19, letter, "middle", 11)
    for x, name, word in ((feet[8], "CLK INH", "INH"), (feet[9], "GND", "GND")):
        sheet.pad(x, bottom, str(CHIP_PINS[name]), "ground")
        sheet.say(x, bottom - 19, word, "middle", 10)


def _insets(sheet: Canvas) -> None:
    """Draw three kinds of input."""
    top = 556
    sheet.say(24, top - 40, "Sensor numbers stand below the inputs. Behind each input:", bold=True)
    for left, title in (
        (24, "a reed contact"),
        (348, "a Hall switch (open drain)"),
        (672, "two in parallel, for a wide space"),
    ):
        sheet.box(left, top - 18, 304, 260, "#fbfaf6", "#cfc8b8")
        sheet.say(left + 152, top + 2, title, "middle", 14, bold=True)
    for left in (24, 348, 672):
        x = left + 96
        sheet.wire("3V3", (x, top + 30), (x, top + 100))
        sheet.resistor(x, top + 62, "10 kΩ", upright=True)
        sheet.say(x, top + 20, "3.3 V", "middle", 12)
        sheet.wire("sensor", (x, top + 100), (left + 190, top + 100))
        sheet.tag(left + 190, top + 100, "sensor", "input", "right")
    for x in (120, 768, 838):
        sheet.wire("sensor", (x, top + 100), (x, top + 138))
        sheet.wire("ground", (x, top + 182), (x, top + 208))
        sheet.reed(x, top + 160)
        sheet.ground(x, top + 210)
    _hall(sheet, 444, top)
    sheet.joint("sensor", *((x, top + 100) for x in (120, 444, 768, 838)))


def _hall(sheet: Canvas, x: float, top: float) -> None:
    sheet.wire("sensor", (x, top + 100), (x, top + 140))
    sheet.wire("ground", (x, top + 188), (x, top + 208))
    sheet.ground(x, top + 210)
    sheet.wire("3V3", (x + 40, top + 164), (x + 130, top + 164))
    sheet.say(x + 138, top + 164, "3.3 V", size=12)
    sheet.wire("ground", (x + 92, top + 164), (x + 92, top + 208))
    sheet.joint("3V3", (x + 92, top + 164))
    sheet.capacitor(x + 92, top + 188, "100 nF")
    sheet.ground(x + 92, top + 210)
    sheet.box(x - 40, top + 140, 80, 48)
    sheet.say(x, top + 164, "DRV5032", "middle", 13, bold=True)


# --- clock ------------------------------------------------------------------------------------------------------

CLOCK_LEFTS = (420, 560, 760)
"""Left edges of the chips: the first two behind the gate, and the last."""
CLOCK_LINE = 150


def clock() -> Canvas:
    """Draw a clock line without ringing: one gate with the chips behind it, and the termination at its end."""
    gpio = parts.config()["CHAIN_CLOCK"]
    sheet = Canvas("A clock that does not ring", 420)
    sheet.heading()
    sheet.legend(24, 62, ("clock", "ground"))
    sheet.wire("clock", (150, CLOCK_LINE), (680, CLOCK_LINE))
    sheet.wire("clock", (740, CLOCK_LINE), (930, CLOCK_LINE), (930, 240))
    sheet.tag(150, CLOCK_LINE, "clock", f"GP{gpio}, pin {PICO_PINS[gpio]}")
    sheet.box(200, CLOCK_LINE - 26, 84, 52)
    sheet.say(242, CLOCK_LINE, "74HC125", "middle", 14, bold=True)
    sheet.resistor(336, CLOCK_LINE, "47 Ω")
    for left, chip in zip(CLOCK_LEFTS, ("chip 0", "chip 1", f"chip {CHIPS_A_GATE - 1}"), strict=True):
        sheet.wire("clock", (left + 40, CLOCK_LINE), (left + 40, 216))
        sheet.joint("clock", (left + 40, CLOCK_LINE))
        sheet.box(left, 216, 100, 60)
        sheet.pad(left + 40, 216, str(CHIP_PINS["CLK"]), "clock")
        sheet.say(left + 50, 252, chip, "middle", 14, bold=True)
    sheet.dotted("clock", (684, CLOCK_LINE), (738, CLOCK_LINE))
    sheet.resistor(930, 186, "100 Ω", upright=True)
    sheet.wire("ground", (930, 240), (930, 290))
    sheet.capacitor(930, 246, "47 pF")
    sheet.ground(930, 292)
    sheet.lines(200, 200, ["next to chip 0,", "not to the Pico"])
    sheet.lines(780, 326, ["behind the last chip", "of this gate, to its GND"])
    sheet.lines(24, 360, ["The line passes from chip to chip, with a ground wire beside it and no branches."])
    return sheet


# --- lamps ------------------------------------------------------------------------------------------------------


def lamps() -> Canvas:
    """Draw supply, fuse, level shifter, strip and its feeds."""
    config = parts.config()
    gpio, limit = config["STRIP_PIN"], config["LIMIT_MA"]
    sheet = Canvas("The lamps and their power", 640)
    sheet.heading()
    sheet.legend(24, 62, ("5V", "ground", "data"))
    plus, minus = 120, 560
    last = max(board.spaces for board in soldered.boards()) - 1
    sheet.wire("5V", (170, plus), (966, plus), thick=5)
    sheet.wire("ground", (170, minus), (966, minus), thick=5)
    sheet.wire("5V", (96, 210), (96, plus), (180, plus), thick=5)
    sheet.wire("ground", (96, 300), (96, minus), (180, minus), thick=5)
    sheet.fuse(190, plus, f"fuse {parts.fuse_a(limit):g} A")
    sheet.box(24, 200, 144, 110)
    sheet.say(96, 232, "Supply", "middle", 17, bold=True)
    sheet.lines(96, 258, [f"5 V, {parts.supply_a(limit)} A", "for the lamps alone"], "middle")
    _bridge(sheet, 240, plus, minus, 222, "1000 µF, 10 V")
    sheet.wire("data", (364, 360), (380, 360))
    sheet.tag(366, 360, "data", f"GP{gpio}, pin {PICO_PINS[gpio]}")
    sheet.wire("data", (500, 360), (612, 360))
    sheet.wire("data", (690, 360), (728, 360))
    sheet.wire("data", (808, 360), (822, 360))
    sheet.dotted("data", (826, 360), (846, 360))
    sheet.wire("data", (850, 360), (868, 360))
    sheet.resistor(556, 360, "470 Ω")
    sheet.lines(556, 386, ["close to", "the first lamp"], "middle")
    _shifter(sheet, 380, 300, plus, minus)
    for x, lamp in ((610, 0), (726, 1), (866, last)):
        _lamp(sheet, x, f"lamp {lamp}", plus, minus)
    sheet.wire("ground", (190, minus), (190, 606))
    sheet.tag(190, 606, "ground", f"GND of the Pico, pin {_ground_by(PICO_PINS[gpio])}", "right")
    sheet.joint("ground", (190, minus))
    sheet.say(966, 604, f"5 V and ground again every {LAMPS_A_FEED} lamps, and at the end", "end", 13, "#5c6670")
    return sheet


def _bridge(sheet: Canvas, x: float, plus: float, minus: float, y: float, text: str) -> None:
    """Draw a capacitor between the rails."""
    sheet.wire("5V", (x, plus), (x, y - 4))
    sheet.wire("ground", (x, y + 4), (x, minus))
    sheet.joint("5V", (x, plus))
    sheet.joint("ground", (x, minus))
    sheet.capacitor(x, y, text)


def _shifter(sheet: Canvas, x: float, y: float, plus: float, minus: float) -> None:
    """Draw the 74AHCT125: one gate in use, three idle."""
    sheet.wire("5V", (x + 60, y), (x + 60, plus))
    sheet.joint("5V", (x + 60, plus))
    sheet.wire("ground", (x + 60, y + 130), (x + 60, minus))
    sheet.joint("ground", (x + 60, minus))
    sheet.wire("ground", (x + 28, y + 130), (x + 28, minus))
    sheet.joint("ground", (x + 28, minus))
    sheet.box(x, y, 120, 130)
    sheet.say(x + 60, y + 34, "74AHCT125", "middle", 15, bold=True)
    for px, py, number, net in (
        (x, y + 60, "2", "data"),
        (x + 120, y + 60, "3", "data"),
        (x + 60, y, "14", "5V"),
        (x + 60, y + 130, "7", "ground"),
        (x + 28, y + 130, "1", "ground"),
    ):
        sheet.pad(px, py, number, net)
    sheet.say(x + 15, y + 60, "1A", size=11)
    sheet.say(x + 105, y + 60, "1Y", "end", 11)
    sheet.say(x + 28, y + 110, "1OE", "middle", 11)
    sheet.say(x + 60, y + 110, "GND", "middle", 11)
    words = ["idle gates: 5, 9, 12 to", "ground, 4, 10, 13 to 5 V;", "100 nF from 14 to 7"]
    sheet.lines(x + 80, y + 160, words)


def _lamp(sheet: Canvas, x: float, name: str, plus: float, minus: float) -> None:
    """Draw a WS2812B between the rails."""
    for net, y, rail in (("5V", 320, plus), ("ground", 400, minus)):
        sheet.wire(net, (x + 42, y), (x + 42, rail))
        sheet.joint(net, (x + 42, rail))
    sheet.box(x, 320, 84, 80, "#fff8e1")
    sheet.disc(x + 42, 361, 13, "#f4c95d")
    sheet.say(x + 42, 332, "5V", "middle", 10)
    sheet.say(x + 42, 388, "GND", "middle", 10)
    sheet.say(x + 4, 346, "DIN", size=10)
    sheet.say(x + 80, 346, "DOUT", "end", 10)
    sheet.say(x + 52, 418, name, size=13, bold=True)
