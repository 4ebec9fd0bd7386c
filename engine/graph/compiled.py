"""A compiled map as JSON: every derived table, so that whoever only plays needs no geometry.

The bytes depend on the map alone, and loading needs msgspec only.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from engine.graph.fault import MapError
from engine.graph.model import Map, Space

FORM = "compiled-map/2"
"""Raised whenever the tables change their meaning, so that an old file is noticed."""
FIRST_FORM = "compiled-map/1"
"""Still read: a board without NumPy cannot compile its maps again."""


class _Compiled(msgspec.Struct, frozen=True):
    form: str
    map: msgspec.Raw


def digest(source: bytes) -> str:
    """What `Map.source` says about the file that a map was compiled from."""
    return sha256(source).hexdigest()


def dump(compiled: Map) -> bytes:
    """The map as JSON, each space and each list of sights on a line of its own; equal maps give equal bytes."""
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
    """The map in compiled JSON. Raises `MapError` when the text is something else."""
    try:
        found = msgspec.json.decode(text, type=_Compiled)
        if found.form == FORM:
            return msgspec.json.decode(found.map, type=Map)
        if found.form == FIRST_FORM:
            return msgspec.convert(_of_first_form(msgspec.json.decode(found.map, type=dict[str, Any])), Map)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, AttributeError, TypeError) as error:
        raise MapError(where, [f"this is no compiled map ({error}). Compile the map again."]) from error
    raise MapError(where, [f'it has the form {found.form!r}, not "{FORM}". Compile the map again.'])


def _of_first_form(found: dict[str, Any]) -> dict[str, Any]:
    """A map of the first form, which kept what games read beside the map's own members."""
    entries = [{"space": space, "at": found["entry_points"][sector]} for sector, space in found["entries"].items()]
    members = {name: found[name] for name in ("suits", "marks") if found.get(name)}
    spaces = {
        name: space | {"properties": {word: space[word] for word in ("objective", "start") if word in space}}
        for name, space in found["spaces"].items()
    }
    return found | {"spaces": spaces, "entries": entries, "members": members}
