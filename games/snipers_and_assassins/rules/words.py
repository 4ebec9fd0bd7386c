"""Protocol names (seats, markers, cards) and their display names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, get_args

from engine.text import Text

Kind = Literal["sniper", "assassin"]
Card = Literal["scope", "drop", "spring", "armor", "mask", "reload", "pads", "spike"]
Direction = Literal["up", "down"]

SNIPER: Final = "sniper"
ASSASSIN: Final = "assassin"
KINDS: Final[tuple[str, ...]] = get_args(Kind)
FEWEST, MOST = 2, 6  # Minimum and maximum number of players (SA-R-65)
MINES: Final = 5  # Maximum number of mines of one owner on the board (SA-R-24)
ROUNDS: Final = 300  # Last round. After it, the game is a draw (SA-R-46).
STEPS: Final[Mapping[Direction, int]] = {"up": -1, "down": 1}
"""Direction of a jump -> change in pathway number."""
END_RULES: Final = {"leader": "SA-WIN-01", "rounds": "SA-R-46"}  # Reason for the end -> rule


@lru_cache(maxsize=64)
def marker_of(seat: str, kind: str) -> str:
    """Return a seat's Sniper or Assassin."""
    return f"{kind}-{seat.partition('-')[2]}"


@lru_cache(maxsize=64)
def seat_of(marker: str) -> str:
    """Return the owner of a marker."""
    return f"player-{marker.partition('-')[2]}"


@lru_cache(maxsize=64)
def kind_of(marker: str) -> str:
    """Return the kind of a marker: `sniper` or `assassin`."""
    return marker.partition("-")[0]


@lru_cache(maxsize=64)
def markers_of(seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return all markers of these seats. Each Sniper comes before its Assassin."""
    return tuple(marker_of(seat, kind) for seat in seats for kind in KINDS)


@lru_cache(maxsize=64)
def called(name: str) -> Text:
    """Return the name of a marker or a seat, for use inside a sentence."""
    kind, _, which = name.partition("-")
    return _CALLED[kind].with_(which=which)


_CALLED: Final = {
    "player": Text("player {which}"),
    SNIPER: Text("Sniper {which}"),
    ASSASSIN: Text("Assassin {which}"),
}
