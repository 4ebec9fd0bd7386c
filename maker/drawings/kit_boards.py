"""The drawings of the boards that a maker solders, for the kit's folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from maker.drawings import main_board
from maker.drawings.canvas import FONTS
from maker.drawings.chipboard import picture
from maker.kit.chain import LAMPS_A_FEED
from maker.kit.choices import Choices
from maker.kit.parts import firmware_config, fuse_a, supply_a
from maker.png import plain_family

BY_HAND = ("modules", "pi", "shifter-board", "stripboard", "stripboard-gates")
"""Drawings that are files in this folder. Tests compare them with the drivers' options and the chip board."""


def drawn_by_hand(name: str) -> str:
    """Return one of the drawings made by hand."""
    return Path(__file__).with_name(f"{name}.svg").read_text("utf-8")


def draw_wled(lamps: int) -> str:
    """Return the drawing of a WLED controller between the table's computer, the supply and a chain of lamps."""
    limit = int(firmware_config()["LIMIT_MA"])
    drawing, facts = drawn_by_hand("wled"), {"supply": supply_a(limit), "fuse": fuse_a(limit), "feed": LAMPS_A_FEED}
    return drawing.format(**facts, last=lamps - 1)


def board_drawings(choices: Choices, lamps: int) -> list[str]:
    """Return the drawings of the boards and connections for these choices, as SVG with a font of this machine."""
    family = plain_family()
    return [drawing.replace(FONTS, family, 1) for drawing in _drawings(choices, lamps)]


def _drawings(choices: Choices, lamps: int) -> Iterator[str]:
    if choices.brain == "pico":
        yield main_board.draw_main_board().svg()
    elif not choices.ready_made:
        yield drawn_by_hand("pi")
    if choices.shifter_alone:
        yield drawn_by_hand("shifter-board")
    if choices.chips == "pcb":
        yield picture.draw_front()
    elif choices.chips == "stripboard":
        yield from map(drawn_by_hand, ("stripboard", "stripboard-gates"))
    else:
        yield drawn_by_hand("modules")
    if choices.lamps == "wled":
        yield draw_wled(lamps)
