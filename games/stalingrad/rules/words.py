"""The game's names as the protocol spells them: seats, stats, phases, dice; and what people call them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from engine.text import Text

Stat = Literal["hunt", "shoot", "evade"]
Phase = Literal["hunt", "reveal", "target", "danger", "escape", "over"]
Wound = Literal["minor", "serious", "major", "out"]
Reason = Literal["out", "last", "deck"]
"""Why the game is over: the only player is out, one of several is left, the deck is used up (ST-GOL-02, ST-R-34)."""

STATS: Final[tuple[Stat, ...]] = get_args(Stat)
FEWEST, MOST = 1, 6
"""The fewest and the most players (ST-R-26)."""
START: Final = 5
"""The value of every stat at the start (ST-STA-02)."""
CAP: Final = 9
"""The maximum of a stat and of the value of a roll (ST-STA-03, ST-R-05)."""
HAND: Final = 3
"""The most Aids in hand when a turn ends (ST-ESC-01)."""
PRICE: Final = 3
"""The price of one point of a stat, in tokens (ST-XP-05)."""
FACES: Final = tuple(range(10))
"""The faces of the die."""
STAT_TITLES: Final[Mapping[str, Text]] = {"hunt": Text("Hunt"), "shoot": Text("Shoot"), "evade": Text("Evade")}


def seat_names(players: int) -> tuple[str, ...]:
    """Return the seats of a game, in the order of play."""
    return tuple(f"player-{number}" for number in range(1, players + 1))


ALL_SEATS: Final = seat_names(MOST)


def called(seat: str) -> Text:
    """Return the name of a player, for the middle of a sentence."""
    return Text("player {which}", which=seat.partition("-")[2])


def points(die: int) -> int:
    """Return how much a face counts: 0 is ten, except on the wound table (ST-R-06)."""
    return die or 10
