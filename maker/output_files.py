"""Write the files of the `map` commands: atomically, and overwriting only their own earlier output.

A drawing takes weeks of work, so an existing file is replaced only if it is marked as generated.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import struct
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from engine.graph.fault import MapError
from firmware_host.core import maps

PNG = b"\x89PNG\r\n\x1a\n"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" class="board-map'
MARK = b"tEXtSoftware\0sniperboard map"
PNG_HEADER_BYTES = 33
"""Number of bytes of a PNG up to the end of its header; our mark follows."""
LARGEST_FILE = 64_000_000
"""Maximum size in bytes of files written here."""
ANOTHER = "Give another file with --out, or move this one away first."


class _Named(msgspec.Struct):
    slug: str


class _Tables(msgspec.Struct):
    form: str
    map: _Named


def format_geojson(document: Mapping[str, Any]) -> str:
    """Return a GeoJSON collection as text: its members, then one feature per line, so that a diff shows each change.

    Formatting its own output again changes nothing.
    """
    members = {name: value for name, value in document.items() if name != "features"}
    head = json.dumps(members, ensure_ascii=False, indent=1).removesuffix("\n}")
    lines = ",\n".join("  " + json.dumps(feature, ensure_ascii=False) for feature in document["features"])
    return f'{head},\n "features": [\n{lines}\n ]\n}}\n' if lines else f'{head},\n "features": []\n}}\n'


def mark_png(picture: bytes) -> bytes:
    """Return the PNG with our mark, so that later runs may overwrite it."""
    # A PNG chunk: the length of its data, its type (four bytes), the data, and a checksum.
    chunk = struct.pack(">I", len(MARK) - 4) + MARK + struct.pack(">I", zlib.crc32(MARK))
    return picture[:PNG_HEADER_BYTES] + chunk + picture[PNG_HEADER_BYTES:]


def write_picture(out: Path, content: bytes) -> None:
    """Write an SVG or a marked PNG. Raises `MapError` instead of overwriting any other file."""
    _write(out, content, _is_picture, "a picture drawn by this program")


def write_tables(out: Path, content: bytes, slug: str, drawing: Path) -> None:
    """Write a map's tables. Raises `MapError` instead of overwriting anything but tables of the same map."""
    drawn_here = out.parent / maps.DRAWING
    if out.name == maps.COMPILED and drawn_here.exists() and not (drawing.exists() and drawn_here.samefile(drawing)):
        raise MapError(str(out), [f"the tables of {drawn_here} belong here, not those of {drawing}. {ANOTHER}"])
    _write(out, content, lambda content: _is_tables(content, slug), f"a compiled table of the map {slug}")


def _is_picture(content: bytes) -> bool:
    return content.startswith(SVG) or (content.startswith(PNG) and content[PNG_HEADER_BYTES + 4 :].startswith(MARK))


def _is_tables(content: bytes, slug: str) -> bool:
    """Return whether these are a map's tables, of any version."""
    try:
        tables = msgspec.json.decode(content, type=_Tables)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return tables.form.startswith("compiled-map/") and tables.map.slug == slug


def replace_file(path: Path, content: bytes) -> None:
    """Write a file atomically, keeping the permissions of a replaced file. Raises `OSError`."""
    draft = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
    draft.unlink(missing_ok=True)
    try:
        # "x" never follows a link that someone else puts here.
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, draft)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def _write(out: Path, content: bytes, ours: Callable[[bytes], bool], what: str) -> None:
    """Write a file completely or not at all. Overwrite it only if it is `ours`."""
    try:
        _spare(out, ours, what)
        replace_file(out, content)
    except OSError as error:
        raise MapError(str(out), [f"cannot be written: {error.strerror}. Give another file with --out."]) from error
    except ValueError as error:
        raise MapError(str(out), [f"cannot be written: {error}. Give another file with --out."]) from error


def _spare(out: Path, ours: Callable[[bytes], bool], what: str) -> None:
    """Raise `MapError` if there is a file that this program did not write."""
    try:
        status = os.lstat(out)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode):
        kind = "a link" if stat.S_ISLNK(status.st_mode) else "a folder" if stat.S_ISDIR(status.st_mode) else "a device"
        raise MapError(str(out), [f"is {kind} and is not overwritten. Give another file with --out."])
    # Read a file only if it can be ours, because others may be huge.
    if status.st_size > LARGEST_FILE or not ours(out.read_bytes()):
        raise MapError(str(out), [f"exists, but is not {what}, so it is not overwritten. {ANOTHER}"])
