"""Writes the working folder of a new game: a copy of `template/`, the game Treasure, or of an example, under another
name.
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import NamedTuple

import games
from engine.refusal import NotUnderstood, no_such

TEMPLATE = Path(__file__).parent / "template"
TREASURE = "treasure"
# A wheel has the examples of the manual next to the template.
_EXAMPLES = (TEMPLATE.parent / "examples", TEMPLATE.parents[2] / "docs/examples")
SOURCES = {TREASURE: TEMPLATE} | {
    path.parent.name: path.parent for folder in _EXAMPLES for path in sorted(folder.glob("*/pyproject.toml"))
}
"""The games from which a new one can start, by name."""
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
    return _spelled(name)


def _spelled(name: str) -> GameName:
    folder, words = games.folder(name), name.split("-")
    initials = "".join(word[0] for word in words if word[0].isalpha())
    letters = (initials if len(initials) > 1 else f"{re.sub('[^a-z]', '', folder)}x")[:2].upper()
    return GameName(name, folder, " ".join(words).capitalize(), "".join(map(str.capitalize, words)), letters)


def create(name: GameName, target: Path, like: str = TREASURE) -> list[Path]:
    """Write the working folder `target`, a copy of the game `like`, and return its files. Raises `NotUnderstood` if
    there is no such game, or if something is there already.
    """
    if like not in SOURCES:
        raise NotUnderstood(no_such("example", like, list(SOURCES)))
    if target.exists() or target.is_symlink():
        raise NotUnderstood(f"{target} exists already, and is left as it is. Choose another name, or another --into.")
    source, old = SOURCES[like], _spelled(like)
    texts = {
        path.relative_to(source): path.read_text("utf-8")
        for path in sorted(source.rglob("*"))
        if path.is_file() and not {"__pycache__", ".pytest_cache"} & {*path.parts}
    }
    board = re.search(r"^map (\S+)$", "\n".join(texts.values()), re.MULTILINE)
    written = []
    for path, text in texts.items():
        place = target / str(path).replace(old.folder, name.folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_renamed(text, old, name, board[1] if board else ""), "utf-8")
        written.append(place)
    return written


def _renamed(text: str, old: GameName, name: GameName, board: str) -> str:
    """Return a text of the game `old` for another game. Words of the game's subject, such as "treasure", stay."""
    # Two games must not make boards of the same name.
    new_board = name.name if board == old.name else f"{name.name}-{board}"
    # If the board has the game's name, the name of the game is replaced anyway. The same word in quotation marks
    # belongs to the game's subject.
    in_code = ((rf'"{board}"', f'"{new_board}"'),) if board != old.name else ()
    boards = (*in_code, (rf"^map {board}$", f"map {new_board}"))
    for pattern, new in (
        (rf"\bgames([./]){old.folder}\b", rf"games\g<1>{name.folder}"),
        (rf"\bclass {old.type}\b", f"class {name.type}"),
        (rf"\b{old.type}\(\)", f"{name.type}()"),
        (rf"\b{old.name.replace('-', ' ').title()}\b", name.title),
        (rf"\bname = \"{old.name}\"", f'name = "{name.name}"'),
        (rf"\b(game|check|sniperboard-game) {old.name}\b", rf"\g<1> {name.name}"),
        (rf"\bsniperboard-{old.name}\b", f"sniperboard-{name.name}"),
        *(boards if board else ()),
        (rf"\b{old.letters}-(?=[A-Z]+-\d)", f"{name.letters}-"),
    ):
        text = re.sub(pattern, new, text, flags=re.MULTILINE)
    return text
