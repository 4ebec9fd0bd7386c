"""Cells of the track board: one strip of tracks per seat, and a row of pads (ST-X-01, ST-X-03)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.stalingrad.rules.words import CAP, STATS

STARS, XP, LOST_TURNS = 20, 9, 2  # Number of the last cell on the score, experience and danger tracks
TRACKS: Final[Mapping[str, range]] = {
    **{stat: range(1, CAP + 1) for stat in STATS},
    "xp": range(XP + 1),
    "skip": range(1, LOST_TURNS + 1),
    "stars": range(1, STARS + 1),
}
"""Tracks of a strip in order, with their cell numbers."""
PADS: Final = tuple(f"pad/{number}" for number in range(1, CAP + 1))


def strip(seat: str) -> list[str]:
    """Return all cells of a seat's strip."""
    return [f"{seat}/{track}/{cell}" for track, cells in TRACKS.items() for cell in cells]
