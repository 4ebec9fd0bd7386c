"""Data in a game's folder, such as lessons and missions: one TOML file each, found by name and decoded strictly."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from engine.graph.fault import MapError
from engine.refusal import RuleError
from firmware_host.core import sizes
from firmware_host.core.game_files import game_folder
from firmware_host.core.guarded import GameFault, isolated
from firmware_host.core.strict import NotUtf8, decode_toml
from firmware_host.core.time_limit import Shrinking

T = TypeVar("T")
Data = TypeVar("Data")

log = logging.getLogger("firmware_host")


class DataFileError(RuleError):
    """A file that cannot be used: which one, what is wrong in it, and what to do."""

    def __init__(self, where: str, fault: str) -> None:
        super().__init__(f"{where}: {fault}")


def decoded(text: bytes, where: str, kind: type[Data]) -> Data:
    """Return a file's content. Raises `DataFileError`."""
    try:
        return msgspec.convert(decode_toml(text), kind)
    except msgspec.ValidationError as error:
        raise DataFileError(where, f"{error}. docs/game-author.md describes these files.") from error
    except NotUtf8 as error:
        raise DataFileError(where, f"{error}.") from error
    except ValueError as error:
        raise DataFileError(where, f"{error}. Save it as TOML in UTF-8.") from error


def files(game: str, folder: str, pattern: str = "*.toml") -> list[Path]:
    """Return the files in a folder of a game, by name; none if it has none."""
    try:
        return sizes.files(game_folder(game) / folder, pattern)
    except LookupError:
        return []


def read(path: Path, kind: type[Data], make: Callable[[str, Data], T]) -> T:
    """Return what `make` makes of a file's name and content. Raises `DataFileError`."""
    where = f"{path.parent.parent.name}/{path.parent.name}/{path.name}"
    try:
        text = sizes.whole_file(path)
    except (OSError, sizes.TooLarge) as error:
        raise DataFileError(where, "the file cannot be read, or is too large. Shorten it.") from error
    found = decoded(text, where, kind)
    try:
        return make(path.stem, found)
    except (RuleError, MapError, ValueError) as error:
        raise DataFileError(where, str(error)) from error


def usable(game: str, folder: str, one: Callable[[Path], T], limit: Shrinking) -> list[T]:
    """Return what `one` reads from each file in a folder of a game. A file that fails is left out and logged."""
    found = []
    for path in files(game, folder):
        try:
            found.append(isolated(game, one, path, limit=limit.seconds))
        except (RuleError, MapError) as error:
            log.error("a file of a game cannot be used: %s", error)
            if isinstance(error, GameFault) and error.late:  # the other files would take as long
                limit.shrink()
                break
    return found
