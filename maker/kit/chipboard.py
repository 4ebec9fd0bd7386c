"""The chip board: one 74HC165 for eight sensors, with its parts and the pins that are connected.

The parts list and the ribbon's order are generated from this description. Tests compare it with the KiCad files in
hardware/chipboard and with the stripboard alternative.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

import hardware

FILES = Path(hardware.__file__).with_name("chipboard")
BOARD, SCHEMATIC = "chipboard.kicad_pcb", "chipboard.kicad_sch"
GERBERS = FILES / "gerbers"
"""The files from which a factory makes the board."""

INPUTS = "ABCDEFGH"
"""The inputs of a 74HC165. Input n of chip k is sensor 8k + n."""
CHIP_PINS = {
    "A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6,
    "QH": 9, "SER": 10, "CLK": 2, "SH/LD": 1, "CLK INH": 15, "VCC": 16, "GND": 8,
}  # fmt: skip
"""Pins of a 74HC165 in its 16-pin case (TI SCLS116); pin 7, the inverted output, stays free."""
GATE_PINS = {
    "1OE": 1, "1A": 2, "1Y": 3, "2OE": 4, "2A": 5, "2Y": 6, "GND": 7,
    "3Y": 8, "3A": 9, "3OE": 10, "4Y": 11, "4A": 12, "4OE": 13, "VCC": 14,
}  # fmt: skip
"""Pins of a 74HC125 in its 14-pin case (TI SCLS104)."""

RIBBON = ("RET", "GND", "CLK", "3V3", "LOAD", "GND", "DATA")
"""The rows of a ribbon's plug, both pins of a row joined: 1 and 2 are RET, 13 and 14 are DATA.

Each signal is next to a supply line, and a reversed plug does not short the supply. RET leads from the Pico to SER of
the last chip."""

Fitted = Literal["always", "gate", "no gate", "far end", "last"]
"""The boards on which an element is fitted: all boards; the first of each eight, which has the gates; the boards
without gates; the last of each eight, where the clock line ends; or only the very last."""


class Element(Struct, frozen=True):
    """A part on the board. `kind` names its shape; `pins` maps pin -> net, without unconnected pins."""

    name: str
    kind: str
    value: str
    pins: Mapping[str, str]
    fitted: Fitted = "always"


def _two(name: str, kind: str, value: str, nets: tuple[str, str], fitted: Fitted = "always") -> Element:
    return Element(name, kind, value, {"1": nets[0], "2": nets[1]}, fitted)


def _plug(name: str, nets: Mapping[str, str]) -> Element:
    pins = {str(2 * row + pin): nets.get(line, line) for row, line in enumerate(RIBBON) for pin in (1, 2)}
    return Element(name, "IDC14", "box header 2x7", pins)


def _chip() -> dict[str, str]:
    nets = {
        "QH": "DATA", "SER": "SER", "CLK": "CLK", "SH/LD": "LOAD", "CLK INH": "GND", "VCC": "3V3", "GND": "GND",
        **{letter: f"IN_{letter}" for letter in INPUTS},
    }  # fmt: skip
    return {str(CHIP_PINS[name]): net for name, net in nets.items()}


def _gates() -> dict[str, str]:
    """Return the pins of the gates' chip: two gates in use, two idle with grounded inputs."""
    nets = {
        "1A": "CLK_IN", "1Y": "CLK_GATE", "2A": "LOAD_IN", "2Y": "LOAD_GATE", "VCC": "3V3",
        **dict.fromkeys(("1OE", "2OE", "3OE", "4OE", "3A", "4A", "GND"), "GND"),
    }  # fmt: skip
    return {str(GATE_PINS[name]): net for name, net in nets.items()}


ELEMENTS: tuple[Element, ...] = (
    Element("U1", "DIP16", "74HC165", _chip()),
    Element("U2", "DIP14", "74HC125", _gates(), "gate"),
    Element("RN1", "SIP9", "8 x 10k", {"1": "3V3", **{str(n + 2): f"IN_{letter}" for n, letter in enumerate(INPUTS)}}),
    _two("C1", "CAP5", "100n", ("3V3", "GND")),
    _two("C2", "CAP5", "100n", ("3V3", "GND"), "gate"),
    _two("R1", "RES", "47", ("CLK_GATE", "CLK"), "gate"),
    _two("R2", "RES", "47", ("LOAD_GATE", "LOAD"), "gate"),
    _two("R3", "RES", "100", ("CLK", "CLK_END"), "far end"),
    _two("C3", "CAP5", "47p", ("CLK_END", "GND"), "far end"),
    _two("R4", "RES", "100", ("LOAD", "LOAD_END"), "far end"),
    _two("C4", "CAP5", "47p", ("LOAD_END", "GND"), "far end"),
    _two("R5", "RES", "100k", ("SER", "GND")),
    _two("W1", "LINK", "link", ("CLK_IN", "CLK"), "no gate"),
    _two("W2", "LINK", "link", ("LOAD_IN", "LOAD"), "no gate"),
    _two("W3", "LINK", "link", ("RET", "SER"), "last"),
    _plug("J1", {"CLK": "CLK_IN", "LOAD": "LOAD_IN"}),
    _plug("J2", {"DATA": "SER"}),
    *(
        Element(f"S{n}", "WIRES3", letter, {"1": f"IN_{letter}", "2": "GND", "3": "3V3"})
        for n, letter in enumerate(INPUTS)
    ),
)


def gerber_zip() -> bytes:
    """Return the zip file for a board factory, the same bytes each time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(GERBERS.iterdir()):
            # The earliest date that a zip file can have: the bytes do not depend on the day.
            entry = zipfile.ZipInfo(path.name, (1980, 1, 1, 0, 0, 0))
            packed.writestr(entry, _for_factory(path.read_bytes()), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _for_factory(content: bytes) -> bytes:
    """Return a drill file without a redundant command about which strict readers warn.

    KiCad states after the header that coordinates are absolute, which is the default.
    """
    return content.replace(b"\n%\nG90\n", b"\n%\n", 1)
