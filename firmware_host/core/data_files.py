"""Data in a game's folder, found by name and decoded strictly: lessons, missions, player aids, and puzzles.

`firmware_host/table/lessons.py` checks whether a lesson can be played, `firmware_host/core/missions.py` the same for
missions, `firmware_host/play/puzzles.py` asks the puzzles, and `lab/puzzles/` makes them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from engine.graph.fault import MapError
from engine.refusal import RuleError
from firmware_host.core import sizes
from firmware_host.core.game_files import code_digest, code_files, game_folder
from firmware_host.core.guarded import fault_in, isolated
from firmware_host.core.hang_note import FEATURES, Purpose
from firmware_host.core.strict import NotUtf8, decode_toml
from firmware_host.core.time_limit import WATCH, Shrinking

T = TypeVar("T")
Data = TypeVar("Data")

log = logging.getLogger("firmware_host")

LESSONS, MISSIONS, PUZZLES = FEATURES[:3]
"""The folders of such files in a game's folder."""

Forced = tuple[tuple[str, Any], ...]
Label = Annotated[str, Meta(max_length=sizes.LONGEST_LABEL)]
Words = Annotated[str, Meta(max_length=sizes.LONGEST_SENTENCE)]
"""The length is limited, because some pages show the texts of all games."""


class Accepted(Struct, frozen=True, forbid_unknown_fields=True):
    """An act that completes a step: it has all fields of `act`, and maybe others. `chance` is forced for it."""

    act: dict[str, Any]
    chance: Forced = ()


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """A complete act that the lesson makes for `seat` after a step of the learner."""

    seat: str
    act: dict[str, Any]
    chance: Forced = ()


class LessonStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One step. `say` is the instruction, `hint` answers other legal acts, `spaces` are marked on the map."""

    say: Words
    accepts: tuple[Accepted, ...]
    hint: Words = ""
    spaces: tuple[str, ...] = ()
    then: tuple[Reply, ...] = ()


class LessonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a lesson's file. `position` is for `Game.position`; `done` is the sentence at the end."""

    title: Label
    about: Words
    seat: str
    position: dict[str, Any]
    done: Words
    step: tuple[LessonStep, ...]
    map: str | None = None
    options: dict[str, Any] = {}


class Star(Struct, frozen=True, forbid_unknown_fields=True):
    """A star for a win in which every number of `least` and `most` is kept; `say` is the goal in words.

    The names are those of `missions.counts`, for example `most = {wounds = 0}`.
    """

    say: Words
    least: dict[str, int] = {}
    most: dict[str, int] = {}


class MissionFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a mission's file. A win, described by `goal`, earns the first star, `star` the others.

    `about` is the briefing, `seat` the player's, and `bots` has a bot for each other seat. `options` are those that
    differ from the lobby's defaults.
    """

    title: Label
    about: Words
    goal: Words
    seat: str
    bots: dict[str, str] = {}
    map: str | None = None
    options: dict[str, Any] = {}
    star: tuple[Star, ...] = ()


class SheetChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """The content chosen for one side's sheet of player aids.

    The titles are catalogue keys. `rules` maps each group of the rule book to the numbers of its rules on the sheet.
    `cards` names the group of the table's cards on the sheet; empty for none.
    """

    side: str
    title: str
    rules: dict[str, list[int]]
    cards: str = ""
    cards_title: str = ""


class AidsFile(Struct, frozen=True):
    """The content of a game's `show/aids.toml`."""

    sheet: list[SheetChoice] = []


class DataFileError(RuleError):
    """A file that cannot be used: the message names the file, the error, and what to do.

    `unread`: the file can't be read, independently of the game.
    """

    def __init__(self, where: str, fault: str, *, unread: bool = False) -> None:
        super().__init__(f"{where}: {fault}")
        self.unread = unread


def decoded(text: bytes, where: str, kind: type[Data]) -> Data:
    """Return a file's content. Raises `DataFileError`."""
    try:
        return msgspec.convert(decode_toml(text), kind)
    except msgspec.ValidationError as error:
        fields = f"{kind.__name__} in {kind.__module__.replace('.', '/')}.py describes its fields"
        raise DataFileError(where, f"{error}. {fields}.", unread=True) from error
    except NotUtf8 as error:
        raise DataFileError(where, f"{error}.", unread=True) from error
    except ValueError as error:
        raise DataFileError(where, f"{error}. Save it as TOML in UTF-8.", unread=True) from error


