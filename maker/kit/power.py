"""The current that a board draws, item by item, each with its source.

Nothing is measured on a board: each line says whether its figure is from a data sheet or an estimate.
"""

from __future__ import annotations

from math import ceil, hypot

from firmware_host.core.settings import settle
from hardware.ports import CHANNEL_MA, IDLE_MA
from maker.kit.choices import Choices
from maker.kit.parts import DIVIDER_KOHM, BoardQuantities, feed_count, firmware_config, fuse_a, supply_a

LAMP_MA = 3 * CHANNEL_MA
PULL_UP_MA = 0.33
CHIP_MA = 0.08
MODULE_MA, MODULE_PULL_UP_MA = 1.0, 0.033
HALL_MA = 0.0016
PICO_MA = 100.0
PI_MA = 600.0
PI_5_MA, WLED_MA = 1500.0, 100.0
DIODE_V = 0.6
"""Voltage across a pin's protective diode while it conducts."""
COPPER = 0.0175
"""Ohm mm2 per metre."""
FEED_MM2 = 0.75
LIT = 12
"""Lamps lit at a typical moment of a game, at a third of full white."""
HEADS = ("what", "current", "reckoned as", "source")


def power_rows(board: BoardQuantities, choices: Choices) -> list[tuple[str, str, str, str]]:
    source = "estimate; Raspberry Pi documentation"
    rows = [("Raspberry Pi Zero 2 W", f"{PI_MA:.0f} mA", "its own supply, 2.5 A", source)]
    if choices.on_pi_5:
        rows = [("Raspberry Pi 5", f"{PI_5_MA:.0f} mA", "its own supply, 5 A", source)]
    if choices.brain == "pico":
        rows.append(("Pico", f"{PICO_MA:.0f} mA", "from the computer's USB", "estimate, on the safe side"))
        if board.lamps and choices.lamps == "strip":
            reckoned = f"(5 V - {DIODE_V:g} V) / {DIVIDER_KOHM} kOhm - {DIODE_V:g} V / {DIVIDER_KOHM} kOhm"
            rows.append(("into a Pico without USB, from the lamps' 5 V", f"{diode_ma():.2f} mA", reckoned, "computed"))
    if choices.lamps == "wled":
        rows.append(("WLED controller", f"{WLED_MA:.0f} mA", "from the lamps' supply", "estimate; Espressif, ESP32"))
    chips = ceil(board.sensors / len(choices.inputs))
    what, each, pull_up, kilo, origin = "chips", CHIP_MA, PULL_UP_MA, 10, "TI SCLS116"
    if choices.ready_made:
        what, each, pull_up, kilo, origin = "modules", MODULE_MA, MODULE_PULL_UP_MA, 100, "Microchip DS20001952"
    logic = each * chips + pull_up * board.pieces
    if choices.sensor == "hall":
        logic += HALL_MA * board.sensors
        rows.append(("a Hall switch", f"{1000 * HALL_MA:.1f} uA", "20 looks a second", "TI SLVSDC7"))
    rows.append(
        (
            f"{what} and pull-ups, 3.3 V",
            f"{logic:.1f} mA",
            f"{chips} x {each} mA, {board.pieces} sensors closed x 3.3 V / {kilo} kOhm",
            f"{origin}; computed",
        )
    )
    return rows + (_lamps(board, choices) if board.lamps else [])


def diode_ma(kohm: float = DIVIDER_KOHM) -> float:
    """Return the milliamperes from the lamps' divider into the pin of an unpowered Pico."""
    return (5 - DIODE_V) / kohm - DIODE_V / kohm


def _lamps(board: BoardQuantities, choices: Choices) -> list[tuple[str, str, str, str]]:
    limit = int(firmware_config()["LIMIT_MA"])
    limit_note = ("every picture is dimmed to it", "LIMIT_MA in hardware/pico/config.py")
    if choices.brain != "pico" or choices.lamps != "strip":
        # Without firmware, only the table dims.
        limit_note = ("the most that current_limit_ma may be", f"its default is {settle().current_limit_ma} mA")
    dark, white = IDLE_MA * board.lamps, LAMP_MA * board.lamps
    usual = dark + LIT * LAMP_MA / 3
    # The worst case: a feed along the whole diagonal.
    reach = hypot(*board.size) / 1000
    each = limit / 1000 / feed_count(board.lamps)
    # The current flows there and back, so the wire counts twice.
    drop = each * 2 * reach * COPPER / FEED_MM2
    return [
        ("lamps, all dark", f"{dark:.0f} mA", f"{board.lamps} x {IDLE_MA:g} mA", "estimate"),
        ("lamps, a usual moment", f"{usual:.0f} mA", f"and {LIT} of them at a third", "computed"),
        ("lamps, all white", f"{white:.0f} mA", f"{board.lamps} x {LAMP_MA:g} mA, not allowed", "Adafruit, NeoPixels"),
        ("lamps, the limit", f"{limit} mA", *limit_note),
        ("lamps' fuse", f"{fuse_a(limit):g} A", "a quarter above the limit", "computed"),
        ("lamps' supply", f"{supply_a(limit)} A", "above the fuse", "computed"),
        (
            "lost in a feed",
            f"{drop:.2f} V",
            f"{each:.2f} A, {reach:.2f} m there and back, {FEED_MM2:g} mm2",
            "copper, 0.0175 Ohm mm2/m",
        ),
    ]  # fmt: skip
