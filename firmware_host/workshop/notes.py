"""Files of a calibration in the board's folder: notes while it lasts, then the wiring.

Both are written to a temporary file, synced and renamed, so that a power cut loses nothing.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from engine.graph import Map
from firmware_host.board.wiring import MOST, Wiring, read, text
from firmware_host.workshop.calibration import Found

NOTES = "calibration.json"


def remembered(notes: Path, expected: Wiring) -> tuple[Found, ...]:
    """Return what was found earlier, or () if it cannot be read or is about another board."""
    try:
        found = msgspec.json.decode(notes.read_bytes(), type=tuple[Found, ...])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return ()
    return found if _fits(found, expected) else ()


def _fits(found: tuple[Found, ...], expected: Wiring) -> bool:
    sensors = [one.sensor for one in found if one.sensor is not None]
    columns = ([one.lamp for one in found], [one.space for one in found], sensors)
    return (
        all(len(set(column)) == len(column) for column in columns)
        and all(0 <= one.lamp < len(expected.lamps) and one.space in expected.lamps for one in found)
        and all(expected.lamps[one.lamp] is not None for one in found)
        and all(0 <= sensor < MOST for sensor in sensors)
    )


def remember(notes: Path, found: tuple[Found, ...]) -> None:
    """Store what was found so far. Raises `OSError`."""
    _put(notes, msgspec.json.encode(found))


def forget(notes: Path) -> None:
    """Delete the notes. Raises `OSError`."""
    notes.unlink(missing_ok=True)


def write_wiring(target: Path, wiring: Wiring, board: Map) -> None:
    """Write a wiring file. Raises `OSError`, and `WiringError` for an unusable wiring; then the old file stays."""
    _put(target, text(wiring).encode(), board)


def _put(target: Path, content: bytes, board: Map | None = None) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(target.name + ".new")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if board is not None:
        read(draft, board)
    draft.replace(target)
