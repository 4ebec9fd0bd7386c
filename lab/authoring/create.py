"""Writes the working folder of a new game: a copy of `template/`, the game Treasure, under another name."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import NamedTuple

import games
from engine.refusal import NotUnderstood

TEMPLATE = Path(__file__).parent / "template"
LONGEST = 40
"""Maximum number of characters in a name."""


class GameName(NamedTuple):
    """The spellings of a game's name, for example `lost-city`, `lost_city`, `Lost city`, `LostCity` and `LC`."""

    name: str
    folder: str
    title: str
    type: str
    letters: str


def read_name(text: str) -> GameName:
    """Return the spellings of a new game's name. Raises `NotUnderstood` with what is wrong with it."""
    folder = games.folder(text)
    name = folder.replace("_", "-")
    if not games.FOLDER.fullmatch(folder) or len(folder) > LONGEST:
        raise NotUnderstood(
            f"{text[:LONGEST]!r} cannot be the name of a game: use up to {LONGEST} small letters, digits and single "
            "hyphens, and begin with a letter, for example lost-city."
        )
    if keyword.iskeyword(folder):
        raise NotUnderstood(f"{folder!r} is a word of Python, so it cannot name a folder of code. Choose another name.")
    if name in games.names():
        raise NotUnderstood(f"There is already a game {name}. Choose another name.")
    words = name.split("-")
    initials = "".join(word[0] for word in words if word[0].isalpha())
    letters = (initials if len(initials) > 1 else f"{re.sub('[^a-z]', '', folder)}x")[:2].upper()
    return GameName(name, folder, " ".join(words).capitalize(), "".join(map(str.capitalize, words)), letters)


def create(name: GameName, target: Path) -> list[Path]:
    """Write the working folder `target`, and return its files. Raises `NotUnderstood` if something is there already."""
    if target.exists() or target.is_symlink():
        raise NotUnderstood(f"{target} exists already, and is left as it is. Choose another name, or another --into.")
    written = []
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            place = target / str(path.relative_to(TEMPLATE)).replace("treasure", name.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(_renamed(path.read_text("utf-8"), name), "utf-8")
            written.append(place)
    return written


def _renamed(text: str, name: GameName) -> str:
    """Return a text of the template for another game. The treasure itself, which the game is about, stays."""
    for pattern, new in (
        (r"\bgames([./])treasure\b", rf"games\g<1>{name.folder}"),
        (r"\bclass Treasure\b", f"class {name.type}"),
        (r"\bTreasure\(\)", f"{name.type}()"),
        (r"\bTreasure\b", name.title),
        (r"\bname = \"treasure\"", f'name = "{name.name}"'),
        (r"\b(game|check|sniperboard-game) treasure\b", rf"\g<1> {name.name}"),
        (r"\bsniperboard-treasure\b", f"sniperboard-{name.name}"),
        # Two games must not make boards of the same name.
        (r"\b(NAME = |map = )\"island\"", rf'\g<1>"{name.name}-island"'),
        (r"^map island$", f"map {name.name}-island"),
        (r"\bTR-(?=[A-Z]+-\d)", f"{name.letters}-"),
    ):
        text = re.sub(pattern, new, text, flags=re.MULTILINE)
    return text
