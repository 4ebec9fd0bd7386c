"""A compiled map as JSON: every derived table, so that whoever only plays needs no geometry.

The bytes depend on the map alone, and loading needs msgspec only.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from engine.map.fault import MapError
from engine.map.model import Map

FORM = "compiled-map/1"
"""Raised whenever the tables change their meaning, so that an old file is noticed."""


class _Compiled(msgspec.Struct, frozen=True):
    form: str
    map: Map


def digest(source: bytes) -> str:
    """What `Map.source` says about the file that a map was compiled from."""
    return sha256(source).hexdigest()


def dump(compiled: Map) -> bytes:
    """The map as JSON, one space or sight list a line; the same map always gives the same bytes."""
    text = msgspec.json.encode(_Compiled(FORM, compiled), order="deterministic")
    for mark in (b'"accesses"', b'"adjacent"', b'"spaces"', b'"sights"', b'"walk"'):
        text = text.replace(mark, b"\n" + mark)
    for opening, closing in ((b'{"id"', b"}"), (b':{"', b"}")):
        text = text.replace(closing + b"," + opening, closing + b",\n" + opening)
    return text.replace(b'},"', b'},\n"') + b"\n"


def load(text: bytes, where: str = "") -> Map:
    """The map in compiled JSON. Raises `MapError` when the text is something else."""
    try:
        found = msgspec.json.decode(text, type=_Compiled)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MapError(where, [f"this is no compiled map ({error}). Compile the map again."]) from error
    if found.form != FORM:
        raise MapError(where, [f'it has the form {found.form!r}, not "{FORM}". Compile the map again.'])
    return found.map
