"""The operating system: its packages (Python's venv module and, for tests, Chromium and Mosquitto), its root.

With sufficient rights a missing package is installed. Otherwise the message contains the exact command.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Literal

from tools.errors import ToolError

Rights = Literal["root", "sudo", "none"]

BROWSERS = ("chromium-headless-shell", "chromium")
"""Chromium's programs, named like Debian's packages.

The headless one comes first, because it is a third smaller.
"""
ELSEWHERE = "/usr/bin"
"""An additional folder of programs, which may not be on the PATH."""
MOUNTS = Path("/proc/self/mounts")
APT = ("apt-get", "-o", "DPkg::Lock::Timeout=120")
MEMORY, ROOM = Path("/dev/shm"), 2 << 30
"""The folder in memory that Linux has, and the bytes that all tests together may need in it."""
_one_apt = threading.Lock()
"""apt-get waits while another one installs packages, but not while another one updates its lists."""


def folder_in_memory() -> Path | None:
    """Return a folder in memory with room for the files of all tests, which don't wait for a disk there, or None."""
    try:
        found = os.statvfs(MEMORY)
    except OSError:
        return None
    # The folder must allow execution: some tests start programs that they have written there.
    fits = found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC
    return MEMORY if fits and os.access(MEMORY, os.W_OK) else None


def find_browser() -> str | None:
    """Return the path of Debian's Chromium, or None."""
    found = (shutil.which(name) or shutil.which(name, path=ELSEWHERE) for name in BROWSERS)
    return next((path for path in found if path is not None), None)


def need_browser() -> None:
    """Make sure that Chromium is installed. Raises `ToolError`."""
    if find_browser() is not None:
        return
    small, whole = BROWSERS
    wrong = "The browser test needs Chromium, which is not installed"
    try:
        need(small, wrong)
    except ToolError:  # a system that packages only the complete Chromium
        need(whole, wrong)
    if find_browser() is None:
        raise ToolError("Chromium was installed, but there is no `chromium` on the PATH: put it there and start again.")


def need_mosquitto() -> None:
    """Make sure that an MQTT broker for tests is installed. Raises `ToolError`."""
    # Debian installs the broker in /usr/sbin, which is not on every user's PATH.
    if shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin") is None:
        need("mosquitto", "The tests of MQTT need a broker, Mosquitto, which is not installed")


def need_programs() -> None:
    need_browser()
    need_mosquitto()


def need_venv() -> None:
    """Make sure that this interpreter can create environments. Raises `ToolError`."""
    if importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        return
    wrong = f"{sys.executable} cannot create environments because its module venv or ensurepip is missing"
    # Debian's packages fit only Debian's own Python.
    if Path(sys.executable).resolve().parent != Path("/usr/bin"):
        raise ToolError(f"{wrong}: use Debian's python3, for example `make play PYTHON=/usr/bin/python3`.")
    need(f"python{sys.version_info[0]}.{sys.version_info[1]}-venv", wrong)


def need(package: str, wrong: str) -> None:
    """Install Debian's `package`, or raise `ToolError` with what is `wrong` and the command that fixes it."""
    rights = rights_here() if shutil.which("apt-get") else "none"
    if rights == "none":
        raise ToolError(problem_text(package, wrong))
    print(f"{wrong}: installing Debian's package {package}.", flush=True)
    with _one_apt:
        for command in commands(package, rights):
            if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode != 0:
                raise ToolError(problem_text(package, f"`{' '.join(command)}` failed"))


def need_package(package: str) -> None:
    """Make sure that Debian's `package` is installed. Raises `ToolError`."""
    if shutil.which("dpkg-query") is not None:
        _, said = run_captured(["dpkg-query", "-W", "-f=${Status}", package])
        if said.strip() == "install ok installed":
            return
    need(package, f"The libraries of this machine's pins need {package}, which is not installed")


def run_captured(command: list[str]) -> tuple[int, str]:
    """Run a command without input; return its exit code and its output."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.returncode, done.stdout


def rights_here() -> Rights:
    """Return whether packages can be installed without a password."""
    if os.geteuid() == 0:
        return "root"
    if shutil.which("sudo") is None:
        return "none"
    return "sudo" if run_captured(["sudo", "-n", "true"])[0] == 0 else "none"


def commands(package: str, rights: Literal["root", "sudo"]) -> list[list[str]]:
    become = ["sudo", "-n"] if rights == "sudo" else []
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive"]
    return [
        [*become, *quiet, *APT, "update"],
        [*become, *quiet, *APT, "install", "-y", "--no-install-recommends", package],
    ]


def problem_text(package: str, wrong: str) -> str:
    """Return what is wrong, and the command that fixes it."""
    return (
        f"{wrong}: install Debian's package {package} with this command and start again.\n"
        f"    sudo apt-get update && sudo apt-get install -y --no-install-recommends {package}"
    )


def is_overlay(mounts: str) -> bool:
    """Return whether the root of a machine with these mounts (fstab(5)) is an overlay.

    If the root appears several times, the last mount counts.
    """
    kinds = [words[2] for line in mounts.splitlines() if len(words := line.split()) > 2 and words[1] == "/"]
    return bool(kinds) and kinds[-1] == "overlay"


def check_root(mounts: Path = MOUNTS, config: Path = Path("/etc/overlayroot.conf")) -> None:
    """Raise `ToolError` if an installation would be lost at the next start.

    A container's root is also an overlay, so this checks for overlayroot's configuration, too.
    """
    if config.exists() and is_overlay(mounts.read_text("utf-8")):
        raise ToolError(
            "The root of this machine is read-only: an installation would be lost at the next start. Make it "
            "writable first: sudo raspi-config nonint disable_overlayfs && sudo reboot. Afterwards make it read-only "
            "again (docs/travelling.md)."
        )
