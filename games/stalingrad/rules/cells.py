"""The cells of the track board: a strip of tracks for each seat, and a row of pads (ST-X-01, ST-X-03)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.stalingrad.rules.words import CAP, STATS

STARS, XP, LOST_TURNS = 20, 9, 2
"""The last cells of the score, the experience track and the danger track."""
TRACKS: Final[Mapping[str, range]] = {
    **{stat: range(1, CAP + 1) for stat in STATS},
    "xp": range(XP + 1),
    "skip": range(1, LOST_TURNS + 1),
    "stars": range(1, STARS + 1),
}
"""The tracks of a strip, in order, with the numbers of their cells."""
PADS: Final = tuple(f"pad/{number}" for number in range(1, CAP + 1))


def strip(seat: str) -> list[str]:
    """Return all cells of a seat's strip."""
    return [f"{seat}/{track}/{cell}" for track, cells in TRACKS.items() for cell in cells]
