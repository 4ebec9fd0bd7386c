"""Drawings of the pins: the Pico and the header of a Raspberry Pi, with the wires that lead to them.

The other drawings of docs/hardware are drawn by hand; a test compares their labels with the firmware's config.py.
"""

from __future__ import annotations

from maker.drawings import hardware_facts
from maker.drawings.canvas import NETS, Canvas
from maker.drawings.hardware_facts import PI_PINS, PICO_PINS, PICO_SPARE, option_default
from maker.kit import chain, parts

PITCH = 29
"""Units between two pins of the Pico."""
V3 = (36, "3V3", "3.3 V of the chain")


def pico_wires() -> list[tuple[int, str, str]]:
    """Return the wires at the Pico: pin, net, and where the wire leads."""
    config, kilo = parts.firmware_config(), parts.DIVIDER_KOHM
    signals = [
        (PICO_PINS[config["CHAIN_CLOCK"]], "clock", "CLOCK of the chain"),
        (PICO_PINS[config["CHAIN_LOAD"]], "load", "LOAD of the chain"),
        (PICO_PINS[config["CHAIN_DATA"]], "data", "DATA from the chain"),
        (PICO_PINS[config["CHAIN_UNUSED"]], "data", "SER of the last chip: the proof"),
        (PICO_PINS[config["LAMP_SUPPLY_PIN"]], "data", f"5 V of lamps: {kilo} kΩ; GND: {kilo} kΩ, 100 nF"),
        (PICO_PINS[config["STRIP_PIN"]], "data", "to 74AHCT125; 100 kΩ to GND"),
    ]
    chain = _ground_by(PICO_PINS[config["CHAIN_DATA"]])
    strip = _ground_by(PICO_PINS[config["STRIP_PIN"]])
    return sorted([*signals, (chain, "ground", "GND of the chain"), (strip, "ground", "GND of the lamps' supply"), V3])


def _ground_by(pin: int) -> int:
    """Return the ground pin nearest to a pin, on the same side."""
    side = range(1, 21) if pin <= 20 else range(21, 41)
    return min((other for other in side if PICO_SPARE.get(other) == "GND"), key=lambda other: abs(other - pin))


def draw_pico() -> Canvas:
    sheet = Canvas("The Pico, from above", 740)
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
    # The pins are counted down the left side, then up the right one.
    row = pin - 1 if pin <= 20 else 40 - pin
    return top + 24 + PITCH * row


# --- straight on a Raspberry Pi -----------------------------------------------------------------------------------

LAMPS_WITH_CHAIN = 18
"""The GPIO of the lamps with shift registers, which use SPI port 0 and with it the strip's usual pin."""


def pi_wires() -> dict[int, tuple[str, str]]:
    """Return the wires at the header for shift registers and strip: pin -> net and where the wire leads."""
    port = hardware_facts.spi_port(option_default("shift_register", "port"))
    wires = {
        PI_PINS[port["clock"]]: ("clock", "CLOCK of the chain"),
        PI_PINS[port["miso"]]: ("data", "DATA from the chain (QH of chip 0)"),
        PI_PINS[port["mosi"]]: ("data", "SER of the last chip: the proof"),
        PI_PINS[option_default("shift_register", "load_pin")]: ("load", "LOAD of the chain"),
        PI_PINS[LAMPS_WITH_CHAIN]: ("data", "DATA to the lamps, 74AHCT125 (Pi 5)"),
        1: ("3V3", "3.3 V of the chain"),
        6: ("ground", "GND of the lamps' supply"),
        39: ("ground", "GND of the chain"),
        34: ("ground", "GND of the chain, second pair"),
    }
    for name in ("confirm", "undo", "next"):
        wires[PI_PINS[option_default("buttons", name)]] = ("sensor", f"button “{name}”, to ground")
    wires[PI_PINS[option_default("buzzer", "pin")]] = ("sensor", "buzzer, to ground")
    return wires


def draw_wled(lamps: int) -> Canvas:
    """Draw a WLED controller between the table's computer, the supply and a chain of lamps."""
    limit = int(parts.firmware_config()["LIMIT_MA"])
    sheet = Canvas("Lamps on a WLED controller", 520)
    sheet.legend(24, 62, ("5V", "ground", "data"))
    rails = {"5V": 420, "ground": 450}
    spots = ((640, 0), (760, 1), (900, lamps - 1))
    for net, y in rails.items():
        sheet.wire(net, (150, y), (960, y))
    _draw_wled_boxes(sheet, f"5 V, {parts.supply_a(limit)} A", f"fuse {parts.fuse_a(limit):g} A")
    for net, x in (("5V", 400), ("ground", 440)):
        sheet.wire(net, (x, 320), (x, rails[net]))
        sheet.joint(net, (x, rails[net]))
        sheet.say(x, 306, "5V" if net == "5V" else "GND", "middle", 12, bold=True)
    sheet.wire("data", (500, 270), (905, 270))
    sheet.say(494, 270, "DATA", "end", 12, bold=True)
    for x, lamp in spots:
        sheet.box(x - 30, 240, 84, 60, "#ffffff", rx=2)
        sheet.disc(x + 12, 270, 17, "#f4c95d")
        sheet.say(x + 12, 222, f"lamp {lamp}", "middle", 13, bold=True)
        if lamp != 1:
            for net, at in (("5V", x), ("ground", x + 24)):
                sheet.wire(net, (at, 300), (at, rails[net]))
                sheet.joint(net, (at, rails[net]))
            sheet.label(x + 12, 360, "1000 µF", 11, 18)
    sheet.say(833, 222, "…", "middle", 20, bold=True)
    words = [
        "The controller has a level shifter of its own. The fuse at the supply protects the feeds.",
        f"Feeds as with a Pico: the first lamp, every {chain.LAMPS_A_FEED}th, the last. The lamps' three lines go on "
        "from lamp to lamp.",
    ]
    sheet.lines(24, 490, words)
    return sheet


def _draw_wled_boxes(sheet: Canvas, supply: str, fuse: str) -> None:
    """Draw the computer, the router, the controller, the supply and its fuse."""
    boxes = ((40, 110, 170, "computer of the table", ""), (270, 110, 110, "router", "fixed address"))
    for x, y, wide, name, more in boxes:
        sheet.box(x, y, wide, 64, "#e4efe4")
        sheet.say(x + wide / 2, y + (24 if more else 32), name, "middle", 13, bold=True)
        sheet.say(x + wide / 2, y + 44, more, "middle", 12)
    sheet.box(350, 230, 150, 92, "#e4efe4")
    sheet.say(425, 250, "WLED controller", "middle", 13, bold=True)
    sheet.say(425, 270, "ESP32", "middle", 12)
    dashed = ' stroke-dasharray="5 4"'
    sheet.stroke("M 210 142 H 270 M 380 142 H 440 V 230", NETS["usb"], 2.5, dashed)
    sheet.say(450, 142, "Wi-Fi or cable: pictures as DDP over UDP", size=13)
    sheet.box(40, 400, 110, 68)
    sheet.say(95, 424, "supply", "middle", 13, bold=True)
    sheet.say(95, 444, supply, "middle", 13)
    sheet.box(220, 406, 100, 28, "#ffffff", rx=3)
    sheet.say(270, 420, fuse, "middle", 13, bold=True)
