"""Find errors in the scripts of a game's screens, as far as possible without a browser."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import which

from engine.game import Game
from firmware_host.core.game_files import game_folder
from web_panel.game_screens import ADDRESS, script
from web_panel.versions import STATEMENT, STATIC

IMPORT = re.compile(rf"""({STATEMENT})["']([^"'\n]+)["']""", re.MULTILINE)
BEFORE = re.compile(r"(?:\bfrom|^import)\s*$")
"""The text directly before an imported address."""
CHECK_S = 10.0


def screens(game: Game) -> Iterator[str]:
    """Yield imports of files that don't exist, and errors of syntax if Node is installed."""
    folder = game_folder(game.name) / "screens"
    for path in sorted(folder.glob("*.js")):
        source = script(path)
        for statement, address in IMPORT.findall(source):
            if BEFORE.search(statement) and not _exists(folder, address):
                yield f"screens/{path.name} imports {address}, which does not exist. The page would not open."
        if fault := _syntax_fault(source):
            yield f"screens/{path.name} has a fault: {fault}. The page would not open."


def _exists(folder: Path, address: str) -> bool:
    if address.startswith("/static/"):
        return (STATIC / address.removeprefix("/static/")).is_file()
    if found := ADDRESS.fullmatch(address):
        return (game_folder(found[1]) / "screens" / found[2]).is_file()
    return address.startswith("./") and (folder / address).is_file()


def _syntax_fault(source: str) -> str:
    """Return the line and the message of the first error; empty if there is none, or no Node."""
    if (node := which("node")) is None:
        return ""
    command = [node, "--input-type=module", "--check", "-"]
    try:
        done = subprocess.run(command, input=source, capture_output=True, text=True, timeout=CHECK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    line = re.search(r"^\[stdin\]:(\d+)", done.stderr, re.MULTILINE)
    said = re.search(r"^SyntaxError: (.+)", done.stderr, re.MULTILINE)
    return f"line {line[1]}: {said[1]}" if line and said else ""
