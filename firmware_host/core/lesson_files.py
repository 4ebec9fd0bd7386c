"""The files of lessons, `lessons/<name>.toml` in a game's folder, decoded once and strictly.

Whether a lesson can be played, `firmware_host/table/lessons.py` finds out.
"""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec
from msgspec import Struct

from engine.refusal import RuleError

FOLDER = "lessons"

Forced = tuple[tuple[str, Any], ...]


class LessonError(RuleError):
    """A lesson that cannot be played: which file, what is wrong in it, and what to do."""

    def __init__(self, where: str, fault: str) -> None:
        super().__init__(f"{where}: {fault}")


class Accepted(Struct, frozen=True, forbid_unknown_fields=True):
    """An act that completes a step: it has all fields of `act`, and any others. `chance` is forced for it."""

    act: dict[str, Any]
    chance: Forced = ()


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole act that the lesson makes for `seat` once a step is completed."""

    seat: str
    act: dict[str, Any]
    chance: Forced = ()


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to do. `say` asks for it, `hint` is said after a legal act that does not complete it, `spaces` are
    marked on the map.
    """

    say: str
    accepts: tuple[Accepted, ...]
    hint: str = ""
    spaces: tuple[str, ...] = ()
    then: tuple[Reply, ...] = ()


class LessonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson as its file has it. `position` is as `Game.position` takes it; `done` is said at the end."""

    title: str
    about: str
    seat: str
    position: dict[str, Any]
    done: str
    step: tuple[Step, ...]
    map: str | None = None
    options: dict[str, Any] = {}


def decoded(text: bytes, where: str) -> LessonFile:
    """A file's content. Raises `LessonError`."""
    try:
        raw = tomllib.loads(text.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LessonError(where, f"this is no TOML: {error}. Save it as TOML in UTF-8.") from error
    try:
        return msgspec.convert(raw, LessonFile)
    except msgspec.ValidationError as error:
        raise LessonError(where, f"{error}. docs/game-author.md tells what a lesson holds.") from error
