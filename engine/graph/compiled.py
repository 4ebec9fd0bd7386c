"""Read and write compiled maps as JSON. They have every derived table, so playing needs no geometry.

The bytes depend only on the map, and loading needs only msgspec.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from engine.graph.fault import MapError
from engine.graph.model import Map, Space, StoredSight

FORM = "compiled-map/2"
"""The file format. Increased whenever a table's meaning changes, so that old files are detected."""
FIRST_FORM = "compiled-map/1"
"""Still readable, because a board without NumPy cannot compile its maps again."""


class _Compiled(msgspec.Struct, frozen=True):
    form: str
    # Decode the map only after checking its format, because older formats have other fields.
    map: msgspec.Raw


class _Stored(Map, frozen=True):
    """A map whose sights are decoded when they are needed."""

    sights: dict[str, dict[str, StoredSight]]


def digest(source: bytes) -> str:
    """Return the value of `Map.source` for the file that a map was compiled from."""
    return sha256(source).hexdigest()


def dump(compiled: Map) -> bytes:
    """Return the map as JSON. Equal maps give equal bytes. Each space and each list of sights is on its own line."""
    # One line per space and per list of sights keeps the differences of a map readable in git.
    members = [f'"{name}":{_member(getattr(compiled, name))}' for name in compiled.__struct_fields__]
    return f'{{"form":"{FORM}","map":{{\n{",".join(members)}}}}}\n'.encode()


def _member(value: object) -> str:
    if isinstance(value, dict) and any(isinstance(inner, dict | Space) for inner in value.values()):
        lines = (f"{_json(key)}:{_json(inner)}" for key, inner in value.items())
        return "{\n" + ",\n".join(lines) + "}\n"
    return _json(value) + "\n"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def load(text: bytes, where: str = "") -> Map:
    """Return the map in compiled JSON. Raises `MapError` for any other text."""
    try:
        compiled = msgspec.json.decode(text, type=_Compiled)
        if compiled.form in (FORM, FIRST_FORM):
            text = compiled.map if compiled.form == FORM else _of_first_form(msgspec.json.decode(compiled.map))
            stored = msgspec.json.decode(text, type=_Stored)
            return Map(*(getattr(stored, name) for name in Map.__struct_fields__))
    # The file may be anything, for example one that was cut off.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, AttributeError, TypeError) as error:
        raise MapError(where, [f"this is not a compiled map ({error}). Compile the map again."]) from error
    raise MapError(where, [f'it has the form {compiled.form!r}, not "{FORM}". Compile the map again.'])


def _of_first_form(old_map: dict[str, Any]) -> bytes:
    """Convert a map of the first format, which stored the data for games among the map's own members."""
    entries = [{"space": space, "at": old_map["entry_points"][sector]} for sector, space in old_map["entries"].items()]
    members = {name: old_map[name] for name in ("suits", "marks") if old_map.get(name)}
    spaces = {
        name: space | {"properties": {word: space[word] for word in ("objective", "start") if word in space}}
        for name, space in old_map["spaces"].items()
    }
    return msgspec.json.encode(old_map | {"spaces": spaces, "entries": entries, "members": members})
