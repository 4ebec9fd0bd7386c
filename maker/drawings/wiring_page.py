"""`python -m maker.drawings.wiring_page`: write the tables and drawings of docs/hardware.md and cheapest-board.md.

The text is written in the pages by hand. This module replaces what is between `<!-- made: NAME -->` and `<!-- end -->`:
pins from the firmware's config.py and the drivers' options, quantities from the maps' wiring. A test compares the files
in docs/ with the output of this module.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from firmware_host.board import wiring
from firmware_host.core import maps
from maker.drawings import (
    hardware_facts,
    kit_boards,
    main_board,
    wiring_pictures,
)
from maker.drawings.canvas import Canvas
from maker.drawings.chipboard import picture
from maker.kit import chain, chipboard, heights
from maker.kit import parts as parts_list
from maker.kit.chain import CHIPS_A_GATE
from maker.kit.choices import Choices
from maker.kit.holes import drill_holes
from maker.page_parts import DOCS, markdown_table, with_parts

PAGE = DOCS / "hardware.md"
CHEAPEST = DOCS / "cheapest-board.md"

PICTURES: dict[str, Callable[[], Canvas]] = {
    "pico": wiring_pictures.draw_pico,
    "main-board": main_board.draw_main_board,
}
BOARDS: dict[str, Callable[[], str]] = {
    "chipboard": picture.draw_front,
    "chipboard-back": picture.draw_back,
    "wled": lambda: kit_boards.draw_wled(max(board.spaces for board in hardware_facts.board_specs())),
    **{name: partial(kit_boards.drawn_by_hand, name) for name in kit_boards.BY_HAND},
}
"""Drawings that are read from files: the chip board's, and the kit's."""


@cache
def _counted(slug: str, choices: Choices, sensors: int | None = None) -> parts_list.BoardQuantities:
    """Return the quantities of a board. With `sensors`, the other spaces are manual."""
    board = maps.load(slug)
    soldered = wiring.of_board(board, maps.FOLDER / slug / wiring.FILE)
    if sensors is not None:
        manual = frozenset(filter(None, soldered.sensors[sensors:]))
        soldered = wiring.Wiring(soldered.sensors[:sensors], soldered.lamps, manual)
    holes = drill_holes(board, soldered, choices)
    layout = chain.place_plates(board, holes, len(soldered.sensors), choices)
    return parts_list.count_parts(board, holes, layout, choices)


def parts_table() -> str:
    """Return the kit's list of parts, one column for each map."""
    boards, choices = hardware_facts.board_specs(), Choices()
    lists = (parts_list.list_parts(_counted(board.slug, choices), choices) for board in boards)
    rows = [
        (same[0].name, *(f"{part.count} {part.unit}".strip() for part in same), same[0].order)
        for same in zip(*lists, strict=True)
    ]
    return markdown_table(("part", *(board.name for board in boards), "to order"), rows)


def optional_parts_table() -> str:
    """Return the parts that are fitted only on some boards."""
    last = CHIPS_A_GATE - 1
    where = (
        ("gate", f"first of {last + 1}: chips 0, {last + 1}, …"),
        ("no gate", "all others"),
        ("far end", f"last of {last + 1}, and the very last: chips {last}, {2 * last + 1}, …"),
        ("last", "the very last"),
    )
    rows = []
    for kind, board in where:
        fitted = [it for it in chipboard.ELEMENTS if it.fitted == kind]
        rows.append((board, ", ".join(it.name + _value(it) for it in fitted)))
    return markdown_table(("board", "parts"), rows)


def _value(element: chipboard.Element) -> str:
    """Return the text with an element's value that follows its name."""
    unit = {"RES": f" ({element.value} Ω)", "CAP5": f" ({element.value[:-1]} {element.value[-1]}F)", "LINK": ""}
    return unit.get(element.kind, f" ({element.value})")


