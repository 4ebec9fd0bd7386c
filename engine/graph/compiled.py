"""A compiled map as JSON: every derived table, so that whoever only plays needs no geometry.

The bytes depend on the map alone, and loading needs msgspec only.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from engine.graph.fault import MapError
from engine.graph.model import Map, Space

FORM = "compiled-map/1"
"""Raised whenever the tables change their meaning, so that an old file is noticed."""


class _Compiled(msgspec.Struct, frozen=True):
    form: str
    map: Map


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
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MapError(where, [f"this is no compiled map ({error}). Compile the map again."]) from error
    if found.form != FORM:
        raise MapError(where, [f'it has the form {found.form!r}, not "{FORM}". Compile the map again.'])
    return found.map
