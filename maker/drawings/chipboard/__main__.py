"""`python -m maker.drawings.chipboard`: generate hardware/chipboard. `--check` lets KiCad check the existing files.

KiCad itself pours ground, checks the rules and draws the gerbers. Exit codes: 0 no faults, or KiCad is not installed
and `--check` says so · 1 a rule is broken, or a file is out of date.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from maker.drawings.chipboard import project, route
from maker.kit import chipboard
from maker.kit.chipboard import FILES

MISSING = "KiCad is not here. On Debian: sudo apt-get install --no-install-recommends kicad"
HELPER = Path(__file__).with_name("kicad.py")
PYTHON = "/usr/bin/python3"
"""The system's Python, which has KiCad's module."""


class Broken(Exception):
    """KiCad reports a fault or fails."""


def kicad(*words: str) -> str:
    """Run KiCad's Python module and return its output. Raises `Broken`."""
    done = subprocess.run([PYTHON, str(HELPER), *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise Broken(f"KiCad could not {words[0]} the board:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def version() -> str | None:
    """Return KiCad's version, or None if it is not installed."""
    try:
        return kicad("version").splitlines()[-1]
    except (Broken, OSError, IndexError):
        return None


def make(folder: Path, by: str) -> None:
    """Write all files. Raises `Broken`."""
    for name, text in project.sources(route.routes()).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    board, gerbers = folder / project.BOARD, folder / project.GERBERS
    rules = (folder / "chipboard.kicad_pro").read_bytes()
    kicad("pour", str(board))
    (folder / "chipboard.kicad_pro").write_bytes(rules)
    shutil.rmtree(gerbers, ignore_errors=True)
    gerbers.mkdir()
    kicad("plot", str(board), str(gerbers))
    for local in folder.glob("*.kicad_prl"):
        local.unlink()
    (folder / "chipboard.kicad_pro").write_bytes(rules)
    project.remove_dates(gerbers)
    (folder / project.MANIFEST).write_text(project.manifest(folder, by), "utf-8")


def check(by: str) -> list[str]:
    """Return all faults that KiCad finds in hardware/chipboard. Raises `Broken`."""
    with tempfile.TemporaryDirectory() as place:
        stored, made = Path(place, "stored"), Path(place, "made")
        shutil.copytree(FILES, stored)
        command = command_line()
        found = _by_module(stored) if command is None else _by_command(command, stored)
        make(made, by)
        if f'"kicad": "{by}"' not in (FILES / project.MANIFEST).read_text("utf-8"):
            print("Another version of KiCad drew the files, so they are not compared.")
            return found
        fresh = {str(path.relative_to(made)): path.read_bytes() for path in made.rglob("*") if path.is_file()}
        stale = [name for name, content in fresh.items() if not _has_content(FILES / name, content)]
        return [*found, *(f"{name} is not what would be made: python -m maker.drawings.chipboard" for name in stale)]


def _has_content(path: Path, content: bytes) -> bool:
    return path.exists() and path.read_bytes() == content


def command_line() -> str | None:
    """Return KiCad's command line if it can check rules (version 8 and newer), else None."""
    command = shutil.which("kicad-cli")
    if command is None:
        return None
    output = subprocess.run([command, "version"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    major = output.strip().split(".")[0]
    return command if major.isdigit() and int(major) >= 8 else None


def _by_module(folder: Path) -> list[str]:
    """Check the rules with KiCad's Python module. Newer versions look for the project's libraries elsewhere."""
    report = folder / "rules.txt"
    kicad("check", str(folder / project.BOARD), str(report))
    text = report.read_text("utf-8")
    print(text)
    return project.complaints(text)


def _by_command(command: str, folder: Path) -> list[str]:
    """Check with KiCad's command line: the rules, and whether schematic and board agree."""
    asked = {
        "schematic": ("sch", "erc", "--exit-code-violations", "--severity-all", project.SCHEMATIC),
        "board": ("pcb", "drc", "--exit-code-violations", "--severity-all", "--schematic-parity", project.BOARD),
    }
    found = []
    for what, words in asked.items():
        report = folder / f"{what}.rpt"
        done = subprocess.run([command, *words[:2], "-o", str(report), *words[2:]], cwd=folder, capture_output=True)
        text = report.read_text("utf-8") if report.exists() else done.stderr.decode("utf-8", "replace")
        print(text)
        if done.returncode:
            found.append(f"kicad-cli finds fault with the {what}.")
    return found


def main() -> int:
    """Generate or check the files."""
    parser = argparse.ArgumentParser(
        prog="python -m maker.drawings.chipboard", description="The chip board's KiCad files."
    )
    parser.add_argument("--check", action="store_true", help="let KiCad check the existing files")
    parser.add_argument("--seed", action="store_true", help="look for the best way of the tracks, for route.py")
    parser.add_argument("--zip", type=Path, metavar="FILE", help="write the gerbers as one file; needs no KiCad")
    asked = parser.parse_args()
    if asked.zip is not None:
        asked.zip.write_bytes(chipboard.gerber_zip())
        print(f"{asked.zip}: for a board factory: 2 layers, 1.6 mm, 70 x 50 mm")
        return 0
    if asked.seed:
        print(f"SEED = {route.best_seed()}")
        return 0
    by = version()
    if by is None:
        print(f"Not checked: {MISSING}" if asked.check else MISSING, file=sys.stdout if asked.check else sys.stderr)
        return 0 if asked.check else 1
    try:
        if not asked.check:
            make(FILES, by)
            print(f"{FILES.name}: made with KiCad {by}. Now: python -m maker.drawings.chipboard --check")
            return 0
        found = check(by)
    except Broken as error:
        found = [str(error)]
    print("\n".join(found) or f"KiCad {by}: 0 violations, 0 unconnected pads")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
