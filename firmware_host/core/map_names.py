"""A map in another language: the names of its spaces on the screens, from `maps/<slug>/names.<language>.toml`.

IDs and the printed board stay as they are. A space that the file leaves out keeps its own name.
"""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.graph.fault import MapError
from engine.graph.model import Map
from firmware_host.core import maps
from firmware_host.core.toml import parse

LONGEST = 40
"""Maximum letters of a name, so that it fits into its space."""

log = logging.getLogger("firmware_host")


class NamesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Name on the map -> name in the language."""

    names: dict[str, str]


def spoken(board: Map, language: str, folder: Path = maps.FOLDER) -> Map:
    """Return the map with the names of a language; unchanged if there is no file, or a broken one, which is logged."""
    path = folder / board.slug / f"names.{language}.toml"
    if not path.is_file():
        return board
    try:
        known = read(path, board)
    except MapError as error:
        log.error("%s", error)
        return board
    spaces = {
        id_: space if space.name is None else replace(space, name=known.get(space.name, space.name))
        for id_, space in board.spaces.items()
    }
    return replace(board, spaces=spaces)


def read(path: Path, board: Map) -> dict[str, str]:
    """Return the names of a file. Raises `MapError` with all that is wrong with it."""
    try:
        found = msgspec.convert(parse(path.read_text(encoding="utf-8")), NamesFile).names
    except (OSError, ValueError) as error:  # both decoders raise kinds of ValueError
        raise MapError(str(path), [f"cannot be read: {error}. Repair or remove it."]) from error
    own = {space.name for space in board.spaces.values()}
    faults = [f"{name!r} is not the name of a space on this map. Remove the line." for name in found if name not in own]
    faults += [
        f"{name!r} is called {said!r}: write 1 to {LONGEST} characters."
        for name, said in found.items()
        if not 1 <= len(said.strip()) <= LONGEST
    ]
    if faults:
        raise MapError(str(path), faults)
    return found
