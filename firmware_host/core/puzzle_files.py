"""The files of puzzles: `puzzles/<kind>.jsonl` in a game's folder. The first line is a `Head`, each other a `Puzzle`.

`firmware_host/play/puzzles.py` asks them, and `lab/puzzles/` makes them.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from engine.refusal import RuleError
from firmware_host.core import sizes
from firmware_host.core.game_files import game_folder

FOLDER: Final = "puzzles"
GRADES: Final = 4
"""Grade 1 is the easiest."""
DECIDING: Final = ("rules", "map_rules")
"""The folders of a game whose code decides an answer."""
BUILT_ON: Final = re.compile(r"^from games\.(\w+)\.", re.MULTILINE)


class PuzzleError(RuleError):
    """A file of puzzles that cannot be used: which, what is wrong in it, and what to do."""

    def __init__(self, where: str, fault: str) -> None:
        super().__init__(f"{where}: {fault}")


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """What the answers of a file were verified with: the digest of the game's rules."""

    rules: str


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question to the player at `seat` about a position, or about the public `events` since.

    Each of `answers` is right: a set of spaces, or of one choice. `about` is for the game, see `Puzzling`.
    """

    id: Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
    seat: str
    position: dict[str, Any]
    answers: Annotated[tuple[Annotated[tuple[str, ...], Meta(min_length=1)], ...], Meta(min_length=1)]
    grade: Annotated[int, Meta(ge=1, le=GRADES)]
    map: str | None = None
    options: dict[str, Any] = {}
    events: tuple[dict[str, Any], ...] = ()
    about: dict[str, Any] = {}

    def score(self, answer: frozenset[str]) -> float:
        """Return how right an answer is, from 0 to 1: the part of all marked and wanted spaces that are both."""
        return max(len(answer & right) / len(answer | right) for right in map(frozenset, self.answers))


def decoded(text: bytes, where: str, rules: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file, whose answers hold for these `rules`. Raises `PuzzleError`."""
    try:
        head, *lines = text.splitlines()
        if msgspec.json.decode(head, type=Head).rules != rules:
            raise PuzzleError(where, "its answers were verified with other rules. Run `sniperboard puzzles verify`.")
        found = tuple(msgspec.json.decode(line, type=Puzzle) for line in lines)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise PuzzleError(where, f"{error}. docs/puzzles.md describes the file.") from error
    if len({one.id for one in found}) < len(found):
        raise PuzzleError(where, "two of its puzzles have the same id. Remove one.")
    return found


def puzzles_in(path: Path) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file, whatever rules they were verified with. Raises `PuzzleError`."""
    text = sizes.whole_file(path)
    return decoded(text, path.name, msgspec.json.decode(text.splitlines()[0], type=Head).rules)


def encoded(found: tuple[Puzzle, ...], rules: str) -> bytes:
    """Return a file with these puzzles."""
    return b"".join(msgspec.json.encode(one) + b"\n" for one in (Head(rules), *found))


def files(game: str) -> list[Path]:
    """Return the files of a game's puzzles, by name; none if it has none."""
    try:
        return sizes.files(game_folder(game) / FOLDER, "*.jsonl")
    except LookupError:
        return []


@cache
def rules_digest(game: str) -> str:
    """Return the digest of the code that decides the answers of a game's puzzles, also of a game that it builds on."""
    found, waiting, digest = set[str](), [game_folder(game)], hashlib.sha256()
    while waiting:
        folder = waiting.pop()
        found.add(folder.name)
        for path in sorted(path for part in DECIDING for path in (folder / part).glob("*.py")):
            code = sizes.code_in(path)
            digest.update(code)
            others = [*dict.fromkeys(BUILT_ON.findall(code.decode("utf-8", "replace")))]
            waiting += [folder.parent / name for name in others if name not in found]
            found.update(others)
    return digest.hexdigest()[:16]
