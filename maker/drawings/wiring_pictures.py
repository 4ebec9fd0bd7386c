"""The wires at the Pico and at the header of a Raspberry Pi, and the drawing of the Pico's pins.

The other drawings of docs/hardware are drawn by hand; a test compares their labels with the firmware's config.py.
"""

from __future__ import annotations

from maker.drawings import hardware_facts
from maker.drawings.canvas import Canvas
from maker.drawings.hardware_facts import PI_PINS, PICO_PINS, PICO_SPARE, option_default
from maker.kit import parts

PITCH = 29
"""Units between two pins of the Pico."""
V3 = (36, "3V3", "3.3 V of the chain")


def pico_wires() -> list[tuple[int, str, str]]:
    """Return the wires at the Pico: pin, net, and the wire's destination."""
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
    sheet.write_line(left + 120, top - 4, "USB", "middle", 13)
    wires = {pin: (net, text) for pin, net, text in pico_wires()}
    names = {**PICO_SPARE, **{pin: f"GP{gpio}" for gpio, pin in PICO_PINS.items()}}
    for pin, name in names.items():
        on_left = pin <= 20
        x = left + 14 if on_left else left + width - 14
        y = _pin_height(pin, top)
        net, text = wires.get(pin, (None, ""))
        if net is not None:
            end = left - 60 if on_left else left + width + 60
            sheet.draw_wire(net, (x, y), (end, y))
            sheet.draw_tag(end, y, net, text, "left" if on_left else "right")
        sheet.draw_pad(x, y, str(pin), net)
        anchor, shift = ("start", 17) if on_left else ("end", -17)
        sheet.write_line(x + shift, y, name, anchor, 13, "#1d2329" if net else "#8b949c", net is not None)
    words = [
        "The USB cable to the Raspberry Pi is",
        "the Pico's power. Nothing goes to VBUS",
        "and VSYS, and no 5 V to any pin.",
    ]
    sheet.write_lines(24, 640, words)
    sheet.draw_legend(24, 62, ("3V3", "ground", "data", "clock", "load"))
    return sheet


def _pin_height(pin: int, top: float) -> float:
    # The pins are counted down the left side, then up the right one.
    row = pin - 1 if pin <= 20 else 40 - pin
    return top + 24 + PITCH * row


# --- straight on a Raspberry Pi -----------------------------------------------------------------------------------

LAMPS_WITH_CHAIN = 18
"""The GPIO of the lamps next to shift registers, because these use SPI port 0, which includes the strip's default
pin."""


def pi_wires() -> dict[int, tuple[str, str]]:
    """Return the wires at the header for shift registers and strip: pin -> net and the wire's destination."""
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