def ribbon_table() -> str:
    """Return the rows of the ribbon cable and their pins on the Pico, or on a Raspberry Pi without a Pico."""
    config = parts_list.firmware_config()
    port = hardware_facts.spi_port(hardware_facts.option_default("shift_register", "port"))
    pico = {
        line: f"GP{config[name]}, pin {hardware_facts.PICO_PINS[config[name]]}"
        for line, name in (
            ("RET", "CHAIN_UNUSED"), ("CLK", "CHAIN_CLOCK"), ("LOAD", "CHAIN_LOAD"), ("DATA", "CHAIN_DATA"),
        )
    }  # fmt: skip
    load = hardware_facts.option_default("shift_register", "load_pin")
    gpios = {"RET": port["mosi"], "CLK": port["clock"], "LOAD": load, "DATA": port["miso"]}
    pi = {line: f"GPIO {gpio}, pin {hardware_facts.PI_PINS[gpio]}" for line, gpio in gpios.items()}
    ground = next(pin for pin, _, text in wiring_pictures.pico_wires() if text == "GND of the chain")
    pico |= {"GND": f"GND, pin {ground}", "3V3": f"3V3(OUT), pin {wiring_pictures.V3[0]}"}
    at_pi = {text: pin for pin, (_, text) in wiring_pictures.pi_wires().items()}
    pi["3V3"] = f"3V3, pin {at_pi['3.3 V of the chain']}"
    # A plug of the header holds one pair of strands.
    grounds = (f"GND, pin {at_pi[text]}" for text in ("GND of the chain", "GND of the chain, second pair"))
    ends = [(line, pico[line], next(grounds) if line == "GND" else pi[line]) for line in chipboard.RIBBON]
    rows = [(f"{2 * row + 1}, {2 * row + 2}", *end) for row, end in enumerate(ends)]
    return markdown_table(("strands", "line", "at the Pico", "at a Raspberry Pi without one"), rows)


def counts_table() -> str:
    """Return the lines of config.py for a board of each map."""
    boards = hardware_facts.board_specs()
    rows = [(board.name, f"`SENSORS = {8 * board.chips}`", f"`LAMPS = {board.spaces}`") for board in boards]
    return markdown_table(("map", "sensors", "lamps"), rows)


def pins_table() -> str:
    names = {pin: f"GP{gpio}" for gpio, pin in hardware_facts.PICO_PINS.items()} | hardware_facts.PICO_SPARE
    rows = [(pin, names[pin], COLOURS[net], text) for pin, net, text in wiring_pictures.pico_wires()]
    return markdown_table(("pin", "name", "colour", "goes to"), rows)


def spacers_table() -> str:
    """Return the air and the spacers that each kind of board needs."""
    kinds = (
        ("reed contacts, chip boards or stripboard, a Pico", Choices()),
        ("reed contacts, chip boards or stripboard, a Pi instead", Choices(brain="pi")),
        ("reed contacts, ready-made modules", Choices(brain="pi", chips="modules")),
        ("Hall switches, chip boards or stripboard, a Pico", Choices(sensor="hall")),
        ("Hall switches, ready-made modules", Choices(sensor="hall", brain="pi", chips="modules")),
    )
    rows = [
        (name, f"{heights.depth_below_carrier(it):g} mm", f"{heights.PLATE + heights.highest_part(it):.3g} mm",
         f"{heights.floor_gap(it):g} mm", f"{heights.spacer_length(it)} mm")
        for name, it in kinds
    ]  # fmt: skip
    return markdown_table(("board", "hangs from the carrier", "stands on the floor", "air", "spacers, M3"), rows)


COLOURS = {"5V": "red", "3V3": "violet", "ground": "black", "data": "green", "clock": "blue", "load": "orange"}


FEW = 32
"""Sensors of a minimal board: four chips, without a buffer for their clock."""


def costs_table() -> str:
    """Return the cost of boards of one map, from fully equipped to printed only."""
    boards = (
        ("sensors and lamps everywhere", None, Choices()),
        ("the same of ready-made modules, lamps on WLED", None, Choices(brain="pi", lamps="wled", chips="modules")),
        ("sensors everywhere, no lamps", None, Choices(lamps="none")),
        (f"{FEW} sensors, the other spaces manual, no lamps", FEW, Choices(lamps="none")),
    )
    rows = []
    for name, sensors, choices in boards:
        counted = _counted("launch-facility", choices, sensors)
        bought = parts_list.list_parts(counted, choices)
        work = parts_list.estimate_work(counted, bought)
        cost = sum(part.cost for part in bought)
        rows.append((name, counted.sensors, f"{cost:.0f} EUR", work.joints, f"{work.hours:.0f}"))
    return markdown_table(("board", "sensors", "parts", "solder joints", "hours"), rows)


TABLES: dict[Path, dict[str, Callable[[], str]]] = {
    CHEAPEST: {"cheapest": costs_table},
    PAGE: {
        "parts": parts_table,
        "air": spacers_table,
        "counts": counts_table,
        "pins": pins_table,
        "ribbon": ribbon_table,
        "fitted": optional_parts_table,
    },
}


def updated_files() -> dict[Path, str]:
    return {
        **{page: with_parts(page.read_text("utf-8"), tables) for page, tables in TABLES.items()},
        **{DOCS / "hardware" / f"{name}.svg": draw().svg() for name, draw in PICTURES.items()},
        **{DOCS / "hardware" / f"{name}.svg": draw() for name, draw in BOARDS.items()},
    }


if __name__ == "__main__":
    for path, text in updated_files().items():
        path.write_text(text, "utf-8")
