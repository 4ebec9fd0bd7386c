"""`sniperboard board`: prepare the Pico under the board."""

from __future__ import annotations

import argparse
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any

from firmware_host.app.terminal import fail
from hardware.link import flash, port
from hardware.ports import HardwareFault


def add_command(commands: Any) -> None:
    """Add `board` to the commands."""
    board = commands.add_parser("board", help="prepare the Pico under the board")
    deeds = board.add_subparsers(title="commands", required=True, metavar="COMMAND")
    chosen = deeds.add_parser("flash", help="install the firmware on a Raspberry Pi Pico with MicroPython")
    chosen.add_argument("--port", default=port.PICO, help="port of the Pico (default: %(default)s)")
    chosen.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="your config.py for the board (default: keep the one on the Pico)",
    )
    chosen.set_defaults(run=_flash)


def _find_port(pattern: str) -> str:
    """Return the Pico's port. Raises `HardwareFault`, also for a new Pico, which has no port without MicroPython."""
    try:
        return port.find_port(pattern, None)
    except HardwareFault as fault:
        # The Pico has a port, so it is not new.
        if glob(pattern):
            raise
        message = (
            f"{fault}\nA new Pico has no MicroPython yet: hold its BOOTSEL button while you plug it in, and copy "
            "MicroPython for the Pico (a file ending in .uf2, from micropython.org) onto the drive that appears."
        )
        raise HardwareFault(message) from fault


def _flash(arguments: argparse.Namespace) -> int:
    """Flash the board. Print each step, and a failure as a sentence."""
    try:
        files = flash.firmware_files(arguments.config)
        name = _find_port(arguments.port)
        again = partial(port.find_port, arguments.port, None)
        flash.flash(name, files, arguments.config is None, lambda step: print(step, flush=True), again)
    except HardwareFault as fault:
        return fail(1, str(fault))
    return 0
