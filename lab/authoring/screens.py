"""Find errors in the scripts and styles of a game's screens, as far as possible without a browser."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import which

from engine.game import Game
from engine.seats import seat_names
from firmware_host.core.game_files import SEAT, game_folder
from web_panel.game_screens import ADDRESS, script
from web_panel.versions import STATEMENT, STATIC

IMPORT = re.compile(rf"""({STATEMENT})["']([^"'\n]+)["']""", re.MULTILINE)
BEFORE = re.compile(r"(?:\bfrom|^import)\s*$")
"""The text directly before an imported address."""
ELSEWHERE = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)
EXPORT = r"(?m)^\s*export(?:\b(?!\s+default\b)[^;=(]*\b{0}\b|\s*\*)"
"""Matches a statement that exports a name, or all names of another script."""
CHECK_S = 10.0
READ = """
const { SourceTextModule } = require("node:vm");
function isFaulty(source) {
  try {
    return !new SourceTextModule(source);
  } catch {
    return true;
  }
}
console.log(JSON.stringify(JSON.parse(require("node:fs").readFileSync(0, "utf8")).map(isFaulty)));
"""
"""Reads a list of scripts as JSON, and prints which of them are faulty."""


def screens(game: Game) -> Iterator[str]:
    """Yield what would not be loaded, and errors of syntax if Node is installed."""
    folder = game_folder(game.name) / "screens"
    sources = {path.name: script(path) for path in sorted(folder.glob("*.js"))}
    faulty = _faulty([*sources.values()])
    for name, source in sources.items():
        for statement, address in IMPORT.findall(source):
            if BEFORE.search(statement) and not _exists(folder, address):
                yield f"screens/{name} imports {address}, which does not exist. The page would not open."
        if source in faulty and (fault := _syntax_fault(source)):
            yield f"screens/{name} has a fault: {fault}. The page would not open."
        seats = seat_names(game.seats(game.read_options(None)))
        used = dict.fromkeys((SEAT, *seats), "screen") | {it: it for it in ("table", "past", "board", "legend")}
        page, is_read = used.get(name.removesuffix(".js")), source and "\ufffd" not in source
        if page and is_read and source not in faulty and not re.search(EXPORT.format(page), source):
            yield f'screens/{name} exports no "{page}", which its page uses. Write export before it.'

    for path in sorted(folder.glob("*.css")):
        for address in ELSEWHERE.findall(script(path)):
            yield f"screens/{path.name} loads {address}, but no page loads from elsewhere. Write it into the style."


def _exists(folder: Path, address: str) -> bool:
    if address.startswith("/static/"):
        return (STATIC / address.removeprefix("/static/")).is_file()
    if found := ADDRESS.fullmatch(address):
        return (game_folder(found[1]) / "screens" / found[2]).is_file()
    return address.startswith("./") and (folder / address).is_file()


def _faulty(sources: list[str]) -> list[str]:
    """Return the scripts with an error of syntax, or all if they cannot be read together; none without Node.

    Node takes longer to start than to read many scripts.
    """
    output = _node(["--experimental-vm-modules", "--no-warnings", "--eval", READ], json.dumps(sources))
    if output is None:
        return []
    found = json.loads(output.stdout) if output.returncode == 0 else [True] * len(sources)
    return [source for source, is_faulty in zip(sources, found, strict=True) if is_faulty]


def _syntax_fault(source: str) -> str:
    """Return the line and the message of the first error; empty if there is none, or no Node."""
    output = _node(["--input-type=module", "--check", "-"], source)
    said = "" if output is None else output.stderr
    line = re.search(r"^\[stdin\]:(\d+)", said, re.MULTILINE)
    message = re.search(r"^SyntaxError: (.+)", said, re.MULTILINE)
    return f"line {line[1]}: {message[1]}" if line and message else ""


def _node(words: list[str], text: str) -> subprocess.CompletedProcess[str] | None:
    """Return what Node answers to a text; None if it is not installed or does not answer in time."""
    if (node := which("node")) is None:
        return None
    try:
        return subprocess.run([node, *words], input=text, capture_output=True, text=True, timeout=CHECK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