def files(game: str, folder: str, pattern: str = "*.toml") -> list[Path]:
    """Return the files in a folder of a game, by name; none if it has none, or they are left out."""
    if Purpose(game, folder) in WATCH.left_out:
        return []
    try:
        return sizes.files(game_folder(game) / folder, pattern)
    except LookupError:
        return []


def read_data(path: Path, kind: type[Data], make: Callable[[str, Data], T]) -> T:
    """Return the result of `make`, which gets a file's name and content. Raises `DataFileError`."""
    where = f"{path.parent.parent.name}/{path.parent.name}/{path.name}"
    try:
        text = sizes.whole_file(path)
    except (OSError, sizes.TooLarge) as error:
        raise DataFileError(where, "the file cannot be read, or is too large. Shorten it.", unread=True) from error
    content = decoded(text, where, kind)
    try:
        return make(path.stem, content)
    except (RuleError, MapError, ValueError) as error:
        raise DataFileError(where, str(error)) from error


_LIMIT: Final = Shrinking()
"""One limit for all games, because the pages /learn and /campaign read the files of all games."""


def usable(
    game: str, folder: str, reader: Callable[[Path], T], order: Callable[[T], Any] | None = None
) -> tuple[tuple[T, ...], bool]:
    """Return the result of `reader` for each file in a folder of a game.

    They are in the order of the files' names, or in another `order`. A file that fails is left out and logged. Also
    return whether the result is lasting, which means that no call of the game has failed.
    """
    values, lasting = list[T](), True
    for path in files(game, folder):
        try:
            with WATCH.serving(folder):
                values.append(isolated(game, reader, path, limit=_LIMIT.seconds))
        except (RuleError, MapError) as error:
            log.error("A file of a game cannot be used: %s", error)
            fault = fault_in(error)
            lasting = lasting and fault is None
            if fault is not None and fault.late:  # stop here, because the other files would take as long
                _LIMIT.shrink()
                break
    return tuple(values if order is None else sorted(values, key=order)), lasting


# --- puzzles ----------------------------------------------------------------------------------------------------

PUZZLE_FILES: Final = "*.jsonl"
"""One file for each kind. The first line is a `PuzzleHead`, each other a `Puzzle`."""
GRADES: Final = 4
"""Grade 1 is the easiest."""
DECIDING: Final = ("rules", "map_rules")
"""The folders of a game with code that decides whether an answer is right."""


class PuzzleHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a puzzle file: the digest of the game's rules with which the answers were verified."""

    rules: str


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question to the player at `seat` about a position, or about the public `events` that followed.

    `answers` has all right answers: each is a set of spaces, or a set with one choice. `about` is for the game, see
    `Puzzling`. `before` are public events that led to the position, which are only shown.
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
    before: tuple[dict[str, Any], ...] = ()

    def score(self, answer: frozenset[str]) -> float:
        """Return how right an answer is, from 0 to 1.

        It is the share of spaces that are both marked and right, among all that are marked or right.
        """
        return max(len(answer & right) / len(answer | right) for right in map(frozenset, self.answers))


def decoded_puzzles(text: bytes, where: str, rules: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file, if its answers were verified with these `rules`. Raises `DataFileError`."""
    try:
        head, *lines = text.splitlines()
        if msgspec.json.decode(head, type=PuzzleHead).rules != rules:
            raise DataFileError(where, "its answers were verified with other rules. Run `sniperboard puzzles verify`.")
        puzzles = tuple(msgspec.json.decode(line, type=Puzzle) for line in lines)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise DataFileError(where, f"{error}. docs/puzzles.md describes the file.") from error
    if len({puzzle.id for puzzle in puzzles}) < len(puzzles):
        raise DataFileError(where, "two of its puzzles have the same id. Remove one.")
    return puzzles


@cache
def rules_digest(game: str) -> str:
    """Return the digest of the code that decides the answers of a game's puzzles.

    It includes the code of a game that this game builds on.
    """
    return code_digest(code_files(game, lambda path: path.parent.name in DECIDING))[:16]
