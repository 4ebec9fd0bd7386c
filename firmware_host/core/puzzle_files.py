"""The files of puzzles: `puzzles/<kind>.jsonl` in a game's folder. The first line is a `Head`, each other a `Puzzle`.

`firmware_host/play/puzzles.py` asks them, and `lab/puzzles/` makes them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from firmware_host.core import data_files
from firmware_host.core.data_files import DataFileError
from firmware_host.core.game_files import code_digest, code_files

FOLDER: Final = "puzzles"
GRADES: Final = 4
"""Grade 1 is the easiest."""
DECIDING: Final = ("rules", "map_rules")
"""The folders of a game whose code decides an answer."""


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
    """Return the puzzles of a file, whose answers hold for these `rules`. Raises `DataFileError`."""
    try:
        head, *lines = text.splitlines()
        if msgspec.json.decode(head, type=Head).rules != rules:
            raise DataFileError(where, "its answers were verified with other rules. Run `sniperboard puzzles verify`.")
        found = tuple(msgspec.json.decode(line, type=Puzzle) for line in lines)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise DataFileError(where, f"{error}. docs/puzzles.md describes the file.") from error
    if len({one.id for one in found}) < len(found):
        raise DataFileError(where, "two of its puzzles have the same id. Remove one.")
    return found


def encoded(found: tuple[Puzzle, ...], rules: str) -> bytes:
    """Return a file with these puzzles."""
    return b"".join(msgspec.json.encode(one) + b"\n" for one in (Head(rules), *found))


def files(game: str) -> list[Path]:
    """Return the files of a game's puzzles, by name; none if it has none."""
    return data_files.files(game, FOLDER, "*.jsonl")


@cache
def rules_digest(game: str) -> str:
    """Return the digest of the code that decides the answers of a game's puzzles, also of a game that it builds on."""
    return code_digest(code_files(game, lambda path: path.parent.name in DECIDING))[:16]
