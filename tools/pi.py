"""What the extras need on this computer: Raspberry Pi model, Python version and architecture decide.

Each library for pins and lamps supports certain models, and not all of them come as wheels. The others are built with
Debian's compiler, or refused with a message.
"""

from __future__ import annotations

import platform
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.errors import ToolError

PICO = 'A Raspberry Pi Pico (board = "board_link") drives sensors and lamps at every computer with a USB port.'
"""The advice for a computer whose pins cannot be used."""
COMPILER = ("build-essential", "python3-dev")
"""Debian's packages for a library that is built during installation."""
PINS = {"x86_64": (3, 12), "aarch64": (3, 13)}
"""Architecture -> the newest Python with a ready-made library for pins.

On PyPI, lgpio 0.2.2 has files for cp39 to cp312. adafruit-lgpio 0.2.2, the same module, has one for cp313 on ARM.
"""
CHIP_PINS = "gpiod>=2.2.2,<3"
"""The library that Blinka uses for the pins of every Pi (`adafruit_blinka.platform_dependencies`)."""
LAMPS = {
    "5": "Adafruit-Blinka-Raspberry-Pi5-Neopixel>=1.0.0rc2,<2",
    "4": "rpi_ws281x>=5,<6",
    "3": "rpi_ws281x>=5,<6",
    "Zero 2 W": "rpi_ws281x>=5,<6",
}
"""Model -> the library that drives a strip: by PIO on the Pi 5, by older hardware on the others."""
MODELS = {
    "5": r"Pi (?:5|500)\b|Compute Module 5",
    "4": r"Pi (?:4|400)\b|Compute Module 4",
    "3": r"Pi 3\b|Compute Module 3",
    "Zero 2 W": r"Pi Zero 2",
}
"""Model -> a pattern of its names in the device tree."""


@dataclass(frozen=True)
class Computer:
    """A computer: the model in its device tree ("" for a PC), its architecture, its Python."""

    model: str
    architecture: str
    python: tuple[int, int]

    @property
    def kind(self) -> str | None:
        """Return its key in `LAMPS`, or None."""
        return next((name for name, pattern in MODELS.items() if re.search(pattern, self.model)), None)

    def __str__(self) -> str:
        bits = 64 if self.architecture in ("aarch64", "x86_64") else 32
        return f"{self.model or 'a computer without pins'}, {bits} bit, Python {self.python[0]}.{self.python[1]}"


@dataclass(frozen=True)
class Needs:
    """Additional packages: `pip` from pip, `debian` from apt."""

    pip: tuple[str, ...] = ()
    debian: tuple[str, ...] = ()


def this_machine(root: Path = Path("/")) -> Computer:
    try:
        model = (root / "proc/device-tree/model").read_text("utf-8").strip("\0 \n")
    except (OSError, UnicodeDecodeError):
        model = ""
    # A 64-bit kernel may run a 32-bit system, so check what this Python was built for.
    machine = platform.machine() if sys.maxsize > 2**32 else "32-bit programs"
    return Computer(model, machine, (sys.version_info[0], sys.version_info[1]))


def check(machine: Computer) -> None:
    """Raise `ToolError` for a computer on which the table cannot be installed."""
    if machine.architecture not in ("aarch64", "x86_64"):
        raise ToolError(
            f"This is a 32-bit system ({machine.architecture}), and the packages are 64-bit only. Write the 64-bit "
            "Raspberry Pi OS to the card (a Pi 3, 4, 5 and Zero 2 W run it)."
        )


def needs(extra: str, packages: tuple[str, ...], machine: Computer) -> Needs:
    """Return what an extra with these packages needs on a computer. Raises `ToolError` if it is not available."""
    if extra == "gpio":
        return _pins(packages, machine)
    if extra == "neopixel":
        return _lamps(packages, machine)
    return Needs(packages)


def _pins(packages: tuple[str, ...], machine: Computer) -> Needs:
    if machine.python > PINS[machine.architecture]:
        raise ToolError(f"There is no library for the pins of this computer ({machine}). {PICO}")
    return Needs(packages)


def _lamps(packages: tuple[str, ...], machine: Computer) -> Needs:
    if machine.kind is None:
        raise ToolError(f"No library drives a strip of lamps from the pins of this computer ({machine}). {PICO}")
    compiled = () if machine.kind == "5" else COMPILER
    return Needs((*packages, CHIP_PINS, LAMPS[machine.kind]), compiled)
