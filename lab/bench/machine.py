"""The machine that measures, and how much slower others are supposed to be."""

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
"""How many times slower one core is than one of a current x86_64 server, at least and at most; see `SOURCE`."""
SOURCE: Final = (
    "The factors are assumed: sysbench on one thread makes 1,847 events a second on a Pi 5 and 812 on a Pi 4, 2.3 "
    "times as many; the step from a server to a Pi 5, and from a Pi 4 (Cortex-A72, 1.5 GHz) to a Zero 2 W "
    "(Cortex-A53, 1 GHz), is a guess."
)


class Machine(Struct, frozen=True):
    """What is told of a machine: no names of its own and no addresses."""

    model: str
    cores: int
    architecture: str
    system: str
    python: str


def this() -> Machine:
    """The machine that this runs on."""
    system = platform.system()
    with suppress(OSError):
        release = platform.freedesktop_os_release()
        system = release.get("PRETTY_NAME", system)
    return Machine(_model(), os.cpu_count() or 1, platform.machine(), system, platform.python_version())


def _model() -> str:
    """The board's name on a Pi, the processor's elsewhere; empty where neither is told."""
    with suppress(OSError):
        return MODEL.read_text("utf-8", "replace").strip("\0 \n")
    with suppress(OSError):
        for line in CPUS.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return ""


def estimates(machine: Machine) -> dict[str, tuple[float, float]]:
    """Model -> how many times slower it is supposed to be; none where we cannot know, as on a Pi."""
    return dict(FACTORS) if machine.architecture == "x86_64" else {}
