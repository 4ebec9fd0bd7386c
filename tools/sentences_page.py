"""`python -m tools.sentences_page`: writes docs/sentences.md, every sentence with which the program tells of trouble.

They are read from the source: whatever is a sentence there and no explanation of an option. Where a value stands in a
sentence the page has `…`. A test compares the page with what this would write, and sees that each chapter that it leads
to is there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tools.made import write

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "sentences.md"
GUIDE = ROOT / "docs" / "troubleshooting.md"

HEAD = """\
---
search:
  boost: 5
---

# Every sentence of trouble

Made from the program by `python -m tools.sentences_page`. The program says what is wrong, where, and what to do; search
this page for some of its words, and follow the chapter's link to [Troubleshooting](troubleshooting.md) for more.
`…` stands for a name, a number or a file. Refusals of a game's rules name the number of a rule: `sniperboard rules
MP-MOVE-03`, or the table's page `/rules`.
"""

CHAPTERS = {
    "engine/graph": "A map or a drawing",
    "firmware_host/admin": "The house page and the machine",
    "firmware_host/admin/certificate.py": "https and certificates",
    "firmware_host/app": "The table does not start",
    "firmware_host/app/commands/board.py": "Flashing the Pico",
    "firmware_host/app/commands/games.py": "Journal and records",
    "firmware_host/app/commands/hw.py": "The bench tools",
    "firmware_host/app/commands/made.py": "A map or a drawing",
    "firmware_host/app/commands/map.py": "A map or a drawing",
    "firmware_host/app/commands/map_kit.py": "A map or a drawing",
    "firmware_host/app/commands/house.py": "The house page and the machine",
    "firmware_host/app/commands/arena.py": "Bots and protocols",
    "firmware_host/app/commands/ratings.py": "Bots and protocols",
    "firmware_host/app/commands/simulate.py": "Bots and protocols",
    "firmware_host/app/commands/tournament.py": "Bots and protocols",
    "firmware_host/board": "Miniatures and the board",
    "firmware_host/board/drivers.py": "The table does not start",
    "firmware_host/board/fault_script.py": "The table does not start",
    "firmware_host/board/png.py": "A map or a drawing",
    "firmware_host/board/wiring.py": "The wiring",
    "firmware_host/editor": "A map or a drawing",
    "firmware_host/kit": "A map or a drawing",
    "firmware_host/lab": "Bots and protocols",
    "firmware_host/lab/diagnostics": "The bench tools",
    "firmware_host/lab/diagnostics/doctor.py": "What the doctor says",
    "firmware_host/lab/diagnostics/wired.py": "What the doctor says",
    "firmware_host/mqtt": "The MQTT broker",
    "firmware_host/mqtt/checks.py": "The table does not start",
    "firmware_host/mqtt/options.py": "The table does not start",
    "firmware_host/network": "The house page and the machine",
    "firmware_host/records": "Journal and records",
    "firmware_host/seats": "A screen refuses",
    "firmware_host/table": "A screen refuses",
    "firmware_host/table/maps.py": "A map or a drawing",
    "firmware_host/table/map_names.py": "A map or a drawing",
    "firmware_host/workshop": "The bench tools",
    "hardware": "The board does not answer",
    "hardware/drivers": "Pins of a Raspberry Pi",
    "hardware/drivers/__init__.py": "The table does not start",
    "hardware/drivers/board_link.py": "The board does not answer",
    "hardware/drivers/neopixel_strip.py": "Lamps",
    "hardware/link/chain.py": "The chain of sensors",
    "hardware/link/flash.py": "Flashing the Pico",
    "hardware/plausible.py": "The chain of sensors",
    "tools/errors.py": "Installing",
    "tools/install.py": "Installing",
    "tools/pi.py": "Installing",
    "tools/releases.py": "Installing",
    "tools/system.py": "Installing",
    "web_panel": "A screen refuses",
}
"""Folder or file -> the chapter of docs/troubleshooting.md; the longest that fits counts."""
FOLDERS = ("engine/graph", "firmware_host", "hardware", "web_panel")
SKIPPED = (
    "hardware/pico",
    "hardware/model",
    "firmware_host/lab/bench",
    "firmware_host/lab/simulation",
    "firmware_host/board/cues",
)

SENTENCE = re.compile(r"(?:\S+\s+){3,}\S*[.!?…][”\"')]?$")
"""Four words or more, and a full stop."""
UNSAID = frozenset({"help", "epilog", "description", "about", "metavar"})
"""Arguments that explain, and tell of no trouble."""
DECLARING = frozenset({"setting", "DriverOption"})
"""Calls whose texts are on the settings' page."""
TELLING = frozenset({"Finding", "NotAJournal", "RecordError", "Fault"})
"""What is told by these is trouble, with a full stop or without one, and so is whatever is raised."""


def sentences() -> dict[str, list[str]]:
    """Chapter -> its sentences, in order."""
    found: dict[str, set[str]] = {chapter: set() for chapter in sorted(set(CHAPTERS.values()))}
    for file in _sources():
        for text in _said(ast.parse(file.read_text("utf-8"))):
            found[chapter_of(file.relative_to(ROOT).as_posix())].add(text)
    return {chapter: sorted(texts, key=str.casefold) for chapter, texts in found.items()}


def chapter_of(path: str) -> str:
    """The chapter of a file. Raises `LookupError` for one that CHAPTERS does not know."""
    fitting = [prefix for prefix in CHAPTERS if path == prefix or path.startswith(f"{prefix}/")]
    if not fitting:
        raise LookupError(f"{path} is in no chapter: add it to CHAPTERS of tools/sentences_page.py")
    return CHAPTERS[max(fitting, key=len)]


def anchor(chapter: str) -> str:
    """The address of a chapter in its page."""
    return re.sub(r"[^\w-]", "", chapter.lower().replace(" ", "-"))


def _sources() -> Iterator[Path]:
    below = (file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py")))
    apart = (ROOT / path for path in CHAPTERS if path.startswith("tools/"))
    yield from (file for file in (*below, *apart) if not file.relative_to(ROOT).as_posix().startswith(SKIPPED))


def _said(tree: ast.AST, telling: bool = False) -> Iterator[str]:
    """The sentences below a node, none of them twice for being inside another."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring
        if isinstance(node, ast.keyword) and node.arg in UNSAID:
            continue
        if _named(node, DECLARING):
            continue
        if (text := _text(node)) is None:
            yield from _said(node, telling or isinstance(node, ast.Raise) or _named(node, TELLING))
        elif SENTENCE.match(text) or (telling and text.count(" ") > 1):
            yield " ".join(text.split())


def _named(node: ast.AST, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _text(node: ast.AST) -> str | None:
    """What a literal says, with `…` for each value; None for what is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"\{[\w:.!]*\}|%[sdr]", "…", node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return None


def page() -> str:
    """The page as Markdown."""
    parts = [HEAD]
    for chapter, texts in sentences().items():
        rows = "\n".join(f"- {_plain(text)}" for text in texts)
        parts.append(f"## {chapter}\n\n[What to do](troubleshooting.md#{anchor(chapter)})\n\n{rows}\n")
    return "\n".join(parts)


def _plain(text: str) -> str:
    """A sentence in which nothing is markup."""
    return re.sub(r"([\\*_<>\[\]|#])", r"\\\1", text) if "`" not in text else re.sub(r"(?<!`)([<>|])", r"\\\1", text)


if __name__ == "__main__":
    raise SystemExit(write({PAGE: page()}))
