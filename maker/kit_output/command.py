"""`sniperboard map kit MAP`: write a folder with everything to print, cut, buy and solder."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from engine.graph.fault import MapError
from firmware_host.core import maps
from maker.kit import choices
from maker.kit_output import folder
from maker.mapping import drawings
from maker.png import font_rules

OPTIONS = (
    ("sensor", choices.SENSORS, "reed or Hall switches"),
    ("brain", choices.BRAINS, "a Pico on a USB cable, or the Pi's own pins"),
    ("lamps", choices.LAMPS, "a LED strip, one on a WLED controller, or no lamps"),
    ("chips", choices.CHIPS, "boards for the chips: manufactured, or stripboard; or ready-made modules"),
    ("strip", choices.PITCHES, "lamps per metre of strip"),
)
"""Each choice of a maker: its name in `Choices`, its values, and its help."""


def add_kit_options(kit: argparse.ArgumentParser, file: Callable[[str], Path]) -> None:
    kit.add_argument("map", metavar="FILE|NAME", help="a drawing, or the name of a map")
    kit.add_argument("--out", type=file, help="output folder (default: kit-NAME)")
    kit.add_argument("--wiring", type=file, help="wiring.toml of the board (default: the map's)")
    for name, values, text in OPTIONS:
        default = getattr(choices.Choices(), name)
        text_with_default = f"{text} (default: {default})"
        kit.add_argument(f"--{name}", type=type(default), choices=values, default=default, help=text_with_default)
    kit.add_argument("--dark", action="store_true", help="print over the lamps too, for translucent foil")


def write_kit(arguments: argparse.Namespace) -> int:
    """Write the folder. Raises `MapError`."""
    out = arguments.out or Path(f"kit-{Path(arguments.map).stem}")
    folder.require_new(out)
    chosen = choices.Choices(**{name: getattr(arguments, name) for name, _, _ in OPTIONS}, windows=not arguments.dark)
    if (fault := chosen.fault()) is not None:
        raise MapError(arguments.map, [fault])
    font_rules()  # check early: a missing font would otherwise stop the work after minutes
    board = drawings.survey_named(arguments.map, "loose").map
    drawing = b"" if maps.is_generated(arguments.map) else maps.drawing_of(arguments.map).read_bytes()
    if (wiring := arguments.wiring) is not None and not wiring.exists():
        raise MapError(str(wiring), ["this file does not exist. Give a wiring.toml, or leave out --wiring."])
    files = folder.make_kit(board, drawings.wiring_of(arguments.map, board, wiring), chosen, drawing)
    folder.write_folder(files, out)
    print(f"{board.name}: {len(files)} files written to {out}. Begin with {out / 'README.txt'}.")
    return 0
