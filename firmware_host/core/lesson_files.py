"""The files of lessons, `lessons/<name>.toml` in a game's folder, decoded once and strictly.

`firmware_host/table/lessons.py` checks whether a lesson can be played.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from engine.refusal import RuleError
from firmware_host.core.strict import NotUtf8, decode_toml

FOLDER = "lessons"

Forced = tuple[tuple[str, Any], ...]


class LessonError(RuleError):
    """A lesson that cannot be played: which file, what is wrong in it, and what to do."""

    def __init__(self, where: str, fault: str) -> None:
        super().__init__(f"{where}: {fault}")


class Accepted(Struct, frozen=True, forbid_unknown_fields=True):
    """An act that completes a step: it has all fields of `act`, and maybe others. `chance` is forced for it."""

    act: dict[str, Any]
    chance: Forced = ()


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """A complete act that the lesson makes for `seat` after a step."""

    seat: str
    act: dict[str, Any]
    chance: Forced = ()


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One step. `say` is the instruction, `hint` answers other legal acts, `spaces` are marked on the map."""

    say: str
    accepts: tuple[Accepted, ...]
    hint: str = ""
    spaces: tuple[str, ...] = ()
    then: tuple[Reply, ...] = ()


class LessonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a lesson's file. `position` is for `Game.position`; `done` is the sentence at the end."""

    title: str
    about: str
    seat: str
    position: dict[str, Any]
    done: str
    step: tuple[Step, ...]
    map: str | None = None
    options: dict[str, Any] = {}


def decoded(text: bytes, where: str) -> LessonFile:
    """Return a file's content. Raises `LessonError`."""
    try:
        return msgspec.convert(decode_toml(text), LessonFile)
    except msgspec.ValidationError as error:
        raise LessonError(where, f"{error}. docs/game-author.md describes lessons.") from error
    except NotUtf8 as error:
        raise LessonError(where, f"{error}.") from error
    except ValueError as error:
        raise LessonError(where, f"{error}. Save it as TOML in UTF-8.") from error
