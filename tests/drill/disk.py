"""A faulty disk: builds `disk.c` where there is a C compiler, and controls its mode."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
WELL, FULL, READ_ONLY, ERRORS, SHORT, NO_SYNC, LATE = "0", "f", "r", "e", "s", "y", "l"

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here (Debian's package gcc)")


class Disk:
    """Controls the faults of the disk below the folder `below`; `tape` records what is written there."""

    def __init__(self, folder: Path, below: Path, tape: Path | None = None) -> None:
        self._lever = folder / "lever"
        self._library = folder / "disk.so"
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(self._library),
            "DRILL_DISK": str(self._lever),
            "DRILL_BELOW": str(below),
            **({} if tape is None else {"DRILL_TAPE": str(tape)}),
        }
        self.goes(WELL)
        source = str(HERE / "disk.c")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(self._library), source, "-ldl"], check=True)

    def cannot_read(self, path: Path, first: int, last: int) -> dict[str, str]:
        """Return the environment of a process for which a part of a file is unreadable, under whatever name."""
        return {**self.environment, "DRILL_UNREADABLE": f"{path.stat().st_ino} {first} {last}"}

    def goes(self, how: str) -> None:
        """Switch to a mode."""
        with self._lever.open("r+" if self._lever.exists() else "w", encoding="ascii") as lever:
            lever.write(how)
