"""Prepare an SD card: copy the project and its first start to Raspberry Pi OS (see systemd/image).

    python3 -m tools.card /media/me/bootfs                      the path of the card's boot partition on this computer
    python3 -m tools.card /media/me/bootfs --online             without packages: the first start downloads them
    python3 -m tools.card /media/me/bootfs -- --board simulated --power-button      options of `make install`

Only the card's boot partition is written to. A second run keeps edited settings. systemd/image/README.md has the
instructions.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from tools import beside
from tools.errors import ToolError
from tools.install import LOCKS, packages

ROOT = Path(__file__).resolve().parent.parent
IMAGE = ROOT / "systemd/image"
FETCHED = (*LOCKS, beside.LOCK)
MANUAL = ("docs", "mkdocs.yml", *sorted(page.name for page in ROOT.glob("*.md")), beside.LOCK)
PROJECT = (*packages(ROOT), *LOCKS, *MANUAL, "tools", "systemd", "pyproject.toml", "LICENSE", "Makefile")
"""The files that the installation of the table with its manual needs."""
OURS = "sniperboard"
RUN_ONCE = (
    " systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=reboot systemd.unit=kernel-command-line.target"
)
"""Make systemd run a script instead of a normal boot (systemd-run-generator(8)), like the Imager does."""
PYTHON = {True: "3.13", False: "3.11"}
"""The Python of Raspberry Pi OS with cloud-init (Debian 13), and without it (Debian 12)."""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m tools.card", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("boot", type=Path, help="the folder where the card's boot partition is mounted")
    parser.add_argument("--online", action="store_true", help="leave the packages out; the first start fetches them")
    parser.epilog = "Options after -- are those of make install."
    # Everything after `--` belongs to `make install`, so argparse must not see it.
    at = words.index("--") if "--" in words else len(words)
    chosen = parser.parse_args(words[:at])
    try:
        print(write_card(chosen.boot, words[at + 1 :], online=chosen.online))
    except (ToolError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def write_card(boot: Path, options: list[str], *, online: bool) -> str:
    """Copy everything to the card; return what to do next. Raises `ToolError`, `OSError`."""
    if not (boot / "config.txt").is_file() or not (boot / "cmdline.txt").is_file():
        raise ToolError(f"{boot} is not the boot partition of Raspberry Pi OS: config.txt or cmdline.txt is missing.")
    with_cloud = (boot / "user-data").exists()
    card = boot / OURS
    card.mkdir(exist_ok=True)
    with tarfile.open(card / "project.tar.gz", "w:gz", compresslevel=1) as packed:
        for name in PROJECT:
            packed.add(ROOT / name, name, filter=_plain)
    for name in ("first-start.sh", "first-start.service"):
        shutil.copyfile(IMAGE / name, card / name)
    (card / "options").write_text(" ".join(options) + "\n", "utf-8")
    if not online:
        _fetch(card / "wheels", PYTHON[with_cloud])
    edited = _settings(boot) if with_cloud else _firstrun(boot)
    return f"The card is ready. Edit three lines of {edited}, put the card into the Pi, and switch it on."


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return the entry without traces of this computer and its user, or None for hidden files."""
    # Hidden files may be private, and bytecode belongs to this computer's Python.
    if re.search(r"(^|/)(__pycache__|\.[^/]*)(/|$)", entry.name):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def _fetch(folder: Path, python: str) -> None:
    """Download the locked packages for a 64-bit Pi. Raises `ToolError`."""
    shutil.rmtree(folder, ignore_errors=True)
    # pip does not expand platform tags, so list the glibc versions that packages are built for.
    platforms = [word for number in (17, 28, 34) for word in ("--platform", f"manylinux_2_{number}_aarch64")]
    locks = [word for name in FETCHED for word in ("-r", str(ROOT / name))]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder), "--only-binary=:all:"]
    command += [*platforms, "--python-version", python, "--implementation", "cp", *locks]
    if subprocess.run(command, check=False).returncode != 0:
        raise ToolError("The packages could not be downloaded. Check the network, or leave them out with --online.")


def _settings(boot: Path) -> Path:
    """Copy cloud-init's files, except those that are already the project's own and may have been edited."""
    for name in ("user-data", "network-config"):
        path = boot / name
        if not (path.exists() and OURS in path.read_text("utf-8", "replace")):
            shutil.copyfile(IMAGE / name, path)
    return boot / "user-data"


def _firstrun(boot: Path) -> Path:
    """Copy the script that Debian 12 runs once."""
    script, command = boot / "firstrun.sh", boot / "cmdline.txt"
    if not (script.exists() and OURS in script.read_text("utf-8", "replace")):
        shutil.copyfile(IMAGE / "firstrun.sh", script)
    line = command.read_text("utf-8").strip()
    # A second run must not add the parameters again.
    if "systemd.run=" not in line:
        command.write_text(line + RUN_ONCE + "\n", "utf-8")
    return script


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
