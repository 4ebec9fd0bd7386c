"""What the files of lessons contain, `lessons/<name>.toml` in a game's folder.

`firmware_host/table/lessons.py` checks whether a lesson can be played.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

FOLDER = "lessons"

Forced = tuple[tuple[str, Any], ...]


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
