"""`python -m maker.drawings.chipboard`: make the gerbers from the board that KiCad saved. `--check` checks both.

Exit codes: 0 no faults, or KiCad is not installed and `--check` says so · 1 a rule is broken, or the gerbers are
outdated.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from maker.kit import chipboard
from maker.kit.chipboard import BOARD, FILES, GERBERS, SCHEMATIC

MANIFEST = "manifest.json"
MISSING = "KiCad is not installed. On Debian: sudo apt-get install --no-install-recommends kicad"
HELPER = Path(__file__).with_name("kicad.py")
PYTHON = "/usr/bin/python3"
"""The system's Python, which has KiCad's module."""
DATES = (
    (re.compile(r"(?<=TF\.CreationDate,)[^*\n]*"), "2026-11-25T00:00:00+00:00"),
    (re.compile(r"(?<=\) date )[-\d]+ [:\d]+"), "2026-11-25 00:00:00"),
    (re.compile(r"(?<=\} date )[^\n]*"), "2026-11-25"),
)
"""Patterns of the dates that KiCad writes, with their replacements: the same board gives the same files."""
FOUND = re.compile(r"\*\* Found (\d+) (DRC violations|unconnected pads|Footprint errors) \*\*")


class Broken(Exception):
    """KiCad reports a fault or fails."""


def run_kicad(*words: str) -> str:
    """Run KiCad's Python module and return its output. Raises `Broken`."""
    done = subprocess.run([PYTHON, str(HELPER), *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise Broken(f"KiCad could not {words[0]} the board:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def version() -> str | None:
    try:
        return run_kicad("version").splitlines()[-1]
    except (Broken, OSError, IndexError):
        return None


def plot(gerbers: Path) -> None:
    """Write the gerbers and drill files of the board to a new folder. Raises `Broken`."""
    gerbers.mkdir()
    with tempfile.TemporaryDirectory() as place:
        # Use a copy, because KiCad writes settings next to the board that it reads.
        folder = shutil.copytree(FILES, Path(place, FILES.name))
        run_kicad("plot", str(folder / BOARD), str(gerbers))
    for path in gerbers.iterdir():
        text = path.read_text("ascii")
        for pattern, instead in DATES:
            text = pattern.sub(instead, text)
        path.write_text(text, "ascii", newline="\n")


def manifest(kicad_version: str) -> str:
    """Return the hashes of the board and of each file made from it, and KiCad's version."""
    content = {
        "kicad": kicad_version,
        "board": {BOARD: _digest(FILES / BOARD)},
        "gerbers": {path.name: _digest(path) for path in sorted(GERBERS.iterdir())},
    }
    return json.dumps(content, indent=2) + "\n"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check(kicad_version: str) -> list[str]:
    """Return all faults that KiCad finds in hardware/chipboard, and outdated gerbers. Raises `Broken`."""
    with tempfile.TemporaryDirectory() as place:
        stored, fresh = Path(place, "stored"), Path(place, "fresh")
        shutil.copytree(FILES, stored)
        command = command_line()
        faults = _by_module(stored) if command is None else _by_command(command, stored)
        if json.loads((FILES / MANIFEST).read_text("utf-8"))["kicad"] != kicad_version:
            print("Another version of KiCad made the gerbers, so they are not compared.")
            return faults
        plot(fresh)
        plotted, stored_gerbers = (
            {path.name: path.read_bytes() for path in folder.iterdir()} for folder in (fresh, GERBERS)
        )
        stale = [name for name in plotted if plotted[name] != stored_gerbers.get(name)]
        return [*faults, *(f"{name} is outdated. Run python -m maker.drawings.chipboard." for name in stale)]


def command_line() -> str | None:
    """Return KiCad's command line if it can check rules (version 8 and newer), else None."""
    command = shutil.which("kicad-cli")
    if command is None:
        return None
    output = subprocess.run([command, "version"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    major = output.strip().split(".")[0]
    return command if major.isdigit() and int(major) >= 8 else None


def _by_module(folder: Path) -> list[str]:
    """Check the rules with KiCad's Python module. Newer versions search for the project's libraries in another
    place."""
    report = folder / "rules.txt"
    run_kicad("check", str(folder / BOARD), str(report))
    text = report.read_text("utf-8")
    print(text)
    return complaints(text)


def complaints(report: str) -> list[str]:
    """Return the faults in a rule check's report; [] if there are none."""
    counts = {what: int(number) for number, what in FOUND.findall(report)}
    if len(counts) != 3:
        return ["The report of the rule check is incomplete."]
    return [f"{number} {what}" for what, number in counts.items() if number]


def _by_command(command: str, folder: Path) -> list[str]:
    checks = {
        "schematic": ("sch", "erc", "--exit-code-violations", "--severity-all", SCHEMATIC),
        "board": ("pcb", "drc", "--exit-code-violations", "--severity-all", "--schematic-parity", BOARD),
    }
    faults = []
    for what, words in checks.items():
        report = folder / f"{what}.rpt"
        done = subprocess.run([command, *words[:2], "-o", str(report), *words[2:]], cwd=folder, capture_output=True)
        text = report.read_text("utf-8") if report.exists() else done.stderr.decode("utf-8", "replace")
        print(text)
        if done.returncode:
            faults.append(f"kicad-cli finds fault with the {what}.")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m maker.drawings.chipboard", description="Make the chip board's gerbers from its KiCad file."
    )
    parser.add_argument("--check", action="store_true", help="let KiCad check the existing files")
    parser.add_argument("--zip", type=Path, metavar="FILE", help="write the gerbers as one file; needs no KiCad")
    arguments = parser.parse_args()
    if arguments.zip is not None:
        arguments.zip.write_bytes(chipboard.gerber_zip())
        print(f"{arguments.zip}: for a board factory: 2 layers, 1.6 mm, 70 x 50 mm")
        return 0
    by = version()
    if by is None:
        print(
            f"Not checked: {MISSING}" if arguments.check else MISSING,
            file=sys.stdout if arguments.check else sys.stderr,
        )
        return 0 if arguments.check else 1
    try:
        if not arguments.check:
            shutil.rmtree(GERBERS, ignore_errors=True)
            plot(GERBERS)
            (FILES / MANIFEST).write_text(manifest(by), "utf-8")
            print(f"Made with KiCad {by}: {GERBERS}. Now run python -m maker.drawings.chipboard --check.")
            return 0
        faults = check(by)
    except Broken as error:
        faults = [str(error)]
    print("\n".join(faults) or f"KiCad {by}: 0 violations, 0 unconnected pads")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
