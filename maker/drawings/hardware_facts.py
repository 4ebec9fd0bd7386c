"""The parts and pins to solder, read from the firmware's config.py, the drivers' options and the maps' wiring.

`wiring_page.py` makes docs/hardware.md and its drawings from these values, so that drawings and program agree.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from engine.graph import Map
from firmware_host.board import wiring
from firmware_host.core import maps
from hardware import drivers
from maker.kit import parts

PICO_SPARE = {
    3: "GND", 8: "GND", 13: "GND", 18: "GND", 23: "GND", 28: "GND", 30: "RUN", 33: "AGND", 35: "ADC_VREF",
    36: "3V3(OUT)", 37: "3V3_EN", 38: "GND", 39: "VSYS", 40: "VBUS",
}  # fmt: skip
"""The pins of a Pico that are not GPIOs, by number (Raspberry Pi Pico data sheet)."""
PICO_GPIOS = (*range(23), 26, 27, 28)
# The GPIOs lie in order along the pins; only supply and control pins come in between.
PICO_PINS = dict(zip(PICO_GPIOS, (n for n in range(1, 41) if n not in PICO_SPARE), strict=True))
"""GPIO -> pin of a Pico."""

PI_HEADER = (
    "3V3", "5V", "2", "5V", "3", "GND", "4", "14", "GND", "15",
    "17", "18", "27", "GND", "22", "23", "3V3", "24", "10", "GND",
    "9", "25", "11", "8", "GND", "7", "0", "1", "5", "GND",
    "6", "12", "13", "GND", "19", "16", "26", "20", "GND", "21",
)  # fmt: skip
"""Pin n of the 40 on a Raspberry Pi is entry n - 1: a GPIO number, or a supply."""
PI_PINS = {int(word): pin for pin, word in enumerate(PI_HEADER, 1) if word.isdigit()}
"""GPIO -> pin of a Raspberry Pi."""


class BoardSpec(Struct, frozen=True):
    """The quantities for the board of one map. Lengths are millimetres."""

    name: str
    slug: str
    size: tuple[float, float]
    spaces: int

    @property
    def chips(self) -> int:
        return parts.chip_count(self.spaces)


def option_default(driver: str, name: str) -> Any:
    return _option(driver, name).default


def _option(driver: str, name: str) -> drivers.DriverOption:
    return next(option for option in drivers.find(driver).options if option.name == name)


def spi_port(number: int) -> dict[str, int]:
    """Return the GPIOs of a Raspberry Pi's SPI port, from the help of the shift registers' driver."""
    match = re.search(rf"\b{number} has clock (\d+), MISO (\d+), MOSI (\d+)", _option("shift_register", "port").help)
    assert match is not None, "the help of the option port tells the pins of each SPI port"
    return dict(zip(("clock", "miso", "mosi"), map(int, match.groups()), strict=True))


def board_specs() -> list[BoardSpec]:
    return [_board(maps.load(slug)) for slug in sorted(path.parent.name for path in maps.FOLDER.glob("*/wiring.toml"))]


def _board(board: Map) -> BoardSpec:
    soldered = wiring.of_board(board, maps.FOLDER / board.slug / wiring.FILE)
    return BoardSpec(
        name=board.name,
        slug=board.slug,
        # Maps are measured in tenths of a millimetre.
        size=(board.size[0] / 10, board.size[1] / 10),
        spaces=soldered.count,
    )
