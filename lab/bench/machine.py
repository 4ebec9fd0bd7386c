"""The measuring machine, and estimated factors for slower ones."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

MODEL = Path("/proc/device-tree/model")
CPUS = Path("/proc/cpuinfo")

FACTORS: Final = {
    "Raspberry Pi 5": (2.0, 3.0),
    "Raspberry Pi 4": (4.0, 6.0),
    "Raspberry Pi Zero 2 W": (8.0, 15.0),
}
"""Model -> how many times slower one core is than one of a current x86_64 server, from and to; see `SOURCE`."""
SOURCE: Final = (
    "The factors are assumed: sysbench on one thread makes 1,847 events a second on a Pi 5 and 812 on a Pi 4, 2.3 "
    "times as many; the step from a server to a Pi 5, and from a Pi 4 (Cortex-A72, 1.5 GHz) to a Zero 2 W "
    "(Cortex-A53, 1 GHz), is a guess."
)


class Machine(Struct, frozen=True):
    """A description of a machine without its name and addresses."""

    model: str
    cores: int
    architecture: str
    system: str
    python: str


def this() -> Machine:
    """Return the machine that this runs on."""
    system = platform.system()
    with suppress(OSError):
        release = platform.freedesktop_os_release()
        system = release.get("PRETTY_NAME", system)
    return Machine(_model(), os.cpu_count() or 1, platform.machine(), system, platform.python_version())


def _model() -> str:
    """Return the model of a Pi, else the name of the processor, else an empty string."""
    with suppress(OSError):
        return MODEL.read_text("utf-8", "replace").strip("\0 \n")
    with suppress(OSError):
        for line in CPUS.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return ""


def estimates(machine: Machine) -> dict[str, tuple[float, float]]:
    """Return model -> estimated factors; empty unless this is an x86_64 machine."""
    return dict(FACTORS) if machine.architecture == "x86_64" else {}
