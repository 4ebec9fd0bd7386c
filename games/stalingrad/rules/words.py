"""Protocol names (seats, stats, phases, dice, cells of the track board) and their display names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from engine.seats import player_names
from engine.text import Text

Stat = Literal["hunt", "shoot", "evade"]
Phase = Literal["hunt", "reveal", "target", "danger", "escape", "over"]
Wound = Literal["minor", "serious", "major", "out"]
Reason = Literal["out", "last", "deck"]
"""Why the game ended (ST-GOL-02, ST-R-34).

`out`: the only player is out. `last`: one of several players is left. `deck`: the deck is empty.
"""

STATS: Final[tuple[Stat, ...]] = get_args(Stat)
FEWEST, MOST = 1, 6  # Minimum and maximum number of players (ST-R-26)
START: Final = 5  # Starting value of every stat (ST-STA-02)
CAP: Final = 9  # Maximum of a stat and of the value of a roll (ST-STA-03, ST-R-05)
HAND: Final = 3  # Maximum number of Aids in hand at the end of a turn (ST-ESC-01)
PRICE: Final = 3  # Price of one stat point, in tokens (ST-XP-05)
FACES: Final = tuple(range(10))  # Faces of the die
STAT_TITLES: Final[Mapping[str, Text]] = {"hunt": Text("Hunt"), "shoot": Text("Shoot"), "evade": Text("Evade")}
# Cells of the track board: one strip of tracks per seat, and a row of pads (ST-X-01, ST-X-03)
STARS, XP, LOST_TURNS = 20, 9, 2  # Number of the last cell on the score, experience and danger tracks
TRACKS: Final[Mapping[str, range]] = {
    **{stat: range(1, CAP + 1) for stat in STATS},
    "xp": range(XP + 1),
    "skip": range(1, LOST_TURNS + 1),
    "stars": range(1, STARS + 1),
}
"""Tracks of a strip in order, with their cell numbers."""
PADS: Final = tuple(f"pad/{number}" for number in range(1, CAP + 1))


ALL_SEATS: Final = player_names(MOST)


def called(seat: str) -> Text:
    """Return a player's name, for use inside a sentence."""
    return Text("player {which}", which=seat.partition("-")[2])


def value_of_die(die: int) -> int:
    """Return the value of a die face. 0 counts as ten, except on the wound table (ST-R-06)."""
    return die or 10


def cells_of(seat: str) -> list[str]:
    """Return all cells of a seat's strip."""
    return [f"{seat}/{track}/{cell}" for track, cells in TRACKS.items() for cell in cells]
